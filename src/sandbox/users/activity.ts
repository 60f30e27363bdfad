import { type Call, everybody } from "../call.ts";
import { emitPeers } from "../channels/events.ts";
import { revokeInvitesOf } from "../invites/revoke.ts";
import { type Channel, rows, type User } from "../state.ts";

/** A person's bots go with them, and so do the invitations that they sent. */
export function deactivate(call: Call, target: User): void {
  for (const bot of rows(call.state.users))
    if (bot.bot_owner_id === target.user_id && bot.is_active) setActive(call, bot, false);
  setActive(call, target, false);
  revokeInvitesOf(call, target);
}
/** Channels and groups hear of it, and a bot whose owner is gone becomes that of whoever brings it back. */
export function reactivate(call: Call, target: User): void {
  setActive(call, target, true);
  adopt(call, target);
  emitPeers(call, "peer_add", subscriptionsOf(call, target));
  const user_ids = [target.user_id];
  for (const { id, members } of rows(call.state.user_groups))
    if (members.includes(target.user_id))
      call.emit(everybody, { type: "user_group", op: "add_members", group_id: id, user_ids });
}
function adopt(call: Call, target: User): void {
  if (target.bot_owner_id === null || call.state.users[target.bot_owner_id]?.is_active !== false) return;
  const { user_id: bot_owner_id } = call.user;
  call.ledger.set(target, "bot_owner_id", bot_owner_id);
  const person = { user_id: target.user_id, bot_owner_id };
  call.emit(everybody, { type: "realm_user", op: "update", person });
}
function setActive(call: Call, target: User, is_active: boolean): void {
  const { user_id } = target;
  call.ledger.set(target, "is_active", is_active);
  if (!is_active && call.level >= 377) emitPeers(call, "peer_remove", subscriptionsOf(call, target));
  call.emit(everybody, { type: "realm_user", op: "update", person: { user_id, is_active } });
}
/** What the account keeps while it is deactivated; archived channels are not told of. */
function subscriptionsOf({ state }: Call, { user_id }: User): ReadonlyMap<Channel, readonly number[]> {
  const channels = rows(state.channels).filter(
    ({ stream_id, is_archived }) => !is_archived && state.subscriptions[stream_id]?.[user_id]?.active === true,
  );
  return new Map(channels.map((channel) => [channel, [user_id]]));
}
