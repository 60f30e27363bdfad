import { cases, type FactIn } from "../cases.ts";
import { type Unreadable, whyUnreadable } from "./unreadable.ts";
import type { Named, Quoted, Word } from "./values.ts";
import { bare } from "./words.ts";

/** Why a request got no answer, or only a part of one. Messages of the system or of a library are quoted. */
export type NoAnswer = Quoted | NoAnswerCause;
const causeText = cases("is", {
  stopped: "stopped",
  "certificate-expired": "its certificate has expired",
  "certificate-not-yet-valid": "its certificate is not valid yet",
  "no-connection": ({ host, limit_seconds }: { host: Word; limit_seconds: number }) =>
    `no connection to ${host} within ${limit_seconds} s`,
  /** The whole answer did not arrive within the time limit. */
  "not-whole": ({ limit_seconds }: { limit_seconds: number }) => `no complete answer within ${limit_seconds} s`,
  "too-large": ({ most_mebibytes }: { most_mebibytes: number }) => `it is larger than ${most_mebibytes} MiB`,
  "not-https": ({ host }: { host: Word }) => `the server at ${host} does not speak https`,
  /** @property names the first names that the certificate is for */
  "other-name": (reason: { host: Word; names: readonly Quoted[]; more: boolean }) => {
    const { host, names, more } = reason;
    const shown = names.map(bare).join(", ");
    if (shown === "") return `its certificate is not for ${host}`;
    return `its certificate is for ${shown}${more ? " and others" : ""}, not for ${host}`;
  },
  "broken-off": ({ how, proxy }: { how: BrokenOff; proxy?: Word }) =>
    `${brokenOffText(how)}${proxy === undefined ? "" : `, through the proxy ${proxy}`}`,
  /** @property trouble keeps the name from the first journals, which are still read (docs/internals/decisions/0007-findings-are-facts.md) */
  proxy: ({ proxy, trouble }: { proxy: Word; trouble: ProxyFailure }) => `the proxy ${proxy} ${proxyText(trouble)}`,
});
export type NoAnswerCause = FactIn<typeof causeText>;

/** How an answer, or the way to it, broke off. */
export type BrokenOff = Quoted | BrokenConnection;
const brokenText = cases("is", {
  "headers-too-large": "the headers of its answer are too large",
  "ends-too-early": "its answer ends too early",
  "not-gzip": "its answer is not valid gzip",
  closed: "it closed the connection before the end of its answer",
  "unasked-protocol": "it answers with an interim response or another protocol, which the request did not ask for",
  "not-http": ({ reason }: { reason?: Quoted }) =>
    `its answer is not valid HTTP${reason === undefined ? "" : ` (${reason.quoted})`}`,
  /** @property code the code of the system: `ECONNRESET` */
  cut: ({ code }: { code: Word }) => `it cut the connection (${code})`,
});
export type BrokenConnection = FactIn<typeof brokenText>;

/** An error of a proxy, before the request is sent. */
const proxyText = cases("is", {
  "other-name": "has a certificate for another name",
  "not-http": "does not answer with valid HTTP",
  "not-socks": "does not answer with valid SOCKS5",
  closed: "closes the connection without an answer",
  "answers-itself": "answers instead of the server",
  "unknown-host": "cannot be reached: there is no host with this name",
  credentials: ({ protocol }: { protocol: "HTTP" | "SOCKS5" }) =>
    `requires a user name and a password, or other ones (${protocol === "HTTP" ? "HTTP 407" : "SOCKS5"})`,
  refuses: ({ status }: { status: number }) => `refuses the connection (HTTP ${status})`,
  /** @property reply the number of the reply in RFC 1928 */
  "socks-reply": ({ reply }: { reply: number }) => `${SOCKS_REPLIES[reply] ?? "refuses"} (SOCKS5 reply ${reply})`,
  unreachable: ({ reason }: { reason: Quoted }) => `cannot be reached: ${reason.quoted}`,
  /** @property is `no-connection`: no connection to the proxy; `silent`: the proxy did not answer the request for a connection */
  "no-connection": ({ limit_seconds }: { limit_seconds: number }) =>
    `cannot be reached: no connection within ${limit_seconds} s`,
  silent: ({ limit_seconds }: { limit_seconds: number }) => `does not answer within ${limit_seconds} s`,
});
export type ProxyFailure = FactIn<typeof proxyText>;

/** Why nobody knows whether a request was carried out, as a sentence of its own. */
const unclearAnswerText = cases("is", {
  "no-answer": ({ why }: { why: NoAnswer }) => `no answer: ${noAnswerText(why)}`,
  redirect: ({ status }: { status: number }) => `the server redirects requests to another address (HTTP ${status})`,
  "not-its-own": ({ status }: { status: number }) => `an answer that is not Zulip's (HTTP ${status})`,
  "server-failed": ({ answer }: { answer: Quoted }) => `the server failed: ${answer.quoted}`,
  "other-result": ({ status, result }: { status: number; result: Quoted }) =>
    `an answer of HTTP ${status} with the result "${result.quoted}"`,
});
/** Why an answer does not show whether the request was carried out. */
export type UnclearAnswer = FactIn<typeof unclearAnswerText>;

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
export const noAnswerText = (reason: NoAnswer): string => ("quoted" in reason ? reason.quoted : causeText(reason));

const brokenOffText = (how: BrokenOff): string => ("quoted" in how ? how.quoted : brokenText(how));

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

/** Why a request counts as refused without an answer of the server's own. */
function ownRefusalText(refusal: OwnRefusal): string {
  if (refusal.is === "rate-limited")
    return "too many requests, and the server asks for a longer wait than realmctl accepts";
  const { file, why, cause } = refusal;
  if (why === "changed") return `${file} was not sent: it is not the file that was planned`;
  return `${file} was not sent: ${cause === undefined ? "this run cannot read files" : whyUnreadable(cause)}`;
}

/** What is to say about a call besides its state: the text below it. */
export const callText = cases("kind", {
  "done-by-earlier-run": "done by the run that this one continues",
  "left-to-another-run":
    "another run is sending the same changes now, and would send this one too: apply again after it has ended",
  "too-late": "its last day has passed: plan again",
  "object-not-found": "an object that it needs was not found after it was created",
  "stopped-before-answer": "stopped before its answer came; the next apply reads the organization and continues",
  "already-so": "the organization already had this value",
  /** Somebody else changed values that the call relies on. */
  changed: ({ changed }: { changed: readonly { readonly object: Named; readonly field: Word }[] }) =>
    `changed since the plan was made: ${changed.map(({ object, field }) => `${object.name} ${field}`).join(", ")}`,
  "not-sent": ({ reason }: { reason: NoAnswer }) => noAnswerText(reason),
  "no-answer": ({ reason }: { reason: UnclearAnswer }) => unclearAnswerText(reason),
  "refused-here": ({ refusal }: { refusal: OwnRefusal }) => ownRefusalText(refusal),
  "answer-lost": ({ reason }: { reason: UnclearAnswer }) =>
    `its answer was lost (${unclearAnswerText(reason)}); the organization shows that it was carried out`,
  ignored: ({ parameters }: { parameters: readonly Word[] }) => `the server ignored ${parameters.join(", ")}`,
  refused: (fact: { message: Quoted; parts: readonly { readonly address: Quoted; readonly reason: Quoted }[] }) => {
    const parts = fact.parts.map(({ address, reason }) => `${address.quoted}: ${reason.quoted}`);
    return parts.length === 0 ? fact.message.quoted : `${fact.message.quoted} ${parts.join("; ")}`;
  },
  needs: ({ call }: { call: number }) => `needs call #${call}, which was not done`,
});
export type CallFact = FactIn<typeof callText>;
