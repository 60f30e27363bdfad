import { describe, expect, test } from "vitest";
import { planOf } from "../../test/support/apply/toy.ts";
import { line, liveThing, toyKind } from "../../test/support/plan/toy-kind.ts";
import { realmOf } from "../../test/support/realm.ts";
import type { Span } from "../model/diagnostic.ts";
import type { GuardAbout, RiskFact } from "../model/facts.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Change } from "../model/plan.ts";
import type { GuardPolicy, Limit } from "../model/policy.ts";
import { type GuardInput, guarded, guardsOf } from "./guards.ts";

// What counts against limits, with plans made by hand: only changes, their risks and the number of mails matter.

const live = [liveThing(1, "a"), liveThing(2, "b"), liveThing(3, "c", { archived: true })];
const thing = toyKind({ live: { read: () => live } });
const letter = toyKind({
  name: "letter",
  section: "letters",
  live: { read: () => [liveThing(4, "d")] },
  calls: { draft: () => [], mails: true },
});
const unread = toyKind({ name: "shelf", section: "shelves", live: { read: () => undefined } });
const kinds: readonly ResourceKind[] = [thing, letter, unread];

type Kind = "thing" | "letter";
const change = (action: "create" | "update" | "remove", kind: Kind, name: string, facts: readonly RiskFact[] = []) => {
  const address = `${kind}:${name}` as const;
  const risks = facts.map((fact) => ({
    kind: fact.kind === "removed" ? ("irreversible" as const) : ("noisy" as const),
    fact,
    address,
  }));
  return { action, kind, address, name, fields: [], risks } satisfies Change;
};
const object = (name: string) => ({ address: `thing:${name}` as const, name });
const gone = (name: string): RiskFact => ({ kind: "messages-deleted", object: object(name), days: 30 });
const field = (people: number | null): RiskFact => ({ kind: "profile-field-removed", object: object("a"), people });
const option = (people: number): RiskFact => ({
  kind: "profile-options-removed",
  object: object("a"),
  options: [{ quoted: "Porto" }],
  people,
});
/** A change that deletes messages. */
const shorter = (name: string) => change("update", "thing", name, [gone(name)]);

const policy = (limits: { readonly [name: string]: Limit }): GuardPolicy => ({ limits, protect: [] });
function found(changes: readonly Change[], more: Partial<GuardInput> = {}, emails = 0) {
  const plan = { ...planOf(changes, []), side_effects: { emails, notices_in: [] } };
  return guardsOf({ plan, snapshot: { ...realmOf({}) }, kinds, policies: [], allow: [], ...more });
}
const limitsIn = (...input: Parameters<typeof found>) =>
  found(...input).flatMap(({ name, fact: { about, asks }, violated, rule }) =>
    about.kind === "limit" ? [{ name, about, violated, rule: rule?.line, asks }] : [],
  );
const limit = (name: string, ...input: Parameters<typeof found>) =>
  limitsIn(...input).filter((guard) => guard.name === name);
const amount = (name: string, ...input: Parameters<typeof found>) =>
  limit(name, ...input).map(({ about }) => about.amount);

test("a plan gets its guard rails and keeps everything else", () => {
  const input = { plan: planOf([], []), snapshot: realmOf({}), kinds, policies: [], allow: [] };
  expect(guarded(input)).toEqual({ ...input.plan, guards: guardsOf(input) });
});

describe("what is counted", () => {
  test("mails: changes of objects that cause one, except removals, if the plan sends any", () => {
    const changes = [
      change("create", "letter", "x"),
      change("update", "letter", "y"),
      change("remove", "letter", "z"),
      change("create", "thing", "x"),
    ];
    expect(amount("emails", changes, {}, 2)).toEqual([2]);
    expect(amount("emails", changes, {}, 0)).toEqual([0]);
    const policies = [policy({ emails: { most: 1 } })];
    expect(limit("emails", changes, { policies }, 2)).toMatchObject([
      { violated: true, about: { over: { address: "letter:y", name: "y" } } },
    ]);
  });

  test("a demotion once, although two risks show it", () => {
    const account = { user_id: 6 };
    const reach = { channels: [], more_channels: 0, organization: [], settings: 0 };
    const own = change("update", "thing", "a", [
      { kind: "role", object: object("a"), from: "owner", to: "member", gained: reach, lost: reach },
      { kind: "account-loses-role", object: object("a"), account, from: "owner", to: "member" },
    ]);
    expect(amount("demotions", [own])).toEqual([1]);
  });

  test.each<{ what: string; fact: RiskFact; counts: number; counts_in_undo: number }>([
    { what: "a field with values", fact: field(3), counts: 1, counts_in_undo: 1 },
    { what: "an option without values", fact: option(0), counts: 0, counts_in_undo: 0 },
    { what: "another logo", fact: { kind: "picture-replaced", picture: "logo" }, counts: 1, counts_in_undo: 0 },
  ])("data that people entered or uploaded: $what", ({ fact, counts, counts_in_undo }) => {
    const changes = [change("update", "thing", "a", [fact])];
    const asked = (more: Partial<GuardInput>) =>
      limit("data_deleted", changes, more).map(({ about, asks }) => [about.kind === "limit" && about.amount, asks]);
    expect(asked({})).toEqual(counts === 0 ? [] : [[counts, true]]);
    expect(asked({ undoes: "own-run" })).toEqual(counts_in_undo === 0 ? [] : [[counts_in_undo, true]]);
    const asks = counts === 0 ? [] : [[counts, true]];
    expect(asked({ undoes: "foreign-run" }), "the journal says that the run uploaded it, and may lie").toEqual(asks);
    expect(limit("data_deleted", changes, { allow: ["irreversible"] }).map(({ asks }) => asks)).toEqual(
      counts === 0 ? [] : [undefined],
    );
  });

  test("irreversible steps, also without a limit", () => {
    const forGood = change("remove", "thing", "a", [{ kind: "removed", object: object("a") }]);
    expect(limit("irreversible", [forGood, shorter("b")])).toMatchObject([
      { violated: false, about: { amount: 1, limit: null } },
    ]);
  });

  test("in percent: of the active objects of all sections, as far as they were read", () => {
    const policies = [policy({ removals_percent: { most: 100 } })];
    expect(limit("removals_percent", [], { policies })).toMatchObject([
      { about: { limit: 3, percent: { share: 100, of: 3 } } },
    ]);
  });
});

describe("several policies", () => {
  const [two, three]: readonly [Span, Span] = [line(2), line(3)];
  test.each<{ fact: string; limits: readonly [Limit, Limit]; rule: number }>([
    {
      fact: "the lowest limit counts, if it comes first",
      limits: [
        { most: 0, at: two },
        { most: 9, at: three },
      ],
      rule: 2,
    },
    {
      fact: "the lowest limit counts, if it comes last",
      limits: [
        { most: 9, at: two },
        { most: 0, at: three },
      ],
      rule: 3,
    },
    {
      fact: "the first of equal limits counts",
      limits: [
        { most: 0, at: two },
        { most: 0, at: three },
      ],
      rule: 2,
    },
  ])("$fact", ({ limits, rule }) => {
    const policies = limits.map((each) => policy({ changes: each }));
    expect(limit("changes", [shorter("a")], { policies })).toMatchObject([{ violated: true, rule }]);
  });

  const set = policy({ messages_deleted: { most: 5 } });
  test.each<{ fact: string; policies: readonly GuardPolicy[]; asks: readonly (true | undefined)[] }>([
    { fact: "no policy has a limit", policies: [], asks: [true] },
    { fact: "the only policy has a limit", policies: [set], asks: [undefined] },
    { fact: "one of two policies has no limit", policies: [set, policy({})], asks: [undefined, true] },
  ])("deleted messages have to be confirmed unless each policy has a limit: $fact", ({ policies, asks }) =>
    expect(limit("messages_deleted", [shorter("a")], { policies }).map((guard) => guard.asks)).toEqual(asks),
  );
  test("what a limit refuses is not asked about, but what another limit refuses is", () => {
    const refusing = (name: string) => [policy({ [name]: { most: 0 } }), policy({})];
    const states = (name: string) =>
      limit("messages_deleted", [shorter("a")], { policies: refusing(name) }).map(({ violated, asks }) => [
        violated,
        asks,
      ]);
    expect(states("messages_deleted")).toEqual([[true, undefined]]);
    expect(states("changes")).toEqual([[false, true]]);
  });
});

test.each([
  { fact: "as they are sorted", sections: ["aa", "bb", "cc"] },
  { fact: "the other way round", sections: ["cc", "bb", "aa"] },
])("limits of sections are listed by name, if a policy has them $fact", ({ sections }) => {
  const policies = [policy(Object.fromEntries(sections.map((name) => [`${name}.changes`, { most: 9 }])))];
  const names = limitsIn([], { policies }).map(({ name }) => name);
  expect(names.filter((name) => name.endsWith(".changes"))).toEqual(["aa.changes", "bb.changes", "cc.changes"]);
});

describe("what is only counted names its objects", () => {
  const about = (names: readonly string[]): Partial<GuardAbout & { readonly kind: "limit" }> | undefined =>
    limit("messages_deleted", names.map(shorter))[0]?.about;
  test("if there are several, the first five, with the number of the others", () => {
    expect(about(["a", "b"])).toMatchObject({ amount: 2, over: object("a"), among: [object("a"), object("b")] });
    const seven = about(["a", "b", "c", "d", "e", "f", "g"]);
    expect(seven).toMatchObject({ among: ["a", "b", "c", "d", "e"].map(object), more: 2 });
  });
  test("without a number if there are exactly five", () =>
    expect(Object.keys(about(["a", "b", "c", "d", "e"]) ?? {})).not.toContain("more"));
});

test("a lock-out is reported at its own place", () => {
  const fact: RiskFact = {
    kind: "account-locked-out",
    object: object("a"),
    account: { user_id: 6 },
    from: "reading",
  };
  const own: Change = {
    ...change("update", "thing", "a"),
    risks: [{ kind: "lockout", fact, address: "thing:a", at: line(4) }],
  };
  const [guard] = found([own]).filter(({ name }) => name === "lockout");
  expect(guard).toMatchObject({ at: line(4), fact: { about: { kind: "lockout", risk: fact } } });
});
