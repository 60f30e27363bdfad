import { describe, expect, test } from "vitest";
import { planText } from "../../test/support/cases.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { must } from "../../test/support/world.ts";
import { kinds } from "../kinds/registry.ts";
import type { Span } from "../model/diagnostic.ts";
import type { Guard } from "../model/plan.ts";
import type { GuardPolicy } from "../model/policy.ts";
import { type GuardInput, guardsOf } from "./guards.ts";

/** Where a policy is written. */
const at = (line: number): Span => ({ file: "policy.yaml", line, column: 1, endLine: line, endColumn: 2 });
const policy = (limits: readonly string[] | Readonly<Record<string, number>>, more: Partial<GuardPolicy> = {}) => ({
  limits: Object.fromEntries(
    Array.isArray(limits)
      ? limits.map((name: string) => [name, { most: 1000 }])
      : Object.entries(limits).map(([name, most], index) => [name, { most, at: at(index + 1) }]),
  ),
  protect: [],
  ...more,
});

async function guards(yaml: string, live: Overlay, more: Partial<GuardInput> = {}): Promise<readonly Guard[]> {
  const snapshot = realmOf(live);
  const plan = must(await planText(`version: 1\n${yaml}`, snapshot));
  return guardsOf({ plan, snapshot, kinds, policies: [], allow: [], ...more });
}
const named = async (name: string, ...input: Parameters<typeof guards>) =>
  (await guards(...input)).filter((guard) => guard.name === name);
const ADA = "ada@acme.example";
const IVO = "ivo@partner.example";
const live: Overlay = {
  channels: [
    { name: "general" },
    { name: "news" },
    { name: "talk" },
    { name: "board", invite_only: true },
    { name: "old", is_archived: true },
  ],
  subscribers: { general: [IVO], news: [IVO], talk: [], board: [ADA], old: [] },
};
const quiet = "channels: {general: {}}\n";
const two = "channels:\n  news:\n    description: x\n    archived: true\n  general:\n    archived: true\n";

describe("which guard rails a plan lists, and in which order", () => {
  test.each<{ what: string; yaml?: string; more: Partial<GuardInput>; names: readonly string[] }>([
    {
      what: "without a policy",
      more: {},
      names: ["removals", "people_losing_access", "emails", "irreversible", "lockout"],
    },
    {
      what: "for an undo",
      more: { undoes: "own-run" },
      names: ["removals", "people_losing_access", "emails", "irreversible", "lockout"],
    },
    {
      what: "in the order in which they are counted: the whole plan before its sections, numbers before percentages, sections by name",
      more: {
        policies: [
          policy([
            "irreversible",
            "user_groups.removals_percent",
            "user_groups.removals",
            "nosuch",
            "channels.removals_percent",
            "channels.removals",
            "removals_percent",
            "demotions",
            "opened",
            "changes",
          ]),
        ],
      },
      names: [
        "changes",
        "removals",
        "removals_percent",
        "channels.removals",
        "user_groups.removals",
        "channels.removals_percent",
        "user_groups.removals_percent",
        "demotions",
        "people_losing_access",
        "opened",
        "emails",
        "irreversible",
        "lockout",
      ],
    },
    {
      what: "counts without a limit come after the limits",
      yaml: "people:\n  elif@acme.example: {role: administrator}\n  ben@acme.example: {role: member}\n",
      more: {},
      names: ["removals", "demotions", "people_losing_access", "emails", "administrators", "irreversible", "lockout"],
    },
    {
      what: "a limited count is not listed again",
      yaml: "people:\n  elif@acme.example: {role: administrator}\n",
      more: { policies: [policy({ administrators: 1 })] },
      names: ["removals", "people_losing_access", "administrators", "emails", "irreversible", "lockout"],
    },
  ])("$what", async ({ yaml = quiet, more, names }) => {
    const found = await guards(yaml, { ...live, settings: { can_manage_all_groups: 9 } }, more);
    expect(found.map(({ name }) => name)).toEqual(names);
    expect(found.filter(({ violated }) => violated)).toEqual([]);
  });
});

describe("a limit as a fact", () => {
  const news = { address: "channel:news", name: "news" };
  const general = { address: "channel:general", name: "general" };
  test.each<{ what: string; limits: Readonly<Record<string, number>>; name: string; about: object; line?: number }>([
    {
      what: "the object that exceeds the limit, at its line, and the place of the limit",
      limits: { changes: 9, removals: 1 },
      name: "removals",
      about: { counted: "removals", amount: 2, limit: 1, over: general },
      line: 7,
    },
    {
      what: "the first object, at the line that removes it",
      limits: { changes: 9, removals: 0 },
      name: "removals",
      about: { counted: "removals", amount: 2, limit: 0, over: news },
      line: 5,
    },
    {
      what: "exactly the allowed number",
      limits: { removals: 2 },
      name: "removals",
      about: { counted: "removals", amount: 2, limit: 2 },
    },
    {
      what: "a percentage of the active objects, rounded down",
      limits: { changes: 9, "channels.removals_percent": 49 },
      name: "channels.removals_percent",
      about: {
        section: "channels",
        counted: "removals",
        amount: 2,
        limit: 1,
        percent: { share: 49, of: 4 },
        over: general,
      },
      line: 7,
    },
    {
      what: "exactly the allowed percentage",
      limits: { "channels.removals_percent": 50 },
      name: "channels.removals_percent",
      about: { section: "channels", counted: "removals", amount: 2, limit: 2, percent: { share: 50, of: 4 } },
    },
    {
      what: "one of a small percentage",
      limits: { changes: 9, "channels.removals_percent": 1 },
      name: "channels.removals_percent",
      about: {
        section: "channels",
        counted: "removals",
        amount: 2,
        limit: 1,
        percent: { share: 1, of: 4 },
        over: general,
      },
      line: 7,
    },
    {
      what: "none of 0 percent",
      limits: { changes: 9, "channels.removals_percent": 0 },
      name: "channels.removals_percent",
      about: {
        section: "channels",
        counted: "removals",
        amount: 2,
        limit: 0,
        percent: { share: 0, of: 4 },
        over: news,
      },
      line: 5,
    },
    {
      what: "that of another section",
      limits: { "user_groups.removals": 0 },
      name: "user_groups.removals",
      about: { section: "user_groups", counted: "removals", amount: 0, limit: 0 },
    },
  ])("$what", async ({ limits, name, about, line }) => {
    const [guard, ...others] = await named(name, two, live, { policies: [policy(limits, { lockout: "allow" })] });
    expect(others).toEqual([]);
    expect(guard?.fact).toEqual({ about: { kind: "limit", ...about } });
    expect(guard?.violated).toBe(line !== undefined);
    expect([guard?.at?.line, guard?.rule?.line]).toEqual(line === undefined ? [undefined, undefined] : [line, 2]);
  });

  test("a percentage of people counts only active people, without bots", async () => {
    const people = realmOf(live).users.filter(({ is_active, is_bot }) => is_active && !is_bot).length;
    const [guard] = await named("emails_percent", quiet, live, { policies: [policy({ emails_percent: 100 })] });
    expect(guard?.fact.about).toMatchObject({ amount: 0, limit: people, percent: { share: 100, of: people } });
  });

  test("an undo has the limits of any other plan", async () => {
    expect(await guards(two, live, { undoes: "own-run" })).toEqual(await guards(two, live));
  });

  test("somebody who loses two channels counts once", async () => {
    const leave = `channels:\n  general: {subscribers: {users: [${ADA}], exact: true}}\n  news: {subscribers: {users: [${ADA}], exact: true}}\n`;
    const [guard] = await named("people_losing_access", leave, live, {
      policies: [policy({ people_losing_access: 0 })],
    });
    expect(guard).toMatchObject({ violated: true, fact: { about: { amount: 1, over: general } }, at: { line: 3 } });
  });
});

describe("questions and their answers", () => {
  const shorter = "channels:\n  general:\n    description: x\n    message_retention_days: 30\n";
  const over = { address: "channel:general", name: "general" };
  const about = { kind: "limit", counted: "messages_deleted", amount: 1, limit: null, over };
  test.each<{ what: string; more: Partial<GuardInput>; fact: object; violated?: true }>([
    { what: "asked without a policy", more: {}, fact: { about, asks: true } },
    { what: "asked for an undo", more: { undoes: "own-run" }, fact: { about, asks: true } },
    { what: "allowed", more: { allow: ["messages_deleted"] }, fact: { about, excused: "allow" } },
    {
      what: "allowed with --allow irreversible",
      more: { allow: ["removals", "irreversible"] },
      fact: { about, excused: "allow", excused_by: "irreversible" },
    },
    {
      what: "not allowed with any other exception",
      more: { allow: ["removals", "emails"] },
      fact: { about, asks: true },
    },
    {
      what: "refused above the policy's number",
      more: { policies: [policy({ messages_deleted: 0 })], allow: ["irreversible"] },
      fact: { about: { ...about, limit: 0 } },
      violated: true,
    },
    {
      what: "refused, and then allowed",
      more: { policies: [policy({ messages_deleted: 0 })], allow: ["messages_deleted"] },
      fact: { about: { ...about, limit: 0 }, excused: "allow" },
    },
  ])("$what", async ({ more, fact, violated }) => {
    const [guard, ...others] = await named("messages_deleted", shorter, live, more);
    expect(others).toEqual([]);
    expect(guard?.fact).toEqual(fact);
    expect(guard?.violated).toBe(violated ?? false);
    expect(guard?.at?.line).toBe(5);
  });

  test("a guard that is not violated needs no exception", async () => {
    const [guard] = await named("removals", two, live, { allow: ["removals"] });
    expect(guard?.fact).toEqual({ about: { kind: "limit", counted: "removals", amount: 2, limit: 10 } });
  });

  test("gains of access are questions, at the line that gives access, each with a number", async () => {
    const enter = `channels:\n  board:\n    subscribers: {users: [${ADA}, ${IVO}]}\n`;
    const asked = (await guards(enter, live)).filter(({ fact }) => fact.asks === true);
    expect(asked.map(({ name, at: place }) => [name, place?.line])).toEqual([
      ["people_gaining_access", 4],
      ["opened", 4],
    ]);
    expect((await guards(enter, live, { undoes: "own-run" })).filter(({ fact }) => fact.asks === true)).toEqual(asked);
  });
});

describe("lock-outs", () => {
  const locked: Overlay = {
    channels: [{ name: "ops", invite_only: true, can_subscribe_group: 32 }],
    subscribers: { ops: [] },
  };
  const empties = "user_groups:\n  leads: {members: []}\n";
  const unreachable = { kind: "unreachable", object: { address: "channel:ops", name: "ops" } };
  const refuse = policy({}, { lockout: "refuse", lockoutAt: at(7) });
  const allow = policy({}, { lockout: "allow", lockoutAt: at(8) });
  test.each<{ what: string; policies: readonly GuardPolicy[]; fact: object; violated: boolean; line?: number }>([
    { what: "refused without a policy", policies: [], fact: { about: unreachable }, violated: true },
    { what: "refused by a policy", policies: [refuse], fact: { about: unreachable }, violated: true, line: 7 },
    {
      what: "allowed by one policy, refused by another",
      policies: [allow, refuse],
      fact: { about: unreachable },
      violated: true,
      line: 7,
    },
    {
      what: "allowed by only one of two policies",
      policies: [allow, policy({})],
      fact: { about: unreachable },
      violated: true,
    },
    {
      what: "allowed by all policies",
      policies: [allow, allow],
      fact: { about: unreachable, excused: "policy" },
      violated: false,
    },
  ])("$what", async ({ policies, fact, violated, line }) => {
    const [guard, ...others] = await named("lockout", empties, locked, { policies });
    expect(others).toEqual([]);
    expect(guard?.fact).toEqual(fact);
    expect([guard?.violated, guard?.rule?.line]).toEqual([violated, line]);
  });

  test("at the line that closes the channel", async () => {
    const closed = `channels:\n  den:\n    privacy: private_shared_history\n    subscribers: {users: [], exact: true}\n    permissions: {can_subscribe_group: {users: [${IVO}]}}\n`;
    const [guard] = await named("lockout", closed, {});
    expect([guard?.fact.about, guard?.at?.line]).toEqual([
      { kind: "unreachable", object: { address: "channel:den", name: "den" } },
      4,
    ]);
  });

  test("a plan without lock-outs says so", async () => {
    expect(await named("lockout", quiet, live)).toEqual([
      { name: "lockout", fact: { about: { kind: "nobody-locked-out" } }, violated: false },
    ]);
  });
});

describe("owners", () => {
  const three = { settings: { can_manage_all_groups: 9 } };
  const least = (number: number) => ({ policies: [policy({}, { minOwners: { least: number, at: at(9) } })] });
  const both = "people:\n  kofi@acme.example: {role: member}\n";
  test.each<{ what: string; yaml: string; more: Partial<GuardInput>; found: readonly unknown[] }>([
    {
      what: "enough owners are left",
      yaml: both,
      more: {},
      found: ["min_owners", { kind: "owners", before: 2, after: 1, least: 1 }, false, undefined, undefined],
    },
    {
      what: "too few owners are left",
      yaml: both,
      more: least(2),
      found: [
        "min_owners",
        {
          kind: "owners",
          before: 2,
          after: 1,
          least: 2,
          over: { address: "person:kofi@acme.example", name: "kofi@acme.example" },
        },
        true,
        3,
        9,
      ],
    },
  ])("$what", async ({ yaml, more, found }) => {
    const [guard] = await named("min_owners", yaml, three, more);
    expect(
      guard === undefined ? [] : [guard.name, guard.fact.about, guard.violated, guard.at?.line, guard.rule?.line],
    ).toEqual(found);
  });
});
