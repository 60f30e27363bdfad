import { administers, hasContentAccess, isAdmin, isOwner, mayInChannel, mayInRealm } from "../access.ts";
import { ApiError, insufficientPermission, mustBe } from "../errors.ts";
import { groupById, isIn } from "../groups.ts";
import { ROLE, type User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import type { RealmState } from "../state.ts";

/** Only owners may invite owners; the refusal for others has its own code. */
function checkOwnerRole(user: User, invitedAs: number): void {
  if (invitedAs === ROLE.owner && !isOwner(user)) throw mustBe("owner");
}
const mustBeAdministrator = (): ApiError => new ApiError("Must be an organization administrator");

/** Whether the user may invite people with this role (zulip-api.md §9.2). */
export function checkMayInviteAs(user: User, invitedAs: number): void {
  checkOwnerRole(user, invitedAs);
  const isElevated = invitedAs === ROLE.administrator || invitedAs === ROLE.moderator;
  if (isElevated && !isAdmin(user)) throw mustBeAdministrator();
}

/** Whether the user may revoke or resend somebody else's invitation. */
export function checkMayControl(user: User, invite: { invited_by_user_id: number; invited_as: number }): void {
  if (invite.invited_by_user_id === user.user_id) return;
  checkOwnerRole(user, invite.invited_as);
  if (!isAdmin(user)) throw mustBeAdministrator();
}

export function checkMaySetWelcomeText(user: User, text: string | undefined): void {
  if (text !== undefined && !isAdmin(user)) throw mustBeAdministrator();
}

/** All channels are looked up before any right to add people to them is checked. */
export function checkChannels(state: RealmState, user: User, ids: readonly number[]): void {
  const channels = ids.map((id) => activeChannel(state, user, id));
  if (channels.some((channel) => !mayAddTo(state, user, channel)))
    throw new ApiError("You do not have permission to subscribe other users to channels.");
}
function activeChannel(state: RealmState, user: User, id: number): Channel {
  const channel = state.channels[id];
  if (channel === undefined || channel.is_archived || !hasContentAccess(state, user, channel))
    throw new ApiError(`Invalid channel ID ${id}. No invites were sent.`);
  return channel;
}
const mayAddTo = (state: RealmState, user: User, channel: Channel): boolean =>
  state.default_channels.includes(channel.stream_id) ||
  mayInRealm(state, user, "can_add_subscribers_group") ||
  administers(state, user, channel) ||
  mayInChannel(state, user, channel, "can_add_subscribers_group");

/** Checks the groups one after the other; the first that cannot be joined decides. */
export function checkGroups(state: RealmState, user: User, ids: readonly number[]): void {
  for (const id of ids) {
    const group = groupById(state, id);
    if (group.is_system_group) throw insufficientPermission();
    const may =
      mayInRealm(state, user, "can_manage_all_groups") ||
      isIn(state, group.can_manage_group, user.user_id) ||
      isIn(state, group.can_add_members_group, user.user_id);
    if (!may) throw insufficientPermission();
  }
}
