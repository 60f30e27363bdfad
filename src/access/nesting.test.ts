import { describe, expect, test } from "vitest";
import { type AccessGroup, GroupNesting } from "./nesting.ts";
import { Population } from "./people.ts";

const population = new Population([1, 2, 3, 4, 5]);
const everybody = population.of([1, 2, 3, 4]);
const { nobody } = population;

const group = (name: string, members: readonly number[], subgroups: readonly string[] = []): AccessGroup => ({
  kind: "user_group",
  name,
  members: population.of(members),
  subgroups,
  deactivated: false,
  settings: new Map(),
});
/** all ⊃ staff, leads; staff ⊃ team; team ⊃ leads. 5 is deactivated. */
const staffed = () =>
  new GroupNesting([
    group("all", [], ["staff", "leads"]),
    group("staff", [1, 5], ["team"]),
    group("team", [2], ["leads"]),
    group("leads", [3]),
    group("others", [4]),
  ]);
const membersOf = (nesting: GroupNesting, name: string): readonly number[] => [
  ...nesting.membersOf(name, everybody, nobody),
];
const namesIn = (nesting: GroupNesting) => [...nesting.groups()].map(({ name }) => name);
const allMembers = (nesting: GroupNesting) =>
  Object.fromEntries(namesIn(nesting).map((name) => [name, membersOf(nesting, name)]));

describe("the active members of a group, with those of its subgroups", () => {
  test("a name that no group has is one step", () => {
    const nesting = staffed();
    membersOf(nesting, "unknown");
    expect(nesting.worked).toBe(1);
  });

  test("the members of a group are computed once, even if it is reached in two ways", () => {
    const nesting = staffed();
    membersOf(nesting, "all");
    expect(nesting.worked).toBe(4);
    allMembers(nesting);
    expect(nesting.worked).toBe(5);
  });
});

describe("groups that contain each other", () => {
  const cycle = () =>
    new GroupNesting([
      group("a", [1, 5], ["b"]),
      group("b", [2], ["c", "unknown"]),
      group("c", [3], ["a"]),
      group("around", [4], ["b"]),
      group("self", [2], ["self"]),
    ]);

  test.each([
    { name: "c", members: [1, 2, 3] },
    { name: "self", members: [2] },
  ])("$name has the active members of all groups that it contains", ({ name, members }) => {
    const nesting = cycle();
    expect(membersOf(nesting, name)).toEqual(members);
    expect(nesting.isKept(name)).toBe(false);
  });
});

describe("a group that changes", () => {
  const kept = () => {
    const nesting = staffed();
    allMembers(nesting);
    return nesting;
  };

  test("another subgroup, with exactly the same set of members", () => {
    const nesting = kept();
    const team = nesting.get("team");
    if (team === undefined) throw new RangeError("no team");
    expect([...nesting.put({ ...team, subgroups: ["others"] })].sort()).toEqual(["all", "staff", "team"]);
    expect(membersOf(nesting, "staff")).toEqual([1, 2, 4]);
  });

  test("a change of only its settings does not change memberships", () => {
    const nesting = kept();
    const before = nesting.get("team");
    const settings = new Map([["can_join_group", "role:members"]]);
    expect(before === undefined ? [] : nesting.put({ ...before, settings })).toEqual([]);
    expect([nesting.get("team")?.settings, nesting.isKept("team")]).toEqual([settings, true]);
  });

  test("after a change, its previous subgroups no longer count", () => {
    const nesting = kept();
    nesting.put(group("team", [2], []));
    allMembers(nesting);
    expect(nesting.put(group("leads", [4])).toSorted()).toEqual(["all", "leads"]);
    expect([...nesting.around(["leads"])]).toEqual(["leads", "all"]);
    expect(membersOf(nesting, "staff")).toEqual([1, 2]);
  });

  test("after its removal, the groups that contained it lose its members", () => {
    const nesting = kept();
    expect([...nesting.remove("team")].sort()).toEqual(["all", "staff", "team"]);
    expect(nesting.remove("team")).toEqual([]);
    expect(namesIn(nesting)).toEqual(["all", "staff", "leads", "others"]);
    expect([membersOf(nesting, "all"), membersOf(nesting, "staff"), nesting.get("team")]).toEqual([
      [1, 3],
      [1],
      undefined,
    ]);
    expect([...nesting.around(["leads"])]).toEqual(["leads", "all"]);
  });
});
