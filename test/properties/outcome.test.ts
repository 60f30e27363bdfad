import { expect, test } from "vitest";
import { outcomeIn } from "../outcome/expect.ts";
import fc from "../support/random.ts";
import { must } from "../support/world.ts";
import { RUNS } from "./arbitrary.ts";
import { begin } from "./begin.ts";
import { handedOn } from "./handed-on.ts";

/** In nearly every file the question is which object is meant, so few runs find a lot. */
const options = { numRuns: Math.ceil(RUNS / 5) };

test(
  "after any exchange of names, each object has its fields from the file, and the file still means it",
  async () => {
    await fc.assert(
      fc.asyncProperty(handedOn, async (input) => {
        const { world, plan, yaml } = await begin(input);
        const expectOutcome = outcomeIn(world, yaml);
        for (const call of plan.calls) expect((await world.send(call)).outcome).toBe("applied");
        expectOutcome();
        expect(must(await world.plan(yaml)).changes).toEqual([]);
      }),
      options,
    );
  },
  60_000 + options.numRuns * 1000,
);
