import { describe, expect, test } from "vitest";
import { PLAIN } from "../../test/support/model/plain-kind.ts";
import { declaredThing, line, liveThing, toyKind } from "../../test/support/plan/toy-kind.ts";
import { realmOf } from "../../test/support/realm.ts";
import type { MapKind } from "../model/kind.ts";
import type { Change, FieldChange } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { contextOf } from "./context.ts";
import { ordersBefore, risksOf, withKept } from "./risks.ts";
import { compareSections, realmsOf } from "./sections.ts";

// What a plan says about values that nothing can restore.

const field = (name: string, before: FieldChange["before"], more: Partial<FieldChange> = {}): FieldChange => ({
  field: name,
  before,
  after: "new",
  ...more,
});
const about = { kind: "thing", address: "thing:a", name: "a", risks: [] } as const;
const update = (fields: readonly FieldChange[], more: object = {}): Change => ({
  ...about,
  action: "update",
  id: 1,
  fields,
  ...more,
});
/** No request sets a colour to red again. */
const thing = toyKind({
  calls: { draft: () => [], canSet: (name, value) => name === "size" || value !== "red" },
  file: { ...PLAIN.file, fields: { colour: { about: "" }, picture: { about: "", isPicture: true } } },
});

const nothing = { manage: {}, sections: new Map(), warnings: [] };
const context = contextOf(nothing, realmsOf(nothing, realmOf({}), []), [], new Set());

describe("what is lost for good", () => {
  const red = field("colour", "red");
  const lost = (at?: object) => ({
    kind: "irreversible",
    address: "thing:a",
    fact: {
      kind: "cannot-be-set-again",
      object: { address: "thing:a", name: "a" },
      noun: "thing",
      field: "colour",
      before: { quoted: "red" },
    },
    ...at,
  });
  test.each<{ fact: string; change: Change; kind?: MapKind; expected: readonly object[] }>([
    {
      fact: "that value, at the place of its item",
      change: update([red], { at: line(2) }),
      expected: [lost({ at: line(2) })],
    },
    { fact: "not a picture", change: update([field("picture", "red")]), expected: [] },
    { fact: "not the value of a created object", change: { ...about, action: "create", fields: [red] }, expected: [] },
    {
      fact: "nothing, if the kind does not list irreversible fields",
      change: update([red]),
      kind: toyKind(),
      expected: [],
    },
  ])("$fact", ({ change, kind = thing, expected }) => expect(risksOf(kind, change, context)).toEqual(expected));

  test("a value that did not exist, and fields that the kind does not list, are no losses", () => {
    const never = toyKind({ calls: { draft: () => [], canSet: () => false } });
    expect(risksOf(never, update([field("colour", null)]), context)).toEqual([]);
    expect(risksOf(never, update([field("unlisted", 1)]), context)).toHaveLength(1);
  });
});

describe("orders that an undo needs", () => {
  const realm = new Realm(realmOf({}));
  const desired = (colour: string) =>
    ({
      manage: { things: "additive" },
      sections: new Map([["things", colour === "none" ? [] : [declaredThing("a", { colour })]]]),
      warnings: [],
    }) as const;
  const orders = (more: Partial<MapKind>, colour = "blue") => {
    const live = { read: () => [liveThing(1, "b"), liveThing(2, "a", { colour: "red" })] };
    const kind = toyKind({ ...more, live });
    const realms = realmsOf(desired(colour), realm.snapshot, [kind]);
    return ordersBefore(compareSections(desired(colour), [kind], realms, undefined), realm);
  };
  test.each<{ fact: string; kind: Partial<MapKind>; colour?: string; expected: object }>([
    {
      fact: "the order of a section that changes",
      kind: { diff: { ordered: true } },
      expected: { order: { thing: ["b", "a"] } },
    },
    { fact: "none if nothing changes", kind: { diff: { ordered: true } }, colour: "none", expected: {} },
    { fact: "none if the section's order has no meaning", kind: { diff: {} }, expected: {} },
    {
      fact: "none if no object is removed from it",
      kind: { diff: { ordered: true }, inactivity: { field: "archived" } },
      expected: {},
    },
  ])("$fact", ({ kind, colour, expected }) => expect(orders(kind, colour)).toEqual(expected));
});

describe("values that are kept", () => {
  const change = update([field("days", 1), field("options", 2)]);
  test.each<{ fact: string; kind: Partial<MapKind>; expected: readonly object[] }>([
    { fact: "none that the kind does not list", kind: { review: {} }, expected: change.fields },
    {
      fact: "messages",
      kind: { review: { keepsMessages: (item) => item.field === "days" } },
      expected: [{ ...field("days", 1), keeps_messages: true }, field("options", 2)],
    },
  ])("$fact", ({ kind, expected }) => expect(withKept(toyKind(kind), change, context).fields).toEqual(expected));

  test("a created object has no losses", () => {
    const made: Change = { ...about, action: "create", fields: change.fields };
    expect(withKept(toyKind({ review: { keepsMessages: () => true } }), made, context)).toBe(made);
  });
});
