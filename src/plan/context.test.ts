import { describe, expect, test } from "vitest";
import { declaredThing, liveThing, toyKind } from "../../test/support/plan/toy-kind.ts";
import { realmOf } from "../../test/support/realm.ts";
import type { Desired } from "../model/desired.ts";
import type { Update } from "../model/plan.ts";
import { contextOf } from "./context.ts";
import { compareSections, realmsOf } from "./sections.ts";

// Shelves are written in two states, and exchange their names; boxes name a shelf that the file removes.
const moved = (from: string, name: string, id: number): Update => ({
  kind: "shelf",
  address: `shelf:${name}`,
  name,
  was: from,
  id,
  action: "update",
  fields: [],
  risks: [],
});
const shelf = toyKind({
  name: "shelf",
  section: "shelves",
  live: { read: () => [liveThing(7, "low"), liveThing(8, "high")] },
  calls: {
    draft: () => [],
    writtenStates: ["written", "written-early"],
    moves: () => [
      { change: moved("a", "b", 1), from: "a", to: "b" },
      { change: moved("b", "a", 2), from: "b", to: "a" },
    ],
  },
});
const base = toyKind();
const box = toyKind({
  name: "box",
  section: "boxes",
  file: {
    ...base.file,
    names: ({ fields }) =>
      typeof fields.shelf === "string" ? [{ kind: "shelf", name: fields.shelf, field: "shelf" }] : [],
  },
  live: { read: () => [liveThing(3, "tin", { shelf: "low" })] },
});
const kinds = [shelf, box];
const desired: Desired = {
  sections: new Map([["shelves", [declaredThing("low", {}, { absent: true }), declaredThing("high")]]]),
  manage: {},
  warnings: [],
};
const realms = realmsOf(desired, realmOf({}), kinds);
const contextNow = () => contextOf(desired, realms, compareSections(desired, kinds, realms, undefined), new Set());

describe("what kinds are told about a plan", () => {
  test.each<{ fact: string; address: `${string}:${string}`; states: readonly string[] }>([
    {
      fact: "a kind that says in which states an object is written",
      address: "shelf:low",
      states: ["written", "written-early"],
    },
    { fact: "a name with a colon", address: "shelf:low: left", states: ["written", "written-early"] },
    { fact: "a kind that does not say", address: "box:tin", states: ["written"] },
    { fact: "an unknown kind", address: "crate:old", states: ["written"] },
  ])("all states of a whole object: $fact", ({ address, states }) =>
    expect(contextNow().whole(address)).toEqual(states.map((state) => ({ state, address }))),
  );

  test("the names that objects exchange", () => {
    const context = contextNow();
    expect(context.move("shelf:b")?.aside).toBe("b ~realmctl~1");
    expect([context.move("shelf:a")?.aside, context.move("box:tin")]).toEqual([undefined, undefined]);
  });

  test("what names an object", () => {
    const context = contextNow();
    const namings = (name: string) => {
      const pair = context.pair(`shelf:${name}`);
      return pair === undefined ? undefined : context.namings(pair).map(({ by }) => by?.address);
    };
    expect([namings("low"), namings("high")]).toEqual([["box:tin"], []]);
  });
});
