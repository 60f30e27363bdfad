import { describe, expect, test } from "vitest";
import { AT, journalText, sending, startOf } from "../../test/support/apply/journals.ts";
import { call, channel, planOf, set, snapshotOf, thing } from "../../test/support/apply/toy.ts";
import type { Param } from "../model/plan.ts";
import { LiveObjects } from "./goals.ts";
import { Ids, isTooLate } from "./ids.ts";
import { COMPLETED, type ReadJournal } from "./journal.ts";
import { wholeRun } from "./whole-run.ts";

const objects = new LiveObjects([thing], snapshotOf([channel(1, "a", ""), channel(2, "b", "")]));
const using = (value: Param) => call({ n: 1, operation: "x", for: [], params: { value } });
const promise = { idOf: "thing:a" } as const;

describe("ids", () => {
  test("in an answer about one object", () => {
    const ids = new Ids();
    expect(ids.learnFromAnswer(call({ n: 1, operation: "x", for: [] }), { id: 7 })).toEqual({});
    expect(
      ids.learnFromAnswer(call({ n: 1, operation: "x", for: [], creates: ["thing:a", "thing:b"] }), { id: 7 }),
    ).toEqual({});
    const made = call({ n: 1, operation: "x", for: [], creates: ["thing:a"] });
    expect(ids.learnFromAnswer(made, { id: "x", group_id: 1 })).toEqual({ "thing:a": 1 });
    expect(ids.learnFromAnswer(made, { other: 7 })).toEqual({});
  });

  test("in a journal, for objects that exist", () => {
    const ids = new Ids();
    ids.learnFromJournal({ "thing:a": 1, "thing:gone": 9 }, objects);
    expect(ids.all()).toEqual({ "thing:a": 1 });
  });

  test("in a reading, each once", () => {
    const ids = new Ids();
    expect(ids.learnFromReading(["thing:a", "thing:gone"], objects)).toEqual({ "thing:a": 1 });
    expect(ids.learnFromReading(["thing:a", "thing:b"], objects)).toEqual({ "thing:b": 2 });
    const bare = { ...thing, live: { read: () => [{ key: "A", name: "a", id: null, fields: {}, inactive: false }] } };
    expect(new Ids().learnFromReading(["thing:a"], new LiveObjects([bare], snapshotOf([])))).toEqual({});
  });

  test.each<{ about: string; value: Param }>([
    { about: "in a list", value: [1, promise] },
    { about: "in an object", value: { a: { b: promise } } },
  ])("that a call needs: $about", ({ value }) => {
    const ids = new Ids();
    expect(ids.missing(using(value))).toEqual(["thing:a"]);
    expect(() => ids.fill(using(value), 0)).toThrow("the id of thing:a is not known yet");
    ids.learnFromReading(["thing:a"], objects);
    expect(ids.missing(using(value))).toEqual([]);
    expect(JSON.stringify(ids.fill(using(value), 0).params)).toBe(
      JSON.stringify({ value }).replace('{"idOf":"thing:a"}', "1"),
    );
  });

  test.each<{ value: Param }>([{ value: null }, { value: { a: null } }])("of no object in $value", ({ value }) => {
    expect(new Ids().missing(using(value))).toEqual([]);
    expect(new Ids().fill(using(value), 0).params).toEqual({ value });
  });
});

describe("the end of a period", () => {
  const until = { minutesUntil: "2026-01-01T01:00:00Z" };
  const at = (time: string) => Date.parse(`2026-01-01T${time}Z`);
  test("is sent as the number of remaining minutes", () =>
    expect(new Ids().fill(using(until), at("00:00:30")).params).toEqual({ value: 59 }));
  test("has passed if less than a minute remains", () => {
    expect(isTooLate(using(until), at("00:59:00"))).toBe(false);
    expect(isTooLate(using(until), at("00:59:01"))).toBe(true);
    expect(isTooLate(using(until), at("02:00:00"))).toBe(true);
    expect(isTooLate(using(5), at("02:00:00"))).toBe(false);
  });
});

describe("the runs that a run continued", () => {
  const plan = planOf([], [set(1, 1, "a", "description", "old", "new")]);
  const other = planOf([], [set(1, 1, "a", "description", "old", "other")]);
  const journal = (name: string, resumes?: string, of = plan, sends = true): ReadJournal => ({
    name,
    torn: false,
    doubt: undefined,
    code: "",
    entries: [startOf(of, resumes), ...(sends ? [sending(1)] : [])],
  });
  const followed = async (last: ReadJournal, ...others: readonly ReadJournal[]) => {
    const texts = new Map(others.map((each) => [each.name, journalText(each.entries)]));
    const { earlier, leaves } = await wholeRun(last, plan, {
      readJournal: async (name) => texts.get(name),
      isForeignAllowed: true,
    });
    return [earlier.map(({ name }) => name), leaves];
  };

  test("end at a journal that does not exist", async () => {
    expect(await followed(journal("c", "b"), journal("b", "a"))).toEqual([["b"], "a"]);
    expect(await wholeRun(journal("c", "b"), plan)).toMatchObject({ earlier: [], leaves: "b" });
  });
  test("end at a journal with other calls, which is reported if it sent any", async () => {
    expect(await followed(journal("c", "b"), journal("b", "a", other), journal("a"))).toEqual([[], "b"]);
    expect(await followed(journal("c", "b"), journal("b", "a", other, false), journal("a"))).toEqual([[], undefined]);
  });
  test("are each listed once if they name each other", async () => {
    expect(await followed(journal("c", "b"), journal("b", "c"))).toEqual([["b"], undefined]);
    expect(await followed(journal("c", "c"))).toEqual([[], undefined]);
  });
  test("are those that they completed, with the calls of both numbered one after the other", async () => {
    const completed = (name: string, by: string): ReadJournal => {
      const one = journal(name);
      return { ...one, entries: [...one.entries, { entry: "end", at: AT, outcome: COMPLETED, by, done: 1, left: 0 }] };
    };
    const texts = new Map([completed("a", "b"), journal("b", "a", other)].map((one) => [one.name, one]));
    const readJournal = async (name: string) => journalText(texts.get(name)?.entries ?? []);
    const options = { readJournal, isForeignAllowed: true };
    for (const [last, of] of [["a", plan] as const, ["b", other] as const]) {
      const named = texts.get(last);
      if (named === undefined) throw new RangeError("no journal");
      const whole = await wholeRun(named, of, options);
      expect([whole.journal, ...whole.earlier].map(({ name, entries }) => [name, entries[1]])).toEqual([
        ["b", sending(2)],
        ["a", sending(1)],
      ]);
      expect(whole.leaves).toBeUndefined();
      expect(whole.plan.changes).toEqual([]);
      expect(whole.plan.calls.map(({ n }) => n)).toEqual([1, 2]);
    }
    const [first] = texts.values();
    if (first === undefined) throw new RangeError("no journal");
    expect((await wholeRun(first, plan)).leaves).toBe("b");
    expect((await wholeRun(first, plan, { readJournal: async () => "" })).leaves).toBeUndefined();
    // Another journal than the one that completed it.
    expect(await followed(journal("c", "a", other), completed("a", "b"))).toEqual([["a"], undefined]);
  });
  test("are an empty list if the journal has no start", async () =>
    expect(await followed({ ...journal("c", "b"), entries: [] }, journal("b"))).toEqual([[], undefined]));
});
