import { describe, expect, test } from "vitest";
import { call, change, EMPTY_PLAN, field } from "../../test/support/example-plans.ts";
import { commentOf } from "../../test/support/published.ts";
import fc from "../../test/support/random.ts";
import { realmOf } from "../../test/support/realm.ts";
import { kinds } from "../kinds/registry.ts";
import type { Call, Change, Plan } from "../model/plan.ts";
import type { ApplyResult } from "../model/result.ts";
import { guardsOf } from "../plan/guards.ts";
import { accessInPlan } from "./access.ts";
import { renderPlanHtml } from "./html.ts";
import { renderPlanJson, renderResultJson } from "./json.ts";
import { renderResult } from "./result.ts";
import { PLAIN } from "./style.ts";
import { kindTallies, wholeTally } from "./tally.ts";
import { renderPlan } from "./text.ts";
import { guardText } from "./words/guards.ts";

const WIDE = { ...PLAIN, width: 10_000 };
const archived = field("archived", false, true);
const moved = field("folder", null, "Company");

/** A change and its expected count, from the code that creates it. */
interface Counted {
  readonly change: Change;
  readonly as: readonly ("created" | "updated" | "renamed" | "reactivated" | "removed" | "reordered")[];
}

const SHAPES: readonly ((name: string, kind: string) => Counted)[] = [
  (name, kind) => ({ change: change({ action: "create", kind, name, fields: [moved] }), as: ["created"] }),
  // An object that is created as archived takes nothing away.
  (name, kind) => ({ change: change({ action: "create", kind, name, fields: [archived] }), as: ["created"] }),
  (name, kind) => ({ change: change({ action: "update", kind, name, fields: [moved] }), as: ["updated"] }),
  (name, kind) => ({
    change: change({ action: "update", kind, name, was: `old ${name}`, fields: [field("name", `old ${name}`, name)] }),
    as: ["updated", "renamed"],
  }),
  (name, kind) => ({
    change: change({ action: "update", kind, name, fields: [field("archived", true, false)] }),
    as: ["updated", "reactivated"],
  }),
  (name, kind) => ({
    change: change({
      action: "update",
      kind,
      name,
      was: "b",
      fields: [field("archived", true, false), field("name", "b", name)],
    }),
    as: ["updated", "renamed", "reactivated"],
  }),
  (name, kind) => ({ change: change({ action: "update", kind, name, fields: [archived] }), as: ["removed"] }),
  (name, kind) => ({ change: change({ action: "remove", kind, name, fields: [archived] }), as: ["removed"] }),
  (name, kind) => ({
    change: change({ action: "remove", kind, name, fields: [field("description", "x", null)] }),
    as: ["removed"],
  }),
  (name, kind) => ({
    change: change({ action: "update", kind, name, fields: [moved, archived] }),
    as: ["updated", "removed"],
  }),
  (name, kind) => ({
    change: change({ action: "update", kind, name, was: "b", fields: [archived, field("name", "b", name)] }),
    as: ["updated", "renamed", "removed"],
  }),
  (name, kind) => ({
    change: change({ action: "reorder", kind, name, fields: [field("order", ["a", "b"], ["b", "a"])] }),
    as: ["reordered"],
  }),
];

const plans = fc.array(
  fc.tuple(fc.nat({ max: SHAPES.length - 1 }), fc.constantFrom("channel", "user_group", "linkifier")),
  {
    minLength: 1,
    maxLength: 30,
  },
);

function planFrom(counted: readonly Counted[]): Plan {
  const changes = counted.map((one) => one.change);
  const calls = changes.map(
    ({ address, fields }, index): Call =>
      call(index + 1, { for: [{ address, fields: fields.map((one) => one.field) }] }),
  );
  return { ...EMPTY_PLAN, changes, calls };
}

/** Every number of a text, by what stands after it: "3 changed (1 renamed, 2 reactivated)" → changed 3, renamed 1, reactivated 2. */
function numbersIn(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const add = (word: string, number: number): void => {
    found.set(word, (found.get(word) ?? 0) + number);
  };
  for (const part of text.split(/, (?![^(]*\))| · /)) {
    const [, number = "0", word = ""] =
      /^([\d,]+) (?:[a-z ]*?)(created|changed|removed|archived|deactivated|reordered)/.exec(part) ?? [];
    const own = Number(number.replaceAll(",", ""));
    if (word === "" && !part.endsWith("reordered")) throw new RangeError(`no count in "${part}"`);
    add(part.endsWith("reordered") && word === "" ? "reordered section" : word, own);
    for (const word of ["renamed", "reactivated"]) {
      const [, some = ""] = new RegExp(`[(, ](?:(\\d+) )?${word}[,)]`).exec(part) ?? [];
      if (part.includes(word)) add(word, some === "" ? own : Number(some));
    }
    add("both", Number(/\((\d+) (?:is|are) in both numbers\)/.exec(part)?.[1] ?? 0));
  }
  return found;
}

interface Numbers {
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  readonly both: number;
  readonly renamed: number;
  readonly reactivated: number;
}

function fromWords(words: ReadonlyMap<string, number>): Numbers {
  const number = (...names: readonly string[]): number => names.reduce((sum, name) => sum + (words.get(name) ?? 0), 0);
  return {
    created: number("created"),
    updated: number("changed"),
    removed: number("removed", "archived", "deactivated"),
    both: number("both"),
    renamed: number("renamed"),
    reactivated: number("reactivated"),
  };
}

test("the same count everywhere: text, Markdown, HTML, JSON, guard rails, the result of apply", () => {
  fc.assert(
    fc.property(plans, (drawn) => {
      const counted = drawn.map(
        ([shape, kind], index) =>
          SHAPES[shape]?.(`c${index}`, kind) ?? { change: change({ action: "create", name: "x" }), as: [] },
      );
      const plan = planFrom(counted);
      const number = (what: Counted["as"][number]): number => counted.filter(({ as }) => as.includes(what)).length;
      const expected: Numbers = {
        created: number("created"),
        updated: number("updated"),
        removed: number("removed"),
        both: counted.filter(({ as }) => as.includes("updated") && as.includes("removed")).length,
        renamed: number("renamed"),
        reactivated: number("reactivated"),
      };
      const text = renderPlan(plan, { style: WIDE });
      const totals = /^Plan: (.*)$/m.exec(text)?.[1] ?? "";
      const todo = (verb: string): number =>
        Number((new RegExp(`([\\d,]+) to ${verb}`).exec(totals)?.[1] ?? "0").replaceAll(",", ""));
      // Each object is counted once.
      expect({
        created: todo("create"),
        updated: todo("change"),
        removed: todo("archive") + todo("deactivate") + todo("remove"),
        reordered: todo("reorder"),
      }).toEqual({
        created: expected.created,
        updated: expected.updated - expected.both,
        removed: expected.removed,
        reordered: number("reordered"),
      });
      const markdown = commentOf(plan, { budget: 1_000_000 });
      const [, total, head = ""] =
        /would make \*\*(\d+) changes?\*\* in `[^`]*`: (.*?)(?: · \*\*|\.$)/m.exec(markdown) ?? [];
      expect(Number(total)).toBe(counted.length);
      expect(fromWords(numbersIn(head))).toEqual(expected);
      const title = /<summary>This pull request: \d+ \((.*)\)<\/summary>/.exec(markdown)?.[1] ?? "";
      expect(fromWords(numbersIn(title))).toEqual(expected);
      const html = renderPlanHtml(plan, accessInPlan(plan), { applyWith: "" });
      const verdict = /<strong>(\d+) changes?<\/strong>: ([^<]*)/.exec(html);
      expect(Number(verdict?.[1])).toBe(counted.length);
      expect(fromWords(numbersIn(verdict?.[2] ?? ""))).toEqual(expected);

      const inJson = {
        changes: counted.length,
        create: expected.created,
        update: expected.updated,
        rename: number("renamed"),
        remove: expected.removed,
        update_and_remove: expected.both,
        reorder: number("reordered"),
      };
      expect(JSON.parse(renderPlanJson(plan, 0)).summary).toMatchObject(inJson);
      const limits = { changes: { most: 1000 }, removals: { most: 1000 } };
      const policies = [{ limits, protect: [] }];
      const guards = guardsOf({ plan, snapshot: realmOf({}), kinds, policies, allow: [] });
      expect(guards.map(guardText)).toEqual(
        expect.arrayContaining([`changes ${counted.length} of 1000`, `removals ${expected.removed} of 1000`]),
      );

      const result: ApplyResult = {
        plan,
        outcome: "applied",
        exitCode: 0,
        calls: plan.calls.map(({ n }) => ({ n, state: "done" })),
        conflicts: [],
        remaining: [],
        journal: null,
        elapsedMs: 10,
        diagnostics: [],
      };
      const said = renderResult(result, { style: WIDE });
      expect(fromWords(numbersIn(/^Applied .* in \d+ ms: (.*)\.$/m.exec(said)?.[1] ?? ""))).toEqual(expected);
      expect(JSON.parse(renderResultJson(result)).summary).toEqual({ planned: inJson, done: inJson });
    }),
  );
});

describe("words", () => {
  const both = change({ action: "update", name: "books", fields: [archived, moved] });
  const away = change({ action: "remove", name: "wiki", fields: [archived] });
  const fresh = change({ action: "create", name: "new" });
  const back = change({ action: "update", name: "ideas", fields: [field("archived", true, false)] });
  const moves = change({ action: "update", name: "b", was: "a", fields: [field("name", "a", "b")] });
  test.each([
    { changes: [both], kinds: "1 channel changed, 1 archived (1 is in both numbers)" },
    { changes: [both, { ...both, name: "b2" }, away], kinds: "2 channels changed, 3 archived (2 are in both numbers)" },
    { changes: [fresh, away], kinds: "1 channel created, 1 archived" },
    { changes: [back], kinds: "1 channel changed (reactivated)" },
    { changes: [back, moves], kinds: "2 channels changed (1 renamed, 1 reactivated)" },
  ])("$kinds", ({ changes, kinds: said }) => {
    expect(kindTallies(changes)).toEqual([said]);
    expect(wholeTally(changes)).toBe(said.replaceAll(/ channels?/g, "").replaceAll("archived", "removed"));
  });

  test("an object that is changed and archived is described as both, in every format", () => {
    const plan = planFrom([{ change: both, as: [] }]);
    expect(renderPlan(plan, { style: PLAIN })).toMatch(/~ #books {2}archived/);
    expect(commentOf(plan)).toContain("books` · archived");
    expect(renderPlanHtml(plan, accessInPlan(plan), { applyWith: "" })).toContain('<span class="dim">archived</span>');
  });
});

test("a run that was interrupted counts only the changes that are complete", () => {
  const two = change({ action: "update", name: "two", fields: [moved] });
  const one = change({ action: "remove", name: "one", fields: [archived] });
  const plan: Plan = {
    ...EMPTY_PLAN,
    changes: [two, one],
    calls: [
      call(1, { for: [{ address: "channel:two", fields: ["folder"] }] }),
      call(2, { for: [{ address: "channel:two", fields: ["description"] }] }),
      call(3, { for: [{ address: "channel:one", fields: ["archived"] }] }),
    ],
  };
  const states = ["done", "failed", "already-so"] as const;
  const result: ApplyResult = {
    plan,
    outcome: "in-part",
    exitCode: 5,
    calls: states.map((state, index) => ({ n: index + 1, state })),
    conflicts: [],
    remaining: null,
    journal: null,
    elapsedMs: 10,
    diagnostics: [],
  };
  expect(renderResult(result, { style: WIDE })).toContain("Complete: 1 channel archived.");
  expect(JSON.parse(renderResultJson(result)).summary.done).toMatchObject({ changes: 1, update: 0, remove: 1 });
});
