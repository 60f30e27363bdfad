import { describe, expect, test } from "vitest";
import { declaredThing, line, liveThing, toyKind } from "../../test/support/plan/toy-kind.ts";
import type { MapKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import { spansIn } from "../model/span.ts";
import { matchObjects } from "./match.ts";

const archiving = { inactivity: { field: "archived" } } as const;
const freeing = { inactivity: { field: "archived", freesName: true } } as const;
const asleep = (id: number, name: string, fields: LiveObject["fields"] = {}) =>
  liveThing(id, name, { ...fields, archived: true });
const was = (name: string, old: string, more: Partial<DeclaredObject> = {}) =>
  declaredThing(name, {}, { was: old, ...more });
const pin = (name: string, id: number, more: Partial<DeclaredObject> = {}) => declaredThing(name, {}, { id, ...more });

function matched(declared: readonly DeclaredObject[], live: readonly LiveObject[], more: Partial<MapKind> = {}) {
  const { liveOf, diagnostics } = matchObjects(toyKind(more), declared, live);
  return {
    found: Object.fromEntries([...liveOf].map(([object, { id }]) => [object.name, id])),
    findings: diagnostics.map(({ code, severity, fact, at }) => ({ code, severity, fact, line: at?.line })),
  };
}
const quoted = (name: string) => ({ quoted: name, of: "thing" });

describe("the content of a diagnostic", () => {
  test.each([
    {
      about: "an id that no object has, while the name has another one",
      declared: [pin("red", 7)],
      live: [liveThing(3, "red")],
      finding: {
        code: "plan/unknown-id",
        severity: "error",
        fact: { noun: "thing", id: 7, name: quoted("red"), named: 3 },
        line: 1,
      },
    },
    {
      about: "an id that two entries have",
      declared: [pin("red", 1), pin("blue", 1)],
      live: [liveThing(1, "x")],
      finding: { code: "plan/same-object", severity: "error", fact: { noun: "thing", id: 1 }, line: 1 },
    },
    {
      about: "a previous name that two entries have, at its own place",
      declared: [was("red", "x"), was("blue", "X", { spans: spansIn({ was: line(5) }) })],
      live: [liveThing(1, "x")],
      finding: {
        code: "plan/same-was",
        severity: "error",
        fact: { was: quoted("X"), other: quoted("red") },
        line: 5,
      },
    },
    {
      about: "a previous name that no object has",
      declared: [was("red", "blue")],
      live: [],
      finding: {
        code: "plan/was-not-found",
        severity: "warning",
        fact: { noun: "thing", was: quoted("blue"), name: quoted("red") },
        line: 1,
      },
    },
    {
      about: "both names exist",
      declared: [was("red", "blue")],
      live: [liveThing(1, "red"), liveThing(2, "blue")],
      finding: {
        code: "plan/both-names",
        severity: "error",
        fact: { noun: "thing", name: quoted("red"), was: quoted("blue") },
        line: 1,
      },
    },
    {
      about: "a swap that was already made, as far as the fields show",
      declared: [was("red", "blue", { fields: { colour: "red" } }), was("blue", "red", { fields: { colour: "blue" } })],
      live: [liveThing(1, "red", { colour: "green" }), liveThing(2, "blue", { colour: "blue" })],
      finding: {
        code: "plan/swap-taken-as-done",
        severity: "warning",
        fact: {
          objects: [
            { name: quoted("red"), id: 2 },
            { name: quoted("blue"), id: 1 },
          ],
        },
        line: 1,
      },
    },
  ])("$about", ({ declared, live, finding }) => expect(matched(declared, live).findings).toEqual([finding]));
});

describe("a swap with objects that do not exist yet", () => {
  const refused = (objects: readonly string[], created: readonly string[]) => ({
    code: "plan/new-swap",
    severity: "error",
    fact: { objects: objects.map(quoted), created: created.map(quoted) },
    line: 1,
  });
  const colour = (name: string, old: string, fields: LiveObject["fields"], more: Partial<DeclaredObject> = {}) =>
    declaredThing(name, fields, { was: old, ...more });
  const codes = (declared: readonly DeclaredObject[], live: readonly LiveObject[] = []) =>
    matched(declared, live).findings.map(({ code }) => code);

  test.each([
    {
      about: "of three, of which one exists",
      declared: [was("red", "blue"), was("blue", "green"), was("green", "red")],
      live: [liveThing(1, "red")],
      findings: [refused(["blue", "green", "red"], ["blue", "red"])],
    },
    {
      about: "whose fields are alike",
      declared: [colour("red", "blue", { tone: "dark" }), colour("blue", "red", { tone: "dark" })],
      live: [],
      findings: [refused(["red", "blue"], ["red", "blue"])],
    },
  ])("is refused: $about", ({ declared, live, findings }) =>
    expect(matched(declared, live).findings).toEqual(findings),
  );

  test("is none if an entry has an id, is removed, or is outside of the circle", () => {
    expect(codes([was("red", "blue"), was("blue", "red", { id: 1 })], [liveThing(1, "x")])).toEqual([
      "plan/was-not-found",
    ]);
    expect(codes([was("red", "blue"), was("blue", "red", { absent: true })])).toEqual(["plan/was-not-found"]);
    expect(codes([was("green", "red"), was("red", "blue"), was("blue", "red")])).toEqual([
      "plan/was-not-found",
      "plan/new-swap",
    ]);
  });
});

describe("an id that no object has", () => {
  test("is correct if the file removes the object", () =>
    expect(matched([pin("red", 7, { absent: true })], []).findings).toEqual([]));
  test("is an error if the object stays on the server, or if the file does not remove it", () => {
    expect(matched([pin("red", 7, { absent: true })], [], archiving).findings).toHaveLength(1);
    expect(matched([pin("red", 7)], []).findings).toHaveLength(1);
  });
});

describe("a temporary name", () => {
  test("is also matched if it is the second one, because another object has the first", () =>
    expect(
      matched(
        [was("red", "blue"), was("blue", "red")],
        [liveThing(1, "blue~ ~realmctl~1"), liveThing(2, "red"), liveThing(3, "blue ~realmctl~1")],
      ).found,
    ).toEqual({ red: 2, blue: 1 }));
  test("is ignored for an object that an entry identifies by its id", () =>
    expect(matched([pin("blue", 1), was("red", "green")], [liveThing(1, "red ~realmctl~1")]).found).toEqual({
      blue: 1,
    }));
  test("belongs to one entry only", () =>
    expect(matched([was("red", "blue"), was("RED", "green")], [liveThing(1, "red ~realmctl~1")]).found).toEqual({
      red: 1,
    }));
  test("is not matched to an entry that is no rename: anybody could have given it", () =>
    expect(matched([declaredThing("red")], [liveThing(1, "red ~realmctl~1")]).found).toEqual({}));
  test("is not matched to a rename whose object still has the old name", () =>
    expect(matched([was("red", "blue")], [liveThing(1, "red ~realmctl~1"), liveThing(2, "blue")]).found).toEqual({
      red: 2,
    }));
  test("is not matched to a rename that is done already", () =>
    expect(matched([was("red", "blue")], [liveThing(1, "red ~realmctl~1"), liveThing(2, "red")]).found).toEqual({
      red: 2,
    }));
  test("does not count if its number is another object's id, or the object has no id", () => {
    const renamed = was("red", "blue");
    expect(matched([renamed], [liveThing(2, "red ~realmctl~1")]).found).toEqual({});
    expect(matched([renamed], [{ ...liveThing(1, "red ~realmctl~1"), id: null }]).found).toEqual({});
    expect(matched([renamed], [{ ...liveThing(1, "red ~realmctl~null"), id: null }]).found).toEqual({});
  });
});

describe("a previous name", () => {
  test.each([
    { about: "is no error if only its case differs", declared: [was("Red", "red")], live: [] },
    { about: "is no error if the entry is `absent: true`", declared: [was("red", "blue", { absent: true })], live: [] },
    { about: "is no error if the new name exists", declared: [was("red", "blue")], live: [liveThing(1, "red")] },
  ])("$about", ({ declared, live }) => expect(matched(declared, live).findings).toEqual([]));

  test("of several inactive objects means the first", () =>
    expect(matched([was("red", "blue")], [asleep(1, "blue"), asleep(2, "blue")], freeing)).toEqual({
      found: { red: 1 },
      findings: [],
    }));
  test("beside the new name is that of an inactive object, if inactive objects free their names", () => {
    const live = [liveThing(1, "red"), asleep(2, "blue")];
    expect(matched([was("red", "blue")], live, freeing)).toEqual({ found: { red: 1 }, findings: [] });
    expect(matched([was("red", "blue")], live, archiving).findings).toHaveLength(1);
    expect(matched([was("red", "blue")], live).findings).toHaveLength(1);
    expect(matched([was("red", "blue")], [liveThing(1, "red"), liveThing(2, "blue")], freeing).findings).toHaveLength(
      1,
    );
  });
});

describe("several objects with one name", () => {
  const meant = (declared: DeclaredObject, live: readonly LiveObject[], more: Partial<MapKind> = freeing) =>
    Object.values(matched([declared], live, more).found);
  test.each([
    { about: "the active one, if it comes first", live: [liveThing(1, "red"), asleep(2, "red")], expected: [1] },
    {
      about: "the one with exactly this spelling, if equally many fields differ",
      live: [asleep(1, "RED", { colour: "c" }), asleep(2, "red", { colour: "c" })],
      expected: [2],
    },
  ])("$about", ({ live, expected }) => expect(meant(declaredThing("red", { colour: "c" }), live)).toEqual(expected));
});
