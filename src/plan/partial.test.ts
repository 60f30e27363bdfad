import { describe, expect, test } from "vitest";
import { draft as draftOf } from "../../test/support/changes.ts";
import { PLAIN } from "../../test/support/model/plain-kind.ts";
import { declaredThing, line, liveThing, toyKind } from "../../test/support/plan/toy-kind.ts";
import { realmOf } from "../../test/support/realm.ts";
import { AccessDifference } from "../access/difference.ts";
import { stateOf } from "../access/state.ts";
import { defined } from "../model/defined.ts";
import { type DraftCall, exists, released } from "../model/draft-call.ts";
import type { MapKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject, Pair } from "../model/objects.ts";
import type { Address, Change, FieldChange } from "../model/plan.ts";
import type { Targets } from "../model/plan-schema.ts";
import { Realm } from "../model/realm.ts";
import { partOf, type Whole } from "./partial.ts";

// Groups, and rooms that belong to a group: a room names its owner.

const realm = new Realm(realmOf({}));
const nobody = stateOf(realm);
const group = toyKind({ name: "group", section: "groups", inactivity: { field: "archived" } });
const room = toyKind({
  name: "room",
  section: "rooms",
  file: {
    ...PLAIN.file,
    names: ({ fields }) => [
      { kind: "group", ...defined({ name: ownerIn(fields) }), field: "owner" },
      { kind: "unknown", name: "crew", field: "colour" },
    ],
    withNames: (object, nameOf) => {
      const owner = ownerIn(object.fields);
      return owner === undefined ? object : { ...object, fields: { ...object.fields, owner: nameOf("group", owner) } };
    },
  },
});
const ownerIn = ({ owner }: DeclaredObject["fields"]): string | undefined =>
  typeof owner === "string" ? owner : undefined;

interface Item {
  readonly kind: MapKind;
  readonly name: string;
  readonly does?: "create" | "remove" | "update" | "nothing";
  readonly was?: string;
  readonly id?: number;
  readonly owner?: string;
  readonly fields?: readonly FieldChange[];
  readonly at?: Change["at"];
  /** The file does not mention it. */
  readonly undeclared?: true;
}

function changeOf({ kind, name, does = "update", was, id, fields = [], at }: Item): Change | undefined {
  const address: Address = `${kind.name}:${name}`;
  const about = { kind: kind.name, address, name, fields, risks: [], ...defined({ at }) };
  if (does === "nothing") return undefined;
  if (does === "create") return { action: "create", ...about };
  if (does === "remove") return { action: "remove", ...about, ...defined({ id }) };
  return { action: "update", ...about, ...defined({ id, was }) };
}

function pairOf(item: Item): Pair {
  const { kind, name, id, was, owner, undeclared } = item;
  return {
    kind: kind.name,
    address: `${kind.name}:${name}`,
    ...defined({
      declared: undeclared ? undefined : declaredThing(name, { ...defined({ owner }) }),
      live: id === undefined ? undefined : liveThing(id, was ?? name),
      change: changeOf(item),
    }),
  };
}

function wholeOf(items: readonly Item[], drafts: readonly DraftCall[] = [], reorders = false): Whole {
  const sections = [group, room].map((kind) => {
    const pairs = items.filter((item) => item.kind === kind).map(pairOf);
    const order: Change = { action: "reorder", kind: "room", address: "room:*", name: "*", fields: [], risks: [] };
    const changes = [...pairs.flatMap(({ change }) => change ?? []), ...(reorders && kind === room ? [order] : [])];
    return { kind, pairs, changes, isManaged: true, live: pairs.flatMap(({ live }) => live ?? []) };
  });
  const declared = sections.map(
    ({ kind, pairs }) => [kind.section, pairs.flatMap((pair) => pair.declared ?? [])] as const,
  );
  const matchings = sections.map(({ kind, pairs }) => {
    const liveOf = new Map<DeclaredObject, LiveObject>();
    for (const pair of pairs)
      if (pair.declared !== undefined && pair.live !== undefined) liveOf.set(pair.declared, pair.live);
    return [kind, { liveOf, diagnostics: [] }] as const;
  });
  return {
    desired: { manage: {}, sections: new Map(declared), warnings: [] },
    sections,
    left: [],
    drafts,
    access: () => ({ before: nobody, after: nobody, difference: new AccessDifference(nobody, nobody) }),
    realms: { now: realm, named: realm, matchings: new Map(matchings) },
  };
}

const part = (whole: Whole, targets: Partial<Targets>, isAgain = false) =>
  partOf(whole, { only: [], except: [], needs: "refuse", ...targets }, isAgain);

/** The objects that a part includes in addition, or that it lacks. */
function neededBy(whole: Whole, only: readonly string[], needs: Targets["needs"] = "take") {
  const found = part(whole, { only, needs });
  return found.ok
    ? found.part.says.taken_along.map(({ object, for: by }) => [object.address, by.address])
    : found.diagnostics.map(({ code, fact, at }) => ({ code, fact, line: at?.line }));
}

const owned = (owner: string): Item => ({ kind: room, name: "hall", id: 1, owner });
const archived = (before: boolean, after: boolean): FieldChange => ({ field: "archived", before, after });

describe("what an object needs if it names another one", () => {
  test.each<{ fact: string; named: Item; owner?: string; needs: boolean }>([
    { fact: "a created object", named: { kind: group, name: "crew", does: "create" }, needs: true },
    {
      fact: "a reactivated object with other values",
      named: {
        kind: group,
        name: "crew",
        id: 9,
        fields: [archived(true, false), { field: "size", before: 1, after: 2 }],
      },
      needs: true,
    },
    {
      fact: "an object that becomes inactive",
      named: { kind: group, name: "crew", id: 9, fields: [archived(false, true)] },
      needs: false,
    },
  ])("$fact: $needs", ({ named, owner = "crew", needs }) =>
    expect(neededBy(wholeOf([named, owned(owner)]), ["room:hall"])).toEqual(needs ? [["group:crew", "room:hall"]] : []),
  );

  test("the renamed object, if the kind cannot use the previous name", () => {
    const { withNames: _, ...file } = room.file;
    const stiff = toyKind({ ...room, file });
    const whole = wholeOf([{ kind: group, name: "crew", id: 9, was: "watch" }, owned("crew")]);
    const sections = whole.sections.map((each) => (each.kind === room ? { ...each, kind: stiff } : each));
    expect(neededBy({ ...whole, sections }, ["room:hall"])).toEqual([["group:crew", "room:hall"]]);
  });

  test("the object that gets the previous name of the named one", () => {
    const whole = wholeOf([
      { kind: group, name: "watch", id: 8, was: "night" },
      { kind: group, name: "crew", id: 9, was: "watch" },
      owned("crew"),
    ]);
    expect(neededBy(whole, ["room:hall"])).toEqual([["group:watch", "room:hall"]]);
  });
});

describe("what an object needs if its requests wait for others", () => {
  const draft = (name: string, more: Partial<DraftCall>) => draftOf("change", `room:${name}`, [], more);
  const rooms = (...names: readonly string[]): readonly Item[] =>
    names.map((name, index) => ({ kind: room, name, id: index + 1 }));

  test("everything that they wait for, and the dependencies of those", () => {
    const whole = wholeOf(rooms("a", "b", "c", "d"), [
      draft("a", { needs: [exists("room:b")] }),
      draft("a", { operation: "first" }),
      draft("b", { provides: [exists("room:b")], needs: [exists("room:c")] }),
      draft("c", { provides: [exists("room:c")] }),
      draft("d", { needs: [exists("room:elsewhere")] }),
    ]);
    expect(neededBy(whole, ["room:a"])).toEqual([
      ["room:b", "room:a"],
      ["room:c", "room:b"],
    ]);
    expect(neededBy(whole, ["room:d"])).toEqual([]);
    expect(neededBy(whole, ["room:a", "room:b", "room:c"], "refuse")).toEqual([]);
  });

  test("nothing, if the dependency is soft", () => {
    const drafts = [
      draft("a", { needs: [released("room:b")], softNeeds: [exists("room:b")] }),
      draft("b", { provides: [released("room:b"), exists("room:b")] }),
    ];
    expect(neededBy(wholeOf(rooms("a", "b"), drafts), ["room:a"])).toEqual([]);
  });

  test.each<{ is_to: string; needed: Partial<Item> }>([
    { is_to: "remove", needed: { does: "remove", undeclared: true, id: 2 } },
    { is_to: "rename", needed: { id: 2, was: "old" } },
    { is_to: "change", needed: { id: 2 } },
  ])("a needed object that is not chosen, if its change is: $is_to", ({ is_to, needed }) => {
    const drafts = [draft("a", { needs: [exists("room:b")] }), draft("b", { provides: [exists("room:b")] })];
    const whole = wholeOf([...rooms("a"), { kind: room, name: "b", ...needed }], drafts);
    expect(neededBy(whole, ["room:a"], "refuse")).toEqual([
      {
        code: "targets/needs",
        fact: {
          object: { address: "room:a", name: "a" },
          needs: { address: "room:b", name: "b", ...defined({ was: needed.was }) },
          is_to,
          excepted: false,
        },
        line: undefined,
      },
    ]);
  });

  test.each<{ fact: string; item: Partial<Item>; line: number | undefined }>([
    { fact: "at its item", item: { at: line(7), fields: [{ field: "x", before: 1, after: 2, at: line(8) }] }, line: 7 },
    {
      fact: "at the first field that has a place",
      item: {
        fields: [
          { field: "w", before: 1, after: 2 },
          { field: "x", before: 1, after: 2, at: line(8) },
        ],
      },
      line: 8,
    },
  ])("is an error $fact", ({ item, line: at }) => {
    const drafts = [draft("a", { needs: [exists("room:b")] }), draft("b", { provides: [exists("room:b")] })];
    const whole = wholeOf([{ kind: room, name: "a", id: 1, ...item }, ...rooms("b")], drafts);
    expect(neededBy(whole, ["room:a"], "refuse")).toMatchObject([{ line: at }]);
  });
});

describe("the file for a part", () => {
  const items: readonly Item[] = [
    { kind: group, name: "crew", id: 1, was: "watch" },
    { kind: group, name: "team", id: 2, was: "squad" },
    { kind: group, name: "gone", id: 3, does: "remove", undeclared: true },
    { kind: group, name: "old", id: 4, does: "nothing", undeclared: true },
    { kind: room, name: "hall", id: 5, owner: "crew" },
    { kind: room, name: "yard", id: 6, owner: "team" },
    { kind: room, name: "shed", does: "remove", undeclared: true, id: 7 },
  ];
  const found = (only: readonly string[], reorders = false) => {
    const made = part(wholeOf(items, [], reorders), { only });
    if (!made.ok) throw new RangeError("no part");
    return made.part;
  };
  const objects = (only: readonly string[]) =>
    Object.fromEntries(
      [...found(only).desired.sections].map(([section, declared]) => [
        section,
        declared.map(({ name, fields }) => [name, fields.owner]),
      ]),
    );

  test("has the chosen objects, with the names that the other objects keep", () =>
    expect(objects(["room:hall", "room:yard", "group:team"])).toEqual({
      groups: [["team", undefined]],
      rooms: [
        ["hall", "watch"],
        ["yard", "team"],
      ],
    }));

  test("means the same live objects as the whole file", () => {
    const { desired, matchings } = found(["room:hall", "group"]);
    expect([...matchings.values()].flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
    const means = [group, room].map((kind) =>
      (desired.sections.get(kind.section) ?? []).map((object) => matchings.get(kind)?.liveOf.get(object)?.id),
    );
    expect(means).toEqual([[1, 2], [5]]);
  });

  test("removes chosen objects, but nothing that is declared or not chosen", () => {
    const { removes } = found(["group", "room:hall"]);
    const live = (id: number) => liveThing(id, "any");
    expect([1, 3, 4].map((id) => removes(group, live(id)))).toEqual([false, true, false]);
    expect([5, 7].map((id) => removes(room, live(id)))).toEqual([false, false]);
    expect(found(["room"]).removes(room, live(7))).toBe(true);
    expect(removes(toyKind({ name: "other" }), live(3))).toBe(false);
  });

  test("orders a section that was chosen as a whole", () => {
    expect([group, room].map((kind) => found(["room"]).orders(kind))).toEqual([false, true]);
    expect(found(["room:hall"]).orders(room)).toBe(false);
  });

  test("says what it lacks", () => {
    const made = part(wholeOf(items), { only: ["room"], except: ["room:shed", "group"] });
    expect(made.ok && made.part.says.except).toEqual([{ pattern: "room:shed" }, { pattern: "group" }]);
  });

  test("targets that match nothing are an error, but not in a later reading", () => {
    const whole = wholeOf(items);
    const nothing = { only: ["room:none"] };
    const first = part(whole, nothing);
    expect(first.ok ? [] : first.diagnostics.map(({ code }) => code)).toEqual(["targets/no-match"]);
    expect(part(whole, nothing, true).ok).toBe(true);
  });
});
