import { defined } from "../model/defined.ts";
import { EXIT, error, Failure } from "../model/diagnostic.ts";
import type { UnexpectedPart } from "../model/diagnostics/form-cause.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { JsonObject } from "../model/json.ts";
import { saidBy } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { noAnswerFailure, redirectFailure, serverFailure, unreadableFailure } from "./network-failures.ts";
import type { Reply } from "./reply.ts";
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
      throw new Failure(EXIT.unreachable, error("zulip/rate-limited", { site }));
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
  if (why === "changed") return new Failure(EXIT.conflict, error("file/changed", { file: path }));
  return new Failure(EXIT.errors, error("file/not-there", { file: path, ...defined({ why: cause }) }));
}

function refusal(status: number, body: JsonObject, { site, email, origin }: Connection): Failure {
  const code = typeof body.code === "string" ? body.code : "";
  const said = saidBy(body, status);
  const fact = { site, email: quote(email), answer: quote(said) };
  if (status === 401)
    return new Failure(
      EXIT.notAllowed,
      error("zulip/unauthorized", {
        ...fact,
        ...defined({ origin: origin && { email: origin.email, key: origin.key }, cause: unusable(said) }),
      }),
    );
  if (code === "NONEXISTENT_SUBDOMAIN") return new Failure(EXIT.unreachable, error("zulip/no-realm", { site }));
  if (code === "UNAUTHORIZED_PRINCIPAL" || /does not accept bot requests|for guest users/i.test(said))
    return new Failure(EXIT.notAllowed, error("zulip/not-allowed", fact));
  return new Failure(status === 403 ? EXIT.notAllowed : EXIT.errors, error("zulip/refused", fact));
}

/** Why an account with the right key cannot be used. Every 401 has the same code: only the server's words differ (zulip-api.md §13.1). */
function unusable(said: string): "deactivated" | "no-organization" | "webhook-bot" | undefined {
  if (/^Account is deactivated/i.test(said)) return "deactivated";
  if (/organization has been deactivated/i.test(said)) return "no-organization";
  return /incoming webhook bots/i.test(said) ? "webhook-bot" : undefined;
}

export function tooOld(level: number, version: string, site: string): Failure {
  const fact = { site, version: quote(version), level, oldest_level: OLDEST_LEVEL };
  return new Failure(EXIT.unreachable, error("zulip/too-old", fact));
}

export function guestAccount(email: string, site: string): Failure {
  return new Failure(EXIT.notAllowed, error("zulip/guest", { email: quote(email), site }));
}

export function unexpected(site: string, parts: readonly UnexpectedPart[]): Failure {
  const fact = { site, details: parts.slice(0, 1), more: Math.max(0, parts.length - 1) };
  return new Failure(EXIT.unreachable, error("zulip/unexpected-answer", fact));
}
