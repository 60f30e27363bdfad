import { describe, expect, test } from "vitest";
import {
  call,
  change,
  channel,
  field,
  planOf,
  removal,
  renaming,
  reorder,
  set,
  snapshotOf,
  thing,
} from "../../test/support/apply/toy.ts";
import type { Call, Expectation, Plan } from "../model/plan.ts";
import type { Conflict } from "../model/result.ts";
import type { SnapshotChannel } from "../model/snapshot.ts";
import { undoneCalls } from "./assessment.ts";
import { Checks, changedFact, isForeign, type Ledger } from "./checks.ts";
import { Goals, LiveObjects } from "./goals.ts";
import type { Resumed } from "./whole-run.ts";

// What a run checks in a reading: what changed, what somebody else did, and what an earlier run did.

const looking = (plan: Plan, live: readonly SnapshotChannel[]) => {
  const goals = new Goals(plan);
  return { goals, checks: new Checks(plan, goals), objects: new LiveObjects([thing], snapshotOf(live), plan.changes) };
};
const ledger = (done: readonly number[] = [], newer: readonly number[] = []): Ledger => ({
  isDone: (n) => done.includes(n),
  isNewerThanReading: (n) => newer.includes(n),
});
const a = (before: string, after: string, id = 1) => change("a", id, field("description", before, after));
const exists = (name: string, value: boolean): Expectation => ({ address: `thing:${name}`, field: "exists", value });

describe("the values that a call relies on and that have changed", () => {
  const two = planOf(
    [a("old", "newest")],
    [set(1, 1, "a", "description", "old", "new"), set(2, 1, "a", "description", "new", "newest")],
  );
  const moved = (plan: Plan, n: number, live: readonly SnapshotChannel[], at: Ledger) => {
    const { checks, objects } = looking(plan, live);
    const own = plan.calls.find((each) => each.n === n);
    return own === undefined
      ? []
      : checks.moved(own, objects, at).map(({ field: on, planned, found }) => [on, planned, found]);
  };

  test.each<{ fact: string; n: number; now: string; at: Ledger; found: readonly unknown[] }>([
    { fact: "none with the value of the plan", n: 2, now: "newest", at: ledger([1]), found: [] },
    { fact: "none that a later call wrote since the reading", n: 1, now: "theirs", at: ledger([2], [2]), found: [] },
  ])("$fact", ({ n, now, at, found }) => expect(moved(two, n, [channel(1, "a", now)], at)).toEqual(found));

  test("a field that an earlier call still has to write, of an object that no longer exists", () =>
    expect(moved(two, 2, [], ledger([1]))).toEqual([["exists", true, false]]));

  test("a name that another object took, but not one that an object of the plan still has", () => {
    const making = call({
      n: 1,
      operation: "make",
      for: [{ address: "thing:x", fields: [] }],
      expects: [exists("x", false)],
      creates: ["thing:x"],
    });
    const made = change("x", undefined);
    expect(moved(planOf([made], [making]), 1, [channel(9, "x", "")], ledger())).toEqual([["exists", false, true]]);
    expect(moved(planOf([made, renaming("y", 9, "x")], [making]), 1, [channel(9, "x", "")], ledger())).toEqual([]);
    const pinned = { ...making, expects: [{ ...exists("x", false), id: 9 }] };
    expect(moved(planOf([made, renaming("y", 9, "x")], [pinned]), 1, [channel(9, "x", "")], ledger())).toEqual([
      ["exists", false, true],
    ]);
    // Another field of the object that still has the name.
    const described = { ...making, expects: [{ ...exists("x", false), field: "description", value: "old" }] };
    expect(moved(planOf([made, renaming("y", 9, "x")], [described]), 1, [channel(9, "x", "new")], ledger())).toEqual([
      ["description", "old", "new"],
    ]);
  });

  test("an object that an earlier call creates is not missing", () => {
    const making = call({ n: 1, operation: "make", for: [], creates: ["thing:x"] });
    const using = call({ n: 2, operation: "change", for: [], expects: [exists("x", true)] });
    expect(moved(planOf([], [making, using]), 2, [], ledger())).toEqual([]);
    expect(moved(planOf([], [using]), 2, [], ledger())).toEqual([["exists", true, false]]);
  });

  test("an order, if objects in both lists changed places", () => {
    const sorting = call({
      n: 1,
      operation: "sort",
      for: [{ address: "thing:*", fields: ["order"] }],
      expects: [{ address: "thing:*", field: "order", value: ["a", "b", "c"] }],
    });
    const plan = planOf([reorder(["a", "b", "c"], ["c", "b", "a"])], [sorting]);
    const named = (...names: readonly string[]) => names.map((name, index) => channel(index + 1, name, ""));
    expect(moved(plan, 1, named("a", "b", "c"), ledger())).toEqual([]);
    expect(moved(plan, 1, named("a", "x", "c"), ledger())).toEqual([]);
    expect(moved(plan, 1, named("b", "a"), ledger())).toEqual([["order", ["a", "b", "c"], ["b", "a"]]]);
  });
});

test("which value changed", () => {
  const conflict: Conflict = {
    address: "thing:a",
    kind: "thing",
    name: "a",
    field: "description",
    planned: "old",
    found: "theirs",
    calls: [1],
  };
  expect(changedFact([conflict])).toEqual({
    kind: "changed",
    changed: [{ object: { address: "thing:a", name: "a" }, field: "description" }],
  });
  expect(isForeign(conflict)).toBe(true);
  expect(isForeign({ ...conflict, wanted: "new" })).toBe(true);
  expect(isForeign({ ...conflict, wanted: "theirs" })).toBe(false);
});

describe("a call whose effect a later call replaces", () => {
  // The first of the renames of a swap, through a temporary name.
  const aside = set(1, 1, "b", "name", "a", "~", {
    expects: [{ address: "thing:b", id: 1, field: "name", value: "a" }],
  });
  const back = set(2, 1, "b", "name", "~", "b", {
    expects: [{ address: "thing:b", id: 1, field: "name", value: "~" }],
  });
  const plan = (...calls: readonly Call[]) => planOf([renaming("b", 1, "a")], calls);
  const superseded = (calls: readonly Call[], name: string, sent?: boolean) => {
    const { checks, objects } = looking(plan(...calls), [channel(1, name, "")]);
    const [first] = calls;
    return first !== undefined && checks.isSuperseded(first, objects, sent);
  };
  test.each([
    {
      fact: "is done if the field has the value that the later call expects",
      calls: [aside, back],
      name: "~",
      is: true,
    },
    { fact: "is not done if somebody set another value", calls: [aside, back], name: "theirs", is: false },
  ])("$fact", ({ calls, name, is }) => expect(superseded(calls, name)).toBe(is));

  test("a call is superseded by a later one without an expectation that this run sent, whatever the field has now", () => {
    const blind = { ...back, expects: [] };
    expect(superseded([aside, blind], "theirs", true)).toBe(true);
    expect(superseded([aside, blind], "theirs")).toBe(false);
    expect(superseded([aside, blind], "a", true)).toBe(false);
  });

  describe("if nobody can read the value (a picture), the rest of the object shows whether anything happened", () => {
    const expecting = (name: string, id: number, on: string, value: string): Expectation => ({
      address: `thing:${name}`,
      id,
      field: on,
      value,
    });
    const first = set(1, 1, "b", "picture", "", "x", {
      expects: [
        expecting("b", 1, "name", "b"),
        expecting("b", 1, "description", "old"),
        expecting("c", 2, "description", "old"),
      ],
    });
    const second = set(2, 1, "b", "picture", "x", "y", { expects: [] });
    const whole = planOf([change("b", 1, field("picture", "", "y"))], [first, second]);
    test.each([
      { fact: "only another object changed", name: "b", description: "old", other: "new", is: false },
      { fact: "one of its fields changed", name: "b", description: "new", other: "old", is: true },
      { fact: "all of its fields changed", name: "z", description: "new", other: "old", is: true },
    ])("$fact", ({ name, description, other, is }) => {
      const { checks, objects } = looking(whole, [channel(1, name, description), channel(2, "c", other)]);
      expect(checks.isSuperseded(first, objects, true)).toBe(is);
    });

    test("for a value that can be read, the rest shows nothing", () => {
      const expects = [
        expecting("b", 1, "name", "a"),
        expecting("b", 1, "description", "old"),
        expecting("c", 2, "name", "c"),
      ];
      const calls = [
        { ...aside, expects },
        { ...back, expects: [] },
      ];
      const { checks, objects } = looking(plan(...calls), [channel(1, "a", "new"), channel(2, "z", "")]);
      expect(calls[0] && checks.isSuperseded(calls[0], objects, true)).toBe(false);
    });
  });

  test("must also be visible in fields that no later call writes", () => {
    const both = { ...aside, for: [{ address: "thing:b", fields: ["name", "description"] }] } as const;
    const whole = planOf([change("b", 1, field("name", "a", "b"), field("description", "old", "new"))], [both, back]);
    const shows = (description: string) => {
      const { checks, objects } = looking(whole, [channel(1, "~", description)]);
      return checks.isSuperseded(both, objects);
    };
    expect([shows("new"), shows("old")]).toEqual([true, false]);
  });

  test("later calls that write the same", () => {
    const third = set(3, 1, "b", "description", "", "x");
    const { checks } = looking(plan(aside, back, third), []);
    expect([aside, back, third].map((each) => checks.laterWriters(each))).toEqual([[2], [], []]);
  });
});

describe("calls of an earlier run that somebody reverted", () => {
  const plan = planOf(
    [a("old", "new"), change("b", 2, field("description", "x", "y"))],
    [set(1, 1, "a", "description", "old", "new"), set(2, 2, "b", "description", "x", "y")],
  );
  const undone = (live: readonly SnapshotChannel[], { done = [1, 2], of = plan, repeats = true } = {}) => {
    const { checks, goals, objects } = looking(of, live);
    const resumed: Resumed = { done: new Set(done), open: new Set(), ids: {} };
    return [...undoneCalls(of, resumed, objects, { checks, goals, mayRepeat: () => repeats })].sort();
  };
  test.each<{ fact: string; live: readonly SnapshotChannel[]; options?: object; expected: readonly number[] }>([
    {
      fact: "one of two calls, if its value is as before",
      live: [channel(1, "a", "old"), channel(2, "b", "y")],
      expected: [1],
    },
    { fact: "a removed object was not reverted", live: [channel(2, "b", "y")], expected: [] },
    {
      fact: "a call that is never repeated was not reverted",
      live: [channel(1, "a", "old"), channel(2, "b", "x")],
      options: { repeats: false },
      expected: [],
    },
  ])("$fact", ({ live, options, expected }) => expect(undone(live, options)).toEqual(expected));

  test("of two calls that write the same value, both were reverted or neither", () => {
    const twice = planOf(
      [a("old", "newest")],
      [set(1, 1, "a", "description", "old", "new"), set(2, 1, "a", "description", "new", "newest")],
    );
    const options = { of: twice };
    expect(undone([channel(1, "a", "newest")], options)).toEqual([]);
    expect(undone([channel(1, "a", "theirs")], options)).toEqual([]);
    expect(undone([channel(1, "a", "old")], { of: twice, done: [1] })).toEqual([1]);
    expect(undone([channel(1, "a", "old")], options)).toEqual([1, 2]);
  });

  test("a value that a later call replaced is left to that call, which is not repeated", () => {
    const mailing = set(2, 1, "a", "description", "new", "newest", { operation: "mail" });
    const of = planOf([a("old", "newest")], [set(1, 1, "a", "description", "old", "new"), mailing]);
    const { checks, goals, objects } = looking(of, [channel(1, "a", "old")]);
    const resumed: Resumed = { done: new Set([1, 2]), open: new Set(), ids: {} };
    const rest = { checks, goals, mayRepeat: (operation: string) => operation !== "mail" };
    expect([...undoneCalls(of, resumed, objects, rest)]).toEqual([]);
  });

  describe("a call that needs another call's effect", () => {
    const relying = (n: number, description: string) =>
      set(n, 1, "a", "description", "old", "new", {
        expects: [{ address: "thing:b", id: 2, field: "description", value: description }],
      });
    const b = change("b", 2, field("description", "x", "y"));
    const other = (n: number) => set(n, 2, "b", "description", "x", "y");
    test.each([
      { fact: "which somebody replaced", calls: [other(1), relying(2, "y")], now: "theirs", expected: [] },
      { fact: "which removed what it needs", calls: [relying(1, "x"), other(2)], now: "y", expected: [] },
    ])("$fact", ({ calls, now, expected }) =>
      expect(
        undone([channel(1, "a", "old"), channel(2, "b", now)], { of: planOf([a("old", "new"), b], calls) }),
      ).toEqual(expected),
    );
  });

  test("a call without a purpose, or of a kind that was not read, keeps its state from the journal", () => {
    const nothing = planOf([], [call({ n: 1, operation: "x", for: [] })]);
    expect(undone([], { of: nothing, done: [1] })).toEqual([]);
    const goals = new Goals(plan);
    const unread = new LiveObjects([{ ...thing, live: { read: () => undefined } }], snapshotOf([]), plan.changes);
    const resumed: Resumed = { done: new Set([1]), open: new Set(), ids: {} };
    const rest = { checks: new Checks(plan, goals), goals, mayRepeat: () => true };
    expect([...undoneCalls(plan, resumed, unread, rest)]).toEqual([]);
    const purposes = [
      { address: "thing:a", fields: ["description"] },
      { address: "other:x", fields: [] },
    ] as const;
    const both = planOf(plan.changes, [set(1, 1, "a", "description", "old", "new", { for: purposes })]);
    const kinds = [thing, { ...thing, name: "other", live: { read: () => undefined } }];
    const half = new LiveObjects(kinds, snapshotOf([channel(1, "a", "old")]), both.changes);
    const about = { checks: new Checks(both, goals), goals, mayRepeat: () => true };
    expect([...undoneCalls(both, resumed, half, about)]).toEqual([]);
  });

  test("a removal that was reverted is repeated", () => {
    const gone = planOf(
      [removal("a", 1, field("description", "old", null))],
      [
        call({
          n: 1,
          operation: "remove",
          path: { id: 1 },
          for: [{ address: "thing:a", fields: [] }],
          expects: [{ address: "thing:a", id: 1, field: "description", value: "old" }],
        }),
      ],
    );
    expect(undone([channel(1, "a", "old")], { of: gone, done: [1] })).toEqual([1]);
    expect(undone([{ ...channel(1, "a", "old"), is_archived: true }], { of: gone, done: [1] })).toEqual([]);
    expect(undone([], { of: gone, done: [1] })).toEqual([]);
  });
});
