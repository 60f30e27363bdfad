import { describe, expect, test } from "vitest";
import { declaredThing, liveThing, toyKind } from "../../test/support/plan/toy-kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import { matchObjects } from "./match.ts";

interface Row {
  readonly about: string;
  readonly declared: readonly DeclaredObject[];
  readonly live: readonly LiveObject[];
  /** Declared name → live id. */
  readonly found: { readonly [name: string]: number };
  readonly codes?: readonly string[];
}

const was = (name: string, old: string, colour?: string) =>
  declaredThing(name, colour === undefined ? {} : { colour }, { was: old });
const pin = (name: string, id: number) => declaredThing(name, {}, { id });

const ROWS: readonly Row[] = [
  {
    about: "by id, whatever the name",
    declared: [pin("red", 2), declaredThing("blue")],
    live: [liveThing(1, "red"), liveThing(2, "blue")],
    found: { red: 2 },
  },
  {
    about: "an id that no object has",
    declared: [pin("red", 7)],
    live: [liveThing(1, "red")],
    found: {},
    codes: ["plan/unknown-id"],
  },
  { about: "was, already renamed", declared: [was("red", "blue")], live: [liveThing(1, "red")], found: { red: 1 } },
  {
    about: "a swap, already made, and one of the objects was changed since",
    declared: [was("red", "blue", "red"), was("blue", "red", "blue")],
    live: [liveThing(1, "red", { colour: "green" }), liveThing(2, "blue", { colour: "blue" })],
    found: { red: 1, blue: 2 },
    codes: ["plan/swap-taken-as-done"],
  },
  {
    about: "a swap about which the fields show nothing",
    declared: [was("red", "blue"), was("blue", "red")],
    live: [liveThing(1, "blue"), liveThing(2, "red")],
    found: { red: 2, blue: 1 },
    codes: ["plan/ambiguous-swap"],
  },
  {
    about: "a swap that was interrupted after its first step",
    declared: [was("red", "blue"), was("blue", "red")],
    live: [liveThing(1, "red ~realmctl~1"), liveThing(2, "red")],
    found: { red: 1, blue: 2 },
  },
  {
    about: "an active object is preferred to an inactive one with the same name",
    declared: [declaredThing("red")],
    live: [liveThing(1, "red", { archived: true }), liveThing(2, "red")],
    found: { red: 2 },
  },
];

describe("matchObjects", () => {
  test.each(ROWS)("$about", ({ declared, live, found, codes = [] }) => {
    const { liveOf, diagnostics } = matchObjects(toyKind(), declared, live);
    expect(Object.fromEntries([...liveOf].map(([object, { id }]) => [object.name, id]))).toEqual(found);
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  test("a cycle among 10,000 renames needs neither quadratic time nor a deep stack", () => {
    const size = 10_000;
    const live = Array.from({ length: size }, (_, index) => liveThing(index, `n${index}`, { colour: `c${index}` }));
    const declared = live.map(({ fields }, index) => was(`n${(index + 1) % size}`, `n${index}`, String(fields.colour)));
    const { liveOf } = matchObjects(toyKind(), declared, live);
    expect([...liveOf].every(([object, { name }]) => object.was === name)).toBe(true);
  });
});
