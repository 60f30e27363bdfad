import { CHANNEL_SETTINGS, type Channel } from "../../src/sandbox/rows/channels.ts";
import { GROUP_SETTINGS, type UserGroup } from "../../src/sandbox/rows/groups.ts";
import type { Invite } from "../../src/sandbox/rows/organization.ts";
import { type GroupValue, rows } from "../../src/sandbox/rows/values.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import { accountRow, localPart } from "./accounts.ts";
import { linksIn } from "./links.ts";
import { organizationIn } from "./organization.ts";

/** An object by identity: its id if it existed before, else `new:` and its name. */
export type Ref = number | `new:${string}`;
export type Row = { readonly [field: string]: unknown };
export type Rows = { readonly [ref: string]: Row };

/** A realm, as far as files can describe it. Equal values mean equal realms. */
export interface Seen {
  readonly accounts: Rows;
  readonly organization: Row;
  readonly groups: Rows;
  readonly folders: Rows;
  /** Folders in use, in order. */
  readonly folderOrder: readonly Ref[];
  readonly channels: Rows;
  readonly defaultChannels: readonly Ref[];
  /** In order. */
  readonly linkifiers: readonly Row[];
  readonly domains: Rows;
  readonly isRestrictedToDomains: boolean;
  readonly views: Rows;
  readonly invites: Rows;
  readonly links: Rows;
}

/** The names by which objects and people are the same in two states: ids, and new names for what `before` did not have. */
function refsIn(state: RealmState, before: RealmState) {
  const groupRef = (id: number): Ref =>
    id in before.user_groups ? id : `new:${state.user_groups[id]?.name ?? "nothing"}`;
  const folderRef = (id: number): Ref =>
    id in before.channel_folders ? id : `new:${state.channel_folders[id]?.name ?? "nothing"}`;
  const channelRef = (id: number): Ref => (id in before.channels ? id : `new:${state.channels[id]?.name ?? "nothing"}`);
  // The server keeps deactivated people in their groups and channels, but shows them nowhere (zulip-api.md §3.7, §10.2).
  const personRef = (id: number): Ref => {
    const user = state.users[id];
    return id in before.users || user === undefined ? id : `new:${localPart(user)}`;
  };
  const shown = (people: readonly number[]): readonly Ref[] =>
    ascending(people.filter((id) => state.users[id]?.is_active === true).map(personRef));
  const who = (value: GroupValue): unknown =>
    typeof value === "number"
      ? groupRef(value)
      : { people: shown(value.direct_members), groups: ascending(value.direct_subgroups.map(groupRef)) };
  return { groupRef, folderRef, channelRef, personRef, shown, who };
}
type Refs = ReturnType<typeof refsIn>;

/** Everything in `state`, with new names for what `before` did not have. */
export function seenIn(state: RealmState, before: RealmState, account: number): Seen {
  const refs = refsIn(state, before);
  const { groupRef, folderRef, channelRef, personRef, who } = refs;
  const folders = rows(state.channel_folders);
  const byOrder = <T extends { readonly order: number; readonly id: number }>(list: readonly T[]): readonly T[] =>
    [...list].sort((a, b) => a.order - b.order || a.id - b.id);
  return {
    accounts: table(rows(state.users), (user) => [personRef(user.user_id), accountRow(user)]),
    organization: organizationIn(state, who, channelRef),
    groups: table(rows(state.user_groups), (group) => [groupRef(group.id), groupRow(group, refs)]),
    folders: table(folders, (folder) => [
      folderRef(folder.id),
      { name: folder.name, description: folder.description, inactive: folder.is_archived },
    ]),
    folderOrder: byOrder(folders)
      .filter((folder) => !folder.is_archived)
      .map(({ id }) => folderRef(id)),
    channels: table(rows(state.channels), (channel) => [
      channelRef(channel.stream_id),
      channelRow(channel, state, refs),
    ]),
    defaultChannels: ascending(state.default_channels.map(channelRef)),
    linkifiers: byOrder(rows(state.linkifiers)).map(({ order: _, ...linkifier }) => ({
      ...linkifier,
      id: linkifier.id in before.linkifiers ? linkifier.id : "new",
    })),
    domains: table(state.domains, ({ domain, ...rest }) => [domain, rest]),
    isRestrictedToDomains: state.realm.emails_restricted_to_domains === true,
    views: table(state.navigation_views[account] ?? [], ({ fragment, ...rest }) => [fragment, rest]),
    links: linksIn(state, before),
    invites: invitesIn(state, before, refs),
  };
}

function groupRow(group: UserGroup, { groupRef, shown, who }: Refs): Row {
  return {
    name: group.name,
    description: group.description,
    members: shown(group.members),
    subgroups: ascending(group.direct_subgroup_ids.map(groupRef)),
    inactive: group.deactivated,
    ...Object.fromEntries(GROUP_SETTINGS.map((setting) => [setting, who(group[setting])])),
  };
}

function channelRow(channel: Channel, state: RealmState, { folderRef, shown, who }: Refs): Row {
  return {
    name: channel.name,
    description: channel.description,
    privacy: privacyOf(channel),
    folder: channel.folder_id === null ? null : folderRef(channel.folder_id),
    topics_policy: channel.topics_policy,
    message_retention_days: channel.message_retention_days,
    inactive: channel.is_archived,
    subscribers: shown(
      Object.entries(state.subscriptions[channel.stream_id] ?? {})
        .filter(([, { active }]) => active)
        .map(([id]) => Number(id)),
    ),
    ...Object.fromEntries(CHANNEL_SETTINGS.map((setting) => [setting, who(channel[setting])])),
  };
}

/** Invitations by mail. Those sent by people who are gone are void. */
function invitesIn(state: RealmState, before: RealmState, { channelRef, groupRef }: Refs): Rows {
  const inviteOf = (invite: Invite): Row => ({
    email: invite.email?.toLowerCase() ?? null,
    invited_by_user_id: invite.invited_by_user_id,
    invited_as: invite.invited_as,
    notify_referrer_on_join: invite.notify_referrer_on_join,
    minutes: invite.expiry_date === null ? null : Math.round((invite.expiry_date - invite.invited) / 60),
    channels: ascending(invite.stream_ids.map(channelRef)),
    groups: ascending(invite.group_ids.map(groupRef)),
    include_realm_default_subscriptions: invite.include_realm_default_subscriptions,
    welcome_message_custom_text: invite.welcome_message_custom_text,
    isRevoked: invite.revoked === true,
  });
  const isSentBySomebody = ({ invited_by_user_id: by }: Invite): boolean => state.users[by ?? 0]?.is_active !== false;
  const oldInvites = new Set(before.invites.map(inviteKey));
  return table(
    state.invites.filter((invite) => !invite.is_multiuse && isSentBySomebody(invite)),
    (invite) => [
      oldInvites.has(inviteKey(invite)) ? inviteKey(invite) : `new:${invite.email?.toLowerCase() ?? "link"}`,
      inviteOf(invite),
    ],
  );
}

/** Links and invitations by mail have separate numbers. */
export const inviteKey = ({ id, is_multiuse }: Invite): string => `${is_multiuse ? "link" : "mail"} ${id}`;

/** @throws RangeError if two have the same name: one would hide the other */
export function table<T>(list: readonly T[], entry: (item: T) => readonly [Ref | string, Row]): Rows {
  const entries = list.map(entry).map(([ref, row]) => [String(ref), row] as const);
  if (new Set(entries.map(([ref]) => ref)).size < entries.length)
    throw new RangeError(`the same twice: ${entries.map(([ref]) => ref).join(", ")}`);
  return Object.fromEntries(entries);
}

export function ascending<T extends number | string>(values: Iterable<T>): readonly T[] {
  return [...new Set(values)].sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

function privacyOf({ invite_only, is_web_public, history_public_to_subscribers }: Channel): string {
  if (is_web_public) return "web_public";
  if (!invite_only) return "public";
  return history_public_to_subscribers ? "private_shared_history" : "private_protected_history";
}
