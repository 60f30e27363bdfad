import { randomBytes } from "node:crypto";
import { hasContentAccess, isAdmin, isOwner, mayAddSubscribers, mayInRealm } from "../access.ts";
import { readAddresses } from "../addresses.ts";
import type { Call } from "../call.ts";
import { defineEndpoint, type Fields } from "../endpoint.ts";
import { ApiError, insufficientPermission, mustBe } from "../errors.ts";
import { groupById, isIn } from "../groups.ts";
import { type Args, bool, int, json, list, nullable, optional, required, text, withDefault } from "../params.ts";
import { ROLE, type User } from "../rows/accounts.ts";
import type { Channel } from "../rows/channels.ts";
import type { Invite } from "../rows/organization.ts";
import type { RealmState } from "../state.ts";
import { roleNumber } from "../users/access.ts";
import {
  checkDailyLimit,
  countMailed,
  type InviteTerms,
  inviteAll,
  isOpen,
  rowOf,
  tellInvitesChanged,
} from "./send.ts";

const DEFAULT_VALIDITY_MINUTES = 14_400;
const MAX_WELCOME_LENGTH = 8000;

/** The parameters in the server's order, which decides which error is reported first. */
const params = {
  group_ids: withDefault(json(list(int())), [], { level: 322 }),
  include_realm_default_subscriptions: withDefault(json(bool), false, { level: 261 }),
  invite_as: withDefault(json(roleNumber), ROLE.member),
  invite_expires_in_minutes: withDefault(json(nullable(int())), DEFAULT_VALIDITY_MINUTES),
};
const welcomeText = optional(text({ maxLength: MAX_WELCOME_LENGTH }), { level: 416 });

interface Sent extends Args<typeof params> {
  readonly stream_ids: readonly number[];
  readonly welcome_message_custom_text: string | undefined;
}
/** The checks that e-mail invitations and links share, in this order, after the right to create them. */
function termsOf(call: Call, sent: Sent): InviteTerms {
  checkChannels(call.state, call.user, sent.stream_ids);
  checkGroups(call.state, call.user, sent.group_ids);
  checkMaySetWelcomeText(call.user, sent.welcome_message_custom_text);
  return {
    invited_as: sent.invite_as,
    stream_ids: sent.stream_ids,
    group_ids: sent.group_ids,
    include_realm_default_subscriptions: sent.include_realm_default_subscriptions,
    welcome_message_custom_text: sent.welcome_message_custom_text ?? null,
    expires_in_minutes: sent.invite_expires_in_minutes,
  };
}

/** People who are not guests. */
const who = ["non-guest", "human"] as const;

/** An invitation in one of two forms: an address and whether to notify the referrer, or a link (zulip-api.md §9.1). */
function shown(call: Call, invite: Invite): Fields {
  const common = {
    invited_by_user_id: invite.invited_by_user_id,
    invited: invite.invited,
    expiry_date: invite.expiry_date,
    id: invite.id,
    invited_as: invite.invited_as,
    is_multiuse: invite.is_multiuse,
  };
  return invite.is_multiuse
    ? { ...common, link_url: invite.link_url ?? linkOf(call, "unknown") }
    : { email: invite.email, ...common, notify_referrer_on_join: invite.notify_referrer_on_join };
}
const linkOf = (call: Call, token: string): string => `${call.server.url}/join/${token}/`;

/** @throws ApiError first for an unknown invitation, then for somebody else's */
function find(call: Call, id: number, isMultiuse: boolean): Invite {
  const invite = call.state.invites.find((each) => each.id === id && each.is_multiuse === isMultiuse);
  if (invite === undefined) throw new ApiError("No such invitation");
  checkMayControl(call.user, invite);
  return invite;
}

export const inviteEndpoints = [
  defineEndpoint("GET /invites", {
    who,
    handler(call) {
      const mine = call.state.invites.filter(
        (invite) => isOpen(call, invite) && (isAdmin(call.user) || invite.invited_by_user_id === call.user.user_id),
      );
      const byKind = [...mine.filter((invite) => !invite.is_multiuse), ...mine.filter((invite) => invite.is_multiuse)];
      return { invites: byKind.map((invite) => shown(call, invite)) };
    },
  }),
  defineEndpoint("POST /invites", {
    who,
    params: {
      ...params,
      invitee_emails: required(text()),
      notify_referrer_on_join: withDefault(json(bool), true, { level: 267 }),
      stream_ids: required(json(list(int()))),
      welcome_message_custom_text: welcomeText,
    },
    handler(call, sent) {
      if (!mayInRealm(call.state, call.user, "can_invite_users_group")) throw insufficientPermission();
      checkMayInviteAs(call.user, sent.invite_as);
      if (sent.invitee_emails === "") throw new ApiError("You must specify at least one email address.");
      const terms = termsOf(call, sent);
      inviteAll(call, readAddresses(sent.invitee_emails), terms, sent.notify_referrer_on_join);
    },
  }),
  defineEndpoint("DELETE /invites/{invite_id}", {
    who,
    params: {},
    handler(call, { invite_id }) {
      const invite = find(call, invite_id, false);
      const left = call.state.invites.filter((each) => each !== invite);
      call.ledger.set(call.state, "invites", left);
      tellInvitesChanged(call, invite.invited_by_user_id);
    },
  }),
  defineEndpoint("POST /invites/{invite_id}/resend", {
    who,
    params: {},
    handler(call, { invite_id }) {
      find(call, invite_id, false);
      checkDailyLimit(call, 1);
      countMailed(call, 1);
    },
  }),
  defineEndpoint("POST /invites/multiuse", {
    who,
    params: {
      ...params,
      stream_ids: withDefault(json(list(int())), []),
      welcome_message_custom_text: welcomeText,
    },
    handler(call, sent) {
      if (!mayInRealm(call.state, call.user, "create_multiuse_invite_group")) throw insufficientPermission();
      checkMayInviteAs(call.user, sent.invite_as);
      const terms = termsOf(call, sent);
      const invite_link = linkOf(call, randomBytes(12).toString("hex"));
      const invite = { ...rowOf(call, terms, call.ledger.nextId("invite_link")), link_url: invite_link };
      call.ledger.set(call.state, "invites", [...call.state.invites, invite]);
      tellInvitesChanged(call, call.user.user_id);
      return { invite_link };
    },
  }),
  defineEndpoint("DELETE /invites/multiuse/{invite_id}", {
    who,
    params: {},
    handler(call, { invite_id }) {
      const invite = find(call, invite_id, true);
      if (invite.revoked === true) throw new ApiError("Invitation has already been revoked");
      call.ledger.assign(invite, { revoked: true });
      tellInvitesChanged(call, invite.invited_by_user_id);
    },
  }),
];

/** Only owners may invite owners; the refusal for others has its own code. */
function checkOwnerRole(user: User, invitedAs: number): void {
  if (invitedAs === ROLE.owner && !isOwner(user)) throw mustBe("owner");
}
const mustBeAdministrator = (): ApiError => new ApiError("Must be an organization administrator");

/** Whether the user may invite people with this role (zulip-api.md §9.2). */
function checkMayInviteAs(user: User, invitedAs: number): void {
  checkOwnerRole(user, invitedAs);
  const isElevated = invitedAs === ROLE.administrator || invitedAs === ROLE.moderator;
  if (isElevated && !isAdmin(user)) throw mustBeAdministrator();
}

/** Whether the user may revoke or resend somebody else's invitation. */
function checkMayControl(user: User, invite: { invited_by_user_id: number; invited_as: number }): void {
  if (invite.invited_by_user_id === user.user_id) return;
  checkOwnerRole(user, invite.invited_as);
  if (!isAdmin(user)) throw mustBeAdministrator();
}

function checkMaySetWelcomeText(user: User, text: string | undefined): void {
  if (text !== undefined && !isAdmin(user)) throw mustBeAdministrator();
}

/** All channels are looked up before any right to add people to them is checked. */
function checkChannels(state: RealmState, user: User, ids: readonly number[]): void {
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
  state.default_channels.includes(channel.stream_id) || mayAddSubscribers(state, user, channel);

/** Checks the groups one after the other; the first that cannot be joined decides. */
function checkGroups(state: RealmState, user: User, ids: readonly number[]): void {
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
