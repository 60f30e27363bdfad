import { type Unreadable, whyUnreadable } from "./unreadable.ts";
import type { Quoted, Word } from "./values.ts";
import { bare } from "./words.ts";

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

/** Why there is no answer, as the end of a sentence. */
export function noAnswerText(reason: NoAnswer): string {
  if ("quoted" in reason) return reason.quoted;
  switch (reason.is) {
    case "stopped":
      return "stopped";
    case "certificate-expired":
      return "its certificate has expired";
    case "certificate-not-yet-valid":
      return "its certificate is not valid yet";
    case "no-connection":
      return `no connection to ${reason.host} within ${reason.limit_seconds} s`;
    case "not-whole":
      return `no complete answer within ${reason.limit_seconds} s`;
    case "too-large":
      return `it is larger than ${reason.most_mebibytes} MiB`;
    case "not-https":
      return `the server at ${reason.host} does not speak https`;
    case "other-name": {
      const { host, names, more } = reason;
      const shown = names.map(bare).join(", ");
      if (shown === "") return `its certificate is not for ${host}`;
      return `its certificate is for ${shown}${more ? " and others" : ""}, not for ${host}`;
    }
    case "broken-off":
      return `${brokenOffText(reason.how)}${reason.proxy === undefined ? "" : `, through the proxy ${reason.proxy}`}`;
    case "proxy":
      return `the proxy ${reason.proxy} ${proxyText(reason.trouble)}`;
  }
}

function brokenOffText(how: BrokenOff): string {
  if ("quoted" in how) return how.quoted;
  switch (how.is) {
    case "headers-too-large":
      return "the headers of its answer are too large";
    case "ends-too-early":
      return "its answer ends too early";
    case "not-gzip":
      return "its answer is not valid gzip";
    case "closed":
      return "it closed the connection before the end of its answer";
    case "unasked-protocol":
      return "it answers with an interim response or another protocol, which the request did not ask for";
    case "not-http":
      return `its answer is not valid HTTP${how.reason === undefined ? "" : ` (${how.reason.quoted})`}`;
    case "cut":
      return `it cut the connection (${how.code})`;
  }
}

function proxyText(failure: ProxyFailure): string {
  switch (failure.is) {
    case "other-name":
      return "has a certificate for another name";
    case "not-http":
      return "does not answer with valid HTTP";
    case "not-socks":
      return "does not answer with valid SOCKS5";
    case "closed":
      return "closes the connection without an answer";
    case "answers-itself":
      return "answers instead of the server";
    case "unknown-host":
      return "cannot be reached: there is no host with this name";
    case "credentials":
      return `requires a user name and a password, or other ones (${failure.protocol === "HTTP" ? "HTTP 407" : "SOCKS5"})`;
    case "refuses":
      return `refuses the connection (HTTP ${failure.status})`;
    case "socks-reply":
      return `${SOCKS_REPLIES[failure.reply] ?? "refuses"} (SOCKS5 reply ${failure.reply})`;
    case "unreachable":
      return `cannot be reached: ${failure.reason.quoted}`;
    case "no-connection":
      return `cannot be reached: no connection within ${failure.limit_seconds} s`;
    case "silent":
      return `does not answer within ${failure.limit_seconds} s`;
  }
}

const SOCKS_REPLIES: { readonly [reply: number]: string } = {
  1: "fails",
  2: "refuses the connection",
  3: "cannot reach the server's network",
  4: "cannot reach the server",
  5: "was refused by the server",
  6: "did not reach the server in time",
  7: "opens no tunnels",
  8: "does not support this form of address",
};

/** Why nobody knows whether a request was carried out, as a sentence of its own. */
export function unclearAnswerText(answer: UnclearAnswer): string {
  switch (answer.is) {
    case "no-answer":
      return `no answer: ${noAnswerText(answer.why)}`;
    case "redirect":
      return `the server redirects requests to another address (HTTP ${answer.status})`;
    case "not-its-own":
      return `an answer that is not Zulip's (HTTP ${answer.status})`;
    case "server-failed":
      return `the server failed: ${answer.answer.quoted}`;
    case "other-result":
      return `an answer of HTTP ${answer.status} with the result "${answer.result.quoted}"`;
  }
}

/** Why a request counts as refused without an answer of the server's own. */
export function ownRefusalText(refusal: OwnRefusal): string {
  if (refusal.is === "rate-limited")
    return "too many requests, and the server asks for a longer wait than realmctl accepts";
  const { file, why, cause } = refusal;
  if (why === "changed") return `${file} was not sent: it is not the file that was planned`;
  return `${file} was not sent: ${cause === undefined ? "this run cannot read files" : whyUnreadable(cause)}`;
}
