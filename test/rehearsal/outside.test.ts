import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import { rehearse } from "../../src/rehearsal/rehearse.ts";
import { RUNS } from "../properties/arbitrary.ts";
import { begin, TIMEOUT_MS } from "../properties/begin.ts";
import { partlyOutside } from "../properties/together.ts";
import fc from "../support/random.ts";
import { planAgainst } from "../support/world.ts";

/** More than half of the scenarios have errors, and are drawn again. */
const numRuns = Math.max(20, Math.round(RUNS / 4));

test(
  "no request of a plan is refused because the account loses the right to read a channel on the way",
  async () => {
    await fc.assert(
      fc.asyncProperty(partlyOutside, async (input) => {
        const { world, plan, yaml } = await begin(input);
        const snapshot = await world.read();
        const { failed, calls, succeeded } = await rehearse({
          plan,
          snapshot,
          reads: { invites: snapshot.invites !== null, subscribers: true },
          kinds,
          planAgain: (reading) => planAgainst(yaml, reading),
        });
        expect({ failed, succeeded }).toEqual({ succeeded: calls });
      }),
      { numRuns },
    );
  },
  TIMEOUT_MS,
);
