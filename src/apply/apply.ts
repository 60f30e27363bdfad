import { Failure } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import type { ApplyResult } from "../model/result.ts";
import type { ApplyOptions } from "./options.ts";
import { Run } from "./run.ts";

/**
 * Carries out a plan's calls in their order. For each call, it sends the call or says why not.
 *
 * The realm is read right before the first write, and again after an error, a lost answer or a pause. A call whose expectations no longer hold is a
 * conflict: before the first write it refuses the whole plan; later it stops only the calls that need it
 * (docs/internals/decisions/0016-changes-by-others-are-kept.md). Failures
 * of the server and the network are values of the result, never exceptions.
 */
export async function applyPlan(plan: Plan, options: ApplyOptions): Promise<ApplyResult> {
  const run = new Run(plan, options);
  try {
    await run.read();
    if (run.assess()) {
      if (options.stop?.requested === true) run.halt("stopped");
      else run.start();
      for (const call of plan.calls) {
        if (options.stop?.requested === true) run.halt("stopped");
        if (run.halted !== undefined) break;
        await run.step(call);
      }
    }
    if (run.halted === undefined) await run.verify();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    run.fail(error);
  }
  return run.finish();
}
