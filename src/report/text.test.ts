import { describe, expect, test } from "vitest";
import {
  call,
  change,
  EMPTY_PLAN,
  field,
  HOSTILE_PLAN,
  LARGE_PLAN,
  limit,
  line,
  MIXED_PLAN,
  risk,
} from "../../test/support/example-plans.ts";
import { commentOf } from "../../test/support/published.ts";
import { kinds } from "../kinds/registry.ts";
import { error } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { Plan, Risk } from "../model/plan.ts";
import { accessInPlan } from "./access.ts";
import { saidChange, saidGuard } from "./drift-view.ts";
import { entriesOf } from "./entries.ts";
import { renderPlanHtml } from "./html.ts";
import { renderPlanJson } from "./json.ts";
import { durationText } from "./layout.ts";
import { estimatedSeconds } from "./plan-cost.ts";
import { MAILING_KINDS } from "./plan-entries.ts";
import { displayWidth, PLAIN, type Style } from "./style.ts";
import { renderPlan } from "./text.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";
import { riskText } from "./words/risks.ts";

const at = (width: number): Style => ({ ...PLAIN, width });

describe("the whole text", () => {
  test.each([
    { name: "empty-100", plan: EMPTY_PLAN, style: at(100) },
    { name: "mixed-100", plan: MIXED_PLAN, style: at(100) },
    { name: "mixed-80", plan: MIXED_PLAN, style: at(80) },
    { name: "mixed-40", plan: MIXED_PLAN, style: at(40) },
    { name: "mixed-ascii-80", plan: MIXED_PLAN, style: { ...at(80), unicode: false } },
    { name: "mixed-colour-80", plan: MIXED_PLAN, style: { ...at(80), colour: true } },
    { name: "large-100", plan: LARGE_PLAN, style: at(100) },
    { name: "hostile-80", plan: HOSTILE_PLAN, style: at(80) },
  ])("$name", async ({ name, plan, style }) => {
    const text = renderPlan(plan, { style, cost: { requests: 1, seconds: 0.42 } });
    await expect(text).toMatchFileSnapshot(`snapshots/${name}.txt`);
  });
});

describe("no line is wider than the terminal", () => {
  test.each([24, 40, 50, 51, 64, 80, 100, 140])("%i columns", (width) => {
    for (const plan of [EMPTY_PLAN, MIXED_PLAN, LARGE_PLAN, HOSTILE_PLAN])
      for (const text of renderPlan(plan, { style: at(width) }).split("\n"))
        expect(displayWidth(text), text).toBeLessThanOrEqual(width);
  });
});

test("an empty plan without a terminal is one line", () => {
  const plan: Plan = { ...EMPTY_PLAN, unmanaged: [], matches: { channels: 41, domains: 1 } };
  expect(renderPlan(plan, { style: PLAIN })).toBe("No changes. 41 channels, 1 domain match.\n");
});

test.each([
  { what: "nothing", is_there: false, says: "Guards       protected: channel:generl (none there) untouched" },
  { what: "something", is_there: true, says: undefined },
])("an empty plan with a protection that protects $what", ({ is_there, says }) => {
  const about = { kind: "untouched", patterns: [{ pattern: "channel:generl", is_there }] } as const;
  const plan: Plan = {
    ...EMPTY_PLAN,
    unmanaged: [],
    matches: { channels: 41 },
    guards: [{ name: "protect", fact: { about }, violated: false }],
  };
  expect(renderPlan(plan, { style: PLAIN })).toBe(
    ["No changes. 41 channels match.", ...(says === undefined ? [] : [says]), ""].join("\n"),
  );
});

test("names that do not resolve are counted at the end, and shown with their lines if these may be shown", () => {
  const at = { file: "realm.yaml", line: 2, column: 11, endLine: 2, endColumn: 15 };
  const fact = { name: quote("Nowhere", "channel_folder"), known: [] };
  const found = { ...error("channels/unknown-folder", fact, at), unresolved: { kind: "channel_folder" } };
  const show = (plan: Plan, textOf?: () => string): string =>
    renderPlan({ ...plan, warnings: [found] }, { style: PLAIN, ...(textOf === undefined ? {} : { textOf }) });
  const frame = "2 │ folder: { x }\n  │           ^^^";
  const end = "1 error: what needs this name is left as it is.";
  const empty = { ...EMPTY_PLAN, unmanaged: [], matches: { channels: 0 } };
  expect(show(empty)).toContain(`${end} No other changes.\n`);
  expect(show(empty)).not.toContain("No changes. 0 channels");
  expect(show(empty)).not.toContain("│");
  expect(show(empty, () => "version: 1\nfolder: { x }\n")).toContain(frame);
  const mixed = show(MIXED_PLAN, () => "version: 1\nfolder: { x }\n");
  expect(mixed).toContain(frame);
  expect(mixed).toContain(`${end}\nApply with`);
});

test("an undo with nothing left to do mentions the run, not a file", () => {
  const unmanaged = [{ section: "channels", policy: "absent", names: ["general"] }] as const;
  const shown = (all: boolean): string =>
    renderPlan({ ...EMPTY_PLAN, unmanaged, matches: {} }, { style: PLAIN, undoes: true, all });
  expect(shown(false)).toBe("No changes. That run has nothing left to undo.\n");
  expect(shown(true)).toBe(
    "No changes. That run has nothing left to undo. Not managed: 1 channel: general (not of that run).\n",
  );
});

test("the text without colour has no control characters, whatever the names and texts contain", () => {
  for (const plan of [HOSTILE_PLAN, MIXED_PLAN])
    for (const all of [true, false])
      expect(renderPlan(plan, { style: PLAIN, all })).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
});

test("colour adds only colour codes", () => {
  const coloured = renderPlan(MIXED_PLAN, { style: { ...PLAIN, colour: true } });
  // biome's rule against control characters is about typing errors, so the escape is built from its number.
  const codes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
  expect(coloured).toMatch(codes);
  expect(coloured.replace(codes, "")).toBe(renderPlan(MIXED_PLAN, { style: PLAIN }));
});

test("--all names every change and every risk of a large plan", () => {
  const short = renderPlan(LARGE_PLAN, { style: PLAIN });
  const whole = renderPlan(LARGE_PLAN, { style: PLAIN, all: true });
  expect(short.split("\n").length).toBeLessThan(60);
  for (const { name } of LARGE_PLAN.changes) expect(whole).toContain(` #${name} `);
  for (const { risks } of LARGE_PLAN.changes) for (const one of risks) expect(whole).toContain(riskText(one));
});

test("many similar risks never hide a different one", () => {
  const single = risk("noisy", "announce", "12 e-mails go out");
  const plan: Plan = {
    ...LARGE_PLAN,
    changes: [...LARGE_PLAN.changes, change({ action: "update", name: "announce", risks: [single] })],
  };
  const text = renderPlan(plan, { style: PLAIN });
  expect(text).toContain("! 12 e-mails go out");
  expect(text).toContain("! #old-wiki is archived");
});

describe("many changes", () => {
  const bulky = Array.from({ length: 40 }, (_, index) =>
    change({
      action: "update",
      name: `c${index}`,
      fields: [field("description", "a", `b ${index}`), field(`f${index}`, 1, 2)],
    }),
  );
  const shown = (more: Plan["changes"], width: number): string =>
    renderPlan({ ...EMPTY_PLAN, changes: [...bulky, ...more], calls: [call(1)] }, { style: at(width) });
  const invites = ["ada@example.org", "ben@example.org"].map((name, index) =>
    change({ action: "create", kind: "invite", name, fields: [field("channels", null, [`c${index}`])] }),
  );
  const opened = Array.from({ length: 40 }, (_, index) =>
    change({
      action: "update",
      name: `open${index}`,
      fields: [field(`f${index}`, 1, 2)],
      risks: [risk("widens", `open${index}`, "")],
    }),
  );
  const archived = Array.from({ length: 20 }, (_, index) =>
    change({ action: "remove", name: `old${index}`, fields: [field("archived", false, true)] }),
  );

  test.each([30, 44, 80, 140])("what mails, opens or archives is named at %i columns", (width) => {
    const text = shown([...invites, ...opened, ...archived], width);
    expect(text.replaceAll(/\s+/g, " ")).toContain("and 40 to change (--all shows each)");
    for (const { name } of [...invites, ...opened, ...archived]) expect(text).toMatch(new RegExp(`\\b${name}\\b`));
  });

  test("the same ones are shown at every width", () => {
    const names = (width: number): readonly string[] => shown([], width).match(/(?<=~ #)c\d+/g) ?? [];
    expect(names(100).length).toBeGreaterThan(9);
    for (const width of [30, 44, 80, 140]) expect(names(width)).toEqual(names(100));
  });

  test("the kinds that mail are those of the registry", () => {
    expect(MAILING_KINDS).toEqual(kinds.flatMap(({ name, calls }) => (calls.mails === true ? [name] : [])));
  });
});

test("a violated guard is shown instead of the command to apply", () => {
  const plan: Plan = {
    ...MIXED_PLAN,
    guards: [{ ...limit("removals", 6, 5), at: line(3) }],
  };
  const text = renderPlan(plan, { style: PLAIN });
  expect(text).toMatch(/✗ refused by a guard: removals: 6, but at most 5 are allowed +realm\.yaml:3/);
  expect(text).not.toContain("Apply with");
});

test.each([true, false])("a guard that an error below the plan names is not in the plan; an undo: %s", (undoes) => {
  const plan: Plan = { ...MIXED_PLAN, guards: [{ ...limit("removals", 6, 5), at: line(3) }] };
  expect(renderPlan(plan, { style: PLAIN, undoes, refusing: [] })).toContain("at most 5 are allowed");
  expect(renderPlan(plan, { style: PLAIN, undoes, refusing: plan.guards })).not.toContain("at most 5 are allowed");
});

test("changes that the file did not ask for are marked in the margin", () => {
  const plan: Plan = {
    ...EMPTY_PLAN,
    changes: [change({ action: "remove", name: "old", fields: [field("archived", false, true)] })],
    calls: [call(1)],
  };
  expect(renderPlan(plan, { style: PLAIN })).toMatch(/- #old {2}archived +not in the file/);
});

describe("the cost of the calls", () => {
  test.each([
    { calls: 1, said: "about 1 s" },
    { calls: 200, said: "about 20 s" },
    { calls: 201, said: "about 60 s" },
    { calls: 1000, said: "about 4 min" },
    { calls: 2000, said: "about 9 min" },
    { calls: 2001, said: "about 60 min" },
    { calls: 10_000, said: "about 4 h 9 min" },
  ])("$calls calls take $said", ({ calls, said }) => {
    const plan: Plan = { ...EMPTY_PLAN, calls: Array.from({ length: calls }, (_, index) => call(index + 1)) };
    expect(durationText(estimatedSeconds(plan))).toBe(said);
  });

  test("creating many channels in one call costs as much as the server needs for each", () => {
    const creates = Array.from({ length: 200 }, (_, index) => `channel:c${index}` as const);
    const plan: Plan = { ...EMPTY_PLAN, calls: [call(1, { creates })] };
    expect(durationText(estimatedSeconds(plan))).toBe("about 3 s");
  });
});

test("the minimum number of calls is shown if more are needed", () => {
  const plan: Plan = { ...MIXED_PLAN, least_calls: 4 };
  expect(renderPlan(plan, { style: PLAIN, all: true })).toContain("5 writes (the least possible: 4)");
  expect(renderPlan(plan, { style: PLAIN })).not.toContain("least possible");
});

test("JSON contains the plan, its counts and the exit code, and is safe on a terminal", () => {
  const json = renderPlanJson(HOSTILE_PLAN, 3);
  expect(json).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
  expect(JSON.parse(json)).toEqual({
    ...HOSTILE_PLAN,
    warnings: HOSTILE_PLAN.warnings.map(wordedDiagnostic),
    changes: HOSTILE_PLAN.changes.map(saidChange),
    guards: HOSTILE_PLAN.guards.map(saidGuard),
    summary: {
      changes: 1,
      create: 0,
      update: 1,
      rename: 1,
      remove: 0,
      update_and_remove: 0,
      reorder: 0,
      risks: 1,
      writes: 1,
      estimated_seconds: 0.1,
      guards_violated: 1,
    },
    exit_code: 3,
  });
});

test.each([
  { lines: [3, 9, 4], place: "realm.yaml:3…9" },
  // The declarations of an undo are all in the first line of a journal.
  { lines: [1, 1, 1], place: "realm.yaml:1" },
])("many similar changes from the lines $lines are shown at $place", ({ lines, place }) => {
  const changes = lines.map((number, index) =>
    change({ action: "update", name: `t${index}`, fields: [field("description", "a", "b")], at: line(number) }),
  );
  const text = renderPlan({ ...EMPTY_PLAN, changes, calls: [call(1)] }, { style: { ...PLAIN, unicode: true } });
  expect(text).toMatch(new RegExp(`3 channels alike +${place.replace(".", "[.]")}$`, "m"));
});

test("fields that differ in each of many similar changes are counted", () => {
  const plan: Plan = {
    ...EMPTY_PLAN,
    changes: Array.from({ length: 40 }, (_, index) =>
      change({
        action: "update",
        name: `t${index}`,
        fields: [field("description", "a", `b ${index}`)],
        at: line(index + 1),
      }),
    ),
    calls: [call(1)],
  };
  const text = renderPlan(plan, { style: PLAIN });
  expect(text).toContain("40 channels alike");
  expect(text).not.toContain("b 0");
  expect(renderPlan(plan, { style: PLAIN, all: true })).toContain("b 39");
});

describe("the risks at the top", () => {
  const risky = (...kinds: readonly Risk["kind"][]): Plan => ({
    ...EMPTY_PLAN,
    changes: kinds.map((kind, index) =>
      change({
        action: "update",
        name: `c${index}`,
        fields: [field("description", "a", `b ${index}`)],
        // Each of another number of people: equal ones would be told together.
        risks: [{ ...risk(kind, `c${index}`, ""), fact: notified(`${kind} risk ${index}`, index + 2) }],
      }),
    ),
    calls: [call(1)],
  });
  const notified = (name: string, people: number): Risk["fact"] => ({
    kind: "notified",
    object: { address: `channel:${name}`, name },
    people,
  });
  const shown = (plan: Plan, all = false): readonly string[] =>
    [...renderPlan(plan, { style: PLAIN, all }).matchAll(/^ {2}! (?:\d+ people get a message about #)?(.*)$/gm)].map(
      ([, text = ""]) => text,
    );

  test("come in this order: lock-outs, irreversible steps, wider access, removals, less access, notices", () => {
    expect(shown(risky("noisy", "narrows", "removes", "widens", "irreversible", "lockout"))).toEqual([
      "lockout risk 5",
      "irreversible risk 4",
      "widens risk 3",
      "removes risk 2",
      "narrows risk 1",
      "noisy risk 0",
    ]);
  });

  test.each([1, 4, 13])("all %i risks of one kind are shown", (number) => {
    const lines = shown(risky(...Array.from({ length: number }, () => "widens" as const)));
    expect(lines).toEqual(Array.from({ length: number }, (_, index) => `widens risk ${index}`));
  });

  test("of more risks, the worst fill the twelve lines, three of every other kind stay, and the rest is counted", () => {
    const plan = risky(...Array.from({ length: 20 }, () => "widens" as const), "noisy", "noisy", "noisy", "noisy");
    const lines = shown(plan);
    expect(lines.filter((text) => text.startsWith("widens"))).toHaveLength(9);
    expect(lines.filter((text) => text.startsWith("noisy"))).toHaveLength(3);
    expect(lines.at(-1)).toBe("12 more: 11 widen access, 1 notifies people (--all names each)");
    expect(shown(plan, true)).toHaveLength(24);
  });
});

test("risks and texts of many similar changes are told once, and truthfully", () => {
  const many = (after: (index: number) => string): Plan => ({
    ...EMPTY_PLAN,
    changes: Array.from({ length: 27 }, (_, index) =>
      change({
        action: "update",
        name: `c${index}`,
        fields: [field("description", `was ${index}`, after(index))],
        risks: [risk("narrows", `c${index}`, `c${index}`)],
      }),
    ),
    calls: [call(1)],
  });
  const shared = many(() => "Now: x");
  const text = renderPlan(shared, { style: PLAIN });
  expect(text.match(/^ {2}! /gm)).toHaveLength(1);
  expect(text).toContain("the same for 26 more: ");
  expect(text).toContain('different values → "Now: x" (--all shows each)');
  expect(
    renderPlan(
      many((index) => `x ${index % 5}`),
      { style: PLAIN },
    ),
  ).toContain("5 different values");
  const markdown = commentOf(shared);
  expect(markdown.match(/⚠️/g)).toHaveLength(1);
  expect(markdown).toContain("different values → ");
  const html = renderPlanHtml(shared, accessInPlan(shared), { applyWith: "" });
  expect(html.match(/class="risk sign">!/g)).toHaveLength(1);
  expect(html).toContain("was 26 → &quot;Now: x&quot;");
});

test("similar changes of different kinds are never one entry", () => {
  const away = (kind: string, name: string) =>
    change({ action: "remove", kind, name, fields: [field("archived", false, true)] });
  const changes = [away("channel", "a"), away("channel", "b"), away("channel_folder", "c")];
  expect(entriesOf(changes, false).map((entry) => entry.changes.length)).toEqual([1, 1, 1]);
});
