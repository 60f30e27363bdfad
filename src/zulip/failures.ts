import { EXIT, type Failure } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import { saidBy } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { failure, redirectFailure, serverFailure, troubleFailure, unreadableFailure } from "./network-failures.ts";
import type { Reply } from "./reply.ts";
import type { UploadTrouble } from "./uploads.ts";

/** Feature level of the oldest server that realmctl works with: group settings with `old` (zulip-api.md §14.2). */
export const OLDEST_LEVEL = 320;

/**
 * The body of a successful read.
 * @throws Failure with one clear message for everything else
 */
export function bodyOrFail(reply: Reply, connection: Connection): JsonObject {
  const { site } = connection;
  switch (reply.kind) {
    case "trouble":
      throw troubleFailure(reply.error, connection);
    case "no-file":
      throw uploadFailure(reply.trouble);
    case "redirect":
      throw redirectFailure(reply, site);
    case "rate-limited":
      throw failure(
        EXIT.unreachable,
        "zulip/rate-limited",
        `${site} keeps turning requests away because there were too many`,
        "try again later; other programs that use the same account count too",
      );
    case "unreadable":
      throw unreadableFailure(reply, site);
    case "envelope":
      if (reply.status >= 500) throw serverFailure(reply.status, site);
      if (reply.status === 200 && reply.body.result === "success") return reply.body;
      throw refusal(reply.status, reply.body, connection);
  }
}

/** Of a file that a call sends. */
export function uploadFailure({ path, why, words }: UploadTrouble): Failure {
  return why === "changed"
    ? failure(EXIT.conflict, "file/changed", `${path} cannot be sent: ${words}`, "plan again, and review that plan")
    : failure(
        EXIT.mistakes,
        "file/not-there",
        `${path} cannot be sent: ${words}`,
        "run it where the configuration and its files are",
      );
}

function refusal(status: number, body: JsonObject, { site, email, origin }: Connection): Failure {
  const code = typeof body.code === "string" ? body.code : "";
  const said = saidBy(body, status);
  if (status === 401)
    return failure(
      EXIT.notAllowed,
      "zulip/unauthorized",
      `${site} refuses the credentials of ${email}: ${said}`,
      `${origin === undefined ? "" : `${cameFrom(origin)}; `}a key is made in the Zulip settings (Account & privacy → API key) and belongs to one address in one organization`,
    );
  if (code === "NONEXISTENT_SUBDOMAIN")
    return failure(
      EXIT.unreachable,
      "zulip/no-realm",
      `there is no organization at ${site}`,
      "the Zulip server there knows other organizations; check the address",
    );
  const rightMissing = code === "UNAUTHORIZED_PRINCIPAL" || /does not accept bot requests|for guest users/i.test(said);
  return failure(
    rightMissing || status === 403 ? EXIT.notAllowed : EXIT.mistakes,
    rightMissing ? "zulip/not-allowed" : "zulip/refused",
    `${site} refuses to answer ${email}: ${said}`,
    rightMissing
      ? "use an account of an administrator or owner; a bot with that role is fine"
      : "these are the server's own words; check that the address is the organization's, and that the account is in use",
  );
}

function cameFrom({ email, key }: NonNullable<Connection["origin"]>): string {
  return email === key
    ? `the address and the key came from ${key}`
    : `the address came from ${email}, the key from ${key}`;
}

export function tooOld(level: number, version: string, site: string): Failure {
  return failure(
    EXIT.unreachable,
    "zulip/too-old",
    `${site} runs Zulip ${version} (feature level ${level}); realmctl needs feature level ${OLDEST_LEVEL}, which Zulip 10.0 brought`,
    "ask for an upgrade of the server",
  );
}

export function guestAccount(email: string, site: string): Failure {
  return failure(
    EXIT.notAllowed,
    "zulip/guest",
    `${email} is a guest in ${site} and sees only a part of it`,
    "use an account of an administrator or owner; a bot with that role is fine",
  );
}

export function unexpected(site: string, details: readonly string[]): Failure {
  const [first = "it is unreadable"] = details;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : "";
  return failure(
    EXIT.unreachable,
    "zulip/unexpected-answer",
    `${site} answers with something realmctl does not understand: ${first}${more}`,
    "a newer realmctl may know it; else please report it",
  );
}
