import { describe, expect, test } from "vitest";
import { change as changeOf } from "../../test/support/example-plans.ts";
import { declaredThing, liveThing, toyKind } from "../../test/support/plan/toy-kind.ts";
import { defined } from "../model/defined.ts";
import type { MapKind } from "../model/kind.ts";
import type { Pair } from "../model/objects.ts";
import { type Candidates, chosenIn } from "./partial.ts";

const thing = toyKind();
const tool = toyKind({ name: "tool", section: "tools" });

const changed = (kind: MapKind, name: string) => changeOf({ action: "update", kind: kind.name, name, id: 1 });
/** Objects that the file mentions, objects that it only removes, and objects that are only on the server. */
const pairs = (kind: MapKind, mentioned: readonly string[], removed: readonly string[], there: readonly string[]) => [
  ...mentioned.map((name): Pair => pairOf(kind, name, { declared: declaredThing(name) })),
  ...removed.map((name): Pair => pairOf(kind, name, { live: liveThing(1, name), change: changed(kind, name) })),
  ...there.map((name): Pair => pairOf(kind, name, { live: liveThing(2, name) })),
];
const pairOf = (kind: MapKind, name: string, more: Partial<Pair>): Pair => ({
  kind: kind.name,
  address: `${kind.name}:${name}`,
  ...more,
});
const section = (kind: MapKind, own: readonly Pair[], isManaged = true): Candidates => ({
  kind,
  isManaged,
  pairs: own,
  changes: own.flatMap(({ change }) => change ?? []),
});

const all = [
  section(thing, pairs(thing, ["Alpha", "c#"], ["gamma"], ["delta"])),
  section(tool, pairs(tool, ["hammer"], [], [])),
  section(toyKind({ name: "other", section: "others" }), pairs(toyKind(), ["never"], [], []), false),
];
const chosen = (only: readonly string[], except: readonly string[] = [], sections: readonly Candidates[] = all) => {
  const found = chosenIn(sections, { only, except, needs: "refuse" });
  return {
    chosen: [...found.chosen].sort(),
    excepted: [...found.excepted].sort(),
    facts: found.diagnostics.map(({ code, fact }) => [code, fact]),
  };
};

describe("what targets choose", () => {
  test.each<{ fact: string; only?: readonly string[]; except?: readonly string[]; expected: readonly string[] }>([
    {
      fact: "without targets: everything that the file mentions or removes",
      expected: ["thing:*", "thing:Alpha", "thing:c#", "thing:gamma", "tool:*", "tool:hammer"],
    },
    {
      fact: "all of a section by names, with its order",
      only: ["thing:*"],
      expected: ["thing:*", "thing:Alpha", "thing:c#", "thing:gamma"],
    },
  ])("$fact", ({ only = [], except = [], expected }) =>
    expect(chosen(only, except)).toMatchObject({ chosen: expected, facts: [] }),
  );

  test.each([
    { fact: "--except names all of it", only: ["thing:gamma"], except: ["things"], isEmpty: true },
    { fact: "something is left", only: ["things"], except: ["thing:gamma"], isEmpty: false },
    { fact: "no object has such a name: that is another error", only: ["thing:zzzzzz"], except: [], isEmpty: false },
  ])("whether --except leaves nothing: $fact", ({ only, except, isEmpty }) =>
    expect(chosenIn(all, { only, except, needs: "refuse" }).isEmpty).toBe(isEmpty),
  );

  test("an object by each of its names", () => {
    const renamed = pairOf(thing, "new", {
      declared: declaredThing("new", {}, { was: "written" }),
      live: liveThing(3, "Served"),
      change: { ...changed(thing, "new"), name: "projected" },
    });
    const unchanged = pairOf(thing, "same", { declared: declaredThing("same") });
    for (const name of ["new", "written", "served", "projected"])
      expect(chosen([`thing:${name}`], [], [section(thing, [renamed, unchanged])]).chosen).toEqual(["thing:new"]);
  });
});

describe("targets that match nothing", () => {
  const noMatch = (pattern: string, meant?: string) => [
    "targets/no-match",
    {
      option: "--only",
      pattern: { pattern },
      section: "things",
      ...defined({ meant: meant === undefined ? undefined : { pattern: meant } }),
    },
  ];
  const noSection = (name: string, more: object) => [
    "targets/section",
    { option: "--only", name: { quoted: name }, sections: ["things", "tools"], ...more },
  ];
  test.each<{ fact: string; only: string; expected: readonly unknown[] }>([
    { fact: "a misspelt name", only: "thing:gama", expected: noMatch("thing:gama", "thing:gamma") },
    {
      fact: "a name with the # of messages",
      only: "thing:#gamma",
      expected: noMatch("thing:#gamma", "thing:gamma"),
    },
    { fact: "a name that is similar to none", only: "thing:zzzzzz", expected: noMatch("thing:zzzzzz") },
    { fact: "a misspelt kind", only: "toool:x", expected: noSection("toool", { found: "unknown", meant: "tool:x" }) },
    { fact: "another sign", only: "tool/x", expected: noSection("tool/x", { found: "unknown", meant: "tool:x" }) },
    { fact: "a word that is similar to none", only: "zzzzzz", expected: noSection("zzzzzz", { found: "unknown" }) },
    {
      fact: "a section that is not in the file, by its kind",
      only: "other:never",
      expected: noSection("others", { found: "absent" }),
    },
    {
      fact: "an object without its kind, whose name ends with such a sign",
      only: "c#",
      expected: noSection("c#", { found: "unknown", meant_object: { pattern: "thing:c#" } }),
    },
    {
      fact: "an object without its kind, whose name is similar to that of a section",
      only: "tol",
      expected: noSection("tol", { found: "unknown", meant: "tool" }),
    },
  ])("$fact", ({ only, expected }) => expect(chosen([only])).toEqual({ chosen: [], excepted: [], facts: [expected] }));

  test("a sign inside a misspelt name is part of it", () => {
    const own = section(thing, pairs(thing, ["cnet", "c#net"], [], []));
    expect(chosen(["thing:cx#net"], [], [own]).facts).toEqual([noMatch("thing:cx#net", "thing:c#net")]);
  });

  test("if a target is similar to the names of an object and a section, the object is suggested", () => {
    const own = section(thing, pairs(thing, ["thinks"], [], []));
    const [fact] = chosen(["thinks"], [], [own]).facts;
    expect(fact).toEqual([
      "targets/section",
      {
        option: "--only",
        name: { quoted: "thinks" },
        sections: ["things"],
        found: "unknown",
        meant_object: { pattern: "thing:thinks" },
      },
    ]);
  });
});
