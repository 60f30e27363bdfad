import { describe, expect, test } from "vitest";
import { PLAIN } from "../../test/support/model/plain-kind.ts";
import { declaredThing, line, liveThing, toyKind } from "../../test/support/plan/toy-kind.ts";
import { realmOf } from "../../test/support/realm.ts";
import type { Desired } from "../model/desired.ts";
import type { ListKind, MapKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject, Named, Pair } from "../model/objects.ts";
import type { Change, FieldChange } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { spansIn } from "../model/span.ts";
import { namedAndLeaving, namedAndRemoved } from "./named-and-removed.ts";
import { renamesIn, renameWarnings } from "./renamed.ts";

// The objects that the file names, and what the plan does with them.

type Target = "update" | "remove";
const change = (
  action: Target,
  name: string,
  fields: readonly FieldChange[] = [],
  more: Partial<Change> = {},
): Change => {
  const common = { kind: "thing", address: `thing:${name}`, name, fields, risks: [] } as const;
  const { at } = more;
  return { ...common, action, ...(at === undefined ? {} : { at }) };
};
const pair = (name: string, more: Partial<Pair> = {}): Pair => ({ kind: "thing", address: `thing:${name}`, ...more });
const desiredOf = (sections: { readonly [section: string]: readonly DeclaredObject[] }): Desired => ({
  manage: {},
  sections: new Map(Object.entries(sections)),
  warnings: [],
});
const archived = (after: boolean, at?: number): FieldChange => ({
  field: "archived",
  before: !after,
  after,
  ...(at === undefined ? {} : { at: line(at) }),
});

describe("objects that the file names and removes", () => {
  const named = (name: string): Named => ({ kind: "thing", name, field: "lead" });
  const naming = (names: readonly Named[]): MapKind =>
    toyKind({ name: "list", section: "lists", noun: ["list", "lists"], file: { ...PLAIN.file, names: () => names } });
  const found = (names: readonly Named[], pairs: readonly Pair[], things: MapKind = toyKind()) => {
    const user = declaredThing("user", {}, { at: line(5), spans: spansIn({ lead: line(6) }) });
    const declared = pairs.flatMap((each) => each.declared ?? []);
    const { diagnostics, addresses } = namedAndRemoved(desiredOf({ lists: [user], things: declared }), [
      { kind: things, pairs },
      { kind: naming(names), pairs: [] },
    ]);
    return {
      diagnostics: diagnostics.map(({ fact, at, notes }) => ({ fact, line: at?.line, notes })),
      addresses: [...addresses],
    };
  };
  const live = liveThing(1, "a");
  const archiving = toyKind({ inactivity: { field: "archived" } });
  const fact = (more: object = {}) => ({
    noun: "thing",
    name: { quoted: "a", of: "thing" },
    removal: "removes",
    section: "things",
    is_declared: false,
    named_by: { noun: "list", name: { quoted: "user", of: "list" }, field: "lead" },
    ...more,
  });

  test("are reported with both places", () =>
    expect(
      found(
        [named("A")],
        [
          pair("a", {
            live,
            change: change("remove", "a", [{ field: "colour", before: 1, after: null }], { at: line(3) }),
          }),
        ],
      ),
    ).toEqual({
      diagnostics: [{ fact: fact(), line: 6, notes: [{ at: line(3), note: "not-declared" }] }],
      addresses: ["thing:a"],
    }));

  test("are reported at the field of the entry that removes them", () => {
    const declared = declaredThing("a");
    const fields = [{ field: "colour", before: 1, after: 2, at: line(8) }, archived(true, 9)];
    const own = pair("a", { live, declared, change: change("update", "a", fields, { at: line(3) }) });
    expect(found([{ ...named("a"), field: "" }], [own], archiving).diagnostics).toEqual([
      {
        fact: fact({
          removal: "archives",
          is_declared: true,
          named_by: { noun: "list", name: { quoted: "user", of: "list" } },
        }),
        line: 5,
        notes: [{ at: line(9), note: "removed-here" }],
      },
    ]);
  });

  test("are reported without a place, and by id", () => {
    const pairs = [pair("a", { live, change: change("remove", "a") })];
    expect(found([{ kind: "thing", id: 1, field: "lead" }], pairs).diagnostics).toEqual([
      { fact: fact(), line: 6, notes: undefined },
    ]);
    expect(found([{ kind: "thing", id: 2, field: "lead" }], pairs).diagnostics).toEqual([]);
  });

  const removal = pair("a", { live, change: change("remove", "a") });
  test.each<{ about: string; names: readonly Named[]; pairs: readonly Pair[] }>([
    {
      about: "the file names an object of a missing section",
      names: [{ ...named("a"), kind: "other" }],
      pairs: [removal],
    },
    {
      about: "another field of the object becomes true",
      names: [named("a")],
      pairs: [pair("a", { live, change: change("update", "a", [{ field: "colour", before: false, after: true }]) })],
    },
    {
      about: "another object with the name stays",
      names: [named("a")],
      pairs: [removal, pair("a", { live: liveThing(2, "a") })],
    },
    {
      about: "another object with the name is reactivated",
      names: [named("a")],
      pairs: [
        removal,
        pair("a", { live: liveThing(2, "a", { archived: true }), change: change("update", "a", [archived(false)]) }),
      ],
    },
  ])("are not reported if $about", ({ names, pairs }) => {
    expect(found(names, pairs, archiving).diagnostics).toEqual([]);
    expect(found(names, pairs).diagnostics).toEqual([]);
  });

  test("are reported if another object with the name is inactive and stays inactive", () =>
    expect(
      found([named("a")], [removal, pair("a", { live: liveThing(2, "a", { archived: true }) })]).diagnostics,
    ).toHaveLength(1));
});

describe("accounts that are deactivated and named", () => {
  const snapshot = realmOf({});
  const realm = new Realm(snapshot);
  const people = toyKind({ name: "person", section: "people", isAccount: true, inactivity: { field: "deactivated" } });
  const things = toyKind({ secrecy: { ...PLAIN.secrecy, fields: { who: "groups", text: "text" } } });
  const bot = snapshot.users.find(
    ({ is_bot, is_active, bot_owner_id }) => is_bot && is_active && bot_owner_id !== null,
  );
  const [botId, owner] = [bot?.user_id ?? 0, bot?.bot_owner_id ?? 0];
  const [name, botName] = [realm.userName(owner), realm.userName(botId)];
  const going = (id: number, more: Partial<Pair> = {}): Pair => ({
    kind: "person",
    address: `person:${id}`,
    live: liveThing(id, `n${id}`),
    change: change(
      "remove",
      "x",
      [
        { field: "role", before: 1, after: 2, at: line(7) },
        { field: "deactivated", before: false, after: true, at: line(9) },
      ],
      { at: line(8) },
    ),
    ...more,
  });
  const found = (declared: DeclaredObject, accounts: readonly Pair[], own: readonly Pair[] = [], kind = people) =>
    namedAndLeaving(
      desiredOf({ things: [declared], people: [declaredThing("somebody", { who: "x" })] }),
      [
        { kind, pairs: accounts },
        { kind: things, pairs: own },
      ],
      realm,
    ).map(({ code, fact, at, notes }) => ({ code, fact, line: at?.line, notes }));
  const report = (person: string, at: number, notes: readonly object[]) => ({
    code: "reference/leaving-person",
    fact: { person: { quoted: person } },
    line: at,
    notes,
  });
  const user = (fields: DeclaredObject["fields"], more: Partial<DeclaredObject> = {}) =>
    declaredThing("a", fields, { at: line(2), ...more });

  test("are reported with both places", () => {
    expect(found(user({ who: [name] }, { spans: spansIn({ who: line(3) }) }), [going(owner)])).toEqual([
      report(name, 3, [{ at: line(9), note: "not-declared" }]),
    ]);
    const declared = declaredThing("x");
    expect(found(user({}, { creation: { who: { users: [name] } } }), [going(owner, { declared })])).toEqual([
      report(name, 2, [{ at: line(9), note: "made-inactive-here" }]),
    ]);
  });

  test("are reported with the place of the change, or without a place", () => {
    const by = (more: Partial<Change>) => going(owner, { change: change("remove", "x", [], more) });
    expect(found(user({ who: name }), [by({ at: line(8) })])[0]?.notes).toEqual([
      { at: line(8), note: "not-declared" },
    ]);
    expect(found(user({ who: name }), [by({})])[0]?.notes).toBeUndefined();
    const { inactivity: _, ...deleted } = people;
    expect(found(user({ who: name }), [going(owner)], [], deleted)[0]?.notes).toEqual([
      { at: line(8), note: "not-declared" },
    ]);
  });

  test("include their bots, except those that get another owner", () => {
    expect(found(user({ who: botName }), [going(owner)])).toEqual([
      report(botName, 2, [{ at: line(9), note: "not-declared" }]),
    ]);
    const given = (before: string, and: readonly FieldChange[] = []): Pair => ({
      ...going(botId),
      change: change("update", "b", [...and, { field: "owner", before, after: "new" }]),
    });
    expect(found(user({ who: botName }), [going(owner), given(name)])).toEqual([]);
    expect(found(user({ who: botName }), [going(owner), given(name, [{ field: "x", before: 1, after: 2 }])])).toEqual(
      [],
    );
    expect(found(user({ who: botName }), [going(owner), given("another")])).toHaveLength(1);
    // Without a change, it keeps its owner; a bot that the plan creates is not on the server yet.
    const kept = { kind: "person", address: "person:b", live: liveThing(botId, "b") } as const;
    expect(found(user({ who: botName }), [going(owner), kept, pair("new")])).toHaveLength(1);
    // A bot whose own entry deactivates it has its own place.
    const own = going(botId, { change: change("remove", "b", [], { at: line(7) }) });
    expect(found(user({ who: botName }), [going(owner), own])[0]?.notes).toEqual([
      { at: line(7), note: "not-declared" },
    ]);
  });

  test("do not include bots that are inactive already", () => {
    const users = { [bot?.email ?? ""]: { is_active: false } };
    const sections = [
      { kind: people, pairs: [going(owner)] },
      { kind: things, pairs: [] },
    ];
    const desired = desiredOf({ things: [user({ who: botName })] });
    expect(namedAndLeaving(desired, sections, new Realm(realmOf({ users })))).toEqual([]);
    expect(namedAndLeaving(desired, sections, realm)).toHaveLength(1);
  });

  test.each([
    { about: "they are named only in a text", declared: user({ text: name }), accounts: [going(owner)] },
    {
      about: "their accounts stay",
      declared: user({ who: name }),
      accounts: [going(owner, { change: change("update", "x") })],
    },
    {
      about: "another account is deactivated",
      declared: user({ who: "other@example.org" }),
      accounts: [going(owner)],
    },
    {
      about: "their ids are unknown",
      declared: user({ who: name }),
      accounts: [{ ...going(owner), live: { ...liveThing(1, "x"), id: null } }],
    },
  ])("are not reported: $about", ({ declared, accounts }) => expect(found(declared, accounts)).toEqual([]));

  test("are not reported for a kind that is not an account, or if the object that names them is removed, too", () => {
    const declared = user({ who: name });
    expect(found(declared, [going(owner)], [], toyKind({ name: "person", section: "people" }))).toEqual([]);
    const own = (action: Target) => pair("a", { declared, live: liveThing(1, "a"), change: change(action, "a") });
    expect(found(declared, [going(owner)], [own("remove")])).toEqual([]);
    expect(found(declared, [going(owner)], [own("update")])).toHaveLength(1);
  });
});

describe("objects that look renamed", () => {
  const snapshot = realmOf({});
  const about = { description: "One", colour: "red" };
  const made = (name: string, fields: DeclaredObject["fields"] = about): Change => ({
    action: "create",
    kind: "thing",
    address: `thing:${name}`,
    name,
    fields: Object.entries(fields).map(([field, after]) => ({ field, before: null, after })),
    at: line(4),
    risks: [],
  });
  const fits = (
    declared: readonly DeclaredObject[],
    live: readonly LiveObject[],
    more: Partial<MapKind> = {},
    changes: readonly Change[] = declared
      .filter(({ name }) => name.startsWith("new"))
      .map(({ name, fields }) => made(name, fields)),
  ) => {
    const kind = toyKind({ live: { read: () => live }, ...more });
    // A separate reading, since the answers of kinds are cached by reading.
    const found = renamesIn(changes, desiredOf({ things: declared }), [kind], new Realm({ ...snapshot }));
    return [...found].map(([{ name }, object]) => [name, object.name]);
  };
  const fresh = (fields: DeclaredObject["fields"] = about, more: Partial<DeclaredObject> = {}) =>
    declaredThing("new", fields, more);
  const ONE = [["new", "old"]];

  test.each<{
    what: string;
    declared: readonly DeclaredObject[];
    live: readonly LiveObject[];
    more?: Partial<MapKind>;
    expected: object;
  }>([
    {
      what: "the description is empty",
      declared: [fresh({ description: "" })],
      live: [liveThing(1, "old", { description: "" })],
      expected: ONE,
    },
    {
      what: "the server does not have the field",
      declared: [fresh({ ...about, members: ["a"] })],
      live: [liveThing(1, "old", about)],
      expected: ONE,
    },
    {
      what: "most of its words and people are equal",
      declared: [fresh({ description: "For questions about contracts", members: ["a", "b", "c"] })],
      live: [liveThing(1, "old", { description: "Questions about contracts, NDAs", members: ["a", "b"] })],
      expected: ONE,
    },
    {
      what: "one of two objects is clearly more similar",
      declared: [fresh({ description: "One two three", members: ["a"] })],
      live: [
        liveThing(1, "older", { description: "One two four", members: ["b"] }),
        liveThing(2, "old", { description: "One two four", members: ["a"] }),
      ],
      expected: ONE,
    },
    {
      what: "it has the values of every new object",
      declared: [fresh()],
      live: [liveThing(1, "old", about)],
      more: { diff: { traits: { description: "words", colour: "other" }, defaults: () => about } },
      expected: [],
    },
    {
      what: "another item identifies it by its id",
      declared: [fresh(), declaredThing("other", {}, { id: 1 })],
      live: [liveThing(1, "old", about)],
      expected: [],
    },
  ])("if $what", ({ declared, live, more, expected }) => expect(fits(declared, live, more)).toEqual(expected));

  test("an object that names itself is compared with its new name", () => {
    const withNames: MapKind["file"]["withNames"] = (object, nameOf) => ({
      ...object,
      fields: {
        ...object.fields,
        may: nameOf("thing", String(object.fields.may)),
        other: nameOf("group", String(object.fields.other)),
      },
    });
    const more = { file: { ...PLAIN.file, withNames } };
    const declared = [fresh({ ...about, may: "new", other: "new" })];
    expect(fits(declared, [liveThing(1, "old", { ...about, may: "old", other: "new" })], more)).toEqual(ONE);
    expect(fits(declared, [liveThing(1, "old", { ...about, may: "new", other: "new" })], more)).toEqual([]);
    expect(fits(declared, [liveThing(1, "old", { ...about, may: "old", other: "old" })], more)).toEqual([]);
    expect(
      fits(
        [fresh({ ...about, may: "x", other: "new" })],
        [liveThing(1, "old", { ...about, may: "x", other: "new" })],
        more,
      ),
    ).toEqual(ONE);
  });

  test("do not include objects of other kinds, or those that exist", () => {
    const live = [liveThing(1, "old", about)];
    const list: ListKind = { ...toyKind({ live: { read: () => live } }), shape: "list" };
    expect(renamesIn([made("new")], desiredOf({ things: [fresh()] }), [list], new Realm({ ...snapshot })).size).toBe(1);
    expect(fits([fresh()], live, {}, [change("update", "new")])).toEqual([]);
    expect(fits([fresh()], live, {}, [{ ...made("new"), kind: "other" }])).toEqual([]);
    expect(fits([fresh()], live, {}, [])).toEqual([]);
    expect(fits([], live, {}, [made("new")])).toEqual([]);
  });

  test("are reported for the first ten; the last message counts the others", () => {
    const numbers = Array.from({ length: 12 }, (_, index) => index);
    const kind = toyKind({
      noun: ["object", "objects"],
      live: { read: () => numbers.map((number) => liveThing(number, `old${number}`, { description: `${number}` })) },
    });
    const declared = numbers.map((number) => declaredThing(`new${number}`, { description: `${number}` }));
    const said = (count: number) =>
      renameWarnings(
        declared.slice(0, count).map(({ name, fields }) => made(name, fields)),
        desiredOf({ things: declared.slice(0, count) }),
        [toyKind({ name: "other", section: "others", noun: ["other", "others"] }), kind],
        new Realm({ ...snapshot }),
      );
    expect(said(12).map(({ fact }) => fact && "more" in fact && fact.more)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
    expect(said(11).at(-1)?.fact).toMatchObject({ more: 1 });
    expect(said(10).at(-1)?.fact).toMatchObject({ more: 0 });
    expect(said(1)).toMatchObject([
      { at: line(4), fact: { noun: "object", live: { name: { quoted: "old0", of: "thing" }, id: 0 } } },
    ]);
  });
});
