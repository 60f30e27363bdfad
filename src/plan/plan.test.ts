import { describe, expect, test } from "vitest";
import { draft as draftOf } from "../../test/support/changes.ts";
import { declaredThing, line, liveThing, toyKind } from "../../test/support/plan/toy-kind.ts";
import { realmOf } from "../../test/support/realm.ts";
import { defined } from "../model/defined.ts";
import { error, warning } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { exists } from "../model/draft-call.ts";
import type { ReviewFacet } from "../model/facets.ts";
import type { MapKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject, Policy } from "../model/objects.ts";
import type { Address } from "../model/plan.ts";
import { planChanges } from "./plan.ts";

function planOf(
  declared: readonly DeclaredObject[] | undefined,
  live: readonly LiveObject[] | undefined,
  more: Partial<MapKind> = {},
  policy: Policy = "additive",
) {
  return planChanges({
    desired: {
      manage: declared === undefined ? {} : { things: policy },
      sections: new Map(declared === undefined ? [] : [["things", declared]]),
      warnings: [],
    },
    snapshot: realmOf({ feature_level: 399 }),
    kinds: [toyKind({ ...more, live: { ...more.live, read: () => live } })],
    toolVersion: "0.0.0",
  });
}

function changesOf(...input: Parameters<typeof planOf>) {
  const planned = planOf(...input);
  if (!planned.ok) throw new Error(planned.diagnostics[0]?.code);
  return planned.value.changes.map(({ action, address, fields }) => ({
    action,
    address,
    fields: Object.fromEntries(fields.map(({ field, before, after }) => [field, [before, after]])),
  }));
}

const codesOf = (...input: Parameters<typeof planOf>) => {
  const planned = planOf(...input);
  return planned.ok ? [] : planned.diagnostics.map(({ code }) => code);
};

describe("changes", () => {
  test.each([
    {
      about: "nothing",
      declared: [declaredThing("a", { colour: "red" })],
      live: [liveThing(1, "a", { colour: "red" })],
      expected: [],
    },
    {
      about: "a field that is left out never differs",
      declared: [declaredThing("a")],
      live: [liveThing(1, "a", { colour: "red" })],
      expected: [],
    },
    {
      about: "a field that has no value yet",
      declared: [declaredThing("a", { colour: "red" })],
      live: [liveThing(1, "a")],
      expected: [{ action: "update", address: "thing:a", fields: { colour: [null, "red"] } }],
    },
    {
      about: "fields are in the order of the kind, with the rest after them",
      declared: [declaredThing("a", { colour: "red" }, { creation: { owner: "me" } })],
      live: [],
      expected: [{ action: "create", address: "thing:a", fields: { colour: [null, "red"], owner: [null, "me"] } }],
    },
    {
      about: "creation fields are for creation only",
      declared: [declaredThing("a", {}, { creation: { owner: "me" } })],
      live: [liveThing(1, "a", { owner: "you" })],
      expected: [],
    },
    {
      about: "only the case of the name differs",
      declared: [declaredThing("A")],
      live: [liveThing(1, "a")],
      expected: [{ action: "update", address: "thing:A", fields: { name: ["a", "A"] } }],
    },
    {
      about: "absent",
      declared: [declaredThing("a", {}, { absent: true })],
      live: [liveThing(1, "a", { colour: "red" })],
      expected: [{ action: "remove", address: "thing:a", fields: { colour: ["red", null] } }],
    },
    {
      about: "absent, and already removed",
      declared: [declaredThing("a", {}, { absent: true })],
      live: [],
      expected: [],
    },
  ])("$about", ({ declared, live, expected }) => {
    expect(changesOf(declared, live)).toEqual(expected);
  });

  test("a field that the server's object does not have is an error: the server would ignore it", () =>
    expect(codesOf([declaredThing("a", { colour: "red" })], [liveThing(1, "a", {})])).toEqual(["plan/setting-gone"]));

  test("absent, for objects that become inactive", () => {
    const declared = [declaredThing("a", {}, { absent: true }), declaredThing("b", {}, { absent: true })];
    const live = [liveThing(1, "a", { archived: false }), liveThing(2, "b", { archived: true })];
    expect(changesOf(declared, live, { inactivity: { field: "archived" } })).toEqual([
      { action: "remove", address: "thing:a", fields: { archived: [false, true] } },
    ]);
  });
});

describe("policies", () => {
  const live = [liveThing(1, "a"), liveThing(2, "b", { colour: "red" }), liveThing(3, "c", { archived: true })];
  test.each([
    { policy: "ignore", removed: [], unmanaged: ["b"] },
    { policy: "additive", removed: [], unmanaged: ["b"] },
    { policy: "exact", removed: ["thing:b"], unmanaged: [] },
  ] as const)("$policy", ({ policy, removed, unmanaged }) => {
    const planned = planOf([declaredThing("a")], live, {}, policy);
    if (!planned.ok) throw new Error("refused");
    expect(planned.value.changes.map(({ address }) => address)).toEqual(removed);
    expect(planned.value.unmanaged).toEqual([{ section: "things", policy, names: unmanaged }]);
    expect(planned.value.matches).toEqual({ things: 1 });
  });

  test("a section that is not in the file", () => {
    const planned = planOf(undefined, live);
    if (!planned.ok) throw new Error("refused");
    expect(planned.value.changes).toEqual([]);
    expect(planned.value.unmanaged).toEqual([{ section: "things", policy: "absent", names: ["a", "b"] }]);
    expect(planned.value.matches).toEqual({});
  });
});

describe("errors", () => {
  test("a field that the server is too old for", () => {
    expect(codesOf([declaredThing("a", { size: 1 })], [])).toEqual(["plan/server-too-old"]);
  });
  test("a kind that the server is too old for", () => {
    expect(codesOf([declaredThing("a")], undefined, { live: { level: 400, read: () => undefined } })).toEqual([
      "plan/server-too-old",
    ]);
    expect(codesOf([], undefined, { live: { level: 400, read: () => undefined } })).toEqual([]);
  });
  test("a kind that was not read", () => {
    expect(codesOf([declaredThing("a")], undefined)).toEqual(["plan/not-read"]);
  });
  test("all at once, in the order of the file", () => {
    const check: NonNullable<ReviewFacet["check"]> = () => [
      error("channels/was", { name: quote("late") }, line(9)),
      error("channels/default-private", {}, line(2)),
      error("channels/limited-plan", {}),
    ];
    const declared = [declaredThing("a", { size: 1 }, { at: line(5) })];
    expect(codesOf(declared, [], { review: { check } })).toEqual([
      "channels/limited-plan",
      "channels/default-private",
      "plan/server-too-old",
      "channels/was",
    ]);
  });
  test("warnings do not stop the plan", () => {
    const check: NonNullable<ReviewFacet["check"]> = () => [warning("channels/moderation-channel", {})];
    const planned = planOf([declaredThing("a")], [], { review: { check } });
    expect(planned.ok && planned.value.warnings.map(({ code }) => code)).toEqual(["channels/moderation-channel"]);
  });
});

describe("order", () => {
  const ordered = { diff: { ordered: true } };
  const names = (...list: readonly string[]) => list.map((name) => declaredThing(name));
  const live = (...list: readonly string[]) => list.map((name, index) => liveThing(index, name));
  test.each([
    { about: "as it is", declared: names("a", "b"), there: live("a", "b"), expected: undefined },
    { about: "reversed", declared: names("b", "a"), there: live("a", "b"), expected: ["b", "a"] },
    { about: "new ones come last without a request", declared: names("a", "c"), there: live("a"), expected: undefined },
    {
      about: "a new one between others",
      declared: names("a", "c", "b"),
      there: live("a", "b"),
      expected: ["a", "c", "b"],
    },
    {
      about: "the others keep their places",
      declared: names("c", "a"),
      there: live("a", "b", "c"),
      expected: ["c", "b", "a"],
    },
    {
      about: "removed ones do not count",
      declared: [declaredThing("a", {}, { absent: true }), ...names("b")],
      there: live("a", "b"),
      expected: undefined,
    },
  ])("$about", ({ declared, there, expected }) => {
    const order = changesOf(declared, there, ordered).find(({ action }) => action === "reorder");
    expect(order?.fields.order?.[1]).toEqual(expected);
  });
});

test("requests that wait for each other are an error with places, never a crash", () => {
  const waiting = (address: Address, needs: string, provides: string) =>
    draftOf("update-thing", address, ["colour"], {
      needs: [exists(`thing:${needs}`)],
      provides: [exists(`thing:${provides}`)],
    });
  const planned = planOf(
    [declaredThing("a", { colour: "red" }), declaredThing("b", { colour: "blue" }, { at: line(2) })],
    [liveThing(1, "a"), liveThing(2, "b")],
    { calls: { draft: () => [waiting("thing:a", "b", "a"), waiting("thing:b", "a", "b")] } },
  );
  expect(planned).toMatchObject({
    ok: false,
    diagnostics: [{ code: "plan/cycle", severity: "error", at: line(1), notes: [{ at: line(2) }] }],
  });
});

describe("objects that look renamed", () => {
  const said = (policy: Policy, declared: readonly DeclaredObject[], live: readonly LiveObject[]) => {
    const planned = planOf(declared, live, {}, policy);
    return planned.ok ? planned.value.warnings.map(({ code, fact }) => [code, fact]) : planned.diagnostics;
  };
  const about = (text: string) => ({ description: text, colour: "red" });

  test.each(["additive", "exact"] as const)("are reported under %s", (policy) => {
    const warnings = said(policy, [declaredThing("new", about("One"))], [liveThing(1, "old", about("One"))]);
    expect(warnings).toEqual([
      [
        "plan/looks-renamed",
        expect.objectContaining({ live: { name: { quoted: "old", of: "thing" }, id: 1 }, more: 0 }),
      ],
    ]);
  });

  test.each([
    { what: "the text differs", live: [liveThing(1, "old", about("Two"))] },
    { what: "two objects are similar", live: [liveThing(1, "old", about("One")), liveThing(2, "older", about("One"))] },
    { what: "the file declares the other object", live: [liveThing(1, "kept", about("One"))] },
    {
      what: "the object with the name exists",
      live: [liveThing(1, "old", about("One")), liveThing(2, "new", about("Two")), liveThing(3, "kept")],
    },
  ])("are not reported if $what", ({ live }) => {
    expect(said("additive", [declaredThing("new", about("One")), declaredThing("kept")], live)).toEqual([]);
  });

  test.each([
    { policy: "additive", is_bare: true },
    { policy: "exact", is_bare: undefined },
  ] as const)("are told under $policy if an entry with nothing but its name and one object are left", (row) => {
    const found = said(
      row.policy,
      [declaredThing("new", about("One")), declaredThing("kept")],
      [liveThing(1, "old", about("One")), liveThing(2, "new", about("Two"))],
    );
    const object = { address: "thing:kept", name: "kept" };
    const live = { name: { quoted: "old", of: "thing" }, id: 1 };
    expect(found).toEqual([
      ["plan/looks-renamed", { noun: "thing", object, live, more: 0, ...defined({ is_bare: row.is_bare }) }],
    ]);
  });

  test("are reported for the first ten, with the number of the others", () => {
    const numbers = Array.from({ length: 2_000 }, (_, index) => index);
    const planned = planOf(
      numbers.map((number) => declaredThing(`new-${number}`, about(`${number}`))),
      numbers.map((number) => liveThing(number, `old-${number}`, about(`${number}`))),
    );
    if (!planned.ok) throw new Error("no plan");
    expect(planned.value.warnings).toHaveLength(10);
    expect(planned.value.warnings.at(-1)?.fact).toMatchObject({ more: 1990 });
  });
});
