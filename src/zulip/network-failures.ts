import { defined } from "../model/defined.ts";
import { type Diagnostic, EXIT, error, Failure } from "../model/diagnostic.ts";
import type { RedirectTarget } from "../model/diagnostics/server.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isLoopback } from "../model/loopback.ts";
import type { Connection, Deadline } from "./connection.ts";
import type { Reply } from "./reply.ts";
import type { TransportError } from "./transport.ts";

const unreachable = (diagnostic: Diagnostic): Failure => new Failure(EXIT.unreachable, diagnostic);

/** No answer: the reason, for the advice that fits it. */
export function noAnswerFailure(
  { failure, reason, neverSent, detail }: TransportError,
  { site, origin, overdue }: Connection,
): Failure {
  if (failure === "aborted" && overdue !== undefined) return tooLong(overdue, site);
  const { hostname } = new URL(site);
  const unreached = { site, reason };
  const is_loopback = isLoopback(hostname);
  const closer = defined({ detail });
  switch (failure) {
    case "unknown-host":
      return unreachable(error("zulip/unknown-host", { host: hostname }));
    case "tls": {
      const bundle = defined({ bundle: origin?.certBundle });
      return unreachable(error("zulip/tls", { ...unreached, ...closer, ...bundle, is_loopback }));
    }
    case "timeout":
      return unreachable(error("zulip/timeout", { ...unreached, never_sent: neverSent }));
    case "proxy":
      return unreachable(error("zulip/proxy", { ...unreached, ...closer }));
    case "too-large":
      return unreachable(error("zulip/too-large", unreached));
    case "aborted":
      return unreachable(error("zulip/stopped", {}));
    case "unreachable":
    case "broken-off":
      return unreachable(error("zulip/unreachable", { ...unreached, ...closer, is_loopback }));
  }
}

/** An answer that no Zulip server gives: another program answers, or something is in front of the server. */
export function unreadableFailure(reply: Extract<Reply, { kind: "unreadable" }>, site: string): Failure {
  const { status, server, asksFor, refused } = reply;
  const by = { site, status, ...defined({ server: server === "" ? undefined : quote(server) }) };
  if (refused !== undefined) return unreachable(error("zulip/unexpected-answer", { ...by, refused }));
  // A server that does not know the method at all is another program: a plain file server answers so.
  if (status >= 500 && status !== 501 && status !== 511) return serverFailure(status, site);
  if (asksFor === "https") return unreachable(error("zulip/not-zulip", { site, expects: "https" }));
  if (asksFor === "login") return unreachable(error("zulip/turned-away", { ...by, cause: "login" }));
  if ([401, 402, 403, 407, 451, 511].includes(status))
    return unreachable(error("zulip/turned-away", { ...by, cause: "blocked" }));
  if (status === 413 || status === 414 || status === 431)
    return unreachable(error("zulip/turned-away", { ...by, cause: "too-large" }));
  return unreachable(error("zulip/not-zulip", { ...by, ...defined({ is_cut: reply.isCut }) }));
}

/** Maximum number of characters of a redirect's target in a message. Queries are left out, because they can contain secrets. */
const LONGEST_TARGET = 200;
const SIGN_IN = /log-?in|sign-?in|sso|saml|oauth|oidc|openid|auth|accounts?\b|cas\b|adfs|idp/i;

/** The failure of a redirect. It is not followed, since the key would be sent along. */
export function redirectFailure(reply: Extract<Reply, { kind: "redirect" }>, site: string): Failure {
  return unreachable(error("zulip/redirect", { site, status: reply.status, ...targetOf(reply, site) }));
}

function targetOf({ location, path }: Extract<Reply, { kind: "redirect" }>, site: string): RedirectTarget {
  if (location === "" || !URL.canParse(location, site)) return { to: "nowhere" };
  const url = new URL(location, site);
  const here = new URL(site).origin;
  const shown = `${url.origin === here ? "" : url.origin}${url.pathname}`;
  const target = shown.length > LONGEST_TARGET ? `${shown.slice(0, LONGEST_TARGET)}…` : shown;
  const isMoved = url.pathname.endsWith(path.slice(path.indexOf("/api/")));
  const movedTo = `${url.origin}${url.pathname.slice(0, Math.max(0, url.pathname.lastIndexOf("/api/")))}`;
  if (isMoved && movedTo !== site) return { to: "moved", target, url: movedTo };
  if (SIGN_IN.test(`${url.hostname}${url.pathname}`)) return { to: "sign-in", target };
  return url.origin === here ? { to: "same-host", target } : { to: "other-host", target, url: url.origin };
}

/** The failure of a server, or of the proxy in front of it. */
export function serverFailure(status: number, site: string): Failure {
  return unreachable(error("zulip/server-error", { site, status }));
}

/** The failure of a run whose deadline has passed. */
function tooLong({ limitMs }: Deadline, site: string): Failure {
  return new Failure(EXIT.appliedInPart, error("zulip/deadline", { site, limit_seconds: limitMs / 1000 }));
}
