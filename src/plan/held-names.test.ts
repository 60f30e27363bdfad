import { describe, expect, test } from "vitest";
import { channel, planOf, snapshotOf, thing } from "../../test/support/apply/toy.ts";
import { change as changeOf } from "../../test/support/example-plans.ts";
import { toySingleton } from "../../test/support/plan/toy-kind.ts";
import { defined } from "../model/defined.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Call, Change, Plan } from "../model/plan.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { otherNames } from "./held-names.ts";

const before = snapshotOf([channel(1, "news", ""), channel(2, "lab", "")]);
const now = (...names: readonly (readonly [id: number, name: string])[]): Snapshot =>
  snapshotOf(names.map(([id, name]) => channel(id, name, "")));
const call = (more: Partial<Call>): Call => ({
  n: 1,
  operation: "change",
  path: {},
  params: {},
  for: [],
  expects: [],
  after: [],
  creates: [],
  ...more,
});
const change = (name: string, id: number | undefined, was?: string) =>
  changeOf({ action: "update", kind: "thing", name, ...defined({ id, was }) });
const others = (
  calls: readonly Call[],
  changes: readonly Change[],
  later: Snapshot,
  earlier = before,
  kinds: readonly ResourceKind[] = [thing, toySingleton()],
) => {
  const plan: Plan = { ...planOf([...changes], [...calls]) };
  return otherNames(plan, { before: earlier, now: later, kinds }).map(({ kind, id, planned, now: name }) => [
    kind,
    id,
    planned,
    name,
  ]);
};
const moved = now([1, "hall"], [2, "lab"]);
const found = [["thing", 1, "news", "hall"]];

describe("an object whose name in the plan differs from its live name", () => {
  test.each([
    { about: "as text in a path", calls: [call({ path: { id: "1" } })], changes: [] },
    { about: "nested in a parameter", calls: [call({ params: { a: [null, { b: 1 }] } })], changes: [] },
    {
      about: "as the name in another change",
      calls: [call({ path: { id: 1 } })],
      changes: [change("hall", 2)],
    },
    {
      about: "with a name that the plan gives to an object of another kind with the same id",
      calls: [],
      changes: [{ ...change("hall", 1), kind: "other" }],
    },
    {
      about: "with a name that no call sends",
      calls: [call({ path: { id: 1 }, params: { name: "other" } })],
      changes: [change("other", 1, "news")],
    },
  ])("$about", ({ calls, changes }) => expect(others(calls, changes, moved)).toEqual(found));

  test.each([
    {
      about: "its id has too many digits",
      calls: [call({ path: { id: `${"0".repeat(15)}1` } })],
      changes: [],
      later: moved,
    },
    { about: "it did not exist", calls: [call({ path: { id: 3 } })], changes: [], later: now([3, "new"]) },
    { about: "the plan gives it the name", calls: [], changes: [change("hall", 1, "news")], later: moved },
    {
      about: "the plan gives it the name temporarily",
      calls: [call({ path: { id: 1 } })],
      changes: [change("other", 1, "news")],
      later: now([1, "other ~realmctl~1"]),
    },
  ])("is in no call if $about", ({ calls, changes, later }) => expect(others(calls, changes, later)).toEqual([]));

  test("can have an id of several digits, as text in a path", () =>
    expect(others([call({ path: { id: "123" } })], [], now([123, "hall"]), now([123, "news"]))).toEqual([
      ["thing", 123, "news", "hall"],
    ]));

  test("counts although its name is sent, if the plan does not rename it", () =>
    expect(others([call({ params: { name: "hall" } })], [change("news", 1)], moved)).toEqual(found));

  test("can be one that no file declares, or a person", () => {
    const role = (name: string) => ({ ...now(), realm: { ...now().realm, name } });
    const kind = {
      ...thing,
      identity: { ...thing.identity, undeclarable: ({ realm }: Snapshot) => [{ id: 9, name: realm.name }] },
    };
    const calls = [call({ path: { id: 9 } })];
    expect(others(calls, [], role("new"), role("old"), [kind])).toEqual([["thing", 9, "old", "new"]]);
    const person = (email: string, delivery: string | null): Snapshot => ({
      ...now(),
      users: [
        {
          user_id: 9,
          email,
          delivery_email: delivery,
          full_name: "Ada",
          role: 400,
          is_bot: false,
          bot_type: null,
          bot_owner_id: null,
          is_active: true,
          date_joined: "2026-01-01T00:00:00Z",
        },
      ],
    });
    expect(others(calls, [], person("b@example.org", null), person("a@example.org", null))).toEqual([
      ["user", 9, "a@example.org", "b@example.org"],
    ]);
    expect(
      others(calls, [], person("b@example.org", "x@example.org"), person("a@example.org", "x@example.org")),
    ).toEqual([]);
  });
});
