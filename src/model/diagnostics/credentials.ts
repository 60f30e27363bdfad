import type { Unreadable } from "./sources.ts";
import type { Quoted, Word } from "./values.ts";

type Nothing = Record<never, never>;

/** Errors in credentials. No fact ever holds a key, not even a wrong one. */
export interface CredentialFacts {
  /**
   * @property organization the ending of this organization's own variables, if the command is for several organizations
   * @property searched a zuliprc, and the number of its sections with a site; none has the site of the organization
   */
  readonly "credentials/missing": {
    readonly absent: readonly ("site" | "email" | "key")[];
    readonly organization?: Word;
    /** Variables that are set, and whose names end similarly to the organization's own variables. */
    readonly similar?: { readonly variables: readonly Word[]; readonly ending: Word };
    /** The zuliprc that was read, and lacks them. */
    readonly read?: Word;
    readonly searched?: { readonly file: Word; readonly sections: number; readonly realm: Word };
  };
  readonly "credentials/insecure": From & { readonly cause: "value" | "unchecked" };
  readonly "credentials/site": From & SiteCause;
  readonly "credentials/email": From & { readonly is_quoted?: true };
  readonly "credentials/certificate": From &
    (
      | { readonly cause: "not-pem"; readonly what: CertificateKey; readonly file: Word }
      | { readonly cause: "unreadable"; readonly what: CertificateKey; readonly file: Word; readonly why: Unreadable }
      | { readonly cause: "key-alone" }
    );
  readonly "credentials/file": {
    readonly file: Word;
    /** The option or variable that names the file; absent for the default path. */
    readonly named_by?: Word;
    readonly why: Unreadable;
  };
  readonly "credentials/open-to-others": {
    readonly file: Word;
    readonly right: "change" | "read";
    /** The mode of the file, in octal digits. */
    readonly mode: Word;
  };
  readonly "credentials/key": From &
    (
      | { readonly cause: "character" }
      | { readonly cause: "quotes" }
      | { readonly cause: "length"; readonly characters: number; readonly wanted: number }
    );
  /** @property is_socks4 the value is the address of a SOCKS4 proxy, which is not supported */
  readonly "credentials/proxy": { readonly variable: Word; readonly is_socks4?: true };
  readonly "zuliprc/duplicate-section": { readonly section: Quoted };
  /** @property sites the sites of the sections in the file @property is_other nothing in the file is of a zuliprc */
  readonly "zuliprc/no-section": {
    readonly is_before: boolean;
    readonly sites?: readonly Word[];
    readonly is_other?: true;
  };
  readonly "zuliprc/same-site": { readonly sections: readonly Quoted[] };
  readonly "zuliprc/syntax": Nothing;
  /** @property key absent if it may be a secret: in a line with its sides exchanged, the API key stands where the name should be */
  readonly "zuliprc/unknown-key": { readonly key?: Quoted; readonly meant?: Word; readonly known: readonly Word[] };
  readonly "zuliprc/duplicate-key": { readonly key: Word };
  readonly "zuliprc/empty": { readonly key: Word };
  readonly "zuliprc/quotes": { readonly key: Word };
}

/** The origin of a value that somebody typed when asked for it. */
export const TYPED = "typed";

/** @property origin the source of a value that is not in a file: a flag, a variable */
interface From {
  readonly origin?: Word;
}

type CertificateKey = "cert_bundle" | "client_cert" | "client_cert_key";

/** The error in the address of an organization. The address itself is never included: the part before the @ may be a password. */
export type SiteCause =
  | { readonly cause: "no-address" | "quotes" | "user-info" | "e-mail" | "port" }
  | { readonly cause: "scheme"; readonly scheme: Word }
  | { readonly cause: "plain-http"; readonly host: Word };
