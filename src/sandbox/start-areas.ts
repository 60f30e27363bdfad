import type { SnapshotGroup } from "../model/snapshot.ts";
import type { User } from "./rows/accounts.ts";
import type { GroupSetting, UserGroup } from "./rows/groups.ts";
import type { GroupValue, Table } from "./rows/values.ts";
import type { IdSpace, RealmState } from "./state.ts";

/** Every area that is empty in a fresh realm. */
export function emptyAreas() {
  return {
    channel_folders: {},
    linkifiers: {},
    domains: [],
    navigation_views: {},
    invites: [],
    profile_fields: {},
    playgrounds: {},
    emoji: {},
    messages: {},
    direct_message_groups: {},
    drafts: {},
    scheduled_messages: {},
    reminders: {},
    attachments: {},
    user_topics: {},
    muted_users: {},
  } satisfies Partial<RealmState>;
}

/** Numbers that a start says itself, or that it never has rows of. */
type OtherSpace =
  | ("user" | "group" | "channel" | "recipient" | "default_channel_group" | "invite" | "invite_link" | "message")
  | ("domain" | "draft" | "scheduled" | "attachment");
type Numbered = Pick<RealmState, "channel_folders" | "linkifiers" | "profile_fields" | "playgrounds" | "emoji">;
/** Ids that are in use in the areas that a start may fill: the compiler asks for those of a new area. */
export const idsOfAreas = (areas: Numbered) =>
  ({
    folder: Object.keys(areas.channel_folders).map(Number),
    linkifier: Object.keys(areas.linkifiers).map(Number),
    profile_field: Object.keys(areas.profile_fields).map(Number),
    playground: Object.keys(areas.playgrounds).map(Number),
    emoji: Object.keys(areas.emoji).map(Number),
  }) satisfies Record<Exclude<IdSpace, OtherSpace>, readonly number[]>;

export function table<Row>(list: readonly Row[], idOf: (row: Row) => number): Table<Row> {
  const out: { [id: number]: Row } = {};
  for (const row of list) out[idOf(row)] = row;
  return out;
}

/** Whether a role puts its holders directly into this system group. */
function isDirectlyIn(group: string, role: number): boolean {
  if (group === "role:fullmembers" || group === "role:members") return role === 400;
  return (
    { "role:owners": 100, "role:administrators": 200, "role:moderators": 300, "role:everyone": 600 }[group] === role
  );
}

/** A group as it was read. The lists show only active people; the server remembers the roles of the others. */
export function storedGroup(
  group: SnapshotGroup,
  people: readonly Pick<User, "user_id" | "role" | "is_active">[],
  settings: Record<GroupSetting, GroupValue>,
): UserGroup {
  const hidden = people
    .filter((user) => !user.is_active && group.is_system_group && isDirectlyIn(group.name, user.role))
    .map((user) => user.user_id);
  return {
    ...settings,
    id: group.id,
    name: group.name,
    description: group.description,
    members: [...new Set([...group.members, ...hidden])].sort((a, b) => a - b),
    direct_subgroup_ids: group.direct_subgroup_ids,
    is_system_group: group.is_system_group,
    deactivated: group.deactivated,
    creator_id: group.creator_id,
    date_created: group.date_created,
  };
}
