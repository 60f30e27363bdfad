import { describe, expect, test } from "vitest";
import { type AccessGroup, GroupNesting } from "./nesting.ts";
import { type People, Population } from "./people.ts";

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
  test.each([
    { name: "leads", members: [3] },
    { name: "team", members: [2, 3] },
    { name: "staff", members: [1, 2, 3] },
    { name: "all", members: [1, 2, 3] },
    { name: "others", members: [4] },
    { name: "unknown", members: [] },
  ])("$name", ({ name, members }) => expect(membersOf(staffed(), name)).toEqual(members));

  test("the order in which groups are computed does not matter", () => {
    const turned = new GroupNesting([...staffed().groups()].reverse());
    expect(allMembers(turned)).toEqual(allMembers(staffed()));
  });

  test("a subgroup that does not exist has no members", () =>
    expect(membersOf(new GroupNesting([group("crew", [1], ["unknown", "team"]), group("team", [2])]), "crew")).toEqual([
      1, 2,
    ]));

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
    { name: "a", members: [1, 2, 3] },
    { name: "c", members: [1, 2, 3] },
    { name: "around", members: [1, 2, 3, 4] },
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

  test.each<{ change: string; put: AccessGroup; forgotten: readonly string[]; members: { [group: string]: number[] } }>(
    [
      {
        change: "other members",
        put: group("team", [4], ["leads"]),
        forgotten: ["team", "staff", "all"],
        members: { all: [1, 3, 4], staff: [1, 3, 4], team: [3, 4], leads: [3], others: [4] },
      },
      {
        change: "another subgroup",
        put: group("team", [2], ["others"]),
        forgotten: ["team", "staff", "all"],
        members: { all: [1, 2, 3, 4], staff: [1, 2, 4], team: [2, 4], leads: [3], others: [4] },
      },
      {
        change: "a new group, which no group contains",
        put: group("new", [4], ["team"]),
        forgotten: [],
        members: { all: [1, 2, 3], staff: [1, 2, 3], team: [2, 3], leads: [3], others: [4], new: [2, 3, 4] },
      },
    ],
  )("$change", ({ put, forgotten, members }) => {
    const nesting = kept();
    expect([...nesting.put(put)].sort()).toEqual([...forgotten].sort());
    expect(allMembers(nesting)).toEqual(members);
  });

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

  test("a change does not affect earlier copies", () => {
    const nesting = kept();
    const copy = nesting.copy();
    nesting.put(group("team", [4]));
    nesting.remove("others");
    expect(copy.isKept("team")).toBe(true);
    expect(allMembers(copy)).toEqual(allMembers(staffed()));
    expect(copy.worked).toBe(0);
  });
});

test("if other accounts are active, members are computed again", () => {
  const nesting = staffed();
  membersOf(nesting, "all");
  nesting.forgetAll();
  const fewer: People = population.of([3, 5]);
  expect([...nesting.membersOf("all", fewer, nobody)].sort()).toEqual([3, 5]);
});

test.each([
  { names: ["leads"], around: ["leads", "all", "team", "staff"] },
  { names: ["team", "others"], around: ["team", "others", "staff", "all"] },
  { names: ["unknown"], around: ["unknown"] },
  { names: [], around: [] },
])("the groups around $names are these groups and all groups that contain them", ({ names, around }) =>
  expect([...staffed().around(names)]).toEqual(around),
);
