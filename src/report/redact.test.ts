import { expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { HIDE, publishedOf, unsent } from "../../test/support/published.ts";
import fc from "../../test/support/random.ts";
import { realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import { error } from "../model/diagnostic.ts";
import { named, quote } from "../model/diagnostics/values.ts";
import type { Plan } from "../model/plan.ts";
import type { ApplyResult } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { guarded } from "../plan/guards.ts";
import { redactionOf, redactPlan } from "./redact.ts";
import { guardText } from "./words/guards.ts";

/** Names that are words, parts of words and of other names, short, or with special characters of JSON, YAML, Markdown and HTML. */
const NAMES = [
  "hr",
  "it",
  "of",
  "here",
  "role",
  "private",
  "channel",
  "people",
  "removals",
  "general-plans",
  "news-desk",
  "b",
  'say "hi"',
  "back\\slash",
  'mixed "\\" both',
  "no longer",
  "Kilimanjaro Merger",
  "<b>bold</b>",
  "`code` x",
  "über uns",
  "東京",
  "a & b",
  "50 %",
  "x: y",
] as const;

const yamlOf = (name: string, more: string): string => {
  const key = JSON.stringify(name);
  return `version: 1
manage: {channels: additive, user_groups: additive}
channels:
  ${key}:
    description: ${JSON.stringify(`about #${name}, or here`)}
    message_retention_days: 30
    ${more}
  general: {description: ${JSON.stringify("See #**general**: it is of us")}}
  news: {archived: true}
user_groups:
  hr: {description: Human resources, members: [ada@acme.example, ben@acme.example]}
`;
};

const CHANGES = [
  "archived: true",
  "privacy: public",
  "privacy: private_shared_history",
  "permissions: {can_subscribe_group: hr, can_send_message_group: hr}",
  "subscribers: {users: [ben@acme.example]}",
] as const;

function realm(name: string): Snapshot {
  return realmOf({
    channels: [
      { name: "general" },
      { name: "news" },
      { name, invite_only: true, description: `old of ${name}`, history_public_to_subscribers: false },
    ],
    user_groups: [{ name: "hr", members: ["ada@acme.example"] }],
    subscribers: { general: ["ada@acme.example"], news: ["ada@acme.example"], [name]: ["ada@acme.example"] },
  });
}

async function planOf(name: string, more: string): Promise<{ readonly plan: Plan; readonly snapshot: Snapshot }> {
  const snapshot = realm(name);
  const plan = must(await planText(yamlOf(name, more), snapshot));
  const policies = [
    {
      limits: {
        removals: { most: 0 },
        people_losing_access: { most: 0 },
        irreversible: { most: 0 },
        changes: { most: 0 },
      },
      protect: [{ pattern: `channel:${name}` }, { pattern: "channel:general" }],
    },
  ];
  return { plan: guarded({ plan, snapshot, kinds, policies, allow: ["changes"] }), snapshot };
}

/** Failures of a run, with the name in messages of the server and of realmctl. */
function resultOf(plan: Plan, name: string): ApplyResult {
  return unsent(plan, {
    calls: plan.calls.map((sent) => {
      const isAbout = sent.for.some(({ address }) => address === `channel:${name}`);
      const message = quote(isAbout ? `There is no ${name}.` : `Not while #${name} is there.`);
      return { n: sent.n, state: "failed", code: "BAD_REQUEST", fact: { kind: "refused", message, parts: [] } };
    }),
    conflicts: [
      {
        address: `channel:${name}`,
        kind: "channel",
        name,
        field: "description",
        planned: `of ${name}`,
        found: name,
        wanted: [name, { [name]: name }],
        calls: [1],
      },
    ],
    diagnostics: [
      error("invites/unknown-channel", { name: quote(name, "channel"), known: [], more: 0 }),
      error("reviewed/moved", { subject: "object", object: named("channel", name), fields: ["description"] }),
      error("zulip/refused", {
        site: "https://chat.example.org",
        email: quote("ada@acme.example"),
        answer: quote(name),
      }),
    ],
  });
}

/** Everything that strangers may read. Columns of tables are left out, since they show only the length of a name. */
function published(name: string, { plan, snapshot }: Awaited<ReturnType<typeof planOf>>): readonly string[] {
  const formats = publishedOf({ plan, snapshot, result: resultOf(plan, name) });
  return Object.values(formats).map((text) => text.replace(/"(column|endColumn)": \d+/g, '"$1": 0'));
}

test("published text does not depend on the private channel's name: no name is shown, and no word is lost", async () => {
  let hits = 0;
  const neutral = new Map<string, readonly string[]>();
  for (const more of CHANGES) neutral.set(more, published("zzz-canary-7", await planOf("zzz-canary-7", more)));
  expect([...neutral.values()].flat().join("")).not.toContain("canary");
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...NAMES), fc.constantFrom(...CHANGES), async (name, more) => {
      const named = await planOf(name, more);
      hits += named.plan.guards.filter(({ violated }) => violated).length;
      expect(published(name, named)).toEqual(neutral.get(more));
    }),
    { numRuns: NAMES.length * 3 },
  );
  expect(hits).toBeGreaterThan(NAMES.length);
});

test("a guard rail names the object that exceeds the limit by its replacement, in a complete sentence", async () => {
  const { plan, snapshot } = await planOf("hr", "archived: true");
  const shown = redactPlan(plan, redactionOf([plan], snapshot, HIDE, kinds));
  const texts = shown.guards.map(guardText);
  expect(texts).toContain("removals: 2, but none is allowed (#private channel 103 is one too many)");
  expect(shown.guards.map(({ name }) => name)).toContain("protect:channel:private channel 103");
  // A group with the same name is not secret.
  expect(shown.changes.find(({ kind }) => kind === "user_group")?.name).toBe("hr");
});

test("people whom no file names are numbers; people in a file are as public as the file", async () => {
  const snapshot = realmOf({
    channels: [{ name: "general" }],
    user_groups: [{ name: "staff", members: ["ada@acme.example", "ben@acme.example"] }],
  });
  const yaml = "version: 1\nuser_groups:\n  staff: {members: [ada@acme.example]}\n";
  const plan = must(await planText(yaml, snapshot));
  const known = new Set(["ada@acme.example"]);
  const shown = redactPlan(plan, redactionOf([plan], snapshot, { ...HIDE, known }, kinds));
  const bo = snapshot.users.find(({ delivery_email }) => delivery_email === "ben@acme.example")?.user_id;
  expect(shown.changes[0]?.fields).toMatchObject([
    { field: "members", before: ["ada@acme.example", `person ${bo}`], after: ["ada@acme.example"] },
  ]);
});

test("renamed options, and texts of emoji and bots about people, contain no hidden name", async () => {
  const live = realmOf({
    channels: [{ name: "vault", invite_only: true }],
    profile_fields: [{ name: "Home", type: "select", field_data: { 0: { text: "#vault", order: "1" } } }],
    emoji: { forge: "dmitri@acme.example" },
  });
  const yaml = `version: 1
profile_fields: [{name: Home, options: [{text: "in #vault", was: "#vault"}]}]
emoji: {forge: {absent: true}}
people: {farah@acme.example: {role: moderator}}
bots: {ci-bot: {owner: farah@acme.example}}
`;
  const plan = must(await planText(yaml, live));
  const names = /vault|dmitri@|farah@/i;
  expect(JSON.stringify(plan)).toMatch(names);
  const { changes, calls: _, ...rest } = redactPlan(plan, redactionOf([plan], live, HIDE, kinds));
  expect(
    JSON.stringify(changes.map(({ at, ...change }) => ({ ...change, risks: change.risks.map(({ fact }) => fact) }))),
  ).not.toMatch(names);
  expect(rest.guards.map(guardText).join("\n")).not.toMatch(names);
});
