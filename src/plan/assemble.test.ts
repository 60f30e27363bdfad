import { describe, expect, test } from "vitest";
import { draft as draftOf, update } from "../../test/support/changes.ts";
import { type Overlay, realmOf } from "../../test/support/realm.ts";
import { type DraftCall, exists } from "../model/draft-call.ts";
import type { Address, Call } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { assemble } from "./assemble.ts";

const draft = (operation: string, more: Partial<DraftCall> = {}) =>
  draftOf(operation, `thing:${operation}`, [operation], more);

const state = (name: string) => exists(`thing:${name}`);

function assembleCalls(drafts: readonly DraftCall[]): readonly Call[] {
  const assembled = assemble(drafts);
  if (!assembled.ok) throw new RangeError("a cycle");
  return assembled.calls;
}

const order = (drafts: readonly DraftCall[]) => assembleCalls(drafts).map(({ operation }) => operation);

describe("order", () => {
  test.each([
    {
      about: "calls without dependencies stay in the drafted order",
      drafts: [draft("a"), draft("b")],
      expected: ["a", "b"],
    },
    {
      about: "a call comes after the call that provides what it needs",
      drafts: [draft("a", { needs: [state("x")] }), draft("b"), draft("c", { provides: [state("x")] })],
      expected: ["c", "a", "b"],
    },
    {
      about: "a state that no call provides already exists",
      drafts: [draft("a", { needs: [state("x")] })],
      expected: ["a"],
    },
    {
      about: "a call comes after all calls that provide what it needs",
      drafts: [
        draft("a", { needs: [state("x")] }),
        draft("b", { provides: [state("x")] }),
        draft("c", { provides: [state("x")] }),
      ],
      expected: ["b", "c", "a"],
    },
    {
      about: "a call with a later rank comes later",
      drafts: [draft("a", { rank: 100 }), draft("b"), draft("c", { rank: 50 })],
      expected: ["b", "c", "a"],
    },
    {
      about: "needs count more than ranks",
      drafts: [draft("a", { needs: [state("x")] }), draft("b", { rank: 100, provides: [state("x")] })],
      expected: ["b", "a"],
    },
    {
      about: "a call that mentions an object comes after the call that creates it",
      drafts: [
        draft("a", { params: { list: [{ deep: { idOf: "thing:new" } }] } }),
        draft("b", { creates: ["thing:new"] }),
      ],
      expected: ["b", "a"],
    },
    {
      about: "a call may provide what it needs",
      drafts: [draft("a", { needs: [state("x")], provides: [state("x")] })],
      expected: ["a"],
    },
  ])("$about", ({ drafts, expected }) => {
    expect(order(drafts)).toEqual(expected);
  });

  test("numbers and edges", () => {
    const calls = assembleCalls([
      draft("a", { needs: [state("x"), state("y")] }),
      draft("b", { provides: [state("x"), state("y")] }),
      draft("c"),
    ]);
    expect(calls.map(({ n, operation, after }) => ({ n, operation, after }))).toEqual([
      { n: 1, operation: "b", after: [] },
      { n: 2, operation: "a", after: [1] },
      { n: 3, operation: "c", after: [] },
    ]);
  });

  test("a call has all of its parts, and waits for the others in the order of sending", () => {
    const calls = assembleCalls([
      draft("c", { needs: [state("x"), state("y")], rank: 2 }),
      draft("a", { provides: [state("y")] }),
      draft("b", { provides: [state("x")], rank: 1, path: { id: 1 }, params: { name: "b" } }),
    ]);
    const parts = { path: {}, params: {}, expects: [], after: [], creates: [] };
    expect(calls).toEqual([
      { ...parts, n: 1, operation: "a", for: draft("a").for },
      { ...parts, n: 2, operation: "b", for: draft("b").for, path: { id: 1 }, params: { name: "b" } },
      { ...parts, n: 3, operation: "c", for: draft("c").for, after: [1, 2] },
    ]);
  });

  test("with the rights before and after, nothing is open in between, and requests are split if they must be", () => {
    const live: Overlay = { channels: [{ name: "hall", can_send_message_group: 30, can_create_topic_group: 9 }] };
    const changes = [
      update("user_group:staff", { members: ["ada@acme.example", "hana@acme.example"] }),
      update("channel:hall", { can_send_message_group: "role:nobody", can_create_topic_group: "staff" }),
    ];
    const drafts = [
      draft("hall", {
        operation: "update-stream",
        for: [{ address: "channel:hall", fields: ["can_create_topic_group", "can_send_message_group"] }],
      }),
      draft("staff", {
        operation: "update-user-group-members",
        for: [{ address: "user_group:staff", fields: ["members"] }],
        params: { add: [13], delete: [7, 8, 9, 10] },
      }),
    ];
    const assembled = assemble(drafts, { changes, realm: new Realm(realmOf(live)) });
    if (!assembled.ok) throw new RangeError("a cycle");
    expect(assembled.splits).toBe(1);
    expect(assembled.calls.map(({ operation, params }) => [operation, params])).toEqual([
      ["update-user-group-members", { delete: [7, 8, 9, 10] }],
      ["update-stream", {}],
      ["update-user-group-members", { add: [13] }],
    ]);
  });

  test("a cycle is reported without the calls that only depend on it", () => {
    const cycle = [
      draft("before", { provides: [state("z")] }),
      draft("a", { needs: [state("x"), state("z")], provides: [state("y")] }),
      draft("b", { needs: [state("y")], provides: [state("x")] }),
      draft("after", { needs: [state("x")], rank: -1 }),
    ];
    const assembled = assemble(cycle);
    expect(assembled.ok ? [] : assembled.cycle.map(({ operation }) => operation).sort()).toEqual(["a", "b"]);
  });

  test("a chain of 20,000", () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      draft(`${index}`, { needs: [state(`t${index + 1}`)], provides: [state(`t${index}`)] }),
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

  test("equal calls are combined, up to the maximum size", () => {
    const calls = assembleCalls([element("a"), draft("other"), element("b"), element("c")]);
    expect(calls.map(({ params, creates }) => ({ params, creates }))).toEqual([
      { params: { colour: "red", names: ["a", "b"] }, creates: ["thing:a", "thing:b"] },
      { params: { colour: "red", names: ["c"] }, creates: ["thing:c"] },
      { params: {}, creates: [] },
    ]);
  });

  test("two calls may differ in the order of parameters, but not in their values", () => {
    const calls = assembleCalls([
      element("a", { params: { names: ["a"], colour: "red" } }),
      element("b"),
      element("c", { params: { colour: "blue", names: ["c"] } }),
    ]);
    expect(calls.map(({ params }) => params.names)).toEqual([["a", "b"], ["c"]]);
  });

  test("a combined call waits for everything that one of its parts needs", () => {
    const calls = assembleCalls([
      element("a"),
      element("b", { needs: [state("x")] }),
      draft("first", { provides: [state("x")] }),
    ]);
    expect(calls.map(({ operation, after }) => ({ operation, after }))).toEqual([
      { operation: "first", after: [] },
      { operation: "make", after: [1] },
    ]);
  });
});

describe("merging", () => {
  const address: Address = "channel:a";
  const flag = draft("flag", { mergeInto: { address, params: { is_default: true } }, provides: [state("flagged")] });

  test.each([
    {
      about: "a call is merged into another call that takes it",
      drafts: [draft("patch", { params: { name: "a" }, mergeTarget: { address, params: ["is_default"] } }), flag],
      expected: [{ operation: "patch", params: { name: "a", is_default: true } }],
    },
    {
      about: "a call is merged into the last of several",
      drafts: [
        draft("first", { mergeTarget: { address, params: ["is_default"] } }),
        draft("last", { mergeTarget: { address, params: ["is_default"] } }),
        flag,
      ],
      expected: [
        { operation: "first", params: {} },
        { operation: "last", params: { is_default: true } },
      ],
    },
    {
      about: "a call is not merged if no call takes it",
      drafts: [draft("patch", { mergeTarget: { address, params: ["name"] } }), flag],
      expected: [
        { operation: "patch", params: {} },
        { operation: "flag", params: {} },
      ],
    },
    {
      about: "a call is not merged into a call for another object",
      drafts: [draft("patch", { mergeTarget: { address: "channel:b", params: ["is_default"] } }), flag],
      expected: [
        { operation: "patch", params: {} },
        { operation: "flag", params: {} },
      ],
    },
  ])("$about", ({ drafts, expected }) => {
    expect(assembleCalls(drafts).map(({ operation, params }) => ({ operation, params }))).toEqual(expected);
  });

  test("the expectations, objects and dependencies of a merged call are kept", () => {
    const expectation = (field: string) => ({ address, field, value: field });
    const host = draft("host", {
      mergeTarget: { address, params: ["a", "b"] },
      needs: [state("host")],
      expects: [expectation("host")],
      creates: ["thing:host"],
    });
    const guest = draft("guest", {
      mergeInto: { address, params: { a: 1, b: 2 } },
      needs: [state("guest")],
      softNeeds: [state("soft")],
      expects: [expectation("guest")],
      creates: ["thing:guest"],
    });
    const others = ["host", "guest", "soft"].map((name) => draft(name.toUpperCase(), { provides: [state(name)] }));
    const calls = assembleCalls([host, guest, ...others]);
    expect(calls.map(({ operation }) => operation)).toEqual(["HOST", "GUEST", "SOFT", "host"]);
    expect(calls[3]).toMatchObject({
      params: { a: 1, b: 2 },
      expects: [expectation("host"), expectation("guest")],
      creates: ["thing:host", "thing:guest"],
      after: [1, 2, 3],
    });
  });

  test("a call that has only some of the parameters of another one does not absorb it", () => {
    const host = draft("host", { mergeTarget: { address, params: ["a"] } });
    const guest = draft("guest", { mergeInto: { address, params: { a: 1, b: 2 } } });
    expect(order([host, guest])).toEqual(["host", "guest"]);
  });

  test("the purpose of a merged call, and what it provides, are kept", () => {
    const [call, next] = assembleCalls([
      draft("patch", { mergeTarget: { address, params: ["is_default"] } }),
      flag,
      draft("next", { needs: [state("flagged")] }),
    ]);
    expect(call?.for).toEqual([
      { address: "thing:patch", fields: ["patch"] },
      { address: "thing:flag", fields: ["flag"] },
    ]);
    expect(next?.after).toEqual([1]);
  });
});
