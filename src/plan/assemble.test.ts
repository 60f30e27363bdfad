import { describe, expect, test } from "vitest";
import type { DraftCall } from "../model/kind.ts";
import type { Address, Call } from "../model/plan.ts";
import { assemble } from "./assemble.ts";

function draft(operation: string, more: Partial<DraftCall> = {}): DraftCall {
  return { operation, path: {}, params: {}, for: [{ address: `thing:${operation}`, fields: [operation] }], ...more };
}

function assembleCalls(drafts: readonly DraftCall[]): readonly Call[] {
  const assembled = assemble(drafts);
  if (!assembled.ok) throw new RangeError("a ring");
  return assembled.calls;
}

const order = (drafts: readonly DraftCall[]) => assembleCalls(drafts).map(({ operation }) => operation);

describe("order", () => {
  test.each([
    { about: "as drafted", drafts: [draft("a"), draft("b")], expected: ["a", "b"] },
    {
      about: "after what provides",
      drafts: [draft("a", { needs: ["x"] }), draft("b"), draft("c", { provides: ["x"] })],
      expected: ["c", "a", "b"],
    },
    { about: "a token that nobody provides is so already", drafts: [draft("a", { needs: ["x"] })], expected: ["a"] },
    {
      about: "after all that provide",
      drafts: [draft("a", { needs: ["x"] }), draft("b", { provides: ["x"] }), draft("c", { provides: ["x"] })],
      expected: ["b", "c", "a"],
    },
    {
      about: "later ranks later",
      drafts: [draft("a", { rank: 100 }), draft("b"), draft("c", { rank: 50 })],
      expected: ["b", "c", "a"],
    },
    {
      about: "need before rank",
      drafts: [draft("a", { needs: ["x"] }), draft("b", { rank: 100, provides: ["x"] })],
      expected: ["b", "a"],
    },
    {
      about: "what mentions an object comes after what creates it",
      drafts: [
        draft("a", { params: { list: [{ deep: { idOf: "thing:new" } }] } }),
        draft("b", { creates: ["thing:new"] }),
      ],
      expected: ["b", "a"],
    },
    {
      about: "a call may provide what it needs",
      drafts: [draft("a", { needs: ["x"], provides: ["x"] })],
      expected: ["a"],
    },
  ])("$about", ({ drafts, expected }) => {
    expect(order(drafts)).toEqual(expected);
  });

  test("numbers and edges", () => {
    const calls = assembleCalls([draft("a", { needs: ["x", "y"] }), draft("b", { provides: ["x", "y"] }), draft("c")]);
    expect(calls.map(({ n, operation, after }) => ({ n, operation, after }))).toEqual([
      { n: 1, operation: "b", after: [] },
      { n: 2, operation: "a", after: [1] },
      { n: 3, operation: "c", after: [] },
    ]);
  });

  test("a ring is named without what hangs on it", () => {
    const ring = [
      draft("before", { provides: ["z"] }),
      draft("a", { needs: ["x", "z"], provides: ["y"] }),
      draft("b", { needs: ["y"], provides: ["x"] }),
      draft("after", { needs: ["x"], rank: -1 }),
    ];
    const assembled = assemble(ring);
    expect(assembled.ok ? [] : assembled.ring.map(({ operation }) => operation).sort()).toEqual(["a", "b"]);
  });

  test("a chain of 20,000", () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      draft(`${index}`, { needs: [`t${index + 1}`], provides: [`t${index}`] }),
    );
    expect(order(chain)[0]).toBe("19999");
  });
});

describe("batches", () => {
  const element = (name: string, more: Partial<DraftCall> = {}) =>
    draft("make", {
      params: { colour: "red", names: [name] },
      creates: [`thing:${name}`],
      batch: { list: "names", limit: 2 },
      ...more,
    });

  test("alike calls become one, at most as large as allowed", () => {
    const calls = assembleCalls([element("a"), draft("other"), element("b"), element("c")]);
    expect(calls.map(({ params, creates }) => ({ params, creates }))).toEqual([
      { params: { colour: "red", names: ["a", "b"] }, creates: ["thing:a", "thing:b"] },
      { params: { colour: "red", names: ["c"] }, creates: ["thing:c"] },
      { params: {}, creates: [] },
    ]);
  });

  test("the order of parameters is no difference, their values are", () => {
    const calls = assembleCalls([
      element("a", { params: { names: ["a"], colour: "red" } }),
      element("b"),
      element("c", { params: { colour: "blue", names: ["c"] } }),
    ]);
    expect(calls.map(({ params }) => params.names)).toEqual([["a", "b"], ["c"]]);
  });

  test("the whole waits for what one of it needs", () => {
    const calls = assembleCalls([element("a"), element("b", { needs: ["x"] }), draft("first", { provides: ["x"] })]);
    expect(calls.map(({ operation, after }) => ({ operation, after }))).toEqual([
      { operation: "first", after: [] },
      { operation: "make", after: [1] },
    ]);
  });
});

describe("folding", () => {
  const address: Address = "channel:a";
  const flag = draft("flag", { fold: { address, params: { is_default: true } }, provides: ["flagged"] });

  test.each([
    {
      about: "goes along with a call that takes it",
      drafts: [draft("patch", { params: { name: "a" }, accepts: { address, params: ["is_default"] } }), flag],
      expected: [{ operation: "patch", params: { name: "a", is_default: true } }],
    },
    {
      about: "goes along with the last of several",
      drafts: [
        draft("first", { accepts: { address, params: ["is_default"] } }),
        draft("last", { accepts: { address, params: ["is_default"] } }),
        flag,
      ],
      expected: [
        { operation: "first", params: {} },
        { operation: "last", params: { is_default: true } },
      ],
    },
    {
      about: "stays alone when nobody takes it",
      drafts: [draft("patch", { accepts: { address, params: ["name"] } }), flag],
      expected: [
        { operation: "patch", params: {} },
        { operation: "flag", params: {} },
      ],
    },
    {
      about: "stays alone for another object",
      drafts: [draft("patch", { accepts: { address: "channel:b", params: ["is_default"] } }), flag],
      expected: [
        { operation: "patch", params: {} },
        { operation: "flag", params: {} },
      ],
    },
  ])("$about", ({ drafts, expected }) => {
    expect(assembleCalls(drafts).map(({ operation, params }) => ({ operation, params }))).toEqual(expected);
  });

  test("what it was for, and what it provides, go along", () => {
    const [call, next] = assembleCalls([
      draft("patch", { accepts: { address, params: ["is_default"] } }),
      flag,
      draft("next", { needs: ["flagged"] }),
    ]);
    expect(call?.for).toEqual([
      { address: "thing:patch", fields: ["patch"] },
      { address: "thing:flag", fields: ["flag"] },
    ]);
    expect(next?.after).toEqual([1]);
  });
});
