import { expect, test } from "vitest";
import { call, change, EMPTY_PLAN, line, protection, quoting, risk } from "../../test/support/example-plans.ts";
import fc from "../../test/support/random.ts";
import { clean } from "../model/clean.ts";
import type { Json } from "../model/json.ts";
import type { Change, Plan } from "../model/plan.ts";
import { valueText } from "../model/value-text.ts";
import { renderDrift } from "./drift.ts";
import { renderPlanJson } from "./json.ts";
import { renderResult } from "./result.ts";
import { displayWidth, PLAIN, wrap } from "./style.ts";
import { renderPlan } from "./text.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";

/** Any name of a channel, with an increased share of sequences that terminals interpret. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        "\u001b[31m",
        "\u202e",
        "\n",
        "\r",
        "\u0007",
        "東京",
        "👩‍🚀",
        " ",
        "a",
        "\ud800",
        "\u2028",
        "::error::",
      ),
    )
    .map((parts) => parts.join("")),
);
const anyValue: fc.Arbitrary<Json> = fc.oneof(
  anyText,
  fc.constantFrom(null, true, false, 0, 90),
  fc.array(anyText, { maxLength: 4 }),
  fc.record({ groups: fc.array(anyText, { maxLength: 3 }), users: fc.array(anyText, { maxLength: 3 }) }),
);
const anyChange: fc.Arbitrary<Change> = fc
  .record({
    action: fc.constantFrom("create" as const, "update" as const, "remove" as const, "reorder" as const),
    name: anyText,
    was: fc.option(anyText, { nil: undefined }),
    file: anyText,
    fields: fc.array(fc.record({ field: anyText, before: anyValue, after: anyValue }), { maxLength: 4 }),
    risks: fc.array(
      fc.record({ kind: fc.constantFrom("widens" as const, "narrows" as const, "noisy" as const), text: anyText }),
      { maxLength: 2 },
    ),
  })
  .map(({ action, name, was, file, fields, risks }) => {
    const common = { name, fields, at: line(3, file) };
    const made =
      action === "update" && was !== undefined ? change({ action, ...common, was }) : change({ action, ...common });
    return { ...made, risks: risks.map(({ kind, text }) => risk(kind, name, text, line(4, file))) };
  });
const anyPlan: fc.Arbitrary<Plan> = fc
  .record({
    changes: fc.array(anyChange, { maxLength: 40 }),
    names: fc.array(anyText, { maxLength: 5 }),
    guard: fc.boolean(),
    message: anyText,
  })
  .map(({ changes, names, guard, message }) => ({
    ...EMPTY_PLAN,
    realm: { url: `https://chat.example.org/${message}`, name: message },
    account: { ...EMPTY_PLAN.account, full_name: message },
    changes,
    calls: changes.map((one, index) => call(index + 1, { for: [{ address: one.address, fields: names }] })),
    unmanaged: [{ section: "channels", policy: "additive", names }],
    guards: [protection(message, guard)],
    warnings: [quoting(message)],
    side_effects: { emails: 0, notices_in: names },
  }));

/** Control characters but the end of a line, direction marks, invisible separators, halves of pairs. */
const UNSAFE = /[^\P{Cc}\n]|[\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Cs}/u;
const anyWidth = fc.integer({ min: 24, max: 140 });
const options = { numRuns: Number(process.env.REALMCTL_RUNS ?? 8) };
const tooWide = (text: string, width: number): string | undefined =>
  text.split("\n").find((one) => displayWidth(one) > width);

test("whatever names and texts contain, a plan is safe on a terminal and fits it", () => {
  fc.assert(
    fc.property(anyPlan, anyWidth, fc.boolean(), (plan, width, all) => {
      const text = renderPlan(plan, { style: { ...PLAIN, width }, all });
      expect(text).not.toMatch(UNSAFE);
      expect(tooWide(text, width)).toBeUndefined();
    }),
    options,
  );
});

test("colour codes are never broken, and change no text", () => {
  fc.assert(
    fc.property(anyPlan, anyWidth, (plan, width) => {
      const style = { ...PLAIN, width };
      const codes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
      const coloured = renderPlan(plan, { style: { ...style, colour: true } });
      expect(coloured.replace(codes, "")).not.toMatch(UNSAFE);
      expect(tooWide(coloured, width)).toBeUndefined();
    }),
    options,
  );
});

test("drift and results are safe, too", () => {
  fc.assert(
    fc.property(anyPlan, anyWidth, fc.boolean(), (plan, width, all) => {
      const style = { ...PLAIN, width };
      const drift = {
        plan,
        differences: plan.changes,
        unmanaged: plan.unmanaged,
        uncompared: plan.warnings,
        exitCode: 2,
      } as const;
      const result = {
        plan,
        outcome: "in-part",
        exitCode: 5,
        calls: plan.calls.map(
          ({ n }) => ({ n, state: "failed", message: plan.realm.name, code: plan.realm.name }) as const,
        ),
        conflicts: plan.changes.flatMap(({ address, kind, name, fields }) =>
          fields.map(({ field, before, after }) => ({
            address,
            kind,
            name,
            field,
            planned: before,
            found: after,
            wanted: before,
            calls: [1],
          })),
        ),
        remaining: plan.changes,
        journal: plan.realm.name,
        elapsedMs: 5,
        diagnostics: plan.warnings,
      } as const;
      for (const text of [renderDrift(drift, { style, all }), renderResult(result, { style, all })]) {
        expect(text).not.toMatch(UNSAFE);
        expect(tooWide(text, width)).toBeUndefined();
      }
    }),
    options,
  );
});

test("JSON keeps every value and is safe on a terminal", () => {
  fc.assert(
    fc.property(anyPlan, (plan) => {
      const json = renderPlanJson(plan, 0);
      expect(json).not.toMatch(UNSAFE);
      expect(JSON.parse(json)).toMatchObject(
        JSON.parse(JSON.stringify({ ...plan, warnings: plan.warnings.map(wordedDiagnostic) })),
      );
    }),
    options,
  );
});

test("different values never look the same", () => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      fc.pre(one !== other);
      expect(valueText(one)).not.toBe(valueText(other));
    }),
    options,
  );
});

test("wrapping keeps every character except the spaces at which it breaks", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, width) => {
      const safe = clean(text);
      expect(wrap(safe, width).join("").replaceAll(" ", "")).toBe(safe.replaceAll(" ", ""));
    }),
    options,
  );
});
