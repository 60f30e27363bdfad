import { type Plan, unresolvedIn } from "../../src/model/plan.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { must, World } from "../support/world.ts";
import { RUNS, type Scenario } from "./arbitrary.ts";

/** The scenario's plan and a realm to apply it to; scenarios with errors are skipped. */
export async function begin({ overlay, yaml }: Scenario): Promise<{ world: World; plan: Plan; yaml: string }> {
  const world = new World(realmOf(overlay));
  const planned = await world.plan(yaml);
  // What needs a name that does not resolve is not sent: test/properties/broken-references.test.ts.
  fc.pre(planned.ok && unresolvedIn(planned.value).length === 0);
  return { world, plan: must(planned), yaml };
}

export const options = { numRuns: RUNS };
/** A slow machine needs a tenth of it; more runs need more time. */
export const TIMEOUT_MS = 60_000 + RUNS * 1_000;
