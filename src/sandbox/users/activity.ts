import { type Call, everybody } from "../call.ts";
import { rows, type User } from "../state.ts";

/** A person's bots go with them. */
export function deactivate(call: Call, target: User): void {
  for (const bot of rows(call.state.users))
    if (bot.bot_owner_id === target.user_id && bot.is_active) setActive(call, bot, false);
  setActive(call, target, false);
}
export function setActive(call: Call, target: User, is_active: boolean): void {
  call.ledger.set(target, "is_active", is_active);
  call.emit(everybody, { type: "realm_user", op: "update", person: { user_id: target.user_id, is_active } });
}
