import type { Gate } from "./endpoint.ts";
import { ApiError, mustBe, unauthorized } from "./errors.ts";
import { stripped } from "./python.ts";
import { BOT, ROLE, type User } from "./rows/accounts.ts";
import { rows } from "./rows/values.ts";
import type { RealmState } from "./state.ts";
import { accountWithAddress } from "./users/access.ts";

/**
 * Identifies the caller by the rules of zulip-api.md §13.1.
 * @throws ApiError 401 UNAUTHORIZED (400 for any scheme but Basic)
 */
export function authenticate(header: string | null, state: RealmState, keyOf: (userId: number) => string): User {
  if (header === null) throw unauthorized("Not logged in: API authentication or user session required");
  const { address, key } = readHeader(header);
  return holderOf(key, () => accountWithAddress(state, address, false), keyOf);
}
/** Identifies the caller by the key alone: servers accept it in the address of a file, for clients that cannot send a header. @throws ApiError */
export function authenticateByKey(sent: string, state: RealmState, keyOf: (userId: number) => string): User {
  const key = stripped(sent);
  const has = ({ is_system_bot, user_id }: User): boolean => !is_system_bot && keyOf(user_id) === key;
  return holderOf(key, () => rows(state.users).find(has), keyOf);
}
function holderOf(key: string, found: () => User | undefined, keyOf: (userId: number) => string): User {
  if (!/^[A-Za-z0-9]{32}$/.test(key)) throw unauthorized("Malformed API key");
  const user = found();
  if (user === undefined || key !== keyOf(user.user_id)) throw unauthorized("Invalid API key");
  if (!user.is_active) throw unauthorized("Account is deactivated");
  return user;
}
/** Refuses incoming webhook bots, which may only send messages. @throws ApiError */
export function checkNoIncomingWebhook(user: User): void {
  if (user.bot_type === BOT.incomingWebhook) throw unauthorized("This API is not available to incoming webhook bots.");
}

function readHeader(header: string): { readonly address: string; readonly key: string } {
  // A function, because creating an error captures a stack trace, and this code runs for every request.
  const invalid = (): ApiError => unauthorized("Invalid authorization header for basic auth");
  const [scheme, credentials, ...more] = stripped(header).split(/\s+/);
  if (scheme === undefined || credentials === undefined || more.length > 0) throw invalid();
  if (scheme.toLowerCase() !== "basic") throw new ApiError("This endpoint requires HTTP basic authentication.");
  const parts = textOfBase64(credentials)?.split(":") ?? [];
  const [address, key] = parts;
  if (parts.length !== 2 || address === undefined || key === undefined) throw invalid();
  return { address: stripped(address), key: stripped(key) };
}

/** Skips invalid characters. The padding must be right, and the result must be UTF-8. */
function textOfBase64(encoded: string): string | undefined {
  // What usual clients send; the code below handles everything else.
  if (WELL_FORMED.test(encoded)) return textOfUtf8(Buffer.from(encoded, "base64"));
  let kept = "";
  let padding = 0;
  for (const char of encoded) {
    const place = kept.length % 4;
    if (char === "=" && place >= 2) {
      padding += 1;
      if (place + padding >= 4) return textOfUtf8(Buffer.from(kept, "base64"));
    } else if (/[A-Za-z0-9+/]/.test(char)) {
      kept += char;
      padding = 0;
    }
  }
  return kept.length % 4 === 0 ? textOfUtf8(Buffer.from(kept, "base64")) : undefined;
}
const WELL_FORMED = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
function textOfUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** @throws ApiError if the account may not call this endpoint at all */
export function checkGates(user: User, gates: readonly Gate[]): void {
  for (const gate of gates) {
    if (gate === "non-guest" && user.role === ROLE.guest) throw new ApiError("Not allowed for guest users");
    if (gate === "human" && user.is_bot) throw new ApiError("This endpoint does not accept bot requests.");
    if (gate === "administrator" && user.role > ROLE.administrator) throw mustBe("administrator");
    if (gate === "owner" && user.role !== ROLE.owner) throw mustBe("owner");
  }
}
