import { describe, expect, test } from "vitest";
import { liveObject } from "../../test/support/apply/journals.ts";
import { call, change, field, planOf, removal, renaming, snapshotOf, thing } from "../../test/support/apply/toy.ts";
import type { Json } from "../model/json.ts";
import type { MapKind } from "../model/kind.ts";
import type { LiveObject } from "../model/objects.ts";
import type { Call, Change, Expectation, Plan, Purpose } from "../model/plan.ts";
import { Goals, LiveObjects, unmet } from "./goals.ts";

// What one reading says about the objects and the wanted values of a plan.

const kindOf = (objects: readonly LiveObject[] | undefined, more: Partial<MapKind> = {}): MapKind => ({
  ...thing,
  live: { read: () => objects },
  ...more,
});
const viewOf = (
  objects: readonly LiveObject[] | undefined,
  changes: readonly Change[] = [],
  more: Partial<MapKind> = {},
) => new LiveObjects([kindOf(objects, more)], snapshotOf([]), changes);
const purpose = (name: string, ...fields: readonly string[]): Purpose => ({ address: `thing:${name}`, fields });
const one = (...purposes: readonly Purpose[]): Call => call({ n: 1, operation: "x", for: purposes });

describe("a reading", () => {
  test("has a kind or does not have it; a question about an unknown kind is a bug", () => {
    expect(viewOf([]).holds("thing:a")).toBe(true);
    expect(viewOf(undefined).holds("thing:a")).toBe(false);
    expect(viewOf(undefined).find("thing:a")).toBeUndefined();
    expect(viewOf(undefined).order("thing:*")).toEqual([]);
    expect(() => viewOf([]).holds("other:a")).toThrow('a kind "other"');
  });
  test("prefers the active object, even if it comes last", () => {
    const [used, asleep] = [liveObject("a", 1), liveObject("a", 2, {}, true)];
    expect([viewOf([used, asleep]).find("thing:a")?.id, viewOf([asleep, used]).find("thing:a")?.id]).toEqual([1, 1]);
    expect(viewOf([asleep]).find("thing:a")?.id).toBe(2);
  });
  test("has no place in the order for an object that the plan removes and whose name another one gets", () =>
    expect(
      viewOf(
        [liveObject("old", 1), liveObject("b", 2), liveObject("new", 3), liveObject("c", 4)],
        [renaming("new", 1, "old"), removal("x", 3), removal("c", 4)],
      ).order("thing:*"),
    ).toEqual(["new", "b", "c"]));
  test("shows a change by its value, or by the kind's own test", () => {
    const picture = field("picture", 1, "file");
    expect(viewOf([]).shows("thing:a", picture, "file")).toBe(true);
    expect(viewOf([]).shows("thing:a", picture, 2)).toBe(false);
    expect(
      viewOf([], [], { calls: { ...thing.calls, shows: (_, live) => live === 2 } }).shows("thing:a", picture, 2),
    ).toBe(true);
    const shows: MapKind["calls"]["shows"] = (_, __, by) =>
      by.call?.operation === "x" && by.realm.snapshot.channels.length === 0;
    const objects = viewOf([], [], { calls: { ...thing.calls, shows } });
    expect(objects.shows("thing:a", picture, 2, one())).toBe(true);
    expect(objects.shows("thing:a", picture, 2)).toBe(false);
  });
});

describe("what a plan desires", () => {
  const applied = (plan: Plan, objects: LiveObjects, n = 1) => {
    const own = plan.calls.find((each) => each.n === n);
    return own === undefined ? [] : new Goals(plan).appliedParts(own, objects);
  };
  const update = change("a", 1, field("colour", "red", "blue"), field("size", 1, 2));

  test.each<{
    fact: string;
    change: Change;
    live: readonly LiveObject[];
    parts: readonly Purpose[];
    creates?: boolean;
  }>([
    {
      fact: "a removed object is inactive",
      change: removal("a", 1),
      live: [liveObject("a", 1, {}, true)],
      parts: [purpose("a")],
    },
    {
      fact: "an object without an id exists",
      change: change("a", undefined),
      live: [liveObject("a", null)],
      parts: [purpose("a")],
    },
    {
      fact: "the id of an object that another call creates shows nothing",
      change: change("a", undefined),
      live: [liveObject("a", 5)],
      parts: [],
    },
    {
      fact: "an inactive object with the name is another object",
      change: change("a", undefined),
      live: [liveObject("a", 5, {}, true)],
      parts: [],
      creates: true,
    },
  ])("$fact", ({ change: own, live, parts, creates = false }) => {
    const made = { ...one(purpose("a")), creates: creates ? (["thing:a"] as const) : [] };
    expect(applied(planOf([own], [made]), viewOf(live, [own]))).toEqual(parts);
  });

  test.each<{ fact: string; change: Change; fields: readonly string[]; live: LiveObject; parts: readonly Purpose[] }>([
    {
      fact: "a field that no change names is not applied",
      change: change("a", 1, field("colour", "red", "blue")),
      fields: ["colour", "other"],
      live: liveObject("a", 1, { colour: "blue", other: 1 }),
      parts: [purpose("a", "colour")],
    },
    {
      fact: "a creation by another call set what cannot be read",
      change: change("a", undefined, field("colour", null, "blue"), field("owner", null, "me")),
      fields: ["colour", "owner"],
      live: liveObject("a", 5, { colour: "blue" }),
      parts: [purpose("a", "colour", "owner")],
    },
    {
      fact: "an object without an id that has other values is not the created object",
      change: change("a", undefined, field("colour", null, "blue")),
      fields: ["colour"],
      live: liveObject("a", null, { colour: "red" }),
      parts: [],
    },
  ])("$fact", ({ change: own, fields, live, parts }) =>
    expect(applied(planOf([own], [one(purpose("a", ...fields))]), viewOf([live]))).toEqual(parts),
  );

  describe("of a removal that other calls complete (a bot is deactivated before its owner)", () => {
    const removing = removal("a", 1, field("bots", "on", "off"), field("size", 1, null));
    const shows: MapKind["calls"]["shows"] = ({ field: on }) => on === "bots";
    const part = (live: LiveObject, ...fields: readonly string[]) => {
      const own = one(purpose("a", ...fields));
      const objects = viewOf([live], [], { calls: { ...thing.calls, shows } });
      const goals = new Goals(planOf([removing], [own]));
      return [goals.isApplied(own, objects, true), goals.isApplied(own, objects)];
    };
    test.each<{ fact: string; live: LiveObject; fields: readonly string[]; is: boolean }>([
      { fact: "is done", live: liveObject("a", 1, { bots: "on" }), fields: ["bots"], is: true },
      {
        fact: "is not done whole",
        live: liveObject("a", 1, { bots: "on", size: 1 }),
        fields: ["size", "bots"],
        is: false,
      },
      { fact: "cannot be read", live: liveObject("a", 1), fields: ["bots"], is: false },
      { fact: "is not in the change", live: liveObject("a", 1, { other: 1 }), fields: ["other"], is: false },
      { fact: "is the removal itself", live: liveObject("a", 1, { bots: "on" }), fields: [], is: false },
    ])("the part $fact", ({ live, fields, is }) => expect(part(live, ...fields)).toEqual([is, false]));
  });

  test("nothing, if no change names it, or the kind was not read", () => {
    expect(
      applied(planOf([], [one(purpose("a", "colour"))]), viewOf([liveObject("a", 1, { colour: "blue" })])),
    ).toEqual([]);
    expect(applied(planOf([update], [one(purpose("a", "colour"))]), viewOf(undefined))).toEqual([]);
    expect(applied(planOf([removal("a", 1)], [one(purpose("a"))]), viewOf(undefined))).toEqual([]);
    expect(new Goals(planOf([], [])).isApplied(one(), viewOf([]))).toBe(false);
  });

  test("each purpose of a call", () => {
    const plan = planOf([update, change("b", 2, field("colour", "red", "blue"))], []);
    const both = one(purpose("a", "colour"), purpose("b", "colour"));
    const live = (second: string) =>
      viewOf([liveObject("a", 1, { colour: "blue" }), liveObject("b", 2, { colour: second })]);
    expect([new Goals(plan).isApplied(both, live("blue")), new Goals(plan).isApplied(both, live("red"))]).toEqual([
      true,
      false,
    ]);
  });

  test("a different picture proves that the call was carried out, if it was sent", () => {
    const own = change("a", 1, field("picture", 1, "file"));
    const goals = new Goals(planOf([own], []));
    const shows = { calls: { ...thing.calls, shows: (_: unknown, live: Json) => live === 2 } };
    const objects = viewOf([liveObject("a", 1, { picture: 2 })], [], shows);
    expect([
      goals.isApplied(one(purpose("a", "picture")), objects, true),
      goals.isApplied(one(purpose("a", "picture")), objects),
    ]).toEqual([true, false]);
  });

  test("a change that a reading cannot show", () => {
    const goals = new Goals(planOf([change("a", 1, field("picture", null, "x"))], []));
    const unseen = (live: readonly LiveObject[], ...fields: readonly string[]) =>
      goals.isUnseen(one(purpose("a", ...fields)), viewOf(live));
    expect(unseen([liveObject("x", 1)], "picture")).toBe(true);
    expect(unseen([liveObject("x", 1, { size: 1 })], "picture", "size")).toBe(false);
    expect(unseen([liveObject("a", 2)], "picture")).toBe(false);
    expect(unseen([], "picture")).toBe(false);
    expect(goals.isUnseen(one(purpose("a", "picture"), purpose("b", "picture")), viewOf([liveObject("a", 1)]))).toBe(
      false,
    );
  });

  test("whether a field has its previous values", () => {
    const goals = new Goals(planOf([update, removal("gone", 9), change("b", 2, field("colour", "red", "blue"))], []));
    const asBefore = (live: readonly LiveObject[], ...purposes: readonly Purpose[]) =>
      goals.isAsBefore(one(...purposes), viewOf(live));
    expect(asBefore([liveObject("x", 1, { colour: "red", size: 1 })], purpose("a", "colour", "size"))).toBe(true);
    expect(asBefore([liveObject("x", 1, { colour: "red", size: 2 })], purpose("a", "colour", "size"))).toBe(false);
    expect(asBefore([liveObject("x", 1, { colour: "red", size: 2 })], purpose("a", "colour"))).toBe(true);
    expect(asBefore([liveObject("x", 1, { colour: "blue", size: 1 })], purpose("a", "colour", "size"))).toBe(false);
    expect(asBefore([liveObject("x", 1)], purpose("a", "colour"))).toBe(true);
    expect(asBefore([], purpose("a", "colour"))).toBe(true);
    expect(asBefore([liveObject("gone", 9)], purpose("gone"))).toBe(true);
    expect(asBefore([], purpose("nobody", "colour"))).toBe(true);
    expect(
      asBefore(
        [liveObject("x", 1, { colour: "red" }), liveObject("b", 2, { colour: "blue" })],
        purpose("a", "colour"),
        purpose("b", "colour"),
      ),
    ).toBe(false);
  });
});

describe("an object that one call removes and a later one restores", () => {
  // `b` gives up its place while `a` is changed; no change of the plan names `b`.
  const expects: readonly Expectation[] = [{ address: "thing:b", id: 2, field: "place", value: 7 }];
  const take: Call = { ...one(purpose("b", "place")), expects };
  const give: Call = { ...one(purpose("a", "colour"), purpose("b", "place")), n: 2 };
  const plan = planOf([change("a", 1, field("colour", "red", "blue"))], [take, give]);
  const goalsOf = (changes = plan.changes) => new Goals({ ...plan, changes });
  const live = (place: Json, colour: string) => viewOf([liveObject("a", 1, { colour }), liveObject("b", 2, { place })]);

  test("is still to get its previous value", () => {
    const goals = goalsOf();
    expect(goals.wanted("thing:b", "place")).toBe(7);
    expect(goals.wanted("thing:a", "colour")).toBe("blue");
    expect(goals.wanted("thing:a", "other")).toBeUndefined();
    expect(goals.wanted("thing:x", "other")).toBeUndefined();
  });
  test("is restored once the change that needed the removal is done", () => {
    const goals = goalsOf();
    expect(goals.appliedParts(give, live(7, "blue"))).toEqual([purpose("a", "colour"), purpose("b", "place")]);
    expect(goals.appliedParts(give, live(7, "red"))).toEqual([]);
    expect(goals.appliedParts(give, live(null, "blue"))).toEqual([purpose("a", "colour")]);
    expect(goals.isApplied(give, live(7, "blue"))).toBe(true);
    expect(goals.appliedParts(give, viewOf([liveObject("b", 2, { place: 7 })]))).toEqual([purpose("b", "place")]);
    expect(goals.appliedParts(give, viewOf([liveObject("a", 1, { colour: "blue" })]))).toEqual([
      purpose("a", "colour"),
    ]);
  });
  test("is restored once a change is done that only its call shows", () => {
    const goals = goalsOf([change("a", 1, field("picture", 1, "file"))]);
    const calls = {
      ...thing.calls,
      shows: (_: unknown, value: Json, by: { readonly call?: Call }) => by.call !== undefined && value === 2,
    };
    const shown = { ...give, for: [purpose("a", "picture"), purpose("b", "place")] };
    const plans = new Goals({ ...plan, changes: [change("a", 1, field("picture", 1, "file"))], calls: [take, shown] });
    const objects = (picture: number) =>
      viewOf([liveObject("a", 1, { picture }), liveObject("b", 2, { place: 7 })], [], { calls });
    expect(plans.appliedParts(shown, objects(2))).toEqual(shown.for);
    expect(plans.appliedParts(shown, objects(1))).toEqual([]);
    expect(goals.wanted("thing:b", "place")).toBe(7);
  });
  test("is not restored if an object that the plan creates is somebody else's", () => {
    const goals = goalsOf([change("a", undefined, field("colour", null, "blue"))]);
    expect(goals.appliedParts(give, live(7, "red"))).toEqual([]);
    expect(goals.appliedParts(give, live(7, "blue"))).toEqual(give.for);
  });
  test("is not restored before another change of the call that removed it is done", () => {
    const first: Call = { ...one(purpose("c", "colour"), purpose("b", "place")), expects };
    const second: Call = { ...one(purpose("b", "place")), n: 2 };
    const goals = new Goals(planOf([change("c", 3, field("colour", "red", "blue"))], [first, second]));
    const parts = (colour: string) =>
      goals.appliedParts(second, viewOf([liveObject("b", 2, { place: 7 }), liveObject("c", 3, { colour })]));
    expect([parts("red"), parts("blue")]).toEqual([[], second.for]);
  });
  test("is restored together with the other values that the call restores", () => {
    const both: Call = {
      ...one(purpose("b", "place", "size")),
      expects: [...expects, { address: "thing:b", id: 2, field: "size", value: 1 }],
    };
    const goals = new Goals(planOf([], [both]));
    const parts = (size: number) => goals.appliedParts(both, viewOf([liveObject("b", 2, { place: 7, size })]));
    expect([parts(1), parts(2)]).toEqual([both.for, []]);
    const unknown = one(purpose("b", "place", "other"));
    expect(goals.appliedParts(unknown, viewOf([liveObject("b", 2, { place: 7, size: 1 })]))).toEqual([]);
  });
  test("is not one that a change of the plan names, or that no call expects", () => {
    const named = new Goals(planOf([change("b", 2, field("place", 7, 8))], [take]));
    expect(named.wanted("thing:b", "place")).toBe(8);
    const other = new Goals(planOf([change("b", 2, field("size", 1, 2))], [take]));
    expect(other.wanted("thing:b", "place")).toBe(7);
    const removed = new Goals(planOf([removal("b", 2, field("size", 1, null))], [take]));
    expect(removed.wanted("thing:b", "place")).toBeUndefined();
    const blind = new Goals(
      planOf(
        [],
        [
          {
            ...take,
            expects: [
              { address: "thing:b", id: 2, field: "size", value: 7 },
              { address: "thing:c", field: "place", value: 7 },
            ],
          },
        ],
      ),
    );
    expect(blind.wanted("thing:b", "place")).toBeUndefined();
  });
});

test("is not shown by a replacement with the same name until that differs", () => {
  const update = change("a", undefined, field("owner", null, "me"));
  const replaced = change("a", 1, field("owner", "x", "me"));
  const swap: Call = {
    ...one(purpose("a", "owner")),
    creates: ["thing:a"],
    expects: [{ address: "thing:a", id: 1, field: "colour", value: "red" }],
  };
  expect(
    new Goals(planOf([replaced], [swap])).appliedParts(swap, viewOf([liveObject("a", 1, { colour: "red" })])),
  ).toEqual([]);
  expect(
    new Goals(planOf([replaced], [swap])).appliedParts(swap, viewOf([liveObject("a", 1, { colour: "blue" })])),
  ).toEqual([purpose("a", "owner")]);
  expect(
    new Goals(planOf([update], [swap])).appliedParts(swap, viewOf([liveObject("a", 2, { colour: "red" })])),
  ).toEqual([purpose("a", "owner")]);
  const parts = (expects: readonly Expectation[], colour: string) => {
    const own = { ...swap, expects };
    return new Goals(planOf([replaced], [own])).appliedParts(own, viewOf([liveObject("a", 1, { colour, size: 1 })]));
  };
  const expected = (on: string, value: Json): Expectation => ({ address: "thing:a", id: 1, field: on, value });
  expect(parts([], "blue")).toEqual([]);
  expect(parts([expected("exists", true)], "red")).toEqual([]);
  expect(parts([expected("size", 1), expected("colour", "red")], "blue")).toEqual([purpose("a", "owner")]);
  expect(parts([expected("colour", "red"), expected("size", 1)], "blue")).toEqual([purpose("a", "owner")]);
});

describe("whether a conflict is found for an expectation", () => {
  const own = one(purpose("a", "colour"));
  const gone = removal("gone", 3, field("colour", "red", null));
  const goalsOf = () => new Goals(planOf([change("a", 1, field("colour", "red", "blue")), gone], [own]));
  const expectation = (more: Partial<Expectation>): Expectation => ({
    address: "thing:a",
    id: 1,
    field: "colour",
    value: "red",
    ...more,
  });
  const conflict = (name: string, on: string, planned: Json, found: Json, more: object = {}) => ({
    ...{ kind: "thing", calls: [1], address: `thing:${name}`, name, field: on, planned, found },
    ...more,
  });
  test.each<{
    fact: string;
    expected: Partial<Expectation>;
    live: readonly LiveObject[] | undefined;
    found?: object;
  }>([
    { fact: "no conflict for a field that the reading does not show", expected: {}, live: [liveObject("a", 1)] },
    { fact: "no conflict for a kind that was not read", expected: {}, live: undefined },
    {
      fact: "a conflict with the live and the desired value",
      expected: {},
      live: [liveObject("A!", 1, { colour: "x" })],
      found: conflict("a", "colour", "red", "x", { name: "A!", wanted: "blue" }),
    },
    {
      fact: "a conflict for a removal, whose desired value is that the object does not exist",
      expected: { address: "thing:gone", id: 3, field: "exists", value: true },
      live: [],
      found: conflict("gone", "exists", true, false, { wanted: false }),
    },
    {
      fact: "a conflict for a field of an object that is removed, whose desired value is none",
      expected: { address: "thing:gone", id: 3 },
      live: [liveObject("gone", 3, { colour: "x" })],
      found: conflict("gone", "colour", "red", "x", { wanted: null }),
    },
    {
      fact: "a conflict for a field of an object called *",
      expected: { address: "thing:*" },
      live: [liveObject("*", 1, { colour: "x" })],
      found: conflict("*", "colour", "red", "x"),
    },
    {
      fact: "a conflict for an unknown object, with the name in its address",
      expected: { address: "thing:who", id: 8 },
      live: [],
      found: conflict("who", "exists", true, false),
    },
  ])("$fact", ({ expected, live, found }) =>
    expect(unmet(expectation(expected), own, viewOf(live), goalsOf())).toEqual(found),
  );
});
