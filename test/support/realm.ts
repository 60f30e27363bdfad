import { readFileSync } from "node:fs";
import * as z from "zod";
import { FIELD_TYPES } from "../../src/kinds/profile-field/live.ts";
import { CHANNEL_PERMISSIONS } from "../../src/model/permission-settings.ts";
import { Snapshot, type SnapshotChannel } from "../../src/model/snapshot.ts";

/** Created a day before the reading by the account that reads, unless the case says otherwise. */
const OverlayInvite = z.strictObject({
  email: z.string(),
  invited_as: z.int().default(400),
  invited_by: z.string().optional(),
  /** null: never */
  expires_in_days: z.int().nullable().default(10),
  notify_referrer_on_join: z.boolean().default(true),
});

/** What a case says about its realm; everything else is the base realm. Channels get the server's defaults for missing fields. */
export const Overlay = z.strictObject({
  /** The account that reads, by address; default: an owner. */
  account: z.string().default("ada@acme.example"),
  feature_level: z.int().default(442),
  /** Differences in the base realm's accounts, by address; role groups follow the roles, and stay. */
  users: z
    .record(
      z.string(),
      z.strictObject({
        is_active: z.boolean().optional(),
        bot_owner_id: z.int().nullable().optional(),
        is_deleted: z.literal(true).optional(),
      }),
    )
    .default({}),
  settings: z.record(z.string(), z.json()).default({}),
  /** Settings that this server does not have. */
  without_settings: z.array(z.string()).default([]),
  /** Differences from a new organization's defaults for new accounts. If left out, the snapshot does not contain them. */
  user_defaults: z.record(z.string(), z.json()).optional(),
  /** Address → days before the reading; all others joined a year before it. */
  joined_days_ago: z.record(z.string(), z.int()).default({}),
  channels: z.array(z.looseObject({ name: z.string() })).default([]),
  /** Replace the base realm's groups except the role groups; ids count from 30. Members by address, subgroups by name. */
  user_groups: z
    .array(
      z.looseObject({
        name: z.string(),
        members: z.array(z.string()).default([]),
        subgroups: z.array(z.string()).default([]),
      }),
    )
    .optional(),
  /** Replace the base realm's folders, in the server's order; ids count from 1. */
  channel_folders: z.array(z.looseObject({ name: z.string() })).optional(),
  /** Replace the base realm's; there are none, unless a case is about them. */
  default_channels: z.array(z.string()).default([]),
  /** Channel → addresses. If left out, the snapshot does not contain subscribers. */
  subscribers: z.record(z.string(), z.array(z.string())).nullable().default(null),
  /** In the server's order; ids count from 201. Fields that the level shows are filled in. */
  linkifiers: z.array(z.looseObject({ pattern: z.string(), url_template: z.string() })).default([]),
  /** In the server's order; ids count from 501. `field_data` is an object. */
  profile_fields: z
    .array(z.looseObject({ name: z.string(), type: z.string(), field_data: z.record(z.string(), z.json()).optional() }))
    .default([]),
  /** Field id → value → number of people; if left out, the snapshot does not say. */
  profile_values: Snapshot.shape.profile_values,
  /** Name → the person who added it, by address; ids count from 601. */
  emoji: z.record(z.string(), z.string()).default({}),
  /** Ids count from 701. */
  playgrounds: z
    .array(z.strictObject({ language: z.string(), name: z.string(), url_template: z.string() }))
    .default([]),
  domains: Snapshot.shape.domains.unwrap().default([]),
  navigation_views: z
    .array(z.strictObject({ fragment: z.string(), is_pinned: z.boolean(), name: z.string().nullable().default(null) }))
    .default([]),
  /** Open invitations by mail; ids count from 401. If left out, the snapshot does not contain invitations. */
  invites: z.array(OverlayInvite).nullable().default(null),
  /** Open links, if the snapshot contains invitations; ids count from 501. */
  links: z.array(OverlayInvite.omit({ email: true })).default([]),
});
export type Overlay = z.input<typeof Overlay>;

const Fixture = z.looseObject({
  register: z.looseObject({
    zulip_version: z.string(),
    server_supported_permission_settings: Snapshot.shape.permission_settings,
  }),
  users: z.array(z.looseObject({})),
  user_groups: z.array(z.looseObject({})),
});
const fixture = Fixture.parse(
  JSON.parse(readFileSync(new URL("../../fixtures/acme-realm.json", import.meta.url), "utf8")),
);

// Lists and objects that are sections of a snapshot, or are missing from it.
const OWN_SECTIONS =
  /^realm_(users|non_active_users|bots|user_groups|linkifiers|filters|domains|emoji|playgrounds|billing|embedded_bots|default_streams|default_stream_groups|user_settings_defaults)$/;

const settings = Object.fromEntries(
  Object.entries(fixture.register)
    .filter(([key]) => /^(realm|max|server)_|^zulip_plan_is_not_limited$/.test(key))
    .filter(([key]) => !OWN_SECTIONS.test(key) && key !== "server_supported_permission_settings")
    .map(([key, value]) => [key.replace(/^realm_/, ""), value]),
);

/** Settings that name a channel: in a realm without that channel they name none. */
const POINTERS = [
  "moderation_request_channel_id",
  "new_stream_announcements_stream_id",
  "signup_announcements_stream_id",
  "zulip_update_announcements_stream_id",
];
const NO_POINTERS = Object.fromEntries(POINTERS.map((setting) => [setting, -1]));
const USER_DEFAULTS = z.record(z.string(), z.json()).parse(fixture.register.realm_user_settings_defaults);

const USER_KEYS = [
  "user_id",
  "email",
  "delivery_email",
  "full_name",
  "role",
  "is_bot",
  "bot_type",
  "bot_owner_id",
  "is_active",
];

/** Groups of the base realm besides the role groups. */
const CUSTOM_GROUPS = [
  { id: 30, name: "staff", description: "Employees", members: [6, 7, 8, 9, 10], direct_subgroup_ids: [] },
  { id: 31, name: "engineering", description: "Builds things", members: [9, 10, 11], direct_subgroup_ids: [32] },
  { id: 32, name: "leads", description: "Decide", members: [7, 8], direct_subgroup_ids: [] },
  {
    id: 33,
    name: "retired",
    description: "Was something once",
    members: [],
    direct_subgroup_ids: [],
    deactivated: true,
  },
];

export const FOLDERS = [
  { id: 1, name: "Company", description: "", is_archived: false, creator_id: 6, date_created: 1_790_000_000, order: 0 },
  {
    id: 2,
    name: "Projects",
    description: "",
    is_archived: false,
    creator_id: 6,
    date_created: 1_790_000_000,
    order: 1,
  },
  { id: 3, name: "Attic", description: "", is_archived: true, creator_id: 6, date_created: 1_790_000_000, order: 2 },
];

/** The base realm (14 accounts, the role groups, three groups and a deactivated one, three folders) with the changes of the overlay. */
export function realmOf(input: Overlay): Snapshot {
  const overlay = Overlay.parse(input);
  const level = overlay.feature_level;
  const users = fixture.users.map((user) => ({
    ...Object.fromEntries(USER_KEYS.map((key) => [key, user[key] ?? null])),
    date_joined: joinedAt(overlay.joined_days_ago[String(user.delivery_email)] ?? 365),
    ...overlay.users[String(user.delivery_email)],
  }));
  const found = z.array(Snapshot.shape.users.element).parse(users);
  const account = found.find((user) => user.delivery_email === overlay.account);
  if (account === undefined) throw new RangeError(`the base realm has no ${overlay.account}`);
  const userIdOf = (email: string): number =>
    found.find((user) => user.delivery_email === email)?.user_id ?? Number.NaN;
  const groups = groupsOf(overlay.user_groups, userIdOf);
  const channels = overlay.channels.map((channel, index) => channelOf(channel, 101 + index, level, groups));
  const idOf = (name: string): number => {
    const channel = channels.find((candidate) => candidate.name === name);
    if (channel === undefined) throw new RangeError(`the case has no channel ${name}`);
    return channel.stream_id;
  };
  const { email, full_name, role, is_bot, user_id, delivery_email } = account;
  return Snapshot.parse({
    format: "realmctl.snapshot",
    version: 1,
    taken_at: TAKEN_AT,
    server: { zulip_version: fixture.register.zulip_version, feature_level: level },
    realm: { url: "https://acme.example.org", name: "Acme Foundry" },
    account: { user_id, email: delivery_email ?? email, full_name, role, is_bot },
    permission_settings: describedAt(level),
    settings: settingsOf(overlay, userIdOf),
    users: found.sort((a, b) => a.user_id - b.user_id),
    ...(overlay.profile_values === undefined ? {} : { profile_values: overlay.profile_values }),
    user_groups: [
      ...fixture.user_groups.map((group) => withFullMembers(group, users, overlay.settings.waiting_period_threshold)),
      ...groups.map((group) => withoutNewer(group, level)),
    ],
    channels,
    default_channels: overlay.default_channels.map(idOf).sort((a, b) => a - b),
    channel_folders: level >= 389 ? foldersOf(overlay.channel_folders, level) : null,
    linkifiers: linkifiersOf(overlay, level),
    domains: overlay.domains,
    navigation_views: level >= 390 ? overlay.navigation_views : null,
    subscribers:
      overlay.subscribers === null
        ? null
        : Object.fromEntries(
            channels.map((channel) => [
              String(channel.stream_id),
              (overlay.subscribers?.[channel.name] ?? []).map(userIdOf).sort((a, b) => a - b),
            ]),
          ),
    invites: invitesOf(overlay, user_id, userIdOf),
  });
}

/** The base realm describes the settings of its own level; servers of later ones describe those that came since. */
function describedAt(level: number): Snapshot["permission_settings"] {
  const described = fixture.register.server_supported_permission_settings;
  if (described === undefined || described === null || level < 477) return described;
  const { can_create_groups: like } = described.realm ?? {};
  if (like === undefined) return described;
  const billed = { ...like, allow_nobody_group: true, allow_everyone_group: true, default_group_name: "role:everyone" };
  return { ...described, realm: { ...described.realm, workplace_users_group: billed } };
}

type ReadOverlay = z.output<typeof Overlay>;

function settingsOf(overlay: ReadOverlay, userIdOf: (email: string) => number) {
  return Object.fromEntries(
    Object.entries({
      ...settings,
      custom_profile_fields: profileFieldsOf(overlay.profile_fields),
      emoji: Object.fromEntries(
        Object.entries(overlay.emoji).map(([name, author], index) => emojiRow(name, userIdOf(author), 601 + index)),
      ),
      playgrounds: overlay.playgrounds.map(({ language, ...row }, index) => ({
        id: 701 + index,
        pygments_language: language,
        ...row,
      })),
      ...NO_POINTERS,
      ...(overlay.user_defaults === undefined
        ? {}
        : { user_settings_defaults: { ...USER_DEFAULTS, ...overlay.user_defaults } }),
      send_channel_events_messages: true,
      ...overlay.settings,
    }).filter(([key]) => !overlay.without_settings.includes(key)),
  );
}

function linkifiersOf({ linkifiers }: ReadOverlay, level: number) {
  return linkifiers.map((linkifier, index) => ({
    id: 201 + index,
    ...(level >= 471 ? { example_input: null, reverse_template: null } : {}),
    ...(level >= 478 ? { alternative_url_templates: [] } : {}),
    ...linkifier,
  }));
}

/** @param me the account that reads */
function invitesOf(overlay: ReadOverlay, me: number, userIdOf: (email: string) => number) {
  return withLinks(
    overlay.invites?.map((invite, index) => ({
      id: 401 + index,
      is_multiuse: false,
      email: invite.email,
      invited_by_user_id: invite.invited_by === undefined ? me : userIdOf(invite.invited_by),
      invited: INVITED,
      expiry_date: invite.expires_in_days === null ? null : INVITED + invite.expires_in_days * 86_400,
      invited_as: invite.invited_as,
      notify_referrer_on_join: invite.notify_referrer_on_join,
    })) ?? null,
    overlay.links.map((link, index) => ({
      id: 501 + index,
      is_multiuse: true,
      email: null,
      invited_by_user_id: link.invited_by === undefined ? me : userIdOf(link.invited_by),
      invited: INVITED,
      expiry_date: link.expires_in_days === null ? null : INVITED + link.expires_in_days * 86_400,
      invited_as: link.invited_as,
      notify_referrer_on_join: null,
    })),
  );
}

/** If there is a waiting period, members become full members when it is over (zulip-api.md §12.1). */
function withFullMembers(
  group: z.infer<typeof Fixture>["user_groups"][number],
  users: readonly { readonly [key: string]: unknown }[],
  days: unknown,
) {
  if (group.name !== "role:fullmembers" || typeof days !== "number") return group;
  const hasWaited = ({ date_joined }: { readonly [key: string]: unknown }): boolean =>
    days === 0 || Date.parse(String(date_joined)) <= Date.parse(TAKEN_AT) - days * 86_400_000;
  const members = users.filter((user) => user.role === 400 && hasWaited(user)).map(({ user_id }) => Number(user_id));
  return { ...group, members: members.sort((a, b) => a - b) };
}

function profileFieldsOf(rows: z.infer<typeof Overlay>["profile_fields"]) {
  return rows.map(({ type, field_data, ...row }, index) => ({
    id: 501 + index,
    type: z.int().parse(new Map<string, number>(Object.entries(FIELD_TYPES)).get(type)),
    hint: "",
    field_data: field_data === undefined ? "" : JSON.stringify(field_data),
    order: index,
    required: false,
    editable_by_user: true,
    ...row,
  }));
}

function emojiRow(name: string, author_id: number, id: number): [string, z.infer<typeof Emoji>] {
  const source_url = `/user_avatars/2/emoji/images/${id}.png`;
  return [String(id), { id: String(id), name, source_url, still_url: null, deactivated: false, author_id }];
}
const Emoji = z.strictObject({
  id: z.string(),
  name: z.string(),
  source_url: z.string(),
  still_url: z.null(),
  deactivated: z.boolean(),
  author_id: z.int(),
});

const withLinks = <T, L>(invites: readonly T[] | null, links: readonly L[]): readonly (T | L)[] | null =>
  invites && [...invites, ...links];

/** To the minute, as the server writes it. */
const joinedAt = (daysAgo: number): string =>
  `${new Date(Date.parse(TAKEN_AT) - daysAgo * 86_400_000).toISOString().slice(0, 16)}+00:00`;
export const TAKEN_AT = "2026-11-21T09:00:00.000Z";
/** Seconds since 1970, one day before the reading. */
const INVITED = Date.parse(TAKEN_AT) / 1000 - 86_400;

type Group = { readonly [key: string]: unknown; readonly id: number; readonly name: string };

/** The case's groups, or those of the base realm, with the missing fields of a realm whose groups have no owner. */
function groupsOf(
  wanted: z.infer<typeof Overlay>["user_groups"],
  userIdOf: (email: string) => number,
): readonly Group[] {
  if (wanted === undefined) return CUSTOM_GROUPS.map((group) => ({ ...groupDefaults(), ...group }));
  const named = wanted.map(({ name }, index) => ({ name, id: 30 + index }));
  return wanted.map(({ name, members, subgroups, ...rest }, index) => ({
    ...groupDefaults(),
    id: 30 + index,
    name,
    description: "",
    members: members.map(userIdOf).sort((a, b) => a - b),
    direct_subgroup_ids: subgroups.map((group) => groupIdOf(group, named)).sort((a, b) => a - b),
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, groupByName(key, value, named)])),
  }));
}

/** Settings of groups, and the levels that introduced them (zulip-api.md §10.2). */
const NEWER: { readonly [setting: string]: number } = { can_remove_members_group: 324 };
function withoutNewer(group: Group, level: number): Group {
  return {
    ...group,
    ...Object.fromEntries(Object.keys(NEWER).flatMap((key) => (level < (NEWER[key] ?? 0) ? [[key, undefined]] : []))),
  };
}

function foldersOf(wanted: z.infer<typeof Overlay>["channel_folders"], level: number) {
  const folders =
    wanted?.map((folder, index) => ({
      id: 1 + index,
      description: "",
      is_archived: false,
      creator_id: 6,
      date_created: 1_790_000_000,
      order: index,
      ...folder,
    })) ?? FOLDERS;
  return level >= 414 ? folders : folders.map(({ order: _, ...folder }) => folder);
}

function groupDefaults() {
  const nobody = 9;
  return {
    is_system_group: false,
    deactivated: false,
    creator_id: 6,
    date_created: 1_790_000_000,
    can_add_members_group: nobody,
    can_join_group: nobody,
    can_leave_group: 15,
    can_manage_group: nobody,
    can_mention_group: 15,
    can_remove_members_group: nobody,
  };
}

const ROLE_IDS: { readonly [name: string]: number } = {
  "role:nobody": 9,
  "role:administrators": 11,
  "role:everyone": 15,
};

/** A public channel as the server would create it, with the given differences. Group settings may name groups of the base realm. */
function channelOf(
  partial: { readonly [key: string]: unknown; readonly name: string },
  id: number,
  level: number,
  ours: readonly { readonly id: number; readonly name: string }[],
): SnapshotChannel {
  const groups = Object.fromEntries(
    Object.entries(CHANNEL_PERMISSIONS).flatMap(([setting, { server }]) =>
      server.level > level
        ? []
        : [[setting, ROLE_IDS[server.standard] ?? { direct_members: [6], direct_subgroups: [] }] as const],
    ),
  );
  return Snapshot.shape.channels.element.parse({
    stream_id: id,
    description: "",
    invite_only: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    is_archived: false,
    message_retention_days: null,
    creator_id: 6,
    date_created: 1_790_000_000,
    ...(level >= 389 ? { folder_id: null } : {}),
    ...(level >= 392 ? { topics_policy: "inherit" } : {}),
    ...groups,
    ...Object.fromEntries(Object.entries(partial).map(([key, value]) => [key, groupByName(key, value, ours)])),
  });
}

/** Cases use group names where the server uses ids: `"staff"`, or in `direct_subgroups`. */
function groupByName(
  key: string,
  value: unknown,
  ours: readonly { readonly id: number; readonly name: string }[],
): unknown {
  if (!key.endsWith("_group") || typeof value === "number") return value;
  if (typeof value === "string") return groupIdOf(value, ours);
  const parsed = z
    .object({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.union([z.int(), z.string()])) })
    .safeParse(value);
  if (!parsed.success) return value;
  const ids = parsed.data.direct_subgroups.map((group) => (typeof group === "string" ? groupIdOf(group, ours) : group));
  return { direct_members: parsed.data.direct_members, direct_subgroups: ids };
}

function groupIdOf(name: string, ours: readonly { readonly id: number; readonly name: string }[]): number {
  const group =
    ours.find((candidate) => candidate.name === name) ??
    SystemGroups.parse(fixture.user_groups).find((candidate) => candidate.name === name);
  if (group === undefined) throw new RangeError(`the base realm has no group ${name}`);
  return group.id;
}
const SystemGroups = z.array(z.looseObject({ id: z.int(), name: z.string() }));
