import { describe, expect, test } from "vitest";
import { needing, refused, states, three } from "../../test/support/apply/three.ts";
import { toyOptions } from "../../test/support/apply/toy.ts";
import { EXIT } from "../model/diagnostic.ts";
import { applyPlan } from "./apply.ts";

describe("somebody else changed the organization first", () => {
  test("a changed field refuses the whole plan before the first write", async () => {
    const { server, plan } = three();
    server.edit(2, { description: "theirs" });
    const result = await applyPlan(needing(plan, 3, 2), toyOptions(server));
    expect(result).toMatchObject({ outcome: "conflict", exitCode: EXIT.conflict, journal: null });
    expect(states(result)).toEqual(["not-attempted", "conflict", "skipped"]);
    expect(result.conflicts).toEqual([
      {
        address: "thing:b",
        kind: "thing",
        name: "b",
        field: "description",
        planned: "old",
        found: "theirs",
        wanted: "new",
        calls: [2],
      },
    ]);
    expect(server.sent).toEqual([]);
  });

  test("a mismatch that the server reports stops that call and its dependents, but no others", async () => {
    const { server, plan } = three();
    server.onSend = (n) => {
      if (n !== 1) return undefined;
      server.edit(1, { description: "theirs" });
      return refused("EXPECTATION_MISMATCH");
    };
    const result = await applyPlan(needing(plan, 2, 1), toyOptions(server));
    expect(states(result)).toEqual(["conflict", "skipped", "done"]);
    expect(result.calls[1]).toMatchObject({ because: 1 });
    expect(result.conflicts).toMatchObject([{ planned: "old", found: "theirs", wanted: "new" }]);
    expect(result).toMatchObject({ outcome: "in-part", exitCode: EXIT.appliedInPart });
    expect(server.things[0]?.description).toBe("theirs");
  });

  test("a mismatch is not a failure if the desired value is already on the server", async () => {
    const { server, plan } = three();
    server.onSend = (n) => {
      if (n !== 1) return undefined;
      server.edit(1, { description: "new" });
      return refused("EXPECTATION_MISMATCH");
    };
    const result = await applyPlan(plan, toyOptions(server));
    expect(states(result)).toEqual(["already-so", "done", "done"]);
    expect(result.outcome).toBe("applied");
  });

  test("a call whose mismatch has disappeared in the next reading is sent again", async () => {
    const { server, plan } = three();
    server.onSend = (n) => (n === 1 ? refused("EXPECTATION_MISMATCH") : undefined);
    const result = await applyPlan(plan, toyOptions(server));
    expect(result.outcome).toBe("applied");
    expect(server.sent).toHaveLength(4);
  });
});
