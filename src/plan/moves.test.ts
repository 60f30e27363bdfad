import { expect, test } from "vitest";
import { toyKind } from "../../test/support/plan/toy-kind.ts";
import { realmOf } from "../../test/support/realm.ts";
import type { Move } from "../model/facets.ts";
import type { Address, Update } from "../model/plan.ts";
import { contextOf, movesOf } from "./context.ts";
import { realmsOf } from "./sections.ts";

const desired = { sections: new Map(), manage: {}, warnings: [] };
const context = contextOf(desired, realmsOf(desired, realmOf({}), []), [], new Set());

/** `a>b` frees the name a and takes b; `a>b 7` has the id 7; `!` needs two requests anyway. */
function moveOf(text: string): Move {
  const [, from = "", to = "", id, twice] = /^(\w)>(\w)(?: (\d))?(!)?$/.exec(text) ?? [];
  const address: Address = `thing:${to}`;
  const common = { kind: "thing", address, name: to, fields: [], risks: [] };
  const change: Update = { ...common, action: "update", was: from, ...(id !== undefined && { id: Number(id) }) };
  return { change, from, to, ...(twice === "!" && { isTwice: true }) };
}

test.each<{ fact: string; moves: readonly string[]; aside: { readonly [address: Address]: string }; requests: number }>(
  [
    {
      fact: "a swap: the one that needs two requests anyway, at no cost",
      moves: ["a>b 1", "b>a 2!"],
      aside: { "thing:a": "a ~realmctl~2" },
      requests: 0,
    },
    {
      fact: "two cycles of objects without ids: names that are unique",
      moves: ["x>a", "a>b", "b>a", "c>d", "d>c"],
      aside: { "thing:b": "b ~realmctl~1", "thing:d": "d ~realmctl~2" },
      requests: 2,
    },
  ],
)("$fact", ({ moves, aside, requests }) => {
  const kind = toyKind({ calls: { draft: () => [], moves: () => moves.map(moveOf) } });
  const planned = movesOf([{ kind, changes: [], live: [] }], context);
  const found = [...planned].flatMap(([address, move]) => (move.aside === undefined ? [] : [[address, move.aside]]));
  expect(Object.fromEntries(found)).toEqual(aside);
  expect([...planned.values()].reduce((sum, move) => sum + move.requests, 0)).toBe(requests);
  // An alternative of any request may need one.
  const temporary = [...planned.values()].map((move) => move.temporary);
  expect(new Set(temporary).size).toBe(new Set(moves.map((text) => moveOf(text).to)).size);
});

test("a kind names its objects in between", () => {
  const identity = { keyOf: (name: string) => name, temporaryName: (name: string, id: number) => `${id}-${name}` };
  const kind = toyKind({ identity, calls: { draft: () => [], moves: () => ["a>b 1", "b>a 2"].map(moveOf) } });
  expect(movesOf([{ kind, changes: [], live: [] }], context).get("thing:b")?.aside).toBe("1-b");
});

test("another object has the temporary name: the next one that is free", () => {
  const kind = toyKind({ calls: { draft: () => [], moves: () => ["a>b 1", "b>a 2"].map(moveOf) } });
  const live = ["b ~realmctl~1", "B~ ~realmctl~1"].map((name, id) => ({
    key: name,
    name,
    id: id + 10,
    fields: {},
    inactive: false,
  }));
  const aside = movesOf([{ kind, changes: [], live }], context).get("thing:b")?.aside;
  expect(aside).toBe("b~~ ~realmctl~1");
});
