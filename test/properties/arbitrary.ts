import { foldCase } from "../../src/kinds/names.ts";
import { KNOWN_RIGHTS, knownRight } from "../../src/model/permission-settings.ts";
import fc from "../support/random.ts";
import type { Overlay } from "../support/realm.ts";

/** A realm and a file for it, generated so that most files have no errors and every part of the planner is reached. */
export interface Scenario {
  readonly overlay: Overlay;
  readonly yaml: string;
}

/** A quick check (docs/internals/decisions/0023-random-tests-are-seeded.md); `npm run soak` generates thousands. */
export const RUNS = Number(process.env.REALMCTL_RUNS ?? 4);

const NAMES = [
  "announce",
  "Company news",
  "design",
  "general",
  "incidents",
  "old-wiki",
  "ops 🔧",
  "random",
  "Straße",
  "STRASSE",
  "#weird: {name}",
  "x".repeat(60),
] as const;

const LEVELS = [384, 400, 424, 442] as const;
const DESCRIPTIONS = ["", "News", "Page the on-call first", "Ünïcode & <b>tags</b>: [a](b)"] as const;
const GROUPS = [
  "role:nobody",
  "role:owners",
  "role:moderators",
  "role:members",
  "staff",
  "engineering",
  "leads",
] as const;
const GROUP_IDS: { readonly [name: string]: number } = {
  "role:nobody": 9,
  "role:owners": 10,
  "role:moderators": 12,
  "role:members": 14,
  "role:everyone": 15,
  staff: 30,
  engineering: 31,
  leads: 32,
};
const PEOPLE = ["ada@acme.example", "ben@acme.example", "farah@acme.example", "ivo@partner.example"] as const;
const PERSON_IDS: { readonly [email: string]: number } = {
  "ada@acme.example": 6,
  "ben@acme.example": 7,
  "farah@acme.example": 11,
  "ivo@partner.example": 14,
};

type Who = string | { readonly groups: readonly string[]; readonly users: readonly string[] };

function whoIs(setting: string): fc.Arbitrary<Who> {
  const single = fc.constantFrom<string>(
    ...GROUPS,
    ...(knownRight("stream", setting)?.everyone ? ["role:everyone"] : []),
  );
  const several = fc.record({
    groups: fc.uniqueArray(fc.constantFrom<string>("staff", "leads", "role:moderators"), { maxLength: 2 }),
    users: fc.uniqueArray(fc.constantFrom<string>(...PEOPLE), { maxLength: 3 }),
  });
  return fc.oneof(single, single, several);
}

/** As the server stores it: `{[],[]}` is nobody, `{[g],[]}` is g. */
function wireOf(who: Who): unknown {
  if (typeof who === "string") return GROUP_IDS[who];
  const groups = who.groups.map((name) => GROUP_IDS[name]).sort();
  const users = who.users.map((email) => PERSON_IDS[email] ?? 0).sort((a, b) => a - b);
  if (users.length === 0 && groups.length === 0) return GROUP_IDS["role:nobody"];
  if (users.length === 0 && groups.length === 1) return groups[0];
  return { direct_members: users, direct_subgroups: groups };
}

type Settings = { readonly [setting: string]: Who };

function settings(level: number, most: number): fc.Arbitrary<Settings> {
  const known = KNOWN_RIGHTS.stream.filter((setting) => (knownRight("stream", setting)?.level ?? 0) <= level);
  return fc
    .uniqueArray(fc.constantFrom(...known), { maxLength: most })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((setting) => [setting, whoIs(setting)]))));
}

const PRIVACY = {
  public: [false, true],
  private_shared_history: [true, true],
  private_protected_history: [true, false],
} as const;
type Privacy = keyof typeof PRIVACY;
const privacy = fc.constantFrom<Privacy>("public", "public", "private_shared_history", "private_protected_history");

function liveChannel(level: number) {
  return fc
    .record({
      description: fc.constantFrom(...DESCRIPTIONS),
      privacy,
      message_retention_days: fc.constantFrom(null, null, null, -1, 30),
      is_archived: fc.constantFrom(false, false, false, true),
      folder_id: fc.constantFrom(null, 1, 2),
      topics_policy: fc.constantFrom("inherit", "inherit", "allow_empty_topic", "disable_empty_topic"),
      permissions: settings(level, 4),
    })
    .map(({ privacy: word, permissions, folder_id, topics_policy, ...plain }) => {
      const [invite_only, history_public_to_subscribers] = PRIVACY[word];
      const groups = Object.entries(permissions).filter(
        // The server allows no other group for topics with protected history.
        ([setting]) => word !== "private_protected_history" || setting !== "can_create_topic_group",
      );
      return {
        ...plain,
        invite_only,
        history_public_to_subscribers,
        ...(level >= 389 ? { folder_id } : {}),
        ...(level >= 392 ? { topics_policy } : {}),
        ...Object.fromEntries(groups.map(([setting, who]) => [setting, wireOf(who)])),
      };
    });
}

/** Fields of an item, each present or absent. */
function item(level: number) {
  return fc
    .record(
      {
        description: fc.constantFrom<string | null>(...DESCRIPTIONS, null, "two\nlines"),
        privacy,
        message_retention_days: fc.constantFrom("realm_default", "unlimited", 30, 90, null),
        ...(level >= 389 ? { folder: fc.constantFrom<string | null>("Company", "projects", null) } : {}),
        ...(level >= 392
          ? { topics_policy: fc.constantFrom("inherit", "allow_empty_topic", "disable_empty_topic", null) }
          : {}),
        permissions: settings(level, 4),
      },
      { requiredKeys: [] },
    )
    .map((fields): { readonly [field: string]: unknown } => {
      const { privacy: word, permissions } = fields;
      if (word !== "private_protected_history" || permissions === undefined) return fields;
      if (permissions.can_create_topic_group === undefined) return fields;
      return { ...fields, permissions: { ...permissions, can_create_topic_group: "role:everyone" } };
    });
}

/** What the file does with a live channel. */
const fate = fc.constantFrom(
  "unmentioned",
  "kept",
  "kept",
  "kept",
  "archived",
  "renamed",
  "renamed",
  "pinned",
  "pinned",
);

export const scenario: fc.Arbitrary<Scenario> = fc
  .record({ level: fc.constantFrom(...LEVELS), names: fc.shuffledSubarray([...NAMES], { minLength: 2 }) })
  .chain(({ level, names }) =>
    fc.record({
      level: fc.constant(level),
      names: fc.constant(names),
      live: fc.array(liveChannel(level), { maxLength: Math.min(6, names.length) }),
      fates: fc.array(fate, { minLength: 6, maxLength: 6 }),
      items: fc.array(item(level), { minLength: 10, maxLength: 10 }),
      created: fc.nat({ max: 4 }),
      pick: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
      policy: fc.constantFrom("additive", "additive", "ignore", "exact"),
      notices: fc.boolean(),
      subscribers: fc.constantFrom(undefined, undefined, { groups: ["leads"], users: ["ada@acme.example"] }),
    }),
  )
  .map(({ level, names, live, fates, items, created, pick, policy, notices, subscribers }) => {
    const channels = live.map((channel, index) => ({ ...channel, name: names[index] ?? `channel ${index}` }));
    const file: { [name: string]: { readonly [field: string]: unknown } } = {};
    const taken = new Set<string>();
    const spare = names.slice(channels.length);
    const add = (name: string, fields: { readonly [field: string]: unknown }): boolean => {
      if (taken.has(foldCase(name))) return false;
      taken.add(foldCase(name));
      file[name] = fields;
      return true;
    };
    const awake = (index: number) =>
      channels[index]?.is_archived === true ? { archived: pickFrom([true, false], pick[index]) } : {};
    // Pinned channels exchange names: swaps and longer cycles.
    const pinned = channels.flatMap((_, index) => (fates[index] === "pinned" ? [index] : []));
    const turn = pickFrom([1, 1, 2, 0], pick[0]);
    const turned = pinned.map((_, place) => pinned[(place + turn) % pinned.length]);
    channels.forEach((channel, index) => {
      const fields = items[index] ?? {};
      switch (fates[index]) {
        case "kept":
          add(channel.name, { ...fields, ...awake(index) });
          break;
        case "archived":
          add(channel.name, { archived: true });
          break;
        case "renamed": {
          const name = spare.shift();
          if (name !== undefined) add(name, { ...fields, ...awake(index), was: channel.name });
          break;
        }
        case "pinned": {
          const source = turned[pinned.indexOf(index)] ?? index;
          const name = channels[source]?.name ?? channel.name;
          add(name, { ...fields, ...awake(index), id: 101 + index });
          break;
        }
        default:
      }
    });
    for (let index = 0; index < created; index += 1) {
      const name = spare.shift();
      if (name !== undefined) add(name, { ...items[6 + index], ...(subscribers === undefined ? {} : { subscribers }) });
    }
    const yaml = JSON.stringify({ version: 1, manage: { channels: policy }, channels: file }, null, 1);
    const overlay: Overlay = {
      feature_level: level,
      settings: { send_channel_events_messages: notices },
      channels,
      subscribers: Object.fromEntries(channels.map(({ name }) => [name, ["ada@acme.example", "farah@acme.example"]])),
    };
    return { overlay, yaml };
  });

function pickFrom<T>(values: readonly [T, ...T[]], seed = 0): T {
  return values[seed % values.length] ?? values[0];
}

/** What somebody else does between plan and apply, or between two calls. */
export interface Edit {
  /** Which of the live channels, by position. */
  readonly channel: number;
  readonly field: "description" | "new_name" | "can_send_message_group" | "message_retention_days" | "is_archived";
}

export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    channel: fc.nat({ max: 5 }),
    field: fc.constantFrom<Edit["field"]>(
      "description",
      "new_name",
      "can_send_message_group",
      "message_retention_days",
      "is_archived",
    ),
  }),
  { minLength: 1, maxLength: 3 },
);
