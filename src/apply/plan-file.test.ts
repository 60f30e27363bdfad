import { describe, expect, test } from "vitest";
import { EXIT, Failure } from "../model/diagnostic.ts";
import { digestOf, parsePlanFile, planFileText } from "./plan-file.ts";
import { change, field, planOf, set } from "./testing/toy.ts";

const plan = planOf(
  [change("a", 1, field("description", "old", "new"))],
  [set(1, 1, "a", "description", "old", "new")],
);
const origin = { configuration: "c".repeat(64), snapshot: "5".repeat(64) };
const text = planFileText(plan, origin);

test("comes back as it was saved", () => {
  const { extra, ...rest } = parsePlanFile(text, "realm.plan");
  expect(rest).toEqual(plan);
  expect(extra).toMatchObject({ origin });
});

test("the digest is the same before and after saving", () => {
  expect(parsePlanFile(text, "realm.plan").extra?.checksum).toBe(digestOf(parsePlanFile(text, "realm.plan")));
  expect(parsePlanFile(planFileText(plan), "x").extra?.checksum).toBe(digestOf(plan));
});

describe("refuses", () => {
  test.each([
    { fact: "an edited value", edit: text.replace('"new"', '"newer"'), code: "plan-file/edited", exit: EXIT.mistakes },
    {
      fact: "a removed checksum",
      edit: text.replace(/"checksum": "\w+"/, '"note": 1'),
      code: "plan-file/edited",
      exit: EXIT.mistakes,
    },
    {
      fact: "a missing list",
      edit: text.replace('"calls"', '"called"'),
      code: "plan-file/edited",
      exit: EXIT.mistakes,
    },
    {
      fact: "another version",
      edit: text.replace('"version": 1', '"version": 2'),
      code: "plan-file/other-version",
      exit: EXIT.conflict,
    },
    { fact: "half a file", edit: text.slice(0, 200), code: "plan-file/not-json", exit: EXIT.mistakes },
    { fact: "some other JSON", edit: "[]", code: "plan-file/no-plan", exit: EXIT.mistakes },
  ])("$fact", ({ edit, code, exit }) => {
    expect(edit).not.toBe(text);
    try {
      parsePlanFile(edit, "realm.plan");
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      expect([error.diagnostics[0]?.code, error.exitCode]).toEqual([code, exit]);
    }
  });

  test("white space and the order of keys are no edit", () => {
    const value: object = JSON.parse(text);
    const shuffled = JSON.stringify(Object.fromEntries(Object.entries(value).reverse()));
    expect(() => parsePlanFile(shuffled, "realm.plan")).not.toThrow();
  });
});
