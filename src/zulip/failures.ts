import { type Diagnostic, EXIT, type ExitCode, Failure } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import type { Connection, Reply } from "./connection.ts";
import type { TransportError } from "./transport.ts";

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
      throw troubleFailure(reply.error, site);
    case "redirect":
      throw redirectFailure(reply.location, site);
    case "rate-limited":
      throw failure(
        EXIT.unreachable,
        "zulip/rate-limited",
        `${site} keeps turning requests away because there were too many`,
        "try again later; other programs that use the same account count too",
      );
    case "unreadable":
      if (reply.status >= 500) throw serverFailure(reply.status, site);
      throw failure(
        EXIT.unreachable,
        "zulip/not-zulip",
        `${site} answers, but not as a Zulip server does (HTTP ${reply.status}, no JSON of its API)`,
        "check the organization's address: it is what the browser shows, up to the first single slash",
      );
    case "envelope":
      if (reply.status >= 500) throw serverFailure(reply.status, site);
      if (reply.status === 200 && reply.body.result === "success") return reply.body;
      throw refusal(reply.status, reply.body, connection);
  }
}

function refusal(status: number, body: JsonObject, { site, email, origin }: Connection): Failure {
  const code = typeof body.code === "string" ? body.code : "";
  const said = typeof body.msg === "string" && body.msg !== "" ? body.msg : `HTTP ${status}`;
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
  );
}

function cameFrom({ email, key }: NonNullable<Connection["origin"]>): string {
  return email === key
    ? `the address and the key came from ${key}`
    : `the address came from ${email}, the key from ${key}`;
}

function troubleFailure({ trouble, message }: TransportError, site: string): Failure {
  const network = "check the address and the network";
  switch (trouble) {
    case "unknown-host":
      return failure(EXIT.unreachable, "zulip/unknown-host", `there is no host "${new URL(site).hostname}"`, network);
    case "tls":
      return failure(
        EXIT.unreachable,
        "zulip/tls",
        `the connection to ${site} is not safe: ${message}`,
        "for a certificate of your own: --cert-bundle FILE or cert_bundle in the zuliprc",
      );
    case "timeout":
      return failure(EXIT.unreachable, "zulip/timeout", `${site} does not answer in time`, network);
    case "too-large":
      return failure(EXIT.unreachable, "zulip/too-large", `${site} sends an answer too large to be one`);
    case "aborted":
      return failure(EXIT.unreachable, "zulip/stopped", "stopped before the server answered");
    case "unreachable":
    case "broken-off":
      return failure(EXIT.unreachable, "zulip/unreachable", `cannot reach ${site}: ${message}`, network);
  }
}

function redirectFailure(location: string, site: string): Failure {
  const target = originOf(location, site);
  return failure(
    EXIT.unreachable,
    "zulip/redirect",
    `${site} sends requests on${target === undefined ? "" : ` to ${target}`}; realmctl does not follow, the API key would go along`,
    target === undefined || target === site
      ? "check the organization's address"
      : `if that is your organization, write site=${target}`,
  );
}

function originOf(location: string, site: string): string | undefined {
  try {
    const url = new URL(location, site);
    return location === "" ? undefined : url.origin;
  } catch {
    return undefined;
  }
}

function serverFailure(status: number, site: string): Failure {
  return failure(
    EXIT.unreachable,
    "zulip/server-error",
    `${site} fails with HTTP ${status}, also when asked again`,
    "the server's administrator finds the reason in its logs; nothing was changed",
  );
}

export function tooOld(level: number, version: string, site: string): Failure {
  return failure(
    EXIT.mistakes,
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

function failure(exitCode: ExitCode, code: Diagnostic["code"], message: string, hint?: string): Failure {
  return new Failure(exitCode, { code, severity: "error", message, ...(hint === undefined ? {} : { hint }) });
}
