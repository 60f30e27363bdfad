import { describe, expect, test } from "vitest";
import { Draw } from "../../test/properties/draw.ts";
import fc from "../../test/support/random.ts";
import { WORDS } from "../../test/support/random-words.ts";
import { realmOf } from "../../test/support/realm.ts";
import { planFiles } from "../export/check.ts";
import { kinds } from "../kinds/registry.ts";

/*
 * Really different objects: the file has new ones, and the server has others that the file does not mention. Their texts are drawn from 81 words, with the
 * small words that every organization uses; their members, rights and settings at random.
 */
const RUNS = Number(process.env.REALMCTL_RUNS ?? 6);
/** The size, and how many of the new objects may look renamed. docs/internals/decisions/0002-likely-renames-are-asked-about.md says what was measured. */
const SIZES = [
  [1, 0.02],
  [5, 0.05],
] as const;

const FILLERS = ["for", "the", "and", "about", "our", "questions", "team", "news"];
const PEOPLE = ["ada", "ben", "chiara", "dmitri", "elif", "farah", "gustavo", "hana"].map(
  (name) => `${name}@acme.example`,
);
type Item = { readonly [field: string]: unknown };

function objects(draw: Draw, size: number): { readonly [section: string]: { readonly [name: string]: Item } } {
  const text = (least: number, most: number): string =>
    Array.from({ length: least + draw.upTo(most - least) }, () => draw.one(draw.chance(3) ? FILLERS : WORDS)).join(" ");
  const named = (item: () => Item) =>
    Object.fromEntries(
      Array.from({ length: size }, (_, at) => [
        `${draw.one(WORDS)} ${draw.chance(2) ? draw.one(FILLERS) : draw.one(WORDS)} ${at}`,
        item(),
      ]),
    );
  // Of two objects that have little but their names, nobody can tell: the tests below say what is asked then.
  const mayBeEmpty = size > 1;
  return {
    channels: named(() => ({
      description: mayBeEmpty && draw.chance(4) ? "" : text(2, 8),
      ...draw.perhaps(3, () => ({ topics_policy: draw.one(["allow_empty_topic", "disable_empty_topic"]) })),
      ...draw.perhaps(3, () => ({ message_retention_days: draw.one([30, 90, 365]) })),
      ...draw.perhaps(3, () => ({
        permissions: {
          can_send_message_group: draw.one(["role:moderators", "role:administrators", "role:fullmembers"]),
        },
      })),
    })),
    user_groups: named(() => ({
      description: mayBeEmpty && draw.chance(4) ? "" : text(2, 6),
      members: draw.some(PEOPLE, 6),
    })),
    channel_folders: named(() => ({ description: mayBeEmpty && draw.chance(4) ? "" : text(2, 5) })),
  };
}

/** What is on the server: the plan of a file that describes it is carried out by the overlay. */
const overlayOf = ({ channels = {}, user_groups = {}, channel_folders = {} }: ReturnType<typeof objects>) => ({
  channels: Object.entries(channels).map(([name, { description, message_retention_days: days }]) => ({
    name: `${name} live`,
    description: String(description),
    ...(typeof days === "number" ? { message_retention_days: days } : {}),
  })),
  user_groups: Object.entries(user_groups).map(([name, { description, members }]) => ({
    name: `${name} live`,
    description: String(description),
    members: Array.isArray(members) ? members.map(String) : [],
  })),
  channel_folders: Object.entries(channel_folders).map(([name, { description }]) => ({
    name: `${name} live`,
    description: String(description),
  })),
});

describe.each(["additive", "exact"] as const)("under %s", (policy) => {
  test.each(SIZES)(
    "of %i different objects of each kind on both sides hardly any looks renamed",
    async (size, most) => {
      let made = 0;
      let said = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.noBias(fc.array(fc.nat({ max: 1e6 }), { minLength: 700, maxLength: 700 })),
          async (numbers) => {
            const draw = new Draw(numbers);
            const snapshot = realmOf(overlayOf(objects(draw, size)));
            const yaml = JSON.stringify({
              version: 1,
              manage: { channels: policy, user_groups: policy, channel_folders: policy },
              ...objects(draw, size),
            });
            const plan = await planFiles(new Map([["realm.yaml", yaml]]), "realm.yaml", { snapshot, kinds });
            if (!plan.ok) throw new RangeError(JSON.stringify(plan.diagnostics));
            made += 3 * size;
            said += plan.value.warnings.filter(({ code }) => code === "plan/looks-renamed").length;
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      );
      expect(said / made).toBeLessThan(most);
    },
  );
});

test.each([
  {
    what: "what named one names another one with another description",
    description: "News that everybody should read",
    said: 0,
  },
  {
    what: "what named one names another one with its description",
    description: "Everything that has no channel",
    said: 1,
  },
])("$what", async ({ description, said }) => {
  const snapshot = realmOf({
    channels: [{ name: "general", description: "Everything that has no other channel" }],
    settings: { new_stream_announcements_stream_id: 101 },
  });
  const file = {
    version: 1,
    settings: { new_stream_announcements_channel: "announce" },
    channels: { announce: { description } },
  };
  const files = new Map([["realm.yaml", JSON.stringify(file)]]);
  const plan = await planFiles(files, "realm.yaml", { snapshot, kinds });
  if (!plan.ok) throw new RangeError(JSON.stringify(plan.diagnostics));
  expect(plan.value.warnings.filter(({ code }) => code === "plan/looks-renamed")).toHaveLength(said);
});

const ON_SERVER = {
  playgrounds: [
    { language: "Python", name: "Python playground", url_template: "https://play.example.org/?code={code}" },
  ],
  linkifiers: [{ pattern: "#(?P<id>[0-9]+)", url_template: "https://git.example.org/issues/{id}" }],
  profile_fields: [
    { name: "Pronomen", type: "pronouns" },
    { name: "Team", type: "short_text" },
  ],
  channel_folders: [{ name: "Projects", description: "" }],
  user_groups: [{ name: "crew", description: "", members: [] }],
  channels: [{ name: "lobby", description: "" }],
};

test.each([
  {
    what: "a playground of another language on the same site",
    file: {
      playgrounds: [
        { language: "Rust", name: "Rust playground", url_template: "https://play.example.org/?code={code}" },
      ],
    },
    said: 0,
  },
  {
    what: "a playground of another language with the same name, too",
    file: {
      playgrounds: [
        { language: "Rust", name: "Python playground", url_template: "https://play.example.org/?code={code}" },
      ],
    },
    said: 0,
  },
  {
    what: "a playground of the same language on the same site",
    file: {
      playgrounds: [{ language: "python", name: "Try it", url_template: "https://play.example.org/?code={code}" }],
    },
    said: 1,
  },
  {
    what: "a linkifier for the same host",
    file: { linkifiers: [{ pattern: "!(?P<id>[0-9]+)", url_template: "https://git.example.org/merges/{id}" }] },
    said: 0,
  },
  {
    what: "a linkifier whose group has another name",
    file: { linkifiers: [{ pattern: "#(?P<num>[0-9]+)", url_template: "https://git.example.org/issues/{num}" }] },
    said: 1,
  },
  {
    what: "a linkifier whose group has another name, for another path",
    file: { linkifiers: [{ pattern: "!(?P<num>[0-9]+)", url_template: "https://git.example.org/merges/{num}" }] },
    said: 0,
  },
  { what: "a field of pronouns", file: { profile_fields: [{ name: "Pronouns", type: "pronouns" }] }, said: 1 },
  // An entry with little but its name, and one object that the file does not have: nobody can tell, so it is asked about.
  { what: "a field of another text", file: { profile_fields: [{ name: "Site", type: "short_text" }] }, said: 1 },
  { what: "a folder without a description", file: { channel_folders: { Events: {} } }, said: 1 },
  { what: "a group without members", file: { user_groups: { guards: { members: [] } } }, said: 1 },
  { what: "a channel without a description", file: { channels: { atrium: { description: "" } } }, said: 1 },
  { what: "two folders without a description", file: { channel_folders: { Events: {}, Other: {} } }, said: 0 },
  {
    what: "a folder with a description",
    file: { channel_folders: { Events: { description: "Every fair" } } },
    said: 0,
  },
  { what: "a group with members", file: { user_groups: { guards: { members: ["ada@acme.example"] } } }, said: 0 },
])("beside one that the file does not mention: $what", async ({ file, said }) => {
  const files = new Map([["realm.yaml", JSON.stringify({ version: 1, ...file })]]);
  const plan = await planFiles(files, "realm.yaml", { snapshot: realmOf(ON_SERVER), kinds });
  if (!plan.ok) throw new RangeError(JSON.stringify(plan.diagnostics));
  expect(plan.value.warnings.filter(({ code }) => code === "plan/looks-renamed")).toHaveLength(said);
});

const SECRET = "Salaries and other secrets of the house";

test.each([
  { what: "the old name is somebody else's by now", vault: "", said: 1 },
  { what: "the rename is still to come, and the other object is like it, too", vault: SECRET, said: 0 },
  { what: "the entry says nothing by which it could be told", vault: "", entry: {}, said: 0 },
  { what: "the entry has an id", vault: "", entry: { description: SECRET, id: 101 }, said: 0 },
  { what: "the object with the new name is there", vault: "", name: "safe", said: 0 },
])("of an entry with `was`: $what", async ({ vault, entry = { description: SECRET }, name = "safe-eu", said }) => {
  const snapshot = realmOf({
    channels: [
      { name: "vault", description: vault },
      { name, description: SECRET },
    ],
  });
  const file = {
    version: 1,
    channels: { safe: { was: "vault", ...entry }, ...(said === 0 && name === "safe" ? { vault: {} } : {}) },
  };
  const plan = await planFiles(new Map([["realm.yaml", JSON.stringify(file)]]), "realm.yaml", { snapshot, kinds });
  if (!plan.ok) throw new RangeError(JSON.stringify(plan.diagnostics));
  expect(plan.value.warnings.filter(({ code }) => code === "plan/looks-renamed")).toHaveLength(said);
});
