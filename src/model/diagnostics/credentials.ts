import type { Unreadable } from "./sources.ts";
import type { Quoted, Word } from "./values.ts";

type Nothing = Record<never, never>;

/** Who signs in, and where. No fact ever holds a key, not even a wrong one. */
export interface CredentialFacts {
  /**
   * @property organization what the variables of its own end with, where several organizations are looked at
   * @property searched a zuliprc with so many sections that have a site, none of them that of the organization
   */
  readonly "credentials/missing": {
    readonly absent: readonly ("site" | "email" | "key")[];
    readonly organization?: Word;
    /** Variables that are set, and whose names end nearly as the organization's own do. */
    readonly similar?: { readonly variables: readonly Word[]; readonly ending: Word };
    readonly searched?: { readonly file: Word; readonly sections: number; readonly realm: Word };
  };
  readonly "credentials/insecure": From & { readonly cause: "value" | "unchecked" };
  readonly "credentials/site": From & SiteCause;
  readonly "credentials/email": From;
  readonly "credentials/certificate": From &
    (
      | { readonly cause: "not-pem"; readonly what: CertificateKey; readonly file: Word }
      | { readonly cause: "unreadable"; readonly what: CertificateKey; readonly file: Word; readonly why: Unreadable }
      | { readonly cause: "key-alone" }
    );
  readonly "credentials/file": {
    readonly file: Word;
    /** An option or a variable; without one, it is the default place. */
    readonly named_by?: Word;
    readonly why: Unreadable;
  };
  readonly "credentials/open-to-others": {
    readonly file: Word;
    readonly right: "change" | "read";
    /** In octal digits. */
    readonly mode: Word;
  };
  readonly "credentials/key": From &
    (
      | { readonly cause: "character" }
      | { readonly cause: "length"; readonly characters: number; readonly wanted: number }
    );
  /** @property is_socks4 it is an address, of a proxy of another kind */
  readonly "credentials/proxy": { readonly variable: Word; readonly is_socks4?: true };
  readonly "zuliprc/duplicate-section": { readonly section: Quoted };
  /** @property sites addresses of the sections that are there */
  readonly "zuliprc/no-section": { readonly is_before: boolean; readonly sites?: readonly Word[] };
  readonly "zuliprc/same-site": { readonly sections: readonly Quoted[] };
  readonly "zuliprc/syntax": Nothing;
  /** @property key absent where it may be a secret: a line turned round shows the API key as a name */
  readonly "zuliprc/unknown-key": { readonly key?: Quoted; readonly meant?: Word; readonly known: readonly Word[] };
  readonly "zuliprc/duplicate-key": { readonly key: Word };
  readonly "zuliprc/empty": { readonly key: Word };
  readonly "zuliprc/quotes": { readonly key: Word };
}

/** The origin of a value that somebody typed when asked for it. */
export const TYPED = "typed";

/** @property origin where the value came from when no file shows it: a flag, a variable */
interface From {
  readonly origin?: Word;
}

type CertificateKey = "cert_bundle" | "client_cert" | "client_cert_key";

/** What is wrong with an address of an organization. Never the address: what stands before the @ may be a password. */
export type SiteCause =
  | { readonly cause: "no-address" | "user-info" }
  | { readonly cause: "scheme"; readonly scheme: Word }
  | { readonly cause: "plain-http"; readonly host: Word };
