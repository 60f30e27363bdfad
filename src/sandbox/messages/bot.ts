import type { Call } from "../call.ts";
import type { User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";

/** The server's own voice; undefined in realms that were read without it. */
export function notificationBot(call: Call): User | undefined {
  return rows(call.state.users).find((user) => user.is_system_bot && user.email.startsWith("notification-bot@"));
}
