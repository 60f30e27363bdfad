import { type Call, everybody } from "../call.ts";
import { revokeInvitesOf } from "../invites/revoke.ts";
import { rows, type User } from "../state.ts";

/** A person's bots go with them, and so do the invitations that they sent. */
export function deactivate(call: Call, target: User): void {
  for (const bot of rows(call.state.users))
    if (bot.bot_owner_id === target.user_id && bot.is_active) setActive(call, bot, false);
  setActive(call, target, false);
  revokeInvitesOf(call, target);
}
/** A bot whose owner is gone becomes that of whoever brings it back. */
export function reactivate(call: Call, target: User): void {
  setActive(call, target, true);
  if (target.bot_owner_id === null || call.state.users[target.bot_owner_id]?.is_active !== false) return;
  const { user_id: bot_owner_id } = call.user;
  call.ledger.set(target, "bot_owner_id", bot_owner_id);
  const person = { user_id: target.user_id, bot_owner_id };
  call.emit(everybody, { type: "realm_user", op: "update", person });
}
function setActive(call: Call, target: User, is_active: boolean): void {
  call.ledger.set(target, "is_active", is_active);
  call.emit(everybody, { type: "realm_user", op: "update", person: { user_id: target.user_id, is_active } });
}
