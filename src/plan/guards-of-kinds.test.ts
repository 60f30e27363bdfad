import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { guards, hits } from "../../test/support/guards.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import { guardText } from "../report/words/guards.ts";
import { riskText } from "../report/words/risks.ts";

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
/** One object of every kind is removed. */
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
  test("has a row in this test", () =>
    expect(REMOVALS.map(({ section }) => section).sort()).toEqual(
      // A singleton cannot be removed.
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
          // The guard names the object that exceeds the limit, and the line that asks for it.
          expect(violated).toContain(`${name} is one too many) | 3`);
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
        // Removing an object from the file does not remove its protection.
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

describe("people and e-mails", () => {
  test("guests who can no longer read a channel on the web count, in the same way as in the plan's own words", async () => {
    const yaml = "channels:\n  site: {privacy: public}\n";
    const overlay = { channels: [{ name: "site", is_web_public: true }], subscribers: {} };
    expect(await hits(yaml, { limits: { people_losing_access: { most: 0 } } }, overlay)).toEqual([
      "people_losing_access | people losing access: 1, but none is allowed (#site is one too many) | 3",
    ]);
  });

  test.each([
    {
      what: "a channel that closes",
      yaml: "channels:\n  old: {privacy: private_shared_history}\n",
      of: "channels",
      violated:
        /^people_losing_access \| people losing access: \d+, but none is allowed \(#old is one too many\) \| 3$/,
    },
    {
      what: "a guest who is unsubscribed from a public channel",
      yaml: "channels:\n  news: {subscribers: {users: [ada@acme.example], exact: true}}\n",
      of: "channels",
      violated: /^people_losing_access \| people losing access: 1, but none is allowed \(#news is one too many\) \| 3$/,
    },
    {
      what: "somebody who leaves a group",
      yaml: "user_groups:\n  leads: {members: [ada@acme.example]}\n",
      of: "user_groups",
      violated: /^people_losing_access \| people losing access: 1, but none is allowed \(leads is one too many\) \| 3$/,
    },
  ])(
    "$what counts as a number and in percent, of the whole plan and of its section",
    async ({ yaml, of, violated }) => {
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
    },
  );

  test.each([
    { what: "an invitation", yaml: "invites:\n  - {emails: [new@b.example], send_until: 2026-11-24}\n", mails: 1 },
    {
      what: "an invitation that replaces another",
      yaml: "invites:\n  - {emails: [lin@b.example], invite_as: guest, replace: true, send_until: 2026-11-24}\n",
      mails: 1,
    },
    {
      what: "several",
      yaml: "invites:\n  - {emails: [new@b.example, newer@b.example, lin@b.example], send_until: 2026-11-24}\n",
      mails: 2,
    },
    {
      what: "a revoked invitation sends no e-mail",
      yaml: "invites:\n  - {emails: [lin@b.example], absent: true}\n",
      mails: 0,
    },
  ])("$what: e-mails are counted by the number of recipients", async ({ yaml, mails }) => {
    const limit = (name: string, most: number) => hits(yaml, { limits: { [name]: { most } } }, everything);
    expect(await limit("emails", mails)).toEqual([]);
    const quiet = await guards(yaml, {}, everything);
    expect(quiet.filter(({ name }) => name === "emails").map(guardText)).toEqual([`e-mails ${mails} of 50`]);
    if (mails === 0) return;
    expect((await limit("emails", mails - 1)).join()).toContain(
      `emails | e-mails: ${mails}, but ${mails === 1 ? "none is" : `at most ${mails - 1} ${mails === 2 ? "is" : "are"}`} allowed (`,
    );
    expect((await limit("emails_percent", 0)).join()).toContain("emails_percent | e-mails");
  });
});

describe("irreversible steps are marked and counted", () => {
  test.each<{ what: string; yaml: string; live: Overlay; marked: RegExp }>([
    {
      what: "a shorter retention",
      yaml: "channels:\n  news: {message_retention_days: 30}\n",
      live: everything,
      marked: /older than 30 days are deleted for good/,
    },
    {
      what: "the last domain of a restriction to domains is removed",
      yaml: "domains:\n  acme.example: {absent: true, lift_restriction: true}\n  b.example: {absent: true}\n",
      live: { ...everything, settings: { emails_restricted_to_domains: true } },
      marked: /does not restore the restriction/,
    },
    {
      what: "a value that no request can set",
      yaml: "channels:\n  odd: {privacy: private_shared_history}\n",
      live: {
        channels: [{ name: "odd", history_public_to_subscribers: false }],
        subscribers: { odd: ["ada@acme.example"] },
      },
      marked: /privacy of the channel odd cannot become .* again/,
    },
  ])("$what", async ({ yaml, live, marked }) => {
    const plan = must(await planText(`version: 1\n${yaml}`, realmOf(live)));
    const risks = plan.changes.flatMap((change) => change.risks).filter(({ kind }) => kind === "irreversible");
    expect(risks.map(riskText).join()).toMatch(marked);
    expect(await hits(yaml, { limits: { irreversible: { most: 0 } } }, live)).toMatchObject([
      expect.stringContaining("irreversible | irreversible steps: 1, but none is allowed ("),
    ]);
    expect((await guards(yaml, {}, live)).map(guardText)).toContain("irreversible steps 1");
  });
});
