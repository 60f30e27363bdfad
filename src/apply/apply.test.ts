import { describe, expect, test } from "vitest";
import { states, three } from "../../test/support/apply/three.ts";
import {
  call,
  change,
  channel,
  field,
  planOf,
  reorder,
  set,
  ToyServer,
  thing,
  toyOptions,
} from "../../test/support/apply/toy.ts";
import { EXIT } from "../model/diagnostic.ts";
import { applyPlan } from "./apply.ts";

describe("a run without problems", () => {
  test("names nobody who comes back, and a new run writes down what was done before its first write", async () => {
    const { server, plan } = three();
    server.edit(1, { description: "new" });
    const options = toyOptions(server);
    const result = await applyPlan(plan, options);
    expect(states(result)).toEqual(["already-so", "done", "done"]);
    expect("came_back" in result).toBe(false);
    expect(options.lines.slice(0, 3).map((line) => JSON.parse(line))).toMatchObject([
      { entry: "start" },
      { entry: "settled", n: 1, state: "already-so" },
      { entry: "sending", n: 2 },
    ]);
  });

  test("that is stopped before its first request opens no journal", async () => {
    const { server, plan } = three();
    const stop = { requested: true, signal: new AbortController().signal };
    const result = await applyPlan(plan, toyOptions(server, { stop }));
    expect(result).toMatchObject({ outcome: "stopped", journal: null });
    expect(server.sent).toEqual([]);
  });

  test("without a second plan, a value counts that its kind takes for the wanted one", async () => {
    const server = new ToyServer(channel(1, "a", "old"));
    const changes = [change("a", 1, field("description", "old", "new"))];
    const plan = planOf(changes, [set(1, 1, "a", "description", "old", "NEW")]);
    const shows = (_: unknown, live: unknown) => live === "NEW";
    const options = toyOptions(server, { kinds: [{ ...thing, calls: { ...thing.calls, shows } }] });
    expect(await applyPlan(plan, options)).toMatchObject({ outcome: "applied", remaining: [] });
    const again = new ToyServer(channel(1, "a", "old"));
    expect((await applyPlan(plan, toyOptions(again))).remaining).toEqual(changes);
  });

  test("an empty plan opens no journal", async () => {
    const result = await applyPlan(planOf([], []), toyOptions(new ToyServer()));
    expect(result).toMatchObject({ outcome: "nothing-to-do", exitCode: EXIT.done, journal: null });
  });

  test("keeps only ids of an answer: an invitation's link is a secret", async () => {
    const { server, plan } = three();
    server.onSend = () => ({
      outcome: "applied",
      body: { id: 7, invite_link: "https://chat.example.org/join/secret" },
    });
    const options = toyOptions(server);
    await applyPlan(plan, options);
    expect(options.lines.join("\n")).not.toContain("secret");
  });
});

describe("ids of objects that the plan creates", () => {
  const plan = (operation: "make" | "make-many") =>
    planOf(
      [change("x", undefined, field("description", null, "filled"))],
      [
        call({
          n: 1,
          operation,
          params: operation === "make" ? { name: "x" } : { names: ["x"] },
          for: [{ address: "thing:x", fields: [] }],
          expects: [{ address: "thing:x", field: "exists", value: false }],
          creates: ["thing:x"],
        }),
        call({
          n: 2,
          operation: "change",
          path: { id: { idOf: "thing:x" } },
          params: { description: "filled" },
          for: [{ address: "thing:x", fields: ["description"] }],
          after: [1],
        }),
      ],
    );
  test.each([
    { operation: "make", reads: 2, fact: "come from the answer" },
    { operation: "make-many", reads: 3, fact: "come from another reading if the answer has none" },
  ] as const)("$fact", async ({ operation, reads }) => {
    const server = new ToyServer();
    const result = await applyPlan(plan(operation), toyOptions(server));
    expect(result.outcome).toBe("applied");
    expect(server.sent[1]).toEqual({ operation: "change", path: { id: 100 }, params: { description: "filled" } });
    expect(server.reads).toBe(reads);
  });

  test("an object with that name that was created in the meantime is never adopted", async () => {
    const server = new ToyServer(channel(50, "X", "theirs"));
    const result = await applyPlan(
      { ...plan("make"), changes: [change("x", undefined, field("description", null, "filled"))] },
      toyOptions(server),
    );
    expect(result).toMatchObject({ outcome: "conflict", exitCode: EXIT.conflict });
    expect(result.conflicts).toMatchObject([{ address: "thing:x", field: "exists", planned: false, found: true }]);
    expect(server.sent).toEqual([]);
  });
});

describe("an order", () => {
  const plan = planOf(
    [reorder(["a", "b", "new"], ["new", "b", "a"])],
    [
      call({
        n: 1,
        operation: "reorder",
        for: [{ address: "thing:*", fields: ["order"] }],
        expects: [{ address: "thing:*", field: "order", value: ["a", "b", "new"] }],
      }),
    ],
  );
  test.each([
    { fact: "unchanged since the plan", live: ["a", "b", "new"], state: "done" },
    { fact: "changed by somebody", live: ["b", "a", "new"], state: "conflict" },
    { fact: "already as desired", live: ["new", "b", "a"], state: "already-so" },
  ])("$fact: $state", async ({ live, state }) => {
    const server = new ToyServer(...live.map((name, index) => channel(index + 1, name, "")));
    expect(states(await applyPlan(plan, toyOptions(server)))).toEqual([state]);
  });
});

describe("after the run", () => {
  test("planning again still finds a change: that is a failure", async () => {
    const { server, plan } = three();
    const again = planOf([change("c", 3, field("description", "new", "newer"))], []);
    const result = await applyPlan(
      plan,
      toyOptions(server, { replan: async () => ({ ok: true, value: again, warnings: [] }) }),
    );
    expect(result).toMatchObject({ outcome: "differs", exitCode: EXIT.appliedInPart });
    expect(result.remaining).toHaveLength(1);
  });

  test("without a file, the plan's own values are checked", async () => {
    const { server, plan } = three();
    server.onRead = (n) => {
      if (n === 2) server.edit(1, { description: "changed back" });
    };
    const result = await applyPlan(plan, toyOptions(server));
    expect(result.outcome).toBe("differs");
    expect(result.remaining?.map(({ name }) => name)).toEqual(["a"]);
  });
});
