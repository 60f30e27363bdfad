import { ROLE } from "../../src/model/roles.ts";
import fc from "../support/random.ts";
import type { Overlay } from "../support/realm.ts";

/**
 * A random organization in which access depends on everything at once (nested groups, guests, bots with owners, archived channels, a waiting period), and
 * a file made from it by some random edits. Both are written so that fast-check can shrink them: each edit stands for itself.
 */
export interface Scenario {
  readonly overlay: Overlay;
  /** Several plans for the same organization: what everybody can do before is found out once. */
  readonly plans: readonly Planned[];
}

/** A file, and the part of it that is applied; all of it without `only`. */
export interface Planned {
  readonly edits: readonly Edit[];
  /** Links and invitations that the file has before the plan, too: they are open then. */
  readonly first?: readonly Edit[];
  readonly only?: readonly string[];
}

/** Fields of one object in the file; several edits of one object add up. */
export interface Edit {
  readonly section: "channels" | "user_groups" | "people" | "bots" | "settings" | "user_defaults" | ListSection;
  /** The key in the section; undefined for `settings` and `user_defaults`, and for a new item of a list. */
  readonly of?: string;
  readonly fields: { readonly [field: string]: unknown };
  /** The object gets another name. */
  readonly renamed?: true;
}

type ListSection = "default_channels" | "invite_links" | "invites";
const isListSection = (section: Edit["section"]): section is ListSection =>
  section === "default_channels" || section === "invite_links" || section === "invites";

/** Ada owns the organization, mostly applies the plan, and is subscribed everywhere, so that few plans are refused. */
export const ADA = "ada@acme.example";
/** An administrator may do less. */
const ACCOUNTS = [ADA, ADA, "ben@acme.example"] as const;
const MODERATOR = "chiara@acme.example";
const PEOPLE = [
  ADA,
  "ben@acme.example",
  "chiara@acme.example",
  "dmitri@acme.example",
  "elif@acme.example",
  "farah@acme.example",
  "ivo@partner.example",
] as const;
const SLEEPING = "jana@acme.example";
const IDS: { readonly [address: string]: number } = {
  [ADA]: 6,
  "ben@acme.example": 7,
  "chiara@acme.example": 8,
  "dmitri@acme.example": 9,
  "elif@acme.example": 10,
  "farah@acme.example": 11,
  "ivo@partner.example": 14,
  [SLEEPING]: 15,
};
const BOTS = { "deploy-bot@localhost": 17, "ci-bot@localhost": 18, "hook-bot@localhost": 19 } as const;
const OWNERS = [6, 7, 9, 10, 11, 14] as const;
const ROLES = ["owner", "administrator", "moderator", "member", "guest"] as const;
const GROUPS = ["staff", "crew", "leads"] as const;
const CHANNELS = ["hall", "vault", "attic"] as const;
const ROLE_GROUPS = [
  "role:nobody",
  "role:owners",
  "role:administrators",
  "role:moderators",
  "role:fullmembers",
  "role:members",
] as const;

const PRIVACIES = ["web_public", "public", "private_shared_history", "private_protected_history"] as const;
const STORED = {
  web_public: { invite_only: false, is_web_public: true, history_public_to_subscribers: true },
  public: { invite_only: false, is_web_public: false, history_public_to_subscribers: true },
  private_shared_history: { invite_only: true, is_web_public: false, history_public_to_subscribers: true },
  private_protected_history: { invite_only: true, is_web_public: false, history_public_to_subscribers: false },
} as const;
/** Most are private: there is more to open. */
const privacy = fc.constantFrom(...PRIVACIES, "private_shared_history" as const, "private_shared_history" as const);

const CHANNEL_SETTINGS = [
  "can_add_subscribers_group",
  "can_administer_channel_group",
  "can_create_topic_group",
  "can_remove_subscribers_group",
  "can_send_message_group",
  "can_subscribe_group",
] as const;
const GROUP_SETTINGS = [
  "can_add_members_group",
  "can_join_group",
  "can_leave_group",
  "can_manage_group",
  "can_remove_members_group",
] as const;
const ORGANIZATION_SETTINGS = [
  "can_add_subscribers_group",
  "can_create_bots_group",
  "can_create_groups",
  "can_create_private_channel_group",
  "can_create_public_channel_group",
  "can_invite_users_group",
  "can_manage_all_groups",
  "create_multiuse_invite_group",
] as const;
/** The day on which the links of the overlay end. */
const LINKS_END = "2026-11-30";
const ROLE_IDS = [9, 10, 11, 12, 13, 14] as const;

const groupsIn = fc.uniqueArray(fc.constantFrom(...GROUPS), { maxLength: 2 });
const accounts = fc.uniqueArray(fc.constantFrom(...PEOPLE, ...Object.keys(BOTS)), { maxLength: 4 });
/** Also somebody whom no reading shows. */
const allAccounts = fc.uniqueArray(fc.constantFrom(...PEOPLE, ...Object.keys(BOTS), SLEEPING), { maxLength: 4 });
const addressOf = (id: number): string =>
  Object.entries({ ...IDS, ...BOTS }).find(([, each]) => each === id)?.[0] ?? "";

/** A value as the server stores it. */
const stored = fc.oneof(
  fc.constantFrom<string>(...ROLE_GROUPS, ...GROUPS),
  fc.record({
    direct_members: fc
      .uniqueArray(fc.constantFrom(7, 9, 10, 14, 17, 18), { maxLength: 2 })
      .map((ids) => ids.sort((a, b) => a - b)),
    direct_subgroups: groupsIn,
  }),
);
/** The same as a file writes it. */
const written = fc.oneof(
  fc.constantFrom<string>(...ROLE_GROUPS, ...GROUPS),
  fc.record({
    users: fc.uniqueArray(fc.constantFrom(...PEOPLE, "deploy-bot@localhost", "ci-bot@localhost"), { maxLength: 2 }),
    groups: groupsIn,
  }),
);

const some = <Name extends string, Value>(names: readonly Name[], value: fc.Arbitrary<Value>) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...names), value), { maxLength: 3, selector: ([name]) => name });

const channel = fc.record({
  privacy,
  is_archived: fc.nat({ max: 3 }).map((roll) => roll === 0),
  settings: some(CHANNEL_SETTINGS, stored),
  subscribers: allAccounts,
  isDefault: fc.nat({ max: 3 }).map((roll) => roll === 0),
});

/** A group may contain those before it. */
const group = fc.record({
  members: allAccounts,
  subgroups: groupsIn,
  settings: some(GROUP_SETTINGS, stored),
  deactivated: fc.nat({ max: 5 }).map((roll) => roll === 0),
});

const overlay: fc.Arbitrary<Overlay> = fc
  .record({
    channels: fc.tuple(channel, channel, channel),
    groups: fc.tuple(group, group, group),
    organization: some(ORGANIZATION_SETTINGS, fc.constantFrom<number>(...ROLE_IDS, 30, 31)),
    everybody: fc.constantFrom(15, 14),
    waiting: fc.constantFrom(0, 0, 10),
    young: fc.subarray(["dmitri@acme.example", "elif@acme.example"]),
    owners: fc.tuple(fc.constantFrom(...OWNERS), fc.constantFrom(...OWNERS), fc.constantFrom(...OWNERS)),
    asleep: fc.subarray([...Object.keys(BOTS)], { maxLength: 1 }),
    level: fc.constantFrom(442, 442, 500),
    links: fc.array(fc.constantFrom<number>(...Object.values(ROLE)), { maxLength: 2 }),
    addresses: fc.constantFrom(1, 2, 3, 4, 5),
    invited: fc.boolean(),
    spectators: fc.boolean(),
    account: fc.constantFrom(...ACCOUNTS),
  })
  .map(({ channels, groups, organization, everybody, waiting, young, owners, asleep, level, links, ...more }) => ({
    account: more.account,
    feature_level: level,
    invites: [],
    links: links.map((invited_as) => ({ invited_as })),
    user_defaults: { email_address_visibility: more.addresses },
    default_channels: channels.flatMap(({ privacy: open, is_archived, isDefault }, index) =>
      isDefault && !is_archived && !STORED[open].invite_only ? [CHANNELS[index] ?? ""] : [],
    ),
    channels: channels.map(({ privacy: open, is_archived, settings }, index) => ({
      name: CHANNELS[index] ?? "",
      ...STORED[open],
      is_archived,
      ...Object.fromEntries(settings),
      // With protected history, everybody creates topics: the server allows nothing else.
      ...(open === "private_protected_history" ? { can_create_topic_group: "role:everyone" } : {}),
    })),
    subscribers: Object.fromEntries(
      channels.map(({ subscribers }, index) => [CHANNELS[index] ?? "", [...new Set([ADA, ...subscribers])]]),
    ),
    user_groups: groups.map(({ members, subgroups, settings, deactivated }, index) => ({
      name: GROUPS[index] ?? "",
      members,
      deactivated,
      subgroups: subgroups.filter((name) => GROUPS.indexOf(name) < index),
      ...Object.fromEntries(settings),
    })),
    settings: {
      ...Object.fromEntries(organization),
      can_access_all_users_group: everybody,
      waiting_period_threshold: waiting,
      invite_required: more.invited,
      enable_spectator_access: more.spectators,
    },
    joined_days_ago: Object.fromEntries(young.map((address) => [address, 1])),
    users: Object.fromEntries(
      Object.keys(BOTS).map((name, index) => [
        name,
        { bot_owner_id: owners[index] ?? 6, ...(asleep.includes(name) ? { is_active: false } : {}) },
      ]),
    ),
  }));

const channelEdit = fc
  .tuple(
    fc.constantFrom(...CHANNELS, "new"),
    fc.oneof(
      fc.record({ privacy }),
      fc.record({ archived: fc.boolean() }),
      some(CHANNEL_SETTINGS, written).map((settings) => ({ permissions: Object.fromEntries(settings) })),
      accounts.map((users) => ({ subscribers: { users: [...new Set([ADA, ...users])], exact: true } })),
      fc
        .tuple(accounts, groupsIn)
        .map(([users, groups]) => ({ subscribers: { users: [...new Set([ADA, ...users])], groups, exact: false } })),
    ),
  )
  .map(([of, fields]): Edit => ({ section: "channels", of, fields }));
const renaming = fc
  .constantFrom(...CHANNELS)
  .map((of): Edit => ({ section: "channels", of, fields: {}, renamed: true }));
const groupEdit = fc
  .tuple(
    fc.constantFrom(0, 1, 2),
    fc.oneof(
      accounts.map((members) => ({ members })),
      groupsIn.map((subgroups) => ({ subgroups })),
      fc.boolean().map((deactivated) => ({ deactivated })),
      some(GROUP_SETTINGS, written).map((settings) => ({ permissions: Object.fromEntries(settings) })),
    ),
  )
  .map(
    ([place, fields]): Edit => ({
      section: "user_groups",
      of: GROUPS[place] ?? "",
      fields:
        "subgroups" in fields ? { subgroups: fields.subgroups.filter((name) => GROUPS.indexOf(name) < place) } : fields,
    }),
  );
const personEdit = fc
  .tuple(
    fc.constantFrom(...PEOPLE.slice(1), SLEEPING),
    fc.oneof(
      fc.constantFrom(...ROLES).map((role) => ({ role })),
      fc.boolean().map((deactivated) => ({ deactivated })),
    ),
  )
  .map(([of, fields]): Edit => ({ section: "people", of, fields }));
const botEdit = fc
  .tuple(
    fc.constantFrom("deploy-bot", "ci-bot", "hook-bot"),
    fc.oneof(
      fc.constantFrom(...OWNERS.filter((id) => id !== 14)).map((id) => ({ owner: addressOf(id) })),
      fc.constantFrom(...ROLES).map((role) => ({ role })),
      fc.boolean().map((deactivated) => ({ deactivated })),
    ),
  )
  .map(([of, fields]): Edit => ({ section: "bots", of, fields }));
/** A bot that the plan makes: of a guest, it does what guests may not; with a higher role, it gives its owner this role. */
const newBotEdit = fc
  .record(
    {
      owner: fc.constantFrom(...OWNERS).map(addressOf),
      role: fc.constantFrom(...ROLES),
      type: fc.constantFrom("generic", "generic", "incoming_webhook"),
    },
    { requiredKeys: [] },
  )
  .map((fields): Edit => ({ section: "bots", of: "fresh-bot", fields }));
const settingEdit = fc
  .oneof(
    some(ORGANIZATION_SETTINGS, fc.constantFrom<string>(...ROLE_GROUPS.slice(1), ...GROUPS)).map((settings) => ({
      permissions: Object.fromEntries(settings),
    })),
    fc
      .constantFrom("role:everyone", "role:members")
      .map((group) => ({ permissions: { can_access_all_users_group: group } })),
    fc.constantFrom("none", "10d", "30d").map((waiting_period_threshold) => ({ waiting_period_threshold })),
    fc.boolean().map((invite_required) => ({ invite_required })),
    fc.boolean().map((enable_spectator_access) => ({ enable_spectator_access })),
  )
  .map((fields): Edit => ({ section: "settings", fields }));
const addressEdit = fc
  .constantFrom("everyone", "members", "moderators", "administrators", "nobody")
  .map((email_address_visibility): Edit => ({ section: "user_defaults", fields: { email_address_visibility } }));
const defaultEdit = fc
  .record({ channel: fc.constantFrom(...CHANNELS, "new"), absent: fc.boolean() })
  .map(({ channel: of, absent }): Edit => ({ section: "default_channels", of, fields: { absent } }));
/** Also with groups and private channels. */
const linkEdit = fc
  .record({
    invite_as: fc.constantFrom(...ROLES),
    channels: fc.uniqueArray(fc.constantFrom(...CHANNELS), { maxLength: 2 }),
    groups: groupsIn,
    include_realm_default_subscriptions: fc.boolean(),
  })
  .map((fields): Edit => ({ section: "invite_links", fields: { ...fields, expires_on: "2026-12-31" } }));
/** The same for one address. */
const inviteEdit = fc
  .record({
    invite_as: fc.constantFrom(...ROLES),
    channels: fc.uniqueArray(fc.constantFrom(...CHANNELS), { maxLength: 2 }),
    groups: groupsIn,
    include_realm_default_subscriptions: fc.boolean(),
  })
  .map(
    (fields): Edit => ({
      section: "invites",
      fields: { ...fields, emails: ["nils@acme.example"], send_until: "2026-12-31" },
    }),
  );
const unlinkEdit = fc
  .constantFrom(...ROLES)
  .map((invite_as): Edit => ({ section: "invite_links", fields: { invite_as, expires_on: LINKS_END, absent: true } }));

/** A channel that closes while a guest is invited into it, or somebody comes back who may be in it. */
const closing = fc
  .record({
    of: fc.constantFrom(...CHANNELS),
    privacy: fc.constantFrom("private_shared_history", "private_protected_history"),
    who: fc.constantFrom<(of: string) => Edit>(
      (of) => ({
        section: "invite_links",
        fields: { invite_as: "guest", channels: [of], expires_on: "2026-12-31" },
      }),
      (of) => ({
        section: "invites",
        fields: { invite_as: "guest", channels: [of], emails: ["nils@acme.example"], send_until: "2026-12-31" },
      }),
      () => ({ section: "people", of: SLEEPING, fields: { deactivated: false } }),
    ),
  })
  .map(({ of, privacy: closed, who }): readonly Edit[] => [
    { section: "channels", of, fields: { privacy: closed } },
    who(of),
  ]);

/** What everybody may do who may change such a thing at all. */
const ownEdits: readonly Weighted[] = [
  { weight: 6, arbitrary: channelEdit },
  ...[groupEdit, renaming].map((arbitrary) => ({ weight: 2, arbitrary })),
  ...[linkEdit, inviteEdit, newBotEdit].map((arbitrary) => ({ weight: 1, arbitrary })),
];
const allEdits: readonly Weighted[] = [
  ...ownEdits,
  ...[personEdit, botEdit, settingEdit].map((arbitrary) => ({ weight: 2, arbitrary })),
  ...[addressEdit, defaultEdit, unlinkEdit].map((arbitrary) => ({ weight: 1, arbitrary })),
];
interface Weighted {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<Edit>;
}

export const scenarios: fc.Arbitrary<Scenario> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ overlay, plans: plansOf(allEdits, opened) }) },
  {
    weight: 1,
    arbitrary: fc.record({ overlay: overlay.map(asModerator), plans: plansOf(ownEdits) }),
  },
);

/** Whoever joins by what is open already: with the same terms as in the file, since the server does not show them. */
function opened(): fc.Arbitrary<readonly Edit[]> {
  const edit = fc.oneof(linkEdit, linkEdit, inviteEdit).map(({ section, fields }): Edit => {
    const { include_realm_default_subscriptions: _, ...rest } = fields;
    return { section, fields: rest };
  });
  return fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: edit.map((one) => [one]) });
}
const isInviting = ({ section, fields }: Edit): boolean =>
  section === "invites" || (section === "invite_links" && fields.absent !== true);

function plansOf(
  weighted: readonly Weighted[],
  openedBefore: () => fc.Arbitrary<readonly Edit[]> = () => fc.constant([]),
): fc.Arbitrary<readonly Planned[]> {
  const single = fc.oneof(...weighted).map((edit): readonly Edit[] => [edit]);
  const edits = fc
    .array(fc.oneof({ weight: 8, arbitrary: single }, { weight: 1, arbitrary: closing }), {
      minLength: 1,
      maxLength: 5,
    })
    .map((all) => all.flat());
  const planned = fc
    .record({ edits, part: fc.option(fc.nat({ max: 1 }), { freq: 3 }), first: openedBefore() })
    .map(({ edits: given, part, first }): Planned => {
      const all = first.length === 0 ? given : given.filter((edit) => !isInviting(edit));
      const before = first.length === 0 ? {} : { first };
      const named = part === null ? undefined : all[part];
      // A part without a rest is the whole.
      return named === undefined || all.length === 1
        ? { edits: all, ...before }
        : { edits: all, only: [patternOf(named)], ...before };
    });
  return fc.array(planned, { minLength: 3, maxLength: 3 });
}

const KIND: { readonly [section in Edit["section"]]?: string } = {
  channels: "channel",
  user_groups: "user_group",
  people: "person",
  bots: "bot",
};
function patternOf({ section, of }: Edit): string {
  const kind = KIND[section];
  return kind === undefined || of === undefined ? section : `${kind}:${of}*`;
}

/** A moderator applies, who sees and changes only a part: as much as the organization allows. */
function asModerator(whole: Overlay): Overlay {
  const settings = {
    can_add_subscribers_group: 12,
    can_manage_all_groups: 12,
    can_create_private_channel_group: 12,
    can_create_public_channel_group: 12,
    can_invite_users_group: 12,
    create_multiuse_invite_group: 12,
    can_create_bots_group: 12,
  };
  return {
    ...whole,
    account: MODERATOR,
    settings: { ...settings, ...whole.settings },
    user_defaults: { email_address_visibility: 1 },
    channels: whole.channels?.map((each, index) =>
      index < 2 ? { ...each, can_administer_channel_group: "role:moderators" } : each,
    ),
    // Most of what a moderator is not in, they do not see.
    subscribers: Object.fromEntries(
      Object.entries(whole.subscribers ?? {}).map(([name, addresses]) => [
        name,
        name === CHANNELS[2] ? addresses.filter((each) => each !== MODERATOR) : [...new Set([...addresses, MODERATOR])],
      ]),
    ),
  };
}

/** The file with these edits. */
export function fileOf(edits: readonly Edit[]): string {
  const sections: { [section: string]: Fields } = {};
  const lists: { [section: string]: readonly Fields[] } = {};
  const renamed = new Set(edits.flatMap((edit) => (edit.renamed === true ? [edit.of] : [])));
  const nameOf = (name: unknown): unknown => (typeof name === "string" && renamed.has(name) ? `${name}-now` : name);
  for (const { section, of, fields } of edits) {
    if (isListSection(section)) {
      const { channels, ...rest } = fields;
      const item = {
        ...rest,
        ...(of === undefined ? {} : { channel: nameOf(of) }),
        ...(Array.isArray(channels) ? { channels: channels.map(nameOf) } : {}),
      };
      const isOther = (one: Fields): boolean =>
        section === "default_channels"
          ? one.channel !== item.channel
          : section === "invites" || one.invite_as !== fields.invite_as || one.expires_on !== fields.expires_on;
      lists[section] = [...(lists[section] ?? []).filter(isOther), item];
      continue;
    }
    const found = sections[section] ?? {};
    const key = renamed.has(of) ? `${of}-now` : of;
    const named = renamed.has(of) ? { was: of, ...fields } : fields;
    sections[section] =
      key === undefined ? merged(found, fields) : { ...found, [key]: merged(fieldsIn(found[key]), named) };
  }
  return JSON.stringify({ version: 1, policy: { lockout: "allow", limits: { removals: 100 } }, ...sections, ...lists });
}
type Fields = { readonly [field: string]: unknown };
const fieldsIn = (value: unknown): Fields => (typeof value === "object" && value !== null ? { ...value } : {});
const merged = (first: Fields, second: Fields): Fields => ({
  ...first,
  ...second,
  ...("permissions" in first && "permissions" in second
    ? { permissions: { ...fieldsIn(first.permissions), ...fieldsIn(second.permissions) } }
    : {}),
});
