import { hasMetadataAccess, realmGroup } from "../access.ts";
import { type Call, everybody, only } from "../call.ts";
import { createdEvent, emitDeleted, emitPeers, emitSubscribers } from "../channels/events.ts";
import { shownValue } from "../channels/shown.ts";
import { SYSTEM_GROUP_OF_ROLE, setOf, systemGroup, withMember, withoutMember } from "../groups.ts";
import { revokeInvitesOf } from "../invites/send.ts";
import { GROUP_PERMISSIONS, REALM_PERMISSIONS } from "../permissions.ts";
import { isOldEnough } from "../realm-settings/endpoints.ts";
import { REALM_GROUP_SETTINGS } from "../realm-settings/params.ts";
import { ROLE, type Role, type User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import { GROUP_SETTINGS, type UserGroup } from "../rows/groups.ts";
import { type GroupValue, rows } from "../rows/values.ts";
import { subscriptionsOf } from "../subscriptions/properties.ts";
import { tellPerson } from "./shown.ts";
import { changeOwner, tellBotChange } from "./shown-bots.ts";

/**
 * Deactivates first a person's bots; then the invitations that the person sent expire; the account comes last. If the account is already deactivated,
 * nothing happens and no event is sent.
 */
export function deactivate(call: Call, target: User): void {
  if (!target.is_active) return;
  const own = rows(call.state.users).filter((bot) => bot.bot_owner_id === target.user_id && bot.is_active);
  // A row that was rewritten comes after those that were not.
  own.sort((a, b) => (a.reactivated_at ?? 0) - (b.reactivated_at ?? 0));
  for (const bot of own) setInactive(call, bot);
  revokeInvitesOf(call, target);
  setInactive(call, target);
}
/**
 * Reactivates an account, with events for its channels, groups and settings. If a bot's owner is deactivated, whoever reactivates the bot becomes its
 * owner. An account that is already active is reactivated all the same; from then on it counts twice in its channels.
 */
export function reactivate(call: Call, target: User): void {
  const channels = channelsOf(call, target);
  if (target.is_active)
    for (const channel of channels.keys())
      call.ledger.assign(channel, { subscribers_counted_twice: (channel.subscribers_counted_twice ?? 0) + 1 });
  call.ledger.assign(target, { is_active: true, reactivated_at: call.now });
  tellActive(call, target);
  adopt(call, target);
  emitPeers(call, "peer_add", channels);
  const user_ids = [target.user_id];
  for (const { id, members } of rows(call.state.user_groups))
    if (members.includes(target.user_id))
      call.emit(everybody, { type: "user_group", op: "add_members", group_id: id, user_ids });
  tellSettingsNaming(call, target);
}
function adopt(call: Call, target: User): void {
  if (target.bot_owner_id === null || call.state.users[target.bot_owner_id]?.is_active !== false) return;
  changeOwner(call, target, call.user);
}
function setInactive(call: Call, target: User): void {
  call.ledger.set(target, "is_active", false);
  if (call.level >= 377) emitPeers(call, "peer_remove", channelsOf(call, target));
  tellActive(call, target);
}
function tellActive(call: Call, target: User): void {
  const { is_active } = target;
  tellPerson(call, target, { is_active });
  if (target.is_bot) tellBotChange(call, target, { is_active });
}

/** Settings that name the account directly show it again: those of the realm and of groups, but not those of channels (as recorded). */
function tellSettingsNaming(call: Call, { user_id }: User): void {
  const { state, level } = call;
  for (const setting of REALM_GROUP_SETTINGS) {
    const value = realmGroup(state, setting);
    if (level < (REALM_PERMISSIONS[setting]?.level ?? 0) || !names(value, user_id)) continue;
    const data = { [setting]: shownValue(state, value) };
    call.emit(everybody, { type: "realm", op: "update_dict", property: "default", data });
  }
  for (const group of rows(state.user_groups)) {
    if (group.deactivated) continue;
    for (const setting of GROUP_SETTINGS) {
      if (level < GROUP_PERMISSIONS[setting].level || !names(group[setting], user_id)) continue;
      const data = { [setting]: shownValue(state, group[setting]) };
      call.emit(everybody, { type: "user_group", op: "update", group_id: group.id, data });
    }
  }
}
const names = (value: GroupValue, userId: number): boolean =>
  typeof value === "object" && value.direct_members.includes(userId);

/** The subscriptions that the account keeps while it is deactivated; archived channels get no events. Private channels come first. */
function channelsOf({ state }: Call, { user_id }: User): ReadonlyMap<Channel, readonly number[]> {
  const channels = subscriptionsOf(state, user_id).flatMap(([id, { active }]) =>
    active ? (state.channels[id] ?? []) : [],
  );
  return new Map(channels.filter(({ is_archived }) => !is_archived).map((channel) => [channel, [user_id]]));
}

/** Every role has its system group; members also join the full members once their account is old enough. */
function groupsOf(call: Call, user: User): UserGroup[] {
  const { state } = call;
  const own = systemGroup(state, SYSTEM_GROUP_OF_ROLE[user.role]);
  const { waiting_period_threshold: threshold } = state.realm;
  const isFull = user.role === ROLE.member && isOldEnough(call, user, typeof threshold === "number" ? threshold : 0);
  return isFull ? [own, systemGroup(state, "role:fullmembers")] : [own];
}

/** The groups that a new account belongs to. */
export function joinRoleGroups(call: Call, user: User): void {
  for (const group of groupsOf(call, user)) join(call, group, user);
}

/**
 * Changes somebody's role. Everybody is notified, first of the role, then of the groups. The person sees channels appear and disappear that the role
 * makes visible or hides.
 */
export function changeRole(call: Call, user: User, role: Role): void {
  const { user_id } = user;
  // A person whose client does not listen gets no events.
  const before = call.server.queues.listeners().has(user_id) ? channelsKnownTo(call, user) : undefined;
  // A member who has become old enough since is not in the full members' group yet: here, time alone changes no groups.
  const [ownBefore, ...others] = groupsOf(call, user);
  const moreBefore = others.filter(({ members }) => setOf(members).has(user_id));
  call.ledger.assign(user, { role, unknown_role: undefined });
  tellPerson(call, user, { role });
  const [own, ...more] = groupsOf(call, user);
  if (ownBefore !== undefined) leave(call, ownBefore, user);
  if (own !== undefined) join(call, own, user);
  for (const group of moreBefore) leave(call, group, user);
  for (const group of more) join(call, group, user);
  if (before !== undefined) tellChannels(call, user, before);
}

function join(call: Call, group: UserGroup, { user_id }: User): void {
  call.ledger.set(group, "members", withMember(group.members, user_id));
  call.emit(everybody, { type: "user_group", op: "add_members", group_id: group.id, user_ids: [user_id] });
}
function leave(call: Call, group: UserGroup, { user_id }: User): void {
  call.ledger.set(group, "members", withoutMember(group.members, user_id));
  call.emit(everybody, { type: "user_group", op: "remove_members", group_id: group.id, user_ids: [user_id] });
}

/** Archived channels do not appear or disappear. */
const channelsKnownTo = ({ state }: Call, user: User): Channel[] =>
  rows(state.channels).filter((channel) => !channel.is_archived && hasMetadataAccess(state, user, channel));

function tellChannels(call: Call, user: User, before: readonly Channel[]): void {
  const after = channelsKnownTo(call, user);
  const [knew, knows] = [new Set(before), new Set(after)];
  const gained = after.filter((channel) => !knew.has(channel));
  const concerned = only(user.user_id);
  if (gained.length > 0) call.emit(concerned, createdEvent(call, gained));
  for (const { stream_id } of gained) emitSubscribers(call, stream_id, concerned);
  const lost = before.filter((channel) => !knows.has(channel));
  if (lost.length > 0) emitDeleted(call, lost, concerned);
}
