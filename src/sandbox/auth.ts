import type { Gate } from "./endpoint.ts";
import { ApiError, mustBe, unauthorized } from "./errors.ts";
import { type RealmState, ROLE, rows, type User } from "./state.ts";

const INCOMING_WEBHOOK = 2;

/**
 * Who calls, by the rules of zulip-api.md §13.1.
 * @throws ApiError 401 UNAUTHORIZED (another scheme than Basic: 400)
 */
export function authenticate(
  header: string | null,
  userByAddress: (address: string) => User | undefined,
  keyOf: (userId: number) => string,
): User {
  if (header === null) throw unauthorized("Not logged in: API authentication or user session required");
  const { address, key } = readHeader(header);
  if (!/^[A-Za-z0-9]{32}$/.test(key)) throw unauthorized("Malformed API key");
  const user = userByAddress(address.toLowerCase());
  if (user === undefined || key !== keyOf(user.user_id)) throw unauthorized("Invalid API key");
  if (!user.is_active) throw unauthorized("Account is deactivated");
  if (user.bot_type === INCOMING_WEBHOOK) throw unauthorized("This API is not available to incoming webhook bots.");
  return user;
}

function readHeader(header: string): { readonly address: string; readonly key: string } {
  const words = header.trim().split(/\s+/);
  const [scheme, credentials] = words;
  if (words.length !== 2 || scheme === undefined || credentials === undefined)
    throw unauthorized("Invalid authorization header for basic auth");
  if (scheme.toLowerCase() !== "basic") throw new ApiError("This endpoint requires HTTP basic authentication.");
  const parts = Buffer.from(credentials, "base64").toString("utf8").split(":");
  const [address, key] = parts;
  if (parts.length !== 2 || address === undefined || key === undefined)
    throw unauthorized("Invalid authorization header for basic auth");
  return { address: address.trim(), key: key.trim() };
}

/** Accounts by the address people sign in with. Remembers what it found and checks it again, so it cannot go stale. */
export function addressBook(state: RealmState): (address: string) => User | undefined {
  const known = new Map<string, number>();
  const matches = (user: User, address: string): boolean =>
    !user.is_system_bot && user.delivery_email.toLowerCase() === address;
  return (address) => {
    const id = known.get(address);
    const remembered = id === undefined ? undefined : state.users[id];
    if (remembered !== undefined && matches(remembered, address)) return remembered;
    const found = rows(state.users).find((user) => matches(user, address));
    if (found !== undefined) known.set(address, found.user_id);
    return found;
  };
}

/** @throws ApiError when the account may not call at all */
export function checkGates(user: User, gates: readonly Gate[]): void {
  for (const gate of gates) {
    if (gate === "non-guest" && user.role === ROLE.guest) throw new ApiError("Not allowed for guest users");
    if (gate === "human" && user.is_bot) throw new ApiError("This endpoint does not accept bot requests.");
    if (gate === "member" && user.role > ROLE.member) throw mustBe("member");
    if (gate === "administrator" && user.role > ROLE.administrator) throw mustBe("administrator");
    if (gate === "owner" && user.role !== ROLE.owner) throw mustBe("owner");
  }
}
