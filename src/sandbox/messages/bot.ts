import type { Call } from "../call.ts";
import type { User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";

/** The bot that sends the server's own messages; undefined in a realm that was read without it. */
export function notificationBot(call: Call): User | undefined {
  return rows(call.state.users).find((user) => user.is_system_bot && user.email.startsWith("notification-bot@"));
}
