import { defined } from "../model/defined.ts";
import { type Diagnostic, EXIT, error, Failure, failure } from "../model/diagnostic.ts";
import type { UnexpectedPart } from "../model/diagnostics/form-cause.ts";
import type { RedirectTarget } from "../model/diagnostics/server.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { JsonObject } from "../model/json.ts";
import { isLoopback } from "../model/loopback.ts";
import type { Connection, Deadline } from "./connection.ts";
import { type Reply, saidBy } from "./reply.ts";
import type { TransportError } from "./transport.ts";
import type { UnsentFile } from "./uploads.ts";

/** Feature level of the oldest server that realmctl supports: the first with group settings with `old` (zulip-api.md §14.2). */
export const OLDEST_LEVEL = 320;

/**
 * The body of a successful read.
 * @throws Failure with one clear message for everything else
 */
export function bodyOrFail(reply: Reply, connection: Connection): JsonObject {
  const { site } = connection;
  switch (reply.kind) {
    case "no-answer":
      throw noAnswerFailure(reply.error, connection);
    case "no-file":
      throw uploadFailure(reply.file);
    case "redirect":
      throw redirectFailure(reply, site);
    case "rate-limited":
      throw failure("zulip/rate-limited", { site }, EXIT.unreachable);
    case "unreadable":
      throw unreadableFailure(reply, site);
    case "envelope":
      if (reply.status >= 500) throw serverFailure(reply.status, site);
      if (reply.status === 200 && reply.body.result === "success") return reply.body;
      throw refusal(reply.status, reply.body, connection);
  }
}

/** The failure about a file that a call sends. */
export function uploadFailure({ path, why, cause }: UnsentFile): Failure {
  if (why === "changed") return failure("file/changed", { file: path }, EXIT.conflict);
  return failure("file/not-there", { file: path, ...defined({ why: cause }) });
}

function refusal(status: number, body: JsonObject, { site, email, origin }: Connection): Failure {
  const code = typeof body.code === "string" ? body.code : "";
  const said = saidBy(body, status);
  const fact = { site, email: quote(email), answer: quote(said) };
  if (status === 401)
    return failure(
      "zulip/unauthorized",
      {
        ...fact,
        ...defined({ origin: origin && { email: origin.email, key: origin.key }, cause: unusable(said) }),
      },
      EXIT.notAllowed,
    );
  if (code === "NONEXISTENT_SUBDOMAIN") return failure("zulip/no-realm", { site }, EXIT.unreachable);
  if (code === "UNAUTHORIZED_PRINCIPAL" || /does not accept bot requests|for guest users/i.test(said))
    return failure("zulip/not-allowed", fact, EXIT.notAllowed);
  return failure("zulip/refused", fact, status === 403 ? EXIT.notAllowed : EXIT.errors);
}

/** Why an account with the right key cannot be used. Every 401 has the same code: only the server's words differ (zulip-api.md §13.1). */
function unusable(said: string): "deactivated" | "no-organization" | "webhook-bot" | undefined {
  if (/^Account is deactivated/i.test(said)) return "deactivated";
  if (/organization has been deactivated/i.test(said)) return "no-organization";
  return /incoming webhook bots/i.test(said) ? "webhook-bot" : undefined;
}

export function tooOld(level: number, version: string, site: string): Failure {
  const fact = { site, version: quote(version), level, oldest_level: OLDEST_LEVEL };
  return failure("zulip/too-old", fact, EXIT.unreachable);
}

export function guestAccount(email: string, site: string): Failure {
  return failure("zulip/guest", { email: quote(email), site }, EXIT.notAllowed);
}

export function unexpected(site: string, parts: readonly UnexpectedPart[]): Failure {
  const fact = { site, details: parts.slice(0, 1), more: Math.max(0, parts.length - 1) };
  return failure("zulip/unexpected-answer", fact, EXIT.unreachable);
}

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
function unreadableFailure(reply: Extract<Reply, { kind: "unreadable" }>, site: string): Failure {
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
function redirectFailure(reply: Extract<Reply, { kind: "redirect" }>, site: string): Failure {
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
function serverFailure(status: number, site: string): Failure {
  return unreachable(error("zulip/server-error", { site, status }));
}

/** The failure of a run whose deadline has passed. */
function tooLong({ limitMs }: Deadline, site: string): Failure {
  return failure("zulip/deadline", { site, limit_seconds: limitMs / 1000 }, EXIT.appliedInPart);
}
