import type { Table } from "./rows/values.ts";
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

type Numbered = Pick<RealmState, "channel_folders" | "linkifiers" | "profile_fields" | "playgrounds" | "emoji">;
/** Ids that are in use in the areas that a start may fill. */
export const idsOfAreas = (areas: Numbered): Partial<Record<IdSpace, readonly number[]>> => ({
  folder: Object.keys(areas.channel_folders).map(Number),
  linkifier: Object.keys(areas.linkifiers).map(Number),
  profile_field: Object.keys(areas.profile_fields).map(Number),
  playground: Object.keys(areas.playgrounds).map(Number),
  emoji: Object.keys(areas.emoji).map(Number),
});

export function table<Row>(list: readonly Row[], idOf: (row: Row) => number): Table<Row> {
  const out: { [id: number]: Row } = {};
  for (const row of list) out[idOf(row)] = row;
  return out;
}

/** Whether a role puts its holders directly into this system group. */
export function isDirectlyIn(group: string, role: number): boolean {
  if (group === "role:fullmembers" || group === "role:members") return role === 400;
  return (
    { "role:owners": 100, "role:administrators": 200, "role:moderators": 300, "role:everyone": 600 }[group] === role
  );
}
