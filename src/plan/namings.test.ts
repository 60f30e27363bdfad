import { describe, expect, test } from "vitest";
import { PLAIN } from "../../test/support/model/plain-kind.ts";
import { declaredThing, liveThing, toyKind, toySingleton } from "../../test/support/plan/toy-kind.ts";
import { realmOf } from "../../test/support/realm.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { inactive, removed, written } from "../model/draft-call.ts";
import type { MapKind, ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject, Named } from "../model/objects.ts";
import { contextOf } from "./context.ts";
import { compareSections, realmsOf } from "./sections.ts";

/** Things name folders in `folder`; in `seen`, without having them in use; and the folder of a number in `number`. */
const names = (object: { readonly fields: LiveObject["fields"] }): readonly Named[] => {
  const { folder, seen, number } = object.fields;
  return [
    ...(typeof folder === "string" ? [{ kind: "folder", name: folder, field: "folder" }] : []),
    ...(typeof seen === "string" ? [{ kind: "folder", name: seen, field: "seen", isUse: false } as const] : []),
    ...(typeof number === "number" ? [{ kind: "folder", id: number, field: "number" }] : []),
  ];
};
const file = { ...PLAIN.file, fields: { folder: { about: "" }, seen: { about: "" }, number: { about: "" } }, names };

interface Given {
  readonly live?: readonly LiveObject[];
  readonly declared?: readonly DeclaredObject[];
  readonly more?: Partial<MapKind>;
  readonly also?: readonly ResourceKind[];
}

/** What names the folder `box` with the id 7. */
function namingsOf({ live = [], declared, more = {}, also = [] }: Given) {
  const box = toyKind({ name: "folder", section: "folders", live: { read: () => [liveThing(7, "box")] } });
  const thing = toyKind({ file, live: { read: () => live }, ...more });
  const kinds = [box, thing, ...also];
  const sections = new Map([["folders", [declaredThing("box", {}, { absent: true })]]]);
  if (declared !== undefined) sections.set("things", [...declared]);
  const desired: Desired = { sections, manage: { things: "exact" }, warnings: [] };
  const realms = realmsOf(desired, realmOf({}), kinds);
  const context = contextOf(desired, realms, compareSections(desired, kinds, realms, undefined), new Set());
  const pair = context.pair("folder:box");
  return pair === undefined ? [] : context.namings(pair);
}
const shown = (given: Given) =>
  namingsOf(given).map(({ field, by, isNow, isNext, change, end }) => ({
    by: by?.name,
    field,
    ...{ isNow, isNext },
    ...defined({ change: change?.action, end: change === undefined ? undefined : end }),
  }));
const ending = (is: object) => [{ by: "a", field: "folder", isNow: true, isNext: false, change: "update", ...is }];

describe("what names an object", () => {
  const a = liveThing(1, "a", { folder: "box" });
  const stays = { isNow: true, isNext: true };
  test.each<{ fact: string; given: Given; expected: readonly object[] }>([
    {
      fact: "a section that is not in the file",
      given: { live: [a] },
      expected: [{ by: "a", field: "folder", ...stays }],
    },
    {
      fact: "a declared object whose field the file leaves out",
      given: { live: [a], declared: [declaredThing("a")] },
      expected: [{ by: "a", field: "folder", ...stays }],
    },
    {
      fact: "the key counts, not the letters",
      given: { live: [liveThing(1, "a", { folder: "BOX" })] },
      expected: [{ by: "a", field: "folder", ...stays }],
    },
    {
      fact: "an id",
      given: { live: [liveThing(1, "a", { number: 7 }), liveThing(2, "b", { number: 8 })] },
      expected: [{ by: "a", field: "number", ...stays }],
    },
    { fact: "a name that is no use", given: { live: [liveThing(1, "a", { seen: "box" })] }, expected: [] },
    { fact: "another name", given: { live: [liveThing(1, "a", { folder: "bag" })] }, expected: [] },
    {
      fact: "a field that no file has",
      given: {
        live: [liveThing(1, "a")],
        more: {
          live: { read: () => [liveThing(1, "a")], otherNames: () => [{ kind: "folder", name: "box", field: "x" }] },
        },
      },
      expected: [{ by: "a", field: "x", ...stays }],
    },
    {
      fact: "a field that gets another value",
      given: { live: [a], declared: [declaredThing("a", { folder: "bag" })] },
      expected: ending({ end: [written("thing:a")] }),
    },
    {
      fact: "an object that is deleted",
      given: { live: [a], declared: [] },
      expected: ending({ isNext: true, change: "remove", end: [removed("thing:a")] }),
    },
    {
      fact: "an object that is archived",
      given: { live: [a], declared: [], more: { inactivity: { field: "archived" } } },
      expected: ending({ isNext: true, change: "remove", end: [inactive("thing:a")] }),
    },
    {
      fact: "a new object",
      given: { declared: [declaredThing("a", { folder: "box" })] },
      expected: ending({ isNow: false, isNext: true, change: "create", end: [removed("thing:a")] }),
    },
  ])("$fact", ({ given, expected }) => expect(shown(given)).toEqual(expected));

  test("a singleton has no name", () => {
    const settings = toySingleton({ name: "rule", section: "rules", file, live: { read: () => ({ folder: "box" }) } });
    expect(shown({ also: [settings] })).toEqual([{ by: undefined, field: "folder", ...stays }]);
  });

  test("whether the object is in use, before and after", () => {
    const more = { inactivity: { field: "archived" } } as const;
    const archived = liveThing(1, "a", { folder: "box", archived: true });
    const states = (given: Given) => namingsOf(given).map(({ wasInactive, isInactive }) => [wasInactive, isInactive]);
    expect(states({ live: [archived], more })).toEqual([[true, true]]);
    expect(states({ live: [archived], declared: [declaredThing("a", { archived: false })], more })).toEqual([
      [true, false],
    ]);
    expect(states({ live: [a], declared: [], more })).toEqual([[false, true]]);
    expect(states({ live: [a], declared: [] })).toEqual([[false, true]]);
    expect(states({ live: [a] })).toEqual([[false, false]]);
  });
});
