import type { Address, Call } from "../model/plan.ts";
import type { Exposure } from "./exposure.ts";
import { RightsModel } from "./exposure-rights.ts";
import { mayOpen, stepOf } from "./exposure-steps.ts";

/** After a request, people hold a right that they hold neither before the plan nor after it. */
interface Opening {
  /** The number of the call. */
  readonly n: number;
  readonly address: Address;
  readonly right: string;
  readonly people: number;
}

/**
 * What the calls of a plan open in between, in the order of sending. Each right is listed at the first call after which somebody holds it who holds
 * it neither before nor after. `saferOrder` finds an order that opens nothing; if no such order exists, this says what opens.
 */
export function temporaryGains(calls: readonly Call[], { changes, realm }: Exposure): readonly Opening[] {
  if (!mayOpen(calls)) return [];
  const model = new RightsModel(changes, realm);
  const known = new Set<string>();
  const found: Opening[] = [];
  for (const call of calls) {
    for (const { address, right, people } of model.openedBy(stepOf(call))) {
      const key = `${address}\n${right}`;
      if (!known.has(key)) found.push({ n: call.n, address, right, people });
      known.add(key);
    }
    model.apply(stepOf(call));
  }
  return found;
}
