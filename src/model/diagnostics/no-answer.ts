import type { Unreadable } from "./sources.ts";
import type { Quoted, Word } from "./values.ts";

/** Why a request got no answer, or only a part of one. Messages of the system or of a library are quoted. */
export type NoAnswer =
  | Quoted
  | { readonly is: "stopped" | "certificate-expired" | "certificate-not-yet-valid" }
  | { readonly is: "no-connection"; readonly host: Word; readonly limit_seconds: number }
  /** The whole answer did not arrive within the time limit. */
  | { readonly is: "not-whole"; readonly limit_seconds: number }
  | { readonly is: "too-large"; readonly most_mebibytes: number }
  | { readonly is: "not-https"; readonly host: Word }
  /** @property names the first names that the certificate is for */
  | { readonly is: "other-name"; readonly host: Word; readonly names: readonly Quoted[]; readonly more: boolean }
  | { readonly is: "broken-off"; readonly how: BrokenOff; readonly proxy?: Word }
  /** @property trouble keeps the name from the first journals, which are still read (docs/internals/decisions/0007-findings-are-facts.md) */
  | { readonly is: "proxy"; readonly proxy: Word; readonly trouble: ProxyFailure };

/** How an answer, or the way to it, broke off. */
export type BrokenOff =
  | Quoted
  | {
      readonly is: "headers-too-large" | "ends-too-early" | "not-gzip" | "closed" | "unasked-protocol";
    }
  | { readonly is: "not-http"; readonly reason?: Quoted }
  /** @property code the code of the system: `ECONNRESET` */
  | { readonly is: "cut"; readonly code: Word };

/** An error of a proxy, before the request is sent. */
export type ProxyFailure =
  | { readonly is: "other-name" | "not-http" | "not-socks" | "closed" | "answers-itself" | "unknown-host" }
  | { readonly is: "credentials"; readonly protocol: "HTTP" | "SOCKS5" }
  | { readonly is: "refuses"; readonly status: number }
  /** @property reply the number of the reply in RFC 1928 */
  | { readonly is: "socks-reply"; readonly reply: number }
  | { readonly is: "unreachable"; readonly reason: Quoted }
  /** @property is `no-connection`: no connection to the proxy; `silent`: the proxy did not answer the request for a connection */
  | { readonly is: "no-connection" | "silent"; readonly limit_seconds: number };

/** Why an answer does not show whether the request was carried out. */
export type UnclearAnswer =
  | { readonly is: "no-answer"; readonly why: NoAnswer }
  | { readonly is: "redirect" | "not-its-own"; readonly status: number }
  | { readonly is: "server-failed"; readonly answer: Quoted }
  | { readonly is: "other-result"; readonly status: number; readonly result: Quoted };

/** A refusal that is not the server's own answer. */
export type OwnRefusal =
  /** The server asks to wait for longer than realmctl does. */
  | { readonly is: "rate-limited" }
  /** A file that belongs to the request was not sent. */
  | {
      readonly is: "no-file";
      readonly file: Word;
      readonly why: "changed" | "unreadable";
      readonly cause?: Unreadable;
    };
