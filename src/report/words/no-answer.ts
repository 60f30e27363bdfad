import type {
  BrokenOff,
  NoAnswer,
  OwnRefusal,
  ProxyFailure,
  UnclearAnswer,
} from "../../model/diagnostics/no-answer.ts";
import { whyUnreadable } from "./diagnostics/unreadable.ts";
import { bare } from "./diagnostics/words.ts";

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
