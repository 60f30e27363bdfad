import { describe, expect, test } from "vitest";
import { liveObject, sending } from "../../test/support/apply/journals.ts";
import { call, change, field, removal, thing } from "../../test/support/apply/toy.ts";
import { forOne, type UndoneOptions, undone } from "../../test/support/apply/undone.ts";
import type { MapKind } from "../model/kind.ts";
import type { LiveObject } from "../model/objects.ts";
import type { Call, Change, Expectation } from "../model/plan.ts";
import type { UndoFact } from "../model/run-facts.ts";

// What an undo restores if the run was interrupted between two calls.

const about: UndoFact = { why: "deleted" };
const entries = (...sent: readonly number[]) => sent.map(sending);
const expecting = (name: string, id: number, on: string, value: Expectation["value"]): Expectation => ({
  address: `thing:${name}`,
  id,
  field: on,
  value,
});

describe("a value that one call removes and a later one restores", () => {
  // To change `a`, `b` gives up its place for a while; no change of the plan names the place.
  const take: Call = { ...forOne(1, "b", "place"), expects: [expecting("b", 2, "place", 7)] };
  const give: Call = {
    ...call({
      n: 2,
      operation: "x",
      for: [
        { address: "thing:a", fields: ["colour"] },
        { address: "thing:b", fields: ["place"] },
      ],
    }),
    expects: [expecting("b", 2, "place", null)],
  };
  const changes = [change("a", 1, field("colour", "red", "blue"))];
  const a = liveObject("a", 1, { colour: "red" });
  const b = (fields: LiveObject["fields"]) => liveObject("b", 2, { ...fields });
  const left = (live: readonly LiveObject[], sent: readonly number[] = [1], more: UndoneOptions = {}) =>
    undone(changes, [take, give], { live, entries: entries(...sent), others: [{ ...thing, name: "other" }], ...more });

  test.each<{ fact: string; live: readonly LiveObject[]; sent?: readonly number[]; is: boolean }>([
    { fact: "is restored if only the first call was sent", live: [a, b({ place: null })], is: true },
    { fact: "is left alone if it is as before", live: [a, b({ place: 7 })], is: false },
    { fact: "is left alone if somebody changed it", live: [a, b({ place: 3 })], is: false },
    { fact: "is left alone if the object no longer exists", live: [a], is: false },
  ])("$fact", ({ live, sent, is }) => {
    const { declared, notes, undo } = left(live, sent);
    expect(declared.map(({ name, id, fields }) => ({ name, id, fields }))).toEqual(
      is ? [{ name: "b", id: 2, fields: { place: 7 } }] : [],
    );
    expect(notes).toEqual([]);
    expect(undo.partAt(declared[0]?.spans.of("place"))).toEqual(
      is ? { of: "thing:b\nplace", field: "place", kind: "thing" } : undefined,
    );
  });

  test("stays if no undo may restore it", () => {
    const staying = () => new Map([["thing:b\nplace", about]]);
    const { declared, undo } = left([a, b({ place: null })], [1], { staying });
    expect([declared, undo.notes]).toEqual([[], [{ kind: "thing", name: "b", fact: about }]]);
  });

  test("is restored together with other values of the object, and does not change other objects", () => {
    const sized = change("b", 2, field("size", 1, 2));
    const painted = change("c", 3, field("colour", "red", "blue"));
    const calls = [take, give, forOne(3, "b", "size"), forOne(4, "c", "colour")];
    const live = [a, b({ place: null, size: 2 }), liveObject("c", 3, { colour: "blue" })];
    const { declared, undo } = undone([...changes, painted, sized], calls, { live, entries: entries(1, 3, 4) });
    expect(declared.map(({ name, fields }) => [name, fields])).toEqual([
      ["c", { colour: "red" }],
      ["b", { size: 1, place: 7 }],
    ]);
    const own = declared.find(({ name }) => name === "b");
    expect(undo.partAt(own?.spans.of("place"))).toMatchObject({ field: "place" });
    expect(undo.partAt(own?.spans.of("size"))).toMatchObject({ field: "size" });
  });

  test("of a kind that this version does not have is left alone", () => {
    const strange: Call = {
      ...call({ n: 1, operation: "x", for: [{ address: "old:b", fields: ["place"] }] }),
      expects: [{ address: "old:b", field: "place", value: 7 }],
    };
    const gone: Change = { ...removal("b", 2), kind: "old", address: "old:c" };
    const calls = [
      strange,
      { ...strange, n: 2 },
      call({ n: 3, operation: "x", for: [{ address: "old:c", fields: [] }] }),
    ];
    const { undo } = undone([gone], calls, { entries: entries(1, 3) });
    expect([[...undo.desired.sections.keys()], undo.notes]).toEqual([[], []]);
  });
});

describe("an object that a call ended before the change that it belongs to", () => {
  // A bot is deactivated before its owner: `boss` is a thing, `helper` a bot.
  const ending: Call = { ...forOne(1, "boss", "helpers"), path: { bot_id: 5 } };
  const leaving = removal("boss", 1);
  const endedAhead = ({ path: { bot_id: id } }: Call) => (typeof id === "number" ? { section: "bots", id } : undefined);
  const archiving = { inactivity: { field: "archived" }, undo: { endedAhead } } as const;
  const boss = (inactive: boolean) => liveObject("boss", 1, {}, inactive);
  const bots = (
    live: readonly LiveObject[],
    more: Partial<MapKind> = { inactivity: { field: "deactivated" } },
  ): MapKind => ({
    ...thing,
    name: "bot",
    section: "bots",
    live: { read: () => live },
    ...more,
  });
  const folders: MapKind = { ...bots([]), name: "folder", section: "folders" };
  const helper = (inactive: boolean) => liveObject("helper", 5, {}, inactive);
  const ended = (options: UndoneOptions, calls: readonly Call[] = [ending, forOne(2, "boss")]) => {
    const { undo, declared } = undone([removal("z", 9), leaving], calls, {
      kind: archiving,
      entries: entries(1),
      ...options,
    });
    return { undo, declared, bots: undo.desired.sections.get("bots") ?? [] };
  };

  test("is reactivated if the change itself was not made", () => {
    const { undo, bots: found } = ended({ live: [boss(false)], others: [folders, bots([helper(true)])] });
    expect(found.map(({ name, id, fields, absent }) => ({ name, id, fields, absent }))).toEqual([
      { name: "helper", id: 5, fields: { deactivated: false }, absent: false },
    ]);
    const part = { of: "bot:helper\ndeactivated", field: "deactivated", kind: "bot" };
    expect([undo.partAt(found[0]?.at), undo.partAt(found[0]?.spans.of("deactivated"))]).toEqual([part, part]);
    expect(undo.notes).toEqual([]);
  });

  test.each<{ fact: string; options: UndoneOptions; calls?: readonly Call[] }>([
    {
      fact: "the change was made as well",
      options: { live: [boss(true)], others: [folders, bots([helper(true)])], entries: entries(1, 2) },
    },
    {
      fact: "the object of the change no longer exists",
      options: { live: [], others: [folders, bots([helper(true)])] },
    },
    { fact: "somebody reactivated it", options: { live: [boss(false)], others: [folders, bots([helper(false)])] } },
    { fact: "it no longer exists", options: { live: [boss(false)], others: [folders, bots([])] } },
    { fact: "there is no such kind", options: { live: [boss(false)] } },
    {
      fact: "the call has no purpose",
      options: { live: [boss(false)], others: [folders, bots([helper(true)])] },
      calls: [{ ...ending, for: [] }],
    },
  ])("is left alone if $fact", ({ options, calls }) => expect(ended(options, calls).bots).toEqual([]));

  test("stays inactive if no undo may reactivate it", () => {
    const staying = () => new Map([["bot:helper\ndeactivated", about]]);
    const { undo, bots: found } = ended({ live: [boss(false)], others: [folders, bots([helper(true)])], staying });
    expect([found, undo.notes]).toEqual([[], [{ kind: "bot", name: "helper", fact: about }]]);
  });
});

describe("an object that the run deleted in order to create it again", () => {
  const replaced = change("a", 1, field("colour", "red", "blue"), field("size", 1, 2));
  const remove: Call = {
    ...forOne(1, "a", "colour"),
    expects: [
      expecting("a", 1, "colour", "red"),
      expecting("a", 1, "shape", "round"),
      expecting("a", 1, "exists", true),
    ],
  };
  const make = forOne(2, "a", "colour", "size");
  test("is created again with its values from before, if that had not happened yet", () => {
    const { declared, notes } = undone([replaced], [remove, make], { entries: entries(1) });
    expect(declared.map(({ name, fields }) => [name, fields])).toEqual([
      ["a", { colour: "red", size: 1, shape: "round" }],
    ]);
    expect(notes).toEqual([{ why: "created-again" }]);
  });
  test("stays deleted if no undo may restore one of its fields", () => {
    const staying = ([first]: readonly Change[]) => new Map(first?.fields.slice(1).map((each) => [each, about]));
    const { declared, notes } = undone([replaced], [remove, make], { entries: entries(1), staying });
    expect([declared, notes]).toEqual([[], [about]]);
  });
});
