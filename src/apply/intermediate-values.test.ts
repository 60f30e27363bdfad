import { describe, expect, test } from "vitest";
import { call, field, planOf } from "../../test/support/apply/toy.ts";
import { IntermediateValues } from "./intermediate-values.ts";

// A swap: `a` is called `a~` until `b` has taken its name; its colour is written once, by the last call.

const of = (name: string, ...fields: readonly string[]) => ({ address: `thing:${name}` as const, fields });
const at = (name: string, field: string, value: string) => ({ address: `thing:${name}` as const, field, value });
const PLAN = planOf(
  [],
  [
    call({
      n: 1,
      operation: "x",
      for: [of("a", "name")],
      expects: [at("a", "name", "a"), at("a", "size", "small"), { ...at("a", "exists", ""), value: true }],
    }),
    call({ n: 2, operation: "x", for: [of("b", "name")], expects: [at("b", "name", "b")] }),
    call({
      n: 3,
      operation: "x",
      for: [of("a", "name", "colour")],
      expects: [at("a", "name", "a~"), at("a", "colour", "red")],
    }),
    call({
      n: 4,
      operation: "x",
      for: [of("new")],
      creates: ["thing:new"],
      expects: [{ address: "thing:new", field: "exists", value: false }],
    }),
  ],
);
const broken = (...sent: readonly number[]) => new IntermediateValues(PLAN, new Set(sent));

describe("a run that was interrupted", () => {
  test("is in the middle of a field if one of its writers was sent and another was not", () => {
    expect([broken(), broken(1), broken(1, 2), broken(1, 2, 3)].map((run) => run.isOpen("thing:a", "name"))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(broken(1).isOpen("thing:a", "colour")).toBe(false);
  });
  test("has not changed a field that none of the sent calls writes", () => {
    expect([broken(1).isUntouched("thing:a", "colour"), broken(3).isUntouched("thing:a", "colour")]).toEqual([
      true,
      false,
    ]);
    expect(broken(1).isUntouched("thing:a", "size")).toBe(true);
  });
  test("leaves the values that its calls expect to find, and nothing else", () => {
    const names = ["a", "a~", "b", "other"];
    expect(names.filter((name) => broken(1).isStep("thing:a", "name", name))).toEqual(["a", "a~"]);
    expect(broken(1).isStep("thing:a", "shape", "a")).toBe(false);
  });
  test("left a list half done: without the removed members, or with all added ones", () => {
    const run = (...sent: readonly number[]) =>
      new IntermediateValues(
        planOf(
          [],
          [1, 2].map((n) => call({ n, operation: "x", for: [of("a", "members")] })),
        ),
        new Set(sent),
      );
    const change = field("members", ["ada", "ben"], ["ada", "kofi"]);
    const lists = [["ada"], ["kofi", "ben", "ada"], ["ben"], ["ada", "dmitri"], [], ["kofi", "ben", "dmitri"]];
    expect(lists.map((live) => run(1).isIntermediate("thing:a", change, live))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([run(), run(1, 2)].map((other) => other.isIntermediate("thing:a", change, ["ada"]))).toEqual([false, false]);
    expect(run(1).isIntermediate("thing:a", field("members", "ada", ["ada"]), ["ada"])).toBe(false);
  });
  test("found what the first call expects of each field", () => {
    expect(broken(1).fieldsBefore("thing:a")).toEqual({ name: "a", size: "small", colour: "red" });
    expect([broken(1).fieldsBefore("thing:new"), broken(1).fieldsBefore("thing:c")]).toEqual([{}, {}]);
  });
});
