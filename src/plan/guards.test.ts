import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import type { GuardPolicy } from "../model/policy.ts";
import { guardText } from "../report/words/guards.ts";
import { riskText } from "../report/words/risks.ts";
import { guardsOf } from "./guards.ts";

const channels = ["general", "news", "security-one", "Security-two"].map((name) => ({ name }));

async function guards(
  yaml: string,
  policy: Partial<GuardPolicy> = {},
  overlay: Overlay = { channels },
  allow: string[] = [],
) {
  const snapshot = realmOf(overlay);
  const plan = must(await planText(`version: 1\n${yaml}`, snapshot));
  return guardsOf({ plan, snapshot, kinds, policies: [{ limits: {}, protect: [], ...policy }], allow });
}
const hits = async (...input: Parameters<typeof guards>) =>
  (await guards(...input))
    .filter(({ violated }) => violated)
    .map((guard) => `${guard.name} | ${guardText(guard)} | ${guard.at?.line}`);

describe("limits", () => {
  test("are listed when nothing is hit", async () => {
    const found = await guards("channels:\n  news: {archived: true}\n");
    expect(found.map(guardText)).toEqual([
      "removals 1 of 10",
      "people losing access 0 of 50",
      "e-mails 0 of 50",
      "irreversible steps 0",
      "nobody is locked out",
    ]);
    expect(found.filter(({ violated }) => violated)).toEqual([]);
  });

  const two = "channels:\n  news: {archived: true}\n  general:\n    archived: true\n";
  const hide = "channels:\n  news: {privacy: private_shared_history, permissions: {can_subscribe_group: leads}}\n";
  test.each([
    { limits: { removals: { most: 2 } }, yaml: two, found: [] },
    { limits: { removals: { most: 1 } }, yaml: two, found: ["removals | removals 2 of 1: general goes over it | 5"] },
    { limits: { removals: { most: 0 } }, yaml: two, found: ["removals | removals 2 of 0: news goes over it | 3"] },
    {
      limits: { "channels.removals_percent": { most: 25 } },
      yaml: two,
      found: ["channels.removals_percent | channels: removals 2 of 1 (25 % of 4): general goes over it | 5"],
    },
    { limits: { "channels.removals_percent": { most: 50 } }, yaml: two, found: [] },
    {
      // 1.6 of four objects are one: a share is rounded down, or the limit would let more through than it says.
      limits: { "channels.removals_percent": { most: 40 } },
      yaml: two,
      found: ["channels.removals_percent | channels: removals 2 of 1 (40 % of 4): general goes over it | 5"],
    },
    { limits: { "user_groups.removals": { most: 0 } }, yaml: two, found: [] },
    { limits: { changes: { most: 1 } }, yaml: two, found: ["changes | changes 2 of 1: general goes over it | 4"] },
    {
      limits: { irreversible: { most: 0 } },
      yaml: "channels:\n  news: {message_retention_days: 30}\n",
      found: ["irreversible | irreversible steps 1 of 0: news goes over it | 3"],
    },
  ])("$limits", async ({ limits, yaml, found }) => expect(await hits(yaml, { limits })).toEqual(found));

  test("everybody who can no longer read counts once", async () => {
    const found = await guards(hide, { limits: { people_losing_access: { most: 3 } }, lockout: "allow" });
    const guard = found.find(({ name }) => name === "people_losing_access");
    expect(guard).toMatchObject({ violated: true, at: { line: 3 } });
    expect(guard && guardText(guard)).toMatch(/^people losing access \d+ of 3: news goes over it$/);
  });

  test("a group that loses a member closes what it opened", async () => {
    const overlay: Overlay = {
      channels: [{ name: "ops", invite_only: true, can_subscribe_group: 32 }],
      subscribers: { ops: ["ada@acme.example"] },
    };
    const yaml = "user_groups:\n  leads: {members: [ben@acme.example]}\n";
    expect(await hits(yaml, { limits: { "channels.people_losing_access": { most: 0 } } }, overlay)).toEqual([
      "channels.people_losing_access | channels: people losing access 1 of 0: ops goes over it | undefined",
    ]);
  });

  test("of several policies the lowest limit counts, and defaults fill each", async () => {
    const snapshot = realmOf({ channels });
    const plan = must(await planText(`version: 1\n${two}`, snapshot));
    const loose = { limits: { removals: { most: 1000 } }, protect: [] };
    const strict = { limits: { removals: { most: 1 } }, protect: [] };
    const limitsOf = (policies: readonly GuardPolicy[]) =>
      guardsOf({ plan, snapshot, kinds, policies, allow: [] }).map(guardText)[0];
    expect(limitsOf([loose, strict])).toContain("2 of 1:");
    expect(limitsOf([loose, { limits: {}, protect: [] }])).toBe("removals 2 of 10");
  });

  test("--allow lets one guard through and says so", async () => {
    const found = await guards(two, { limits: { removals: { most: 1 } } }, { channels }, ["removals"]);
    expect(found[0]?.violated).toBe(false);
    expect(found.map(guardText)[0]).toContain("allowed with --allow removals");
  });
});

const everything: Overlay = {
  channels: [{ name: "news" }, { name: "old" }],
  subscribers: { news: ["ada@acme.example", "ivo@partner.example"], old: ["ada@acme.example"] },
  user_groups: [
    { name: "leads", members: ["ada@acme.example", "ben@acme.example"] },
    { name: "retired", members: [] },
  ],
  channel_folders: [{ name: "Attic" }, { name: "Projects" }],
  default_channels: ["news"],
  linkifiers: [
    { pattern: "A(?P<n>[0-9]+)", url_template: "https://x.example.org/{n}" },
    { pattern: "B(?P<n>[0-9]+)", url_template: "https://x.example.org/{n}" },
  ],
  domains: [
    { domain: "acme.example", allow_subdomains: false },
    { domain: "b.example", allow_subdomains: false },
  ],
  navigation_views: [{ fragment: "narrow/is/dm", is_pinned: true, name: "Talks" }],
  profile_fields: [
    { name: "Pet", type: "short_text" },
    { name: "Desk", type: "short_text" },
  ],
  emoji: { anvil: "ada@acme.example", forge: "ben@acme.example" },
  playgrounds: [
    { language: "Rust", name: "Rust at play", url_template: "https://play.example.org/?code={code}" },
    { language: "Go", name: "Go at play", url_template: "https://play.example.org/?code={code}" },
  ],
  links: [{ expires_in_days: null }],
  invites: [{ email: "lin@b.example" }, { email: "moe@b.example" }],
};
/** One of every kind goes. */
const REMOVALS = [
  { section: "channels", name: "old", yaml: "channels:\n  old: {archived: true}\n" },
  { section: "user_groups", name: "retired", yaml: "user_groups:\n  retired: {deactivated: true}\n" },
  { section: "channel_folders", name: "Attic", yaml: "channel_folders:\n  Attic: {archived: true}\n" },
  { section: "default_channels", name: "news", yaml: "default_channels:\n  - {channel: news, absent: true}\n" },
  {
    section: "linkifiers",
    name: "A(?P<n>[0-9]+)",
    yaml: "linkifiers:\n  - {pattern: 'A(?P<n>[0-9]+)', absent: true}\n",
  },
  { section: "domains", name: "b.example", yaml: "domains:\n  b.example: {absent: true}\n" },
  { section: "navigation_views", name: "narrow/is/dm", yaml: "navigation_views:\n  narrow/is/dm: {absent: true}\n" },
  { section: "people", name: "farah@acme.example", yaml: "people:\n  farah@acme.example: {deactivated: true}\n" },
  { section: "bots", name: "hook-bot", yaml: "bots:\n  hook-bot: {absent: true}\n" },
  {
    section: "profile_fields",
    name: "Pet",
    yaml: "profile_fields:\n  - {name: Pet, absent: true}\n",
  },
  { section: "emoji", name: "anvil", yaml: "emoji:\n  anvil: {absent: true}\n" },
  {
    section: "playgrounds",
    name: "Rust: Rust at play",
    yaml: "playgrounds:\n  - {language: Rust, name: Rust at play, absent: true}\n",
  },
  {
    section: "invite_links",
    name: "member for ever",
    yaml: "invite_links:\n  - {expires_on: never, absent: true}\n",
  },
  { section: "invites", name: "moe@b.example", yaml: "invites:\n  - {emails: [moe@b.example], absent: true}\n" },
] as const;

describe("of every kind", () => {
  test("there is a row", () =>
    expect(REMOVALS.map(({ section }) => section).sort()).toEqual(
      // What is always there cannot be removed.
      kinds.flatMap(({ section, shape }) => (shape === "singleton" ? [] : [section])).sort(),
    ));

  test.each(REMOVALS)("$section: changes and removals, as a number and in percent", async ({ section, name, yaml }) => {
    const limit = (counted: string, most: number) => hits(yaml, { limits: { [counted]: { most } } }, everything);
    for (const counted of ["changes", "removals"])
      for (const of of ["", `${section}.`])
        for (const form of ["", "_percent"]) {
          const guard = `${of}${counted}${form}`;
          const [violated, ...more] = await limit(guard, 0);
          expect(more).toEqual([]);
          expect(violated?.startsWith(`${guard} | `), violated).toBe(true);
          // With the object that goes over it, and the line that asked for it.
          expect(violated).toContain(`${name} goes over it | 3`);
          expect(await limit(guard, form === "" ? 1 : 100)).toEqual([]);
        }
    for (const other of REMOVALS.filter((each) => each.section !== section))
      expect(await limit(`${other.section}.changes`, 0)).toEqual([]);
  });

  test.each(REMOVALS)(
    "$section: protected by name, by kind or section, by glob, declared or not",
    async ({ section, name, yaml }) => {
      const kind = kinds.find((each) => each.section === section)?.name ?? "";
      const gone = `manage: {${section}: exact}\n${section}: ${kinds.find((each) => each.section === section)?.shape === "list" ? "[]" : "{}"}\n`;
      const other = REMOVALS.find((each) => each.section !== section)?.section;
      for (const pattern of [`${kind}:${name}`, `${section}:${name}`, `${kind}:${[...name][0]}*`, `${kind}:*`]) {
        const protect = [{ pattern }];
        const [declared, ...more] = await hits(yaml, { protect }, everything);
        expect(more).toEqual([]);
        expect(declared).toContain(`protect:${pattern} | ${pattern} is protected, and`);
        if (kinds.find((each) => each.section === section)?.isPartial === true) continue;
        // Taking the object out of the file takes its protection from nothing.
        const others = { limits: { removals: { most: 100 } }, lockout: "allow" } as const;
        const lifted = gone.replace("domains: {}", "domains: {acme.example: {}}");
        const undeclared = await hits(lifted, { protect, ...others }, { ...everything, subscribers: null });
        expect(undeclared.join("\n")).toContain(`${pattern} is protected, and`);
      }
      expect(
        await hits(yaml, { protect: [{ pattern: `${other}:*` }, { pattern: `${kind}:nosuch*` }] }, everything),
      ).toEqual([]);
    },
  );
});

describe("people and mail", () => {
  test("guests who read a channel on the web and no longer do count as the plan's own words count them", async () => {
    const yaml = "channels:\n  site: {privacy: public}\n";
    const overlay = { channels: [{ name: "site", is_web_public: true }], subscribers: {} };
    expect(await hits(yaml, { limits: { people_losing_access: { most: 0 } } }, overlay)).toEqual([
      "people_losing_access | people losing access 1 of 0: site goes over it | 3",
    ]);
  });

  test.each([
    {
      what: "a channel that closes",
      yaml: "channels:\n  old: {privacy: private_shared_history}\n",
      of: "channels",
      violated: /^people_losing_access \| people losing access \d+ of 0: old goes over it \| 3$/,
    },
    {
      what: "a guest who is unsubscribed from a public channel",
      yaml: "channels:\n  news: {subscribers: {users: [ada@acme.example], exact: true}}\n",
      of: "channels",
      violated: /^people_losing_access \| people losing access 1 of 0: news goes over it \| 3$/,
    },
    {
      what: "somebody who leaves a group",
      yaml: "user_groups:\n  leads: {members: [ada@acme.example]}\n",
      of: "user_groups",
      violated: /^people_losing_access \| people losing access 1 of 0: leads goes over it \| 3$/,
    },
  ])("$what counts, alone and in percent, of all and of its section", async ({ yaml, of, violated }) => {
    const limit = async (name: string, most: number) =>
      await hits(yaml, { limits: { [name]: { most } }, lockout: "allow" }, everything);
    expect((await limit("people_losing_access", 0)).join()).toMatch(violated);
    expect(await limit("people_losing_access", 100)).toEqual([]);
    for (const name of [
      `${of}.people_losing_access`,
      "people_losing_access_percent",
      `${of}.people_losing_access_percent`,
    ]) {
      expect((await limit(name, 0)).join()).toContain(`${name} | `);
      expect(await limit(name, 100)).toEqual([]);
    }
    expect(await limit("linkifiers.people_losing_access", 0)).toEqual([]);
  });

  test.each([
    { what: "an invitation", yaml: "invites:\n  - {emails: [new@b.example], send_until: 2026-11-24}\n", mails: 1 },
    {
      what: "one that replaces another",
      yaml: "invites:\n  - {emails: [lin@b.example], invite_as: guest, replace: true, send_until: 2026-11-24}\n",
      mails: 1,
    },
    {
      what: "several",
      yaml: "invites:\n  - {emails: [new@b.example, newer@b.example, lin@b.example], send_until: 2026-11-24}\n",
      mails: 2,
    },
    {
      what: "one that is revoked sends none",
      yaml: "invites:\n  - {emails: [lin@b.example], absent: true}\n",
      mails: 0,
    },
  ])("$what: e-mails are counted as they are sent", async ({ yaml, mails }) => {
    const limit = (name: string, most: number) => hits(yaml, { limits: { [name]: { most } } }, everything);
    expect(await limit("emails", mails)).toEqual([]);
    const quiet = await guards(yaml, {}, everything);
    expect(quiet.filter(({ name }) => name === "emails").map(guardText)).toEqual([`e-mails ${mails} of 50`]);
    if (mails === 0) return;
    expect((await limit("emails", mails - 1)).join()).toContain(`emails | e-mails ${mails} of ${mails - 1}: `);
    expect((await limit("emails_percent", 0)).join()).toContain("emails_percent | e-mails");
  });
});

describe("what cannot be undone is marked, and counted", () => {
  test.each<{ what: string; yaml: string; live: Overlay; marked: RegExp }>([
    {
      what: "a shorter retention",
      yaml: "channels:\n  news: {message_retention_days: 30}\n",
      live: everything,
      marked: /older than 30 days are deleted for good/,
    },
    {
      what: "the restriction to domains, with the last of them",
      yaml: "domains:\n  acme.example: {absent: true, lift_restriction: true}\n  b.example: {absent: true}\n",
      live: { ...everything, settings: { emails_restricted_to_domains: true } },
      marked: /does not restore the restriction/,
    },
    {
      what: "a value that no request sets",
      yaml: "channels:\n  odd: {privacy: private_shared_history}\n",
      live: {
        channels: [{ name: "odd", invite_only: true, is_web_public: true }],
        subscribers: { odd: ["ada@acme.example"] },
      },
      marked: /privacy of the channel odd cannot become .* again/,
    },
  ])("$what", async ({ yaml, live, marked }) => {
    const plan = must(await planText(`version: 1\n${yaml}`, realmOf(live)));
    const risks = plan.changes.flatMap((change) => change.risks).filter(({ kind }) => kind === "irreversible");
    expect(risks.map(riskText).join()).toMatch(marked);
    expect(await hits(yaml, { limits: { irreversible: { most: 0 } } }, live)).toMatchObject([
      expect.stringContaining("irreversible | irreversible steps 1 of 0: "),
    ]);
    expect((await guards(yaml, {}, live)).map(guardText)).toContain("irreversible steps 1");
  });
});

describe("protection", () => {
  const protect = [{ pattern: "channel:security-*" }, { pattern: "channels:general" }];
  test.each([
    ["a new description", "channels:\n  general: {description: New}\n", ["protect:channels:general"]],
    ["another name", "channels:\n  public: {was: general}\n", ["protect:channels:general"]],
    [
      "not written, under exact",
      "manage: {channels: exact}\nchannels: {general: {}, news: {}, security-one: {}}\n",
      ["protect:channel:security-*"],
    ],
    ["another object", "channels:\n  news: {description: New}\n", []],
    ["a new one of such a name", "channels:\n  security-three: {}\n", []],
  ])("%s", async (_, yaml, names) => {
    const found = await guards(yaml, { protect });
    expect(found.filter(({ violated }) => violated).map(({ name }) => name)).toEqual(names);
  });

  test("what is untouched is listed, and a name that matches nothing", async () => {
    const found = await guards("channels: {}\n", { protect: [...protect, { pattern: "channel:nosuch" }] });
    expect(found.filter(({ name }) => name === "protect").map(guardText)).toEqual([
      "protected: channel:security-*, channels:general, channel:nosuch (none there) untouched",
    ]);
  });
});

describe("lock-outs", () => {
  const overlay: Overlay = { channels: [{ name: "ops", invite_only: true }], subscribers: { ops: [] } };
  test("a private channel whose only group is emptied", async () => {
    const live: Overlay = {
      channels: [{ name: "ops", invite_only: true, can_subscribe_group: 32 }],
      subscribers: { ops: [] },
    };
    const yaml = "user_groups:\n  leads: {members: []}\n";
    expect(await hits(yaml, {}, live)).toEqual(["lockout | nobody can reach #ops afterwards | undefined"]);
    expect(await hits(yaml, { lockout: "allow" }, live)).toEqual([]);
  });
  test.each([
    {
      what: "by the setting",
      yaml: "user_groups:\n  crew: {permissions: {can_manage_group: role:nobody}}\n",
      line: 3,
    },
    {
      what: "by leaving the group that it names",
      yaml: "user_groups:\n  crew: {members: [ben@acme.example]}\n",
      line: 3,
    },
  ])("an account that gives away that it manages a group: $what", async ({ yaml, line }) => {
    const live: Overlay = {
      account: "dmitri@acme.example",
      settings: { can_manage_all_groups: 10 },
      user_groups: [{ name: "crew", members: ["ben@acme.example", "dmitri@acme.example"], can_manage_group: 30 }],
    };
    const text = "lockout | Dmitri Volkov, the account that runs this, no longer manages crew afterwards | ";
    expect(await hits(yaml, {}, live)).toEqual([`${text}${line}`]);
    expect(await hits(yaml, { lockout: "allow" }, live)).toEqual([]);
    // Whoever manages all groups can take it back.
    expect(await hits(yaml, {}, { ...live, settings: { can_manage_all_groups: 14 } })).toEqual([]);
  });
  test("one that nobody reached before is not the plan's doing", async () => {
    const found = await guards("user_groups:\n  leads: {description: New}\n", {}, overlay);
    expect(found.filter(({ violated }) => violated)).toEqual([]);
  });
});

describe("owners", () => {
  const KOFI = "people:\n  kofi@acme.example: ";
  const ADA = "people:\n  ada@acme.example: ";
  const alone: Overlay = { users: { "kofi@acme.example": { is_active: false } } };
  const OWN_ROLE =
    "lockout | Ada Okafor, the account that runs this, becomes administrator, and cannot become owner again by itself | 3";
  const fewer = (person: string): string =>
    `min_owners | 1 owner left, at least 2 required: removing ${person} is one too many | 3`;
  // Ada, who runs this, and Kofi are owners.
  test.each<{ what: string; yaml: string; least?: number; live?: Overlay; found: readonly string[] }>([
    { what: "one of two is demoted", yaml: `${KOFI}{role: member}\n`, found: [] },
    {
      what: "one of two is demoted, and two have to be left",
      yaml: `${KOFI}{role: member}\n`,
      least: 2,
      found: [fewer("kofi@acme.example")],
    },
    {
      what: "one of two is deactivated",
      yaml: `${KOFI}{deactivated: true}\n`,
      least: 2,
      found: [fewer("kofi@acme.example")],
    },
    {
      what: "one goes and another comes",
      yaml: `${KOFI}{deactivated: true}\n  ben@acme.example: {role: owner}\n`,
      least: 2,
      found: [],
    },
    {
      what: "who is demoted and deactivated counts once",
      yaml: `${KOFI}{role: member, deactivated: true}\n`,
      least: 2,
      found: [fewer("kofi@acme.example")],
    },
    {
      what: "nobody is taken where too few are left already",
      yaml: "people:\n  elif@acme.example: {role: guest}\n",
      least: 5,
      found: [],
    },
    { what: "oneself, of two", yaml: `${ADA}{role: administrator}\n`, found: [OWN_ROLE] },
    {
      what: "oneself, of two that have to be left",
      yaml: `${ADA}{role: administrator}\n`,
      least: 2,
      found: [OWN_ROLE, fewer("ada@acme.example")],
    },
    {
      what: "oneself, the last active owner: a deactivated owner does not count",
      yaml: `${ADA}{role: administrator}\n`,
      live: alone,
      found: [OWN_ROLE, "last_owner | nobody is left as an owner: ada@acme.example is the last | 3"],
    },
    { what: "a deactivated owner is demoted", yaml: `${KOFI}{role: member}\n`, live: alone, least: 2, found: [] },
    {
      what: "the last owner who is a person: a bot does not count",
      yaml: `${KOFI}{role: member}\nbots:\n  deploy-bot: {role: owner}\n`,
      least: 2,
      found: [fewer("kofi@acme.example")],
    },
  ])("$what", async ({ yaml, least, live = {}, found }) => {
    const policy = least === undefined ? {} : { minOwners: { least } };
    expect(await hits(yaml, policy, live)).toEqual(found);
  });

  test("of several policies the strictest holds, and says where it is written", async () => {
    const snapshot = realmOf({});
    const plan = must(await planText(`version: 1\n${KOFI}{role: member}\n`, snapshot));
    const at = { file: "policy.yaml", line: 2, column: 1, endLine: 2, endColumn: 2, offset: 0, length: 1 };
    const policies = [{ least: 1 }, { least: 2, at }, { least: 1 }].map((minOwners) => ({
      limits: {},
      protect: [],
      minOwners,
    }));
    const violated = guardsOf({ plan, snapshot, kinds, policies, allow: [] }).filter((guard) => guard.violated);
    expect(violated).toMatchObject([{ name: "min_owners", rule: at }]);
  });

  test.each([
    { yaml: `${KOFI}{role: member}\n`, live: {}, least: 2, allow: "min_owners", left: [] },
    { yaml: `${ADA}{role: administrator}\n`, live: alone, least: 1, allow: "last_owner", left: ["last_owner"] },
    { yaml: `${ADA}{role: administrator}\n`, live: alone, least: 1, allow: "min_owners", left: ["last_owner"] },
  ])("--allow $allow leaves $left", async ({ yaml, live, least, allow, left }) => {
    const found = await guards(yaml, { minOwners: { least }, lockout: "allow" }, live, [allow]);
    expect(found.filter(({ violated }) => violated).map(({ name }) => name)).toEqual(left);
  });
});

describe("demotions", () => {
  test.each<{ what: string; yaml: string; count: number; over?: string }>([
    {
      what: "a lower role",
      yaml: "people:\n  ben@acme.example: {role: moderator}\n",
      count: 1,
      over: "ben@acme.example",
    },
    { what: "a higher role is no demotion", yaml: "people:\n  elif@acme.example: {role: moderator}\n", count: 0 },
    { what: "a bot's lower role", yaml: "bots:\n  ci-bot: {role: guest}\n", count: 1, over: "ci-bot" },
    {
      what: "people and bots together",
      yaml: "people:\n  elif@acme.example: {role: guest}\n  farah@acme.example: {role: guest}\nbots:\n  ci-bot: {role: guest}\n",
      count: 3,
      over: "elif@acme.example",
    },
    {
      what: "a deactivation is a removal, and none",
      yaml: "people:\n  elif@acme.example: {deactivated: true}\n",
      count: 0,
    },
    {
      what: "a lower role and a deactivation",
      yaml: "people:\n  elif@acme.example: {role: guest, deactivated: true}\n",
      count: 1,
      over: "elif@acme.example",
    },
  ])("$what", async ({ yaml, count, over }) => {
    const limit = (name: string, most: number) => hits(yaml, { limits: { [name]: { most } } }, {});
    expect(await limit("demotions", count)).toEqual([]);
    if (over === undefined) return expect(await limit("demotions", 0)).toEqual([]);
    expect(await limit("demotions", 0)).toEqual([
      expect.stringMatching(new RegExp(`^demotions \\| demotions ${count} of 0: ${over} goes over it \\| \\d+$`)),
    ]);
    expect(await limit("demotions", count - 1)).toHaveLength(1);
    const section = yaml.startsWith("people") ? "people" : "bots";
    expect((await limit(`${section}.demotions`, 0)).join()).toContain(`${section}.demotions | ${section}: demotions`);
    expect((await limit("demotions_percent", 0)).join()).toContain("demotions_percent | demotions");
    expect(await limit("channels.demotions", 0)).toEqual([]);
  });

  test("without a limit ten are let through, and an eleventh is not", async () => {
    const ten = `people:
  ben@acme.example: {role: member}
  chiara@acme.example: {role: member}
  dmitri@acme.example: {role: guest}
  elif@acme.example: {role: guest}
  farah@acme.example: {role: guest}
  gustavo@acme.example: {role: guest}
  hana@acme.example: {role: guest}
bots:
  deploy-bot: {role: guest}
  ci-bot: {role: guest}
  hook-bot: {role: guest}
`;
    expect(await hits(ten)).toEqual([]);
    expect(await hits(`${ten}`.replace("people:\n", "people:\n  kofi@acme.example: {role: member}\n"))).toEqual([
      expect.stringMatching(/^demotions \| demotions 11 of 10: /),
    ]);
  });
});
