import { describe, expect, test } from "vitest";
import { declaredThing, line, liveThing, toyKind, toySingleton } from "../../test/support/plan/toy-kind.ts";
import type { MapKind, ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject, Pair, Policy } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import { spansIn } from "../model/span.ts";
import { compareSection, withImplied } from "./compare.ts";

// The change of one object, with every field: what a plan, a journal and a report read.

interface Given {
  readonly declared?: DeclaredObject;
  readonly live?: LiveObject;
  readonly kind?: ResourceKind;
  readonly policy?: Policy;
  readonly at?: ReturnType<typeof line>;
}
const archiving = toyKind({ inactivity: { field: "archived" } });

/** The pair of a declared object and its live object. */
function pairOf({ declared, live, kind = toyKind(), policy = "additive", at }: Given): Pair | undefined {
  const pairs = compareSection(
    kind,
    declared === undefined ? [] : [[declared, live]],
    live === undefined ? [] : [live],
    { policy, at, removes: () => true },
  );
  expect(pairs).toHaveLength(1);
  return pairs[0];
}
const thing = (name: string) => ({ kind: "thing", address: `thing:${name}` as const, name, risks: [] });
const nameless = (name: string, fields: LiveObject["fields"] = {}): LiveObject => ({
  ...liveThing(0, name, fields),
  id: null,
});

describe("a declared object that the server does not have", () => {
  test("is created, with the place of each field and without rights that only the server gives", () => {
    const declared = declaredThing(
      "a",
      { size: 1, colour: "red", archived: false },
      { creation: { owner: "me", by: "me" }, implied: ["by"], spans: spansIn({ size: line(4) }) },
    );
    expect(pairOf({ declared, kind: archiving })).toEqual({
      ...{ kind: "thing", address: "thing:a", declared },
      change: {
        ...thing("a"),
        action: "create",
        at: line(1),
        fields: [
          { field: "colour", before: null, after: "red", at: line(1) },
          { field: "size", before: null, after: 1, at: line(4) },
          { field: "owner", before: null, after: "me", at: line(1) },
          { field: "by", before: null, after: "me", implied: true },
        ],
      },
    });
  });
  test("needs no change if the file removes it", () => {
    const declared = declaredThing("a", {}, { absent: true });
    expect(pairOf({ declared })).toEqual({ kind: "thing", address: "thing:a", declared });
  });
});

describe("a declared object that the server has", () => {
  test.each<{ about: string; given: Given & { readonly declared: DeclaredObject }; change: Omit<Change, "at"> }>([
    {
      about: "gets the default for a field that the file leaves out",
      given: {
        declared: declaredThing("a", { colour: "red", size: 2 }, { unset: ["size"] }),
        live: liveThing(7, "a"),
      },
      change: {
        ...{ ...thing("a"), action: "update", id: 7 },
        fields: [
          { field: "colour", before: null, after: "red", at: line(1) },
          { field: "size", before: null, after: 2, at: line(1), unset: true },
        ],
      },
    },
    {
      about: "is renamed, with the place of `id`",
      given: {
        declared: declaredThing("b", {}, { id: 7, spans: spansIn({ id: line(6) }) }),
        live: liveThing(7, "a"),
      },
      change: {
        ...{ ...thing("b"), action: "update", id: 7, was: "a" },
        fields: [{ field: "name", before: "a", after: "b", at: line(6) }],
      },
    },
    {
      about: "keeps the server's spelling of its name if it has no id",
      given: { declared: declaredThing("A", { size: 1 }), live: nameless("a") },
      change: {
        ...{ ...thing("a"), action: "update" },
        fields: [{ field: "size", before: null, after: 1, at: line(1) }],
      },
    },
    {
      about: "is deleted with all its values if its kind has no inactive objects",
      given: { declared: declaredThing("a", {}, { absent: true }), live: liveThing(7, "a", { colour: "red" }) },
      change: { ...thing("a"), action: "remove", id: 7, fields: [{ field: "colour", before: "red", after: null }] },
    },
    {
      about: "is archived by `absent`, and keeps its name",
      given: {
        declared: declaredThing("a", {}, { absent: true }),
        live: liveThing(7, "a", { colour: "red" }),
        kind: archiving,
      },
      change: {
        ...{ ...thing("a"), action: "remove", id: 7 },
        fields: [{ field: "archived", before: false, after: true, at: line(1) }],
      },
    },
    {
      about: "is updated if it gets another value, too, when it is archived",
      given: {
        declared: declaredThing("a", { archived: true, weight: 1 }, { absent: true }),
        live: liveThing(7, "a", { archived: false }),
        kind: archiving,
      },
      change: {
        ...{ ...thing("a"), action: "update", id: 7 },
        fields: [
          { field: "archived", before: false, after: true, at: line(1) },
          { field: "weight", before: null, after: 1, at: line(1) },
        ],
      },
    },
    {
      about: "is updated if only another field becomes true",
      given: { declared: declaredThing("a", { colour: true }), live: liveThing(7, "a"), kind: archiving },
      change: {
        ...{ ...thing("a"), action: "update", id: 7 },
        fields: [{ field: "colour", before: null, after: true, at: line(1) }],
      },
    },
  ])("$about", ({ given, change }) =>
    expect(pairOf(given)).toEqual({
      ...{ kind: "thing", address: change.address, declared: given.declared, live: given.live },
      change: { ...change, at: line(1) },
    }),
  );

  test("is marked as the only one of its kind if it is a singleton", () => {
    const only = pairOf({ declared: declaredThing("a", { size: 1 }), live: nameless("a"), kind: toySingleton() });
    expect(only?.change?.singleton).toBe(true);
    const one = pairOf({ declared: declaredThing("a", { size: 1 }), live: nameless("a") });
    expect(one?.change !== undefined && "singleton" in one.change).toBe(false);
  });
});

describe("an object that the file does not mention", () => {
  const live = liveThing(7, "a", { colour: "red" });

  test("is deleted under `exact`, with the place of `manage`", () =>
    expect(pairOf({ live, policy: "exact", at: line(2) })?.change).toEqual({
      ...{ ...thing("a"), action: "remove", id: 7, at: line(2), undeclared: true },
      fields: [{ field: "colour", before: "red", after: null }],
    }));
  test("is archived under `exact` if its kind has inactive objects", () =>
    expect(pairOf({ live, policy: "exact", kind: archiving })?.change).toEqual({
      ...{ ...thing("a"), action: "remove", id: 7, undeclared: true },
      fields: [{ field: "archived", before: false, after: true }],
    }));

  test("has its id in its address if an entry takes its name", () => {
    const addresses = (stranger: LiveObject) =>
      compareSection(toyKind(), [[declaredThing("a"), undefined]], [stranger], {
        policy: "additive",
        at: undefined,
        removes: () => true,
      }).map(({ address }) => address);
    expect(addresses(live)).toEqual(["thing:a", "thing:a (id 7)"]);
    expect(addresses(nameless("a"))).toEqual(["thing:a", "thing:a"]);
    expect(addresses(liveThing(7, "b"))).toEqual(["thing:a", "thing:b"]);
  });
});

describe("the rights that the server gives to the creator of an object", () => {
  const kind: MapKind = toyKind();
  const made: Change = {
    ...{ ...thing("a"), action: "create" },
    fields: [
      { field: "size", before: null, after: 1 },
      { field: "last", before: null, after: 2 },
    ],
  };
  test("join its fields in the order of the kind; fields that the kind does not list come last", () =>
    expect(withImplied(kind, made, { owner: "me", colour: "red" })).toEqual({
      ...made,
      fields: [
        { field: "colour", before: null, after: "red", implied: true },
        { field: "size", before: null, after: 1 },
        { field: "last", before: null, after: 2 },
        { field: "owner", before: null, after: "me", implied: true },
      ],
    }));
  test("do not replace what the file says", () => expect(withImplied(kind, made, { size: 5, last: 6 })).toBe(made));
});
