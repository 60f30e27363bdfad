import { hasMetadataAccess } from "../access.ts";
import { type Call, everybody, only } from "../call.ts";
import { createdEvent, emitDeleted, emitSubscribers } from "../channels/events.ts";
import { SYSTEM_GROUP_OF_ROLE, setOf, systemGroup, withMember, withoutMember } from "../groups.ts";
import { isOldEnough } from "../realm-settings/endpoints.ts";
import { ROLE, type Role, type User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import type { UserGroup } from "../rows/groups.ts";
import { rows } from "../rows/values.ts";
import { tellPerson } from "./shown.ts";

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
