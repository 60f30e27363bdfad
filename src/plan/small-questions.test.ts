import { describe, expect, test } from "vitest";
import { change as changeOf } from "../../test/support/example-plans.ts";
import { PLAIN } from "../../test/support/model/plain-kind.ts";
import { declaredThing, line, liveThing, toyKind, toySingleton } from "../../test/support/plan/toy-kind.ts";
import { realmOf } from "../../test/support/realm.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import type { MapKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject, Pair } from "../model/objects.ts";
import { Realm } from "../model/realm.ts";
import { type Span, spansIn } from "../model/span.ts";
import { textsIn } from "../model/texts.ts";
import { withEqualObjects } from "./match.ts";
import { otherRealm, sameUrl } from "./other-realm.ts";
import { isReadOnRequest, mayRequest, requestOf } from "./requests.ts";
import { countedIn, levelDiagnostics, missingRemovals, missingSection } from "./sections.ts";
import { unsetIn, watchOf, withDefaults } from "./unset.ts";

// Small functions of the planner that concern one kind or one object, each with a table of facts.

const snapshot = realmOf({ feature_level: 399 });
const realm = new Realm(snapshot);
const desiredOf = (things: readonly DeclaredObject[] | undefined, more: Partial<Desired> = {}): Desired => ({
  manage: {},
  sections: new Map(things === undefined ? [] : [["things", things]]),
  warnings: [],
  ...more,
});
const recoloured = [{ field: "colour", before: "red", after: "blue" }];
const update = changeOf({ action: "update", kind: "thing", name: "a", fields: recoloured });
const removal = changeOf({ action: "remove", kind: "thing", name: "d" });
const pairOf = (more: Partial<Pair>): Pair => ({ kind: "thing", address: "thing:a", ...more });

test("every text in a value, at any depth", () =>
  expect(textsIn({ a: ["x", { b: "y" }, 1, null], c: "z", d: true })).toEqual(["x", "y", "z"]));

describe("whether a plan is about this organization", () => {
  const at = line(3);
  const other = (url: string | undefined, found: Partial<typeof snapshot.realm> = {}) =>
    otherRealm(desiredOf(undefined, url === undefined ? {} : { realm: { url, at } }), {
      ...snapshot,
      realm: { ...snapshot.realm, ...found },
    });
  const loopback = { url: "http://127.0.0.1:9991", sandbox_of: "https://acme.example.org" };
  test.each([
    { about: "the file names no organization", url: undefined, found: {} },
    { about: "a sandbox of the organization, on this machine", url: "https://acme.example.org", found: loopback },
    { about: "the sandbox itself", url: "http://127.0.0.1:9991", found: loopback },
  ])("it is: $about", ({ url, found }) => expect(other(url, found)).toBeUndefined());

  test.each([
    { about: "another organization", found: { url: "https://other.example.org" } },
    { about: "a server on this machine that is not a sandbox", found: { url: loopback.url } },
  ])("it is not: $about", ({ found }) =>
    expect(other("https://acme.example.org", found)).toMatchObject({
      code: "realm/other-realm",
      severity: "error",
      at,
      fact: { what: "file", url: "https://acme.example.org", found: found.url },
    }),
  );
});

test("case makes no difference between URLs, but letters do", () => {
  expect(sameUrl("https://chat.example.org", "https://CHAT.example.org")).toBe(true);
  expect(sameUrl("https://straße.example.org", "https://strasse.example.org")).toBe(false);
});

describe("what to read", () => {
  const asking = (section: string, request: MapKind["live"]["request"], requestWords?: readonly string[]) =>
    toyKind({ section, live: { read: () => [], ...defined({ request, requestWords }) } });
  const things = asking("things", (declared) => ({ subscribers: declared.length > 0 }));
  const invites = asking("invites", () => ({ invites: true }));
  test.each([
    { about: "no file", desired: undefined, expected: { invites: false, subscribers: false } },
    {
      about: "a section that needs more",
      desired: desiredOf([declaredThing("a")]),
      expected: { invites: false, subscribers: true },
    },
    {
      about: "one of three sections needs more",
      desired: desiredOf([], {
        sections: new Map([
          ["other", []],
          ["things", []],
          ["invites", []],
        ]),
      }),
      expected: { invites: true, subscribers: false },
    },
  ])("$about", ({ desired, expected }) =>
    expect(requestOf(desired, [asking("other", undefined), things, invites])).toEqual(expected),
  );
  test("a kind that always needs more", () => {
    const some = asking("some", (declared) => ({ invites: declared.length > 0 }));
    expect([asking("other", undefined), things, some, invites].map(isReadOnRequest)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  const plain = asking("plain", undefined);
  const received = asking("told", () => ({}), ["people", "invited"]);
  const silent = asking("silent", () => ({}));
  test.each([
    { about: "no kind ever needs more", known: [plain], texts: ["people"], expected: false },
    { about: "a kind does not say when it needs more", known: [plain, silent], texts: [], expected: true },
    { about: "one text has one of its words", known: [plain, received], texts: ["a", "uninvited: 1"], expected: true },
  ])("before the file is read closely: $about", ({ known, texts, expected }) =>
    expect(mayRequest(known, texts)).toBe(expected),
  );
});

describe("fields that the server is too old for", () => {
  const object = (fields: DeclaredObject["fields"], places: { readonly [field: string]: Span } = {}) =>
    declaredThing("a", fields, { at: line(2), spans: spansIn(places) });
  test.each([
    { about: "a field with its own place", object: object({ size: 1 }, { size: line(4) }), level: 399, lines: [4] },
    { about: "a field of exactly this level", object: object({ size: 1 }), level: 400, lines: [] },
  ])("$about", ({ object: declared, level, lines }) => {
    const found = levelDiagnostics(toyKind(), declared, undefined, {
      realm: new Realm({ ...snapshot, server: { ...snapshot.server, feature_level: level } }),
      live: [],
    });
    expect(found.map(({ code, at }) => [code, at?.line])).toEqual(lines.map((each) => ["plan/server-too-old", each]));
    for (const { fact } of found) expect(fact).toEqual({ what: { kind: "word", word: "size" }, needs: 400, level });
  });

  test.each([
    { about: "nothing is declared", level: 400, declared: [], code: undefined },
    { about: "an older server", level: 400, declared: [object({})], code: "plan/server-too-old" },
    { about: "a server of exactly that level", level: 399, declared: [object({})], code: "plan/not-read" },
  ])("a section that a reading does not hold: $about", ({ level, declared, code }) => {
    const live = { read: () => undefined, ...(level === undefined ? {} : { level }) };
    const [found, ...more] = missingSection(toyKind({ live }), declared, realm, undefined);
    expect(more).toEqual([]);
    expect(found?.code).toBe(code);
    expect(found?.at).toEqual(code === undefined ? undefined : line(2));
    if (code === "plan/not-read") expect(found?.fact).toEqual({ section: "things" });
    if (code === "plan/server-too-old")
      expect(found?.fact).toEqual({ what: { kind: "word", word: "things" }, needs: 400, level: 399 });
  });
});

describe("what a plan counts of a section", () => {
  const live = liveThing(1, "a");
  const declared = declaredThing("a", { colour: "red", size: 1 });
  test("objects that match, and those in use that nothing mentions", () =>
    expect(
      countedIn(toyKind(), [
        pairOf({ declared, live }),
        pairOf({ declared, live }),
        pairOf({ declared, live }),
        pairOf({ declared, live, change: update }),
        pairOf({ live: liveThing(2, "b") }),
        pairOf({ live: liveThing(3, "c", { archived: true }) }),
        pairOf({ live: liveThing(4, "d"), change: removal }),
      ]),
    ).toEqual({ matches: 3, unmentioned: ["b"] }));

  test("the fields of a singleton", () =>
    expect(
      countedIn(toySingleton(), [
        pairOf({ declared, live: liveThing(1, "a", { colour: "red", size: 1, weight: 2 }), change: update }),
      ]),
    ).toEqual({ matches: 1, unmentioned: ["weight"] }));

  test("fields that the file leaves out, or that the server does not return", () => {
    expect(countedIn(toySingleton(), [pairOf({ live: liveThing(1, "a", { colour: "red" }) })])).toEqual({
      matches: 0,
      unmentioned: ["colour"],
    });
    expect(countedIn(toySingleton(), [pairOf({ declared })])).toEqual({ matches: 2, unmentioned: [] });
  });
});

describe("objects that the server distinguishes only by their ids", () => {
  const distinguishedById = (more: Partial<MapKind["identity"]> = {}) =>
    toyKind({
      identity: { keyOf: (name) => name, commonName: (name) => name.replace(/ \(\d+\)$/, ""), ...more },
      live: { read: () => ["a", "a (2)", "a (3)", "b (2)"].map((name, id) => ({ ...liveThing(id, name), key: name })) },
    });
  const names = (declared: readonly DeclaredObject[] | undefined, kind: MapKind = distinguishedById()) =>
    withEqualObjects(desiredOf(declared), new Realm({ ...snapshot }), [kind])
      .sections.get("things")
      ?.map(({ name, key, absent }) => [name, key, absent]);
  const removedThing = { ...declaredThing("a", {}, { absent: true }), key: "a" };

  test("are all meant by an entry that removes them", () =>
    expect(names([removedThing])).toEqual([
      ["a", "a", true],
      ["a (2)", "a (2)", true],
      ["a (3)", "a (3)", true],
    ]));
  test("are not all meant by an entry that declares one", () =>
    expect(names([{ ...removedThing, absent: false }])).toEqual([["a", "a", false]]));
  test("are not listed if the file does not have the section", () => expect(names(undefined)).toBeUndefined());
  test("are not looked for if nothing was read", () =>
    expect(names([removedThing], { ...distinguishedById(), live: { read: () => undefined } })).toHaveLength(1));
});

describe("objects that the file removes and that do not exist", () => {
  const absent = (name: string, more: Partial<DeclaredObject> = {}) =>
    declaredThing(name, {}, { absent: true, ...more });
  const archiving = toyKind({ inactivity: { field: "archived" } });
  const found = (declared: readonly DeclaredObject[], live: readonly LiveObject[], kind: MapKind = toyKind()) =>
    missingRemovals(kind, declared, live, { liveOf: new Map(), diagnostics: [] }).map(({ at, fact }) => [
      fact,
      at?.line,
    ]);
  const fact = (name: string, meant?: string, removal = "removed") => ({
    noun: "thing",
    name: { quoted: name, of: "thing" },
    removal,
    ...(meant === undefined ? {} : { meant: { quoted: meant, of: "thing" } }),
  });

  test.each([
    {
      about: "three letters of a long name differ",
      declared: [absent("abcdefghijkl")],
      live: ["abcdefghimno"],
      expected: [],
    },
    {
      about: "a name with the # of messages, beside a similar one",
      declared: [absent("#b")],
      live: ["#c", "b"],
      expected: [[fact("#b", "b"), 1]],
    },
    {
      about: "a sign inside the name",
      declared: [absent("x#bc")],
      live: ["x#bd", "#bc"],
      expected: [[fact("x#bc", "x#bd"), 1]],
    },
    {
      about: "the previous name, at the place of the item",
      declared: [absent("new", { was: "alpha" })],
      live: ["alphb"],
      expected: [[fact("alpha", "alphb"), 1]],
    },
    {
      about: "an object that no entry removes",
      declared: [absent("alpha", { settled: true })],
      live: ["alphb"],
      expected: [],
    },
  ])("$about", ({ declared, live, expected }) =>
    expect(
      found(
        declared,
        live.map((name, id) => liveThing(id, name)),
      ),
    ).toEqual(expected),
  );

  test("an object that would stay on the server is reported, although none is similar", () => {
    const removedThing = declaredThing("alpha", { archived: true }, { absent: true });
    expect(found([removedThing], [], archiving)).toEqual([[fact("alpha", undefined, "archived"), 1]]);
    expect(found([absent("alpha")], [], archiving)).toEqual([]);
  });

  test("an object that another entry means is not suggested", () => {
    const live = liveThing(1, "alphb");
    const [removedThing, kept] = [absent("alpha"), declaredThing("alphb")];
    expect(
      missingRemovals(toyKind(), [removedThing, kept], [live], { liveOf: new Map([[kept, live]]), diagnostics: [] }),
    ).toEqual([]);
    expect(
      missingRemovals(toyKind(), [removedThing], [live], { liveOf: new Map([[removedThing, live]]), diagnostics: [] }),
    ).toEqual([]);
  });
});

describe("fields that a file leaves out", () => {
  const at = line(6);
  test("have defaults to keep if `manage` says so, and in a singleton that is managed exactly", () => {
    const exact = desiredOf([], { manage: { things: "exact" }, manageAt: { things: at } });
    expect(unsetIn(toyKind(), desiredOf([], { unset: { things: at } }))).toEqual({ at });
    expect(unsetIn(toyKind(), desiredOf([]))).toBeUndefined();
    expect(unsetIn(toyKind(), exact)).toBeUndefined();
    expect(unsetIn(toySingleton(), exact)).toEqual({ at });
    expect(unsetIn(toySingleton(), desiredOf([], { manage: { things: "exact" } }))).toEqual({ at: undefined });
    expect(unsetIn(toySingleton(), desiredOf([], { manage: { things: "additive" } }))).toBeUndefined();
  });

  const kind = (more: Partial<MapKind> = {}) =>
    toyKind({ diff: { defaults: () => ({ colour: "white", size: 0, weight: 1 }) }, ...more });
  const live = liveThing(1, "a", { colour: "red", size: 5 });
  const filled = (
    declared: DeclaredObject,
    { of = kind(), found = live, place = at }: { of?: MapKind; found?: LiveObject | undefined; place?: typeof at } = {},
  ) => withDefaults(of, declared, found, { at: place, realm });

  test("get the values of a new object if the server has the fields", () =>
    expect(filled(declaredThing("a", { colour: "red" }, { spans: spansIn({ colour: line(2) }) }))).toEqual({
      ...declaredThing("a", { size: 0, colour: "red" }, { spans: spansIn({ size: at }, spansIn({ colour: line(2) })) }),
      unset: ["size"],
    }));
  test("have no place if nothing in the file sets them", () =>
    expect(withDefaults(kind(), declaredThing("a"), live, { at: undefined, realm })).toEqual({
      ...declaredThing("a", { colour: "white", size: 0 }),
      unset: ["colour", "size"],
    }));
  test.each<{ about: string; canSet: NonNullable<MapKind["calls"]["canSet"]> }>([
    { about: "no request can set them", canSet: (field) => field !== "size" },
    { about: "no request can set their current values", canSet: (_, value) => value !== 5 },
  ])("stay if $about", ({ canSet }) =>
    expect(filled(declaredThing("a"), { of: kind({ calls: { draft: () => [], canSet } }) })).toMatchObject({
      fields: { colour: "white" },
      unset: ["colour"],
    }),
  );

  const same = (declared: DeclaredObject, options: Parameters<typeof filled>[1] = {}) =>
    expect(filled(declared, options)).toBe(declared);
  test("stay unset for a new object", () => {
    const declared = declaredThing("a");
    expect(withDefaults(kind(), declared, undefined, { at, realm })).toBe(declared);
  });
  test("stay unset for an object that is removed", () => {
    same(declaredThing("a", {}, { absent: true }));
    same(declaredThing("a", { archived: true }), { of: kind({ inactivity: { field: "archived" } }) });
    expect(
      filled(declaredThing("a", { archived: false }), { of: kind({ inactivity: { field: "archived" } }) }).unset,
    ).toEqual(["colour", "size"]);
  });
  test.each([toyKind(), toyKind({ diff: {} })])("stay unset if the kind has no defaults", (of) =>
    same(declaredThing("a"), { of }),
  );
});

describe("the number of fields that a plan watches", () => {
  const kind = (more: Partial<MapKind> = {}) =>
    toyKind({
      inactivity: { field: "archived" },
      file: {
        ...PLAIN.file,
        fields: { colour: { about: "" }, archived: { about: "" }, may: { about: "", isPermission: true } },
      },
      ...more,
    });
  const live = liveThing(1, "a", { colour: "red", may: "all", archived: false, unknown: 1 });
  const declared = declaredThing("a", { colour: "red" });
  const watched = (pairs: readonly Pair[], found: readonly LiveObject[], of: MapKind = kind()) =>
    watchOf([{ kind: of, pairs, live: found }], realm);

  test("all fields of a kind without inactive objects", () => {
    const { inactivity: _, ...lasting } = kind();
    expect(watched([pairOf({ declared, live })], [live], lasting).others).toEqual({ watched: 1, all: 2 });
  });
  test("objects that no entry names are counted but not watched, unless the section is never listed completely", () => {
    const nothing = { permissions: { watched: 0, all: 0 }, others: { watched: 0, all: 0 } };
    expect(watched([pairOf({ live })], [live])).toEqual({
      permissions: { watched: 0, all: 1 },
      others: { watched: 0, all: 1 },
    });
    expect(watched([pairOf({ live })], [live], kind({ isPartial: true }))).toEqual(nothing);
    expect(watched([pairOf({ declared, live })], [live], kind({ isPartial: true })).others).toEqual({
      watched: 1,
      all: 1,
    });
    expect(watched([], [{ ...live, inactive: true }])).toEqual(nothing);
  });
});
