import { describe, expect, test } from "vitest";
import { declaredThing, line, liveThing, toyKind } from "../../test/support/plan/toy-kind.ts";
import type { LiveObject, Pair } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import { orderChange } from "./sections.ts";

const kind = toyKind({ inactivity: { field: "archived" } });
const address = (name: string) => `thing:${name}` as const;
const change = (name: string, action: "create" | "update" | "remove", archived?: boolean): Change => ({
  kind: "thing",
  action,
  address: address(name),
  name,
  fields: archived === undefined ? [] : [{ field: "archived", before: !archived, after: archived }],
  risks: [],
});
const [a, b, c] = [liveThing(1, "a"), liveThing(2, "b"), liveThing(3, "c")];
const asleep = liveThing(4, "s", { archived: true });
const both = (live: LiveObject, more: Partial<Pair> = {}): Pair => ({
  kind: "thing",
  address: address(live.name),
  declared: declaredThing(live.name),
  live,
  ...more,
});
const made = (name: string): Pair => ({
  kind: "thing",
  address: address(name),
  declared: declaredThing(name),
  change: change(name, "create"),
});
const stranger = (live: LiveObject, more: Partial<Pair> = {}): Pair => ({
  kind: "thing",
  address: address(live.name),
  live,
  ...more,
});

describe("the order of a section", () => {
  test("is one change of the section, with the place of the first object that moves", () => {
    const at = line(7);
    const pairs = [both(a), both(c, { declared: declaredThing("c", {}, { at }) }), both(b)];
    expect(orderChange(kind, pairs, [a, b, c])).toEqual({
      action: "reorder",
      kind: "thing",
      address: "thing:*",
      name: "things",
      fields: [{ field: "order", before: ["a", "b", "c"], after: ["a", "c", "b"], at }],
      at,
      risks: [],
    });
  });

  const rows: readonly { about: string; pairs: readonly Pair[]; order: readonly string[] | undefined }[] = [
    {
      about: "does not change if a new object comes last",
      pairs: [made("d"), both(a), both(b), both(c)],
      order: ["d", "a", "b", "c"],
    },
    {
      about: "includes created objects",
      pairs: [both(c), both(a), stranger(b)],
      order: ["c", "b", "a"],
    },
    {
      about: "leaves objects that the file does not declare in their places",
      pairs: [both(c), both(b), stranger(a, { change: change("a", "remove") })],
      order: ["c", "b"],
    },
    {
      about: "has no place for a removed object",
      pairs: [both(a, { declared: declaredThing("a", {}, { absent: true }) }), both(c), both(b)],
      order: ["c", "b"],
    },
    {
      about: "has no place for an object that is absent",
      pairs: [both(a, { change: change("a", "update", true) }), both(c), both(b)],
      order: ["c", "b"],
    },
    {
      about: "has no place for an object that becomes inactive, although it gets other fields too",
      pairs: [both(asleep), both(c), both(b), both(a)],
      order: ["c", "b", "a"],
    },
    {
      about: "has no place for an inactive object",
      pairs: [both(asleep, { change: change("s", "update", false) }), both(a), both(b), both(c)],
      order: ["s", "a", "b", "c"],
    },
  ];
  test.each(rows)("$about", ({ pairs, order }) => {
    const reordered = orderChange(kind, pairs, [a, b, c, asleep]);
    expect(reordered?.fields[0]?.after).toEqual(order);
  });

  test("works for a kind without inactive objects", () =>
    expect(
      orderChange(toyKind(), [both(b), both(a, { change: change("a", "update", true) })], [a, b])?.fields[0]?.after,
    ).toEqual(["b", "a"]));
});
