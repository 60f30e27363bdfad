import { describe, expect, test } from "vitest";
import { declaredThing, line, liveThing, toyKind, toySingleton } from "../../test/support/plan/toy-kind.ts";
import { realmOf } from "../../test/support/realm.ts";
import type { Desired } from "../model/desired.ts";
import type { MapKind, ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";
import { contextOf } from "./context.ts";
import { compareSections, type Part, type Realms, realmsOf, type Section } from "./sections.ts";

// Folders have names in the reading; shelves belong to a folder, which they name.

const snapshot = realmOf({
  feature_level: 442,
  channel_folders: [{ name: "Company" }, { name: "Projects" }],
});
const foldersIn = (realm: Realm) => realm.snapshot.channel_folders ?? [];
const folder = toyKind({
  name: "folder",
  section: "folders",
  live: {
    read: (realm) => foldersIn(realm).map(({ id, name }) => liveThing(id, name)),
    renamed: (from, names) => ({
      channel_folders: from.channel_folders?.map((each) => ({ ...each, name: names.get(each.id) ?? each.name })) ?? [],
    }),
  },
});
const firstFolder = (realm: Realm): string => foldersIn(realm)[0]?.name ?? "";
const shelf = toyKind({
  name: "shelf",
  section: "shelves",
  live: { read: (realm) => [liveThing(7, "top", { folder: firstFolder(realm) })] },
});

type Declared = { readonly [section: string]: readonly DeclaredObject[] };
const desiredOf = (declared: Declared, more: Partial<Desired> = {}): Desired => ({
  manage: Object.fromEntries(Object.keys(declared).map((section) => [section, "additive"] as const)),
  sections: new Map(Object.entries(declared)),
  warnings: [],
  ...more,
});
const realms = (declared: Declared, kinds: readonly ResourceKind[] = [folder, shelf]) =>
  realmsOf(desiredOf(declared), snapshot, kinds);
const compared = (kind: ResourceKind, desired: Desired, part?: Part, kinds = [folder, shelf, kind]) =>
  sectionOf(kind, desired, realmsOf(desired, snapshot, kinds), part);
function sectionOf(kind: ResourceKind, desired: Desired, found: Realms, part?: Part): Section {
  const [section] = compareSections(desired, [kind], found, part);
  if (section === undefined) throw new Error("no section");
  return section;
}

const firm = declaredThing("Firm", {}, { was: "Company" });

describe("names after a plan", () => {
  test("are the current ones if nothing is renamed", () => {
    // An object without an id keeps its name, however the file spells it.
    const nameless: LiveObject = { ...liveThing(0, "default"), id: null };
    const mark = toyKind({ name: "mark", section: "marks", live: { read: () => [nameless] } });
    const { now, named } = realms({ folders: [declaredThing("Company")], marks: [declaredThing("DEFAULT")] }, [
      folder,
      mark,
    ]);
    expect(named).toBe(now);
  });

  test("an object that only names a renamed one does not differ, and keeps its own name", () => {
    const desired = desiredOf({ folders: [firm], shelves: [declaredThing("top", { folder: "Firm" })] });
    const { pairs, changes, matches } = compared(shelf, desired);
    expect([pairs[0]?.live?.fields, changes, matches]).toEqual([{ folder: "Firm" }, [], 1]);
    const [change] = compared(folder, desired).changes;
    expect(change).toMatchObject({ action: "update", was: "Company", name: "Firm" });
  });

  test("renames of objects that name renamed ones are shown with the new names", () => {
    const seenFor = (...declared: readonly DeclaredObject[]) => {
      const seen = new Set<string>();
      const read = (realm: Realm) => {
        seen.add(firstFolder(realm));
        return [liveThing(7, "top")];
      };
      realms({ folders: [firm], shelves: declared }, [folder, toyKind({ ...shelf, live: { read } })]);
      return [...seen].sort();
    };
    expect(seenFor(declaredThing("other"), declaredThing("upper", {}, { was: "top" }))).toEqual(["Company", "Firm"]);
    expect(seenFor(declaredThing("top"))).toEqual(["Company"]);
  });
});

describe("a kind that examines the changes of others", () => {
  const seenBy = (declared: Declared) => {
    const seen: string[] = [];
    const late = toyKind({
      name: "crew",
      section: "crews",
      live: { read: () => [] },
      diff: {
        resolveFromPlan: (object, live, { changes, realm }) => {
          const names = changes.map(({ action, address }) => `${action} ${address}`);
          seen.push(`${object.name} of ${live?.name}: ${names} in ${firstFolder(realm)}`);
          return { ...object, fields: { colour: `after ${changes.length}` } };
        },
      },
    });
    const team = toyKind({ name: "team", section: "teams", live: { read: () => [] } });
    const kinds = [late, folder, team];
    const desired = desiredOf(declared);
    const sections = compareSections(desired, kinds, realmsOf(desired, snapshot, kinds), undefined);
    expect(sections.map(({ kind }) => kind)).toEqual(kinds);
    return { seen, fields: sections[0]?.changes.map(({ fields }) => fields[0]?.after) };
  };
  const crews = [declaredThing("night")];
  const teams = [declaredThing("new")];
  test.each<{ fact: string; declared: Declared; seen: readonly string[]; fields: readonly string[] }>([
    {
      fact: "is compared after them, under the names after the plan",
      declared: { crews, folders: [firm], teams },
      seen: ["night of undefined: update folder:Firm,create team:new in Firm"],
      fields: ["after 2"],
    },
    {
      fact: "sees no changes if no other kind changes",
      declared: { crews },
      seen: ["night of undefined:  in Company"],
      fields: ["after 0"],
    },
    { fact: "is not asked if the file does not have its section", declared: { teams }, seen: [], fields: [] },
  ])("$fact", ({ declared, seen, fields }) => expect(seenBy(declared)).toEqual({ seen, fields }));
});

describe("a section compared with the server", () => {
  const some = [liveThing(1, "a"), liveThing(2, "b"), liveThing(3, "c", { archived: true })];
  const thing = (more: Partial<MapKind> = {}, live: readonly LiveObject[] | "unread" = some): MapKind =>
    toyKind({ ...more, live: { read: () => (live === "unread" ? undefined : live) } });

  test("that the file does not have is listed with its active objects", () => {
    expect(compared(thing(), desiredOf({}))).toEqual({
      kind: expect.anything(),
      isManaged: false,
      pairs: [],
      live: some,
      changes: [],
      matches: 0,
      unmanaged: [{ section: "things", policy: "absent", names: ["a", "b"] }],
      diagnostics: [],
    });
    expect(compared(thing({}, [liveThing(3, "c", { archived: true })]), desiredOf({})).unmanaged).toEqual([]);
    expect(compared(thing({}, "unread"), desiredOf({}))).toMatchObject({ live: [], unmanaged: [], diagnostics: [] });
  });

  test("has no undeclared objects if a file never lists it completely", () => {
    const partial = thing({ isPartial: true });
    expect(compared(partial, desiredOf({}))).toEqual({
      kind: partial,
      isManaged: false,
      pairs: [],
      live: [],
      changes: [],
      matches: 0,
      unmanaged: [],
      diagnostics: [],
    });
    expect(compared(partial, desiredOf({ things: [declaredThing("a")] }))).toMatchObject({
      isManaged: true,
      matches: 1,
      unmanaged: [],
    });
    expect(compared(thing(), desiredOf({ things: [declaredThing("a")] })).unmanaged).toEqual([
      { section: "things", policy: "additive", names: ["b"] },
    ]);
  });

  test("is an error if the reading does not have it", () => {
    const { isManaged, unmanaged, diagnostics } = compared(
      thing({}, "unread"),
      desiredOf({ things: [declaredThing("a")] }),
    );
    expect([isManaged, unmanaged, diagnostics.map(({ code }) => code)]).toEqual([true, [], ["plan/not-read"]]);
  });

  test("that always exists does not count as forgotten", () => {
    const only = toySingleton({ live: { read: () => ({ colour: "red" }) } });
    expect(compared(only, desiredOf({})).unmanaged).toEqual([]);
  });

  test("gets the defaults for fields that the file leaves out, if the file says so", () => {
    const live = [liveThing(1, "a", { colour: "red", size: 3 })];
    const diff = { defaults: (realm: Realm) => ({ colour: firstFolder(realm) }) };
    const kind = toyKind({ diff, live: { read: () => live } });
    const fields = (more: Partial<Desired>) =>
      compared(kind, desiredOf({ folders: [firm], things: [declaredThing("a")] }, more)).changes.flatMap((change) =>
        change.fields.map(({ field, after }) => [field, after]),
      );
    expect(fields({})).toEqual([]);
    expect(fields({ unset: { things: line(2) } })).toEqual([["colour", "Firm"]]);
  });

  const part = (more: Partial<Part>): Part => ({
    desired: desiredOf({}),
    matchings: new Map(),
    removes: () => false,
    orders: () => false,
    says: { only: [], except: [], taken_along: [], left_out: [] },
    ...more,
  });
  const turned = [declaredThing("b"), declaredThing("a")];
  const actions = (kind: ResourceKind, desired: Desired, own?: Part) =>
    compared(kind, desired, own).changes.map(({ action, address }) => `${action} ${address}`);

  test("loses the objects that a part removes", () => {
    const desired = desiredOf({ things: [declaredThing("a")] }, { manage: { things: "exact" } });
    expect(actions(thing(), desired)).toEqual(["remove thing:b"]);
    expect(actions(thing(), desired, part({}))).toEqual([]);
    expect(actions(thing(), desired, part({ removes: (_, { id }) => id === 2 }))).toEqual(["remove thing:b"]);
  });

  test.each([
    { fact: "keeps the matches that were made under the previous names", ids: [1, 2], expected: ["update thing:x"] },
    { fact: "is matched again if its objects have no ids", ids: [1, null], expected: ["create thing:x"] },
  ])("$fact", ({ ids, expected }) => {
    const live = ids.map((id, index) => ({ ...liveThing(index + 1, ["a", "b"][index] ?? "", { colour: "red" }), id }));
    const kind = toyKind({ live: { read: () => live } });
    const [, second] = live;
    const declared = declaredThing("x", { colour: "blue" });
    const liveOf = new Map(second === undefined ? [] : [[declared, second] as const]);
    const desired = desiredOf({ things: [declared] });
    const matchings = new Map([[kind, { liveOf, diagnostics: [] }]]);
    const { changes } = sectionOf(kind, desired, { ...realmsOf(desired, snapshot, [kind]), matchings });
    expect(changes.map(({ action, address }) => `${action} ${address}`)).toEqual(expected);
  });

  const order = "reorder thing:*";
  test.each<{ fact: string; kind: Partial<MapKind>; more?: Partial<Desired>; own?: Part; expected: readonly string[] }>(
    [
      {
        fact: "if it has a meaning under this policy and level",
        kind: { diff: { ordered: (policy, level) => policy === "additive" && level === 442 } },
        expected: [order],
      },
      { fact: "if an undo restores its order", kind: {}, more: { ordered: new Set(["things"]) }, expected: [order] },
      {
        fact: "not if an undo restores another section's order",
        kind: {},
        more: { ordered: new Set(["others"]) },
        expected: [],
      },
      { fact: "not if a part leaves it out", kind: { diff: { ordered: true } }, own: part({}), expected: [] },
    ],
  )("is reordered $fact", ({ kind, more = {}, own, expected }) =>
    expect(actions(thing(kind), desiredOf({ things: turned }, more), own)).toEqual(expected),
  );
});

describe("what kinds see of the whole", () => {
  const live = [liveThing(1, "a", { colour: "red" }), liveThing(2, "gone")];
  const nameless: LiveObject = { ...liveThing(0, "default"), id: null };
  const thing = toyKind({ live: { read: () => live } });
  const mark = toyKind({ name: "mark", section: "marks", live: { read: () => [nameless] } });
  const declared = {
    things: [declaredThing("a", { colour: "blue" }), declaredThing("new"), declaredThing("gone", {}, { absent: true })],
    marks: [declaredThing("default")],
  };
  const desired = desiredOf(declared, { manage: { things: "exact" } });
  const found = realmsOf(desired, snapshot, [thing, mark, folder]);
  const sections = compareSections(desired, [thing, mark, folder], found, undefined);
  const contextNow = () => contextOf(desired, found, sections, new Set(["thing:gone"]));

  test("realms, changes and pairs", () => {
    const context = contextNow();
    expect([context.realm, context.snapshot]).toEqual([found.named, snapshot]);
    expect(context.changes.map(({ action, address }) => `${action} ${address}`)).toEqual([
      "update thing:a",
      "create thing:new",
      "remove thing:gone",
    ]);
    expect(context.pairs("things")).toBe(sections[0]?.pairs);
    expect(context.pairs("others")).toEqual([]);
    expect(context.pair("thing:a")?.live?.id).toBe(1);
    expect(context.pair("thing:other")).toBeUndefined();
  });

  test("the sections of the file", () => {
    const context = contextNow();
    expect(context.declared("things")).toBe(declared.things);
    expect(context.declared("folders")).toEqual([]);
    expect(["things", "marks", "folders"].map((section) => context.manages(section))).toEqual([true, true, false]);
    expect(["things", "marks", "folders"].map((section) => context.policy(section))).toEqual([
      "exact",
      "additive",
      undefined,
    ]);
    expect([context.isNamedInFile("thing:gone"), context.isNamedInFile("thing:a")]).toEqual([true, false]);
  });

  test("ids, and references to future ids", () => {
    const context = contextNow();
    expect(context.idOf("thing:a")).toBe(1);
    expect(context.idOf("thing:new")).toEqual({ idOf: "thing:new" });
    for (const address of ["thing:other", "mark:default"] as const)
      expect(() => context.idOf(address)).toThrow("is neither on the server nor made by this plan");
  });

  test("of two objects with one address, the declared one", () => {
    const [first] = sections;
    const other = { ...declared.things[0], kind: "thing", address: "thing:a", live: liveThing(9, "a") } as const;
    const doubled = first === undefined ? [] : [{ ...first, pairs: [...first.pairs, other] }];
    expect(contextOf(desired, found, doubled, new Set()).idOf("thing:a")).toBe(1);
  });
});
