import { describe, expect, test } from "vitest";
import { change, field, removal, thing } from "../../test/support/apply/toy.ts";
import type { Change } from "../model/plan.ts";
import { UndoPlaces } from "./undo-places.ts";

const inactive = field("deactivated", true, false);
const [text, colour] = [field("text", "a", "b"), field("colour", "red", "blue")];
const first = change("a", 1, text, colour);
const back = change("b", 2, inactive, text);
const gone = removal("c", 3, text);
const unknown: Change = { ...change("d", 4, inactive), kind: "other" };
const changes = [first, back, gone, unknown];
const other = { ...thing, name: "mark", inactivity: { field: "archived" } } as const;
const inUse = { ...thing, inactivity: { field: "deactivated" } } as const;
const placesOf = () => new UndoPlaces("journal", changes, [other, inUse]);

describe("the place of a declaration of an undo identifies", () => {
  test.each<{ what: string; of: Change; field?: string; part: unknown }>([
    { what: "a change of the run", of: first, part: { of: first, kind: "thing" } },
    { what: "a field of that change", of: first, field: "text", part: { of: text, field: "text", kind: "thing" } },
    {
      what: "another field of that change",
      of: first,
      field: "colour",
      part: { of: colour, field: "colour", kind: "thing" },
    },
    {
      what: "the whole change, for a field that it does not have",
      of: first,
      field: "size",
      part: { of: first, kind: "thing" },
    },
    {
      what: "the whole change, for whether the object is active",
      of: back,
      field: "deactivated",
      part: { of: back, kind: "thing" },
    },
    {
      what: "a field of a reactivated object",
      of: back,
      field: "text",
      part: { of: text, field: "text", kind: "thing" },
    },
    { what: "the whole removal, for a field of it", of: gone, field: "text", part: { of: gone, kind: "thing" } },
    {
      what: "a field of an object of an unknown kind",
      of: unknown,
      field: "deactivated",
      part: { of: inactive, field: "deactivated", kind: "other" },
    },
  ])("$what", ({ of, field: name, part }) => {
    const places = placesOf();
    expect(places.partAt(places.of(of, name))).toEqual(part);
  });

  test("a field that no change of the run names", () => {
    const places = placesOf();
    const spots = [places.ofKept("thing:x:y", "text"), places.ofKept("mark:z", "size")];
    expect(spots.map((spot) => places.partAt(spot))).toEqual([
      { of: "thing:x:y\ntext", field: "text", kind: "thing" },
      { of: "mark:z\nsize", field: "size", kind: "mark" },
    ]);
    const own = [first, back, gone, unknown].map((each) => places.partAt(places.of(each))?.of);
    expect(own).toEqual([first, back, gone, unknown]);
  });

  test("nothing, without a change, in another file, and beyond the run's changes", () => {
    const places = placesOf();
    expect(places.of(undefined)).toEqual({ file: "journal", line: 1, column: 1, endLine: 1, endColumn: 1 });
    expect(places.of(change("e", 5))).toEqual(places.of(undefined));
    const spot = places.of(first);
    expect([
      places.partAt(places.of(undefined)),
      places.partAt(undefined),
      places.partAt({ ...spot, file: "realm.yaml" }),
      places.partAt({ ...spot, column: 99 }),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});

test("a field of an object whose kind has no inactive objects is a part of its own", () => {
  const { inactivity: _, ...plain } = inUse;
  const places = new UndoPlaces("journal", changes, [plain]);
  expect(places.partAt(places.of(first, "text"))).toEqual({ of: text, field: "text", kind: "thing" });
});
