import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AdoptOptions, adopt, adoptable } from "../../src/adopt/adopt.ts";
import { exportRealm, namesIn, planFiles } from "../../src/export/export.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { Failure } from "../../src/model/diagnostic.ts";
import type { Policy } from "../../src/model/kind.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { keepsComments } from "../../src/source/comments.ts";
import { wholeRealm } from "../export/realms.ts";
import { RUNS, scenario } from "../properties/arbitrary.ts";
import { together } from "../properties/together.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { must } from "../support/world.ts";

/** Adopts into files in memory; gives back the files as they then are. */
async function adopted(
  files: ReadonlyMap<string, string>,
  snapshot: Snapshot,
  choice?: AdoptOptions["choice"],
): Promise<{ readonly files: ReadonlyMap<string, string>; readonly taken: readonly string[]; readonly left: number }> {
  const result = await adopt({
    file: "realm.yaml",
    readFile: async (path) => {
      const text = files.get(path);
      if (text === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
      return text;
    },
    listFiles: async (directory) => namesIn(files.keys(), directory),
    snapshot,
    kinds,
    ...(choice === undefined ? {} : { choice }),
  });
  const after = new Map([...files, ...result.files.map(({ file, after }) => [file, after] as const)]);
  for (const { file, before } of result.files) expect(before).toBe(files.get(file));
  return { files: after, taken: result.taken, left: result.left.length };
}

const one = (text: string): ReadonlyMap<string, string> => new Map([["realm.yaml", text]]);
const planned = async (files: ReadonlyMap<string, string>, snapshot: Snapshot) =>
  must(await planFiles(files, "realm.yaml", { snapshot, kinds }));

const options = { numRuns: RUNS };
const TIMEOUT_MS = 60_000 + RUNS * 500;

/** Comments above, behind and below lines, as the numbers say. */
function commented(text: string, marks: readonly number[]): string {
  return text
    .split("\n")
    .flatMap((line, index) => {
      const margin = /^ */.exec(line)?.[0] ?? "";
      const mark = marks[index % marks.length];
      if (line === "") return [line];
      if (mark === 0) return [`${margin}# above ${index}`, line];
      return mark === 1 && !line.startsWith("#") ? [`${line}  # behind ${index}`] : [line];
    })
    .join("\n");
}

describe("random drift", () => {
  test(
    "taken into a file that was exported from another realm: no plan is left, every comment stands",
    async () => {
      const marks = fc.array(fc.nat({ max: 5 }), { minLength: 30, maxLength: 30 });
      const policies = fc.constantFrom<Policy>("additive", "exact");
      const split = fc.constantFrom("none", "kind", "folder");
      await fc.assert(
        fc.asyncProperty(wholeRealm, wholeRealm, marks, policies, split, async (from, to, marks, policy, split) => {
          fc.pre(from.feature_level === to.feature_level);
          const start = realmOf(from);
          const drifted = realmOf(to);
          const exported = await exportRealm({
            snapshot: start,
            kinds,
            sections: kinds.map(({ section }) => section),
            policies: Object.fromEntries(kinds.map(({ section }) => [section, policy])),
            split,
          });
          const files = new Map([...exported.files].map(([file, text]) => [file, commented(text, marks)]));
          let result: Awaited<ReturnType<typeof adopted>>;
          try {
            result = await adopted(files, drifted);
          } catch (error) {
            // A group that is gone leaves references behind, which is for a person to settle.
            if (error instanceof Failure && error.diagnostics.every(({ code }) => code === "adopt/would-break"))
              return fc.pre(false);
            throw error;
          }
          const plan = await planned(result.files, drifted);
          expect(plan.changes).toEqual([]);
          expect(result.left).toBe(0);
          for (const [file, text] of files) expect(keepsComments(text, result.files.get(file) ?? "")).toBe(true);
        }),
        // Each run reads and plans files many times over.
        { numRuns: Math.ceil(RUNS / 4) },
      );
    },
    TIMEOUT_MS,
  );

  test(
    "taken into a file of renames, pins and archives",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenario, async ({ overlay, yaml }) => {
          const snapshot = realmOf(overlay);
          const before = await planFiles(one(yaml), "realm.yaml", { snapshot, kinds });
          fc.pre(before.ok);
          const { files } = await adopted(one(yaml), snapshot);
          expect((await planned(files, snapshot)).changes).toEqual([]);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );
});

/** Mistakes in the file, or what would be some. */
function refused(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
}

test(
  "random files of all kinds that name each other: when all is taken, nothing differs any more",
  async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(together, async ({ overlay, yaml }) => {
        const snapshot = realmOf(overlay);
        const read = async (path: string) => (path === "realm.yaml" ? yaml : "");
        const before = await adoptable({ file: "realm.yaml", readFile: read, snapshot, kinds }).catch(refused);
        fc.pre(before !== undefined && before.changes.length > 0);
        const result = await adopted(one(yaml), snapshot).catch(refused);
        fc.pre(result !== undefined && result.left === 0);
        expect((await planned(result?.files ?? one(yaml), snapshot)).changes).toEqual([]);
        made += 1;
      }),
      // A counterexample of this size is not made smaller in any useful time.
      { numRuns: Math.ceil(RUNS / 4), endOnFailure: true },
    );
    expect(made).toBeGreaterThan(RUNS / 16);
  },
  TIMEOUT_MS,
);

const SPLIT = new Map([
  [
    "realm.yaml",
    `version: 1
include: [channels/*.yaml]
manage: {linkifiers: exact}
# what announcements have in common
profiles:
  announcement: {permissions: {can_send_message_group: role:moderators}}
linkifiers: # tried in this order
  - pattern: '#(?P<id>[0-9]+)' # bugs
    url_template: https://bugs.example.org/{id}
`,
  ],
  [
    "channels/news.yaml",
    `channels:
  # everybody reads this
  announce: {profile: announcement}   # not the board
  releases:
    profile: announcement
    description: "Every release" # one line
`,
  ],
]);
const drifted = realmOf({
  channels: [
    { name: "announce", can_send_message_group: 30 },
    { name: "releases", description: "Every: release", can_send_message_group: 12, can_administer_channel_group: 30 },
    { name: "party", description: "Costs ${money}" },
  ],
  linkifiers: [{ pattern: "#(?P<id>[0-9]+)", url_template: "https://new.example.org/{id}" }],
});

describe("into the lines where it belongs", () => {
  test("what a profile says is overridden in the item, in the file that has it", async () => {
    const { files, left } = await adopted(SPLIT, drifted);
    expect(left).toBe(0);
    expect(files.get("channels/news.yaml")).toBe(`channels:
  # everybody reads this
  announce: {profile: announcement, permissions: {can_send_message_group: staff}}   # not the board
  releases:
    profile: announcement
    description: "Every: release" # one line
`);
    expect(files.get("realm.yaml")).toBe(
      SPLIT.get("realm.yaml")?.replace("https://bugs.example.org", "https://new.example.org"),
    );
    expect((await planned(files, drifted)).changes).toEqual([]);
  });

  test("only what was chosen, and what the file does not know by its address", async () => {
    const { files, taken } = await adopted(SPLIT, drifted, { addresses: ["channel:party"] });
    expect(taken).toEqual(["channel:party"]);
    expect(files.get("realm.yaml")).toBe(SPLIT.get("realm.yaml"));
    expect(files.get("channels/news.yaml")).toBe(
      `${SPLIT.get("channels/news.yaml")}  party:\n    description: Costs $\${money}\n`,
    );
    const addresses = (await planned(files, drifted)).changes.map(({ address }) => address);
    expect(addresses).toEqual(["channel:announce", "channel:releases", "linkifier:#(?P<id>[0-9]+)"]);
  });

  test("only one field", async () => {
    const { files } = await adopted(SPLIT, drifted, { addresses: ["channel:releases"], fields: ["description"] });
    expect(files.get("channels/news.yaml")).toContain('description: "Every: release" # one line');
    expect(files.get("channels/news.yaml")).not.toContain("staff");
  });
});

describe("what variables stand for", () => {
  const FLEET = new Map([
    [
      "realm.yaml",
      `version: 1
include: [shared.yaml]
values:
  company: Acme # as in descriptions
  on_call: engineering
`,
    ],
    [
      "shared.yaml",
      `vars:
  company: {type: string}
  on_call: {type: group}
  lead: {type: person, default: ada@acme.example}
  days: {type: integer, default: 30}
channels:
  announce:
    description: News of \${company} for all
  incidents:
    description: Page \${on_call} first
    permissions:
      can_send_message_group: \${on_call}
      can_administer_channel_group: {groups: [staff], users: ["\${lead}"]}
  alerts:
    message_retention_days: \${days}
`,
    ],
  ]);
  const live = (over: { readonly [channel: string]: { readonly [field: string]: unknown } }) =>
    realmOf({
      channels: [
        { name: "announce", description: "News of Acme for all", ...over.announce },
        {
          name: "incidents",
          description: "Page engineering first",
          can_send_message_group: 31,
          can_administer_channel_group: { direct_members: [6], direct_subgroups: [30] },
          ...over.incidents,
        },
        { name: "alerts", message_retention_days: 30, ...over.alerts },
      ],
    });
  test.each([
    {
      what: "the only use of one: its value, in the file of the organization",
      over: { alerts: { message_retention_days: 90 } },
      file: "realm.yaml",
      from: "  on_call: engineering\n",
      to: "  on_call: engineering\n  days: 90\n",
    },
    {
      what: "one of several uses: written out there",
      over: { incidents: { can_send_message_group: 32 } },
      file: "shared.yaml",
      from: "can_send_message_group: ${on_call}",
      to: "can_send_message_group: leads",
    },
    {
      what: "a text around one: the reference stays",
      over: { announce: { description: "All the news of Acme, costs ${nothing}" } },
      file: "shared.yaml",
      from: "News of ${company} for all",
      to: "All the news of ${company}, costs $${nothing}",
    },
    {
      what: "a text that no longer has it",
      over: { announce: { description: "News of Acmeland" } },
      file: "shared.yaml",
      from: "News of ${company} for all",
      to: "News of Acmeland",
    },
    {
      what: "a list with one: the reference stays",
      over: { incidents: { can_administer_channel_group: { direct_members: [7, 6], direct_subgroups: [30] } } },
      file: "shared.yaml",
      from: 'users: ["${lead}"]',
      to: 'users: ["${lead}", ben@acme.example]',
    },
  ])("$what", async ({ over, file, from, to }) => {
    const snapshot = live(over);
    const { files, left } = await adopted(FLEET, snapshot);
    expect(left).toBe(0);
    const expected = new Map(FLEET).set(file, FLEET.get(file)?.replace(from, () => to) ?? "");
    expect(Object.fromEntries(files)).toEqual(Object.fromEntries(expected));
    expect((await planned(files, snapshot)).changes).toEqual([]);
  });
});

describe("the order of the server, where it means something", () => {
  const snapshot = realmOf({
    channel_folders: [{ name: "Projects" }, { name: "Company" }, { name: "Attic", is_archived: true }],
  });
  test.each([
    {
      what: "entries move with their comments",
      section: `  # all of us
  Company: {} # first

  Attic: {archived: true}
  # what we build
  Projects:
    description: ''
`,
      after: `  # what we build
  Projects:
    description: ''

  Attic: {archived: true}
  # all of us
  Company: {} # first
`,
    },
    {
      what: "in braces",
      section: " {Company: {}, Attic: {absent: true}, Projects:}\n",
      after: " {Projects:, Attic: {absent: true}, Company: {}}\n",
    },
  ])("$what", async ({ section, after }) => {
    const head = "version: 1\nmanage: {channel_folders: exact}\nchannel_folders:";
    const nl = section.startsWith(" {") ? "" : "\n";
    const { files, left } = await adopted(one(`${head}${nl}${section}`), snapshot);
    expect(files.get("realm.yaml")).toBe(`${head}${nl}${after}`);
    expect(left).toBe(0);
    expect((await planned(files, snapshot)).changes).toEqual([]);
  });
});

test("a group that has another name on the server has it everywhere in the file", async () => {
  const file = `version: 1
user_groups:
  staff: {id: 30} # all of us
channels:
  announce: {permissions: {can_send_message_group: staff, can_subscribe_group: {groups: [staff, leads]}}}
`;
  const groups = ["employees", "engineering", "leads"].map((name) => ({ name }));
  const snapshot = realmOf({ user_groups: groups, channels: [{ name: "announce" }] });
  const { files } = await adopted(one(file), snapshot, { addresses: ["user_group:employees"] });
  expect(files.get("realm.yaml")).toBe(
    file
      .replace("staff: {id", "employees: {id")
      .replace("group: staff,", "group: employees,")
      .replace("[staff,", "[employees,"),
  );
});

describe("who is subscribed", () => {
  const snapshot = realmOf({
    user_groups: [
      { name: "team", members: ["ada@acme.example", "ben@acme.example"] },
      { name: "guild", members: ["chiara@acme.example", "dmitri@acme.example"] },
    ],
    channels: [{ name: "room" }],
    subscribers: { room: ["ada@acme.example", "ben@acme.example", "chiara@acme.example"] },
  });
  test.each([
    {
      what: "a group of which somebody left goes, those who are named and are there stay",
      before: "{groups: [team, guild], users: [chiara@acme.example, farah@acme.example]}",
      after: "{groups: [team], users: [chiara@acme.example]}",
    },
    {
      what: "exact: those who came are named",
      before: "{groups: [team], exact: true}",
      after: "{groups: [team], exact: true, users: [chiara@acme.example]}",
    },
    { what: "none that is named is there", before: "{users: [farah@acme.example]}", after: "{users: []}" },
  ])("$what", async ({ before, after }) => {
    const text = `version: 1\nchannels:\n  room: {subscribers: ${before}} # ours\n`;
    const { files, left } = await adopted(one(text), snapshot);
    expect(left).toBe(0);
    expect(files.get("realm.yaml")).toBe(text.replace(before, after));
    expect((await planned(files, snapshot)).changes).toEqual([]);
  });
});

describe("another name on the server", () => {
  const file = `version: 1
profiles: {news: {permissions: {can_send_message_group: managers}}}
user_groups:
  # they decide
  managers: {description: Decide, members: [ada@acme.example], permissions: {can_manage_group: {groups: [managers]}}}
channels:
  announce: {profile: news} # read by all
  lunch: {description: Who goes where, subscribers: {groups: [managers]}}
default_channels: [announce, lunch]
`;
  const base = {
    user_groups: [
      { name: "leadership", description: "Decide", members: ["ada@acme.example"], can_manage_group: "leadership" },
    ],
    channels: [
      { name: "announce", can_send_message_group: 30 },
      { name: "Lunch club", description: "Who goes where" },
    ],
    default_channels: ["announce", "Lunch club"],
    subscribers: { announce: [], "Lunch club": ["ada@acme.example"] },
  };
  test("is known by everything else, and stands where the old one did", async () => {
    const snapshot = realmOf(base);
    const { files, left, taken } = await adopted(one(file), snapshot);
    expect(left).toBe(0);
    expect(taken).toEqual(["user_group:managers", "channel:lunch"]);
    expect(files.get("realm.yaml")).toBe(file.replaceAll("managers", "leadership").replaceAll("lunch", "Lunch club"));
    expect((await planned(files, snapshot)).changes).toEqual([]);
  });

  test.each([
    { what: "two could be it", more: [{ name: "Lunch crew", description: "Who goes where" }], name: "Lunch club" },
    { what: "it says something else", more: [], name: "Lunch club", description: "Who eats where" },
  ])("is not guessed when $what: the entry goes", async ({ more, name, description = "Who goes where" }) => {
    const lunch = "version: 1\nchannels:\n  lunch: {description: Who goes where}\n  announce: {}\n";
    const snapshot = realmOf({ channels: [{ name: "announce" }, { name, description }, ...more] });
    const { files } = await adopted(one(lunch), snapshot);
    expect(files.get("realm.yaml")).toBe("version: 1\nchannels:\n  announce: {}\n");
  });

  test("an entry that says nothing could be any", async () => {
    const bare = "version: 1\nchannels:\n  lunch: {}\n  announce: {}\n";
    const { files } = await adopted(one(bare), realmOf({ channels: [{ name: "announce" }, { name: "party" }] }));
    expect(files.get("realm.yaml")).toBe("version: 1\nchannels:\n  announce: {}\n");
  });
});

test("what is gone and still named is left, and the rest is taken", async () => {
  const file = `version: 1
user_groups: {guild: {}}
channels:
  announce: {permissions: {can_send_message_group: guild}}
  random: {description: Anything}
`;
  const snapshot = realmOf({
    channels: [
      { name: "announce", can_send_message_group: 30 },
      { name: "random", description: "Anything goes" },
    ],
  });
  const { files, left } = await adopted(one(file), snapshot, { addresses: ["user_group:guild", "channel:random"] });
  expect(left).toBe(1);
  expect(files.get("realm.yaml")).toBe(file.replace("Anything", "Anything goes"));
});

test("invitations: who is not invited any more goes out of the entry, who is new comes as one", async () => {
  const file = `version: 1
manage: {invites: exact}
invites:
  # the new team
  - emails: [grace@example.org, lin@example.org, tove@example.org]
    channels: [general]
  - emails: [max@example.org] # leaves soon
`;
  const snapshot = realmOf({
    channels: [{ name: "general" }],
    invites: [{ email: "Lin@example.org" }, { email: "noor@example.org", invited_as: 600 }],
  });
  const { files, left } = await adopted(one(file), snapshot);
  expect(left).toBe(0);
  expect(files.get("realm.yaml")).toBe(`version: 1
manage: {invites: exact}
invites:
  # the new team
  - emails: [lin@example.org]
    channels: [general]
  - emails: [noor@example.org]
    invite_as: guest
  # leaves soon
`);
});

test("a group that is gone while a channel names it: said, and nothing is changed", async () => {
  const file = `version: 1
user_groups: {guild: {}}
channels: {announce: {permissions: {can_send_message_group: guild}}}
`;
  const adopting = adopted(one(file), realmOf({ channels: [{ name: "announce" }] }), {
    addresses: ["user_group:guild"],
  });
  await expect(adopting).rejects.toMatchObject({
    diagnostics: [{ code: "adopt/would-break", footnotes: ['there is no group "guild" here'] }],
  });
});

describe("every example keeps every comment, whatever differs", () => {
  test.each([
    { directory: "examples/small", file: "realm.yaml", url: "https://chat.example.org" },
    { directory: "examples/fleet", file: "production.yaml", url: "https://chat.example.org" },
    { directory: "examples/fleet", file: "staging.yaml", url: "https://chat-staging.example.org" },
  ])("$directory/$file", async ({ directory, file, url }) => {
    const level = 442;
    const snapshot = realmOf({
      feature_level: level,
      user_groups: ["night-watch", "engineering", "leads", "staff"].map((name) => ({ name })),
      channels: ["announce", "random", "help", "board", "customers"].map((name) => ({ name, description: "Drifted" })),
    });
    const people = snapshot.users.map((user, index) => ({
      ...user,
      delivery_email: ["ada@example.org", "grace@example.org"][index] ?? user.delivery_email,
    }));
    const { realm, ...rest } = snapshot;
    const result = await adopt({
      file: join(directory, file),
      readFile: (path) => readFile(path, "utf8"),
      listFiles: (path) => readdir(path),
      snapshot: { ...rest, users: people, realm: { ...realm, url } },
      kinds,
    });
    expect(result.left).toEqual([]);
    expect(result.files.length).toBeGreaterThan(0);
    for (const { before, after } of result.files) {
      expect(after).not.toBe(before);
      expect(keepsComments(before, after)).toBe(true);
    }
  });
});
