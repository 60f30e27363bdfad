import { describe, expect, test } from "vitest";
import { refused, states, three, unknown } from "../../test/support/apply/three.ts";
import { change, channel, field, planOf, set, ToyServer, toyOptions } from "../../test/support/apply/toy.ts";
import { EXIT } from "../model/diagnostic.ts";
import { applyPlan } from "./apply.ts";

describe("no answer arrived", () => {
  test("a request that was not carried out is sent again after a reading", async () => {
    const { server, plan } = three();
    server.onSend = (n) => (n === 2 ? unknown : undefined);
    const result = await applyPlan(plan, toyOptions(server));
    expect(result.outcome).toBe("applied");
    expect(server.sent).toHaveLength(4);
  });

  test("if a repetition sends a second e-mail, it is not sent again", async () => {
    const { server, plan } = three();
    server.onSend = (n) => (n === 2 ? unknown : undefined);
    const result = await applyPlan(plan, toyOptions(server, { mayRepeat: () => false }));
    expect(states(result)).toEqual(["done", "failed", "done"]);
    expect(result.calls[1]).toMatchObject({ code: "unknown" });
    expect(result.exitCode).toBe(EXIT.appliedInPart);
  });

  test("the first step of a swap is recognised by the value that the next step expects", async () => {
    const server = new ToyServer(channel(1, "a", ""), channel(2, "b", ""));
    const rename = (n: number, id: number, to: string, from: string, wire: string, needs: number[]) =>
      set(n, id, to, "name", from, wire, { after: needs });
    const plan = planOf(
      [change("b", 1, field("name", "a", "b")), change("a", 2, field("name", "b", "a"))],
      [rename(1, 1, "b", "a", "a-1", []), rename(2, 2, "a", "b", "a", [1]), rename(3, 1, "b", "a-1", "b", [2])],
    );
    server.onSend = (n) => (n === 1 ? "lost" : undefined);
    const result = await applyPlan(plan, toyOptions(server));
    expect(states(result)).toEqual(["done", "done", "done"]);
    expect(server.things.map(({ name }) => name)).toEqual(["b", "a"]);
    expect(server.sent).toHaveLength(3);
  });
});

describe("the server refused", () => {
  test("credentials that are no longer accepted stop everything", async () => {
    const { server, plan } = three();
    server.onSend = (n) => (n === 2 ? refused("UNAUTHORIZED", 401) : undefined);
    const result = await applyPlan(plan, toyOptions(server));
    expect(states(result)).toEqual(["done", "failed", "not-attempted"]);
    expect(result).toMatchObject({ outcome: "not-allowed", exitCode: EXIT.appliedInPart, remaining: null });
    expect(server.reads).toBe(1);
  });
});

test("without an answer, and with another person's value on the server: a conflict", async () => {
  const { server, plan } = three();
  server.onSend = (n) => {
    if (n === 2) server.edit(2, { description: "theirs" });
    return n === 2 ? unknown : undefined;
  };
  const result = await applyPlan(plan, toyOptions(server));
  expect(states(result)).toEqual(["done", "conflict", "done"]);
  expect(result.conflicts.map(({ address, field }) => [address, field])).toEqual([["thing:b", "description"]]);
  expect(server.sent).toHaveLength(3);
});

test("a bug while reading after an error is not treated as a server error", async () => {
  const { server, plan } = three();
  server.onSend = () => unknown;
  server.onRead = (n) => {
    if (n > 1) throw new RangeError("a bug");
  };
  await expect(applyPlan(plan, toyOptions(server))).rejects.toThrow("a bug");
});
