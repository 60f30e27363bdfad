import { expect, test } from "vitest";
import { planFiles } from "../../src/export/check.ts";
import { kinds } from "../../src/kinds/registry.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { RUNS } from "./arbitrary.ts";

/* Lists of people against sets: groups A to D, of which each can only name those after it, so that there is no cycle. */

const PEOPLE = ["ada", "ben", "chiara", "dmitri", "elif", "farah"].map((name) => `${name}@acme.example`);
const NAMES = ["a", "b", "c", "d"] as const;
const some = fc.subarray(PEOPLE);
const named = fc.record({ groups: fc.subarray([...NAMES]), users: some });
const list = fc.record({ who: named, except: named });
type List = typeof list extends fc.Arbitrary<infer T> ? T : never;

/** The list as the checks of a file accept it: nothing is in both, and except has something to take out. */
function written({ who, except }: List, later: readonly string[]) {
  const groups = who.groups.filter((name) => later.includes(name));
  const out = {
    groups:
      groups.length + who.users.length === 0
        ? []
        : except.groups.filter((name) => later.includes(name) && !groups.includes(name)),
    users: groups.length === 0 ? [] : except.users.filter((name) => !who.users.includes(name)),
  };
  return { groups, users: who.users, except: out };
}

test("a plan gives groups and channels the people that sets give them", () =>
  fc.assert(
    fc.asyncProperty(
      fc.tuple(list, list, list, list, list),
      fc.tuple(some, some, some, some, some),
      async ([first, second, third, , last], [a, b, c, d, there]) => {
        const lists = {
          a: written(first, ["b", "c", "d"]),
          b: written(second, ["c", "d"]),
          c: written(third, ["d"]),
        };
        const hall = written(last, NAMES);
        const sets = new Map<string, ReadonlySet<string>>([["d", new Set(d)]]);
        const inAny = ({ groups, users }: { groups: readonly string[]; users: readonly string[] }): Set<string> =>
          new Set([...users, ...groups.flatMap((name) => [...(sets.get(name) ?? [])])]);
        const inList = (one: typeof hall): readonly string[] => {
          const out = inAny(one.except);
          return [...inAny(one)].filter((name) => !out.has(name)).sort();
        };
        for (const name of ["c", "b", "a"] as const) sets.set(name, new Set(inList(lists[name])));
        const live = realmOf({
          channels: [{ name: "hall" }],
          subscribers: { hall: there },
          user_groups: Object.entries({ a, b, c, d }).map(([name, members]) => ({ name, members })),
        });
        const file = {
          version: 1,
          user_groups: Object.fromEntries(Object.entries(lists).map(([name, members]) => [name, { members }])),
          channels: { hall: { subscribers: { ...hall, exact: true } } },
        };
        const plan = await planFiles(new Map([["realm.yaml", JSON.stringify(file)]]), "realm.yaml", {
          snapshot: live,
          kinds,
        });
        if (!plan.ok) throw new Error(JSON.stringify(plan.diagnostics));
        const after = (address: string, field: string, now: readonly string[]): unknown =>
          plan.value.changes.find((change) => change.address === address)?.fields.find((one) => one.field === field)
            ?.after ?? [...now].sort();
        expect({
          a: after("user_group:a", "members", a),
          b: after("user_group:b", "members", b),
          c: after("user_group:c", "members", c),
          hall: after("channel:hall", "subscribers", there),
        }).toEqual({ a: inList(lists.a), b: inList(lists.b), c: inList(lists.c), hall: inList(hall) });
      },
    ),
    { numRuns: RUNS },
  ));
