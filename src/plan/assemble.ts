import type { DraftCall } from "../model/draft-call.ts";
import type { Call } from "../model/plan.ts";
import { withoutCycles, withReferences } from "./cycles.ts";
import { type Exposure, type Ordered, saferOrder } from "./exposure.ts";
import { batched, merged } from "./merge.ts";

/** Calls in the order in which they can be sent, or requests that need each other in a cycle. */
type Assembled =
  | {
      readonly ok: true;
      readonly calls: readonly Call[];
      /** How many more requests than the minimum are needed so that nothing is open in between. */
      readonly splits: number;
    }
  | { readonly ok: false; readonly cycle: readonly DraftCall[] };

/**
 * The requests in the order in which they are sent: merged if one call can absorb another, similar ones combined, each after those that it needs. The
 * same drafts always give the same calls.
 * @param exposure the rights before and after the plan; with it, the order opens nothing in between that is closed both before and after
 */
export function assemble(drafts: readonly DraftCall[], exposure?: Exposure): Assembled {
  const whole = batched(merged(drafts)).map(withReferences);
  const acyclic = withoutCycles(whole);
  if (!acyclic.ok) return acyclic;
  const { drafts: alone, splits, needed, order } = acyclic;
  const given = { drafts: alone, order, prerequisites: needed, splits: 0 };
  const safe = exposure === undefined ? given : saferOrder(alone, order, needed, exposure);
  return { ok: true, calls: numbered(safe), splits: splits + safe.splits };
}

function numbered({ drafts, order, prerequisites }: Ordered): readonly Call[] {
  const numbers = new Map(order.map((index, position) => [index, position + 1]));
  return order.flatMap((index) => {
    const draft = drafts[index];
    if (draft === undefined) return [];
    const after = (prerequisites[index] ?? []).map((other) => numbers.get(other) ?? 0).sort((a, b) => a - b);
    return [
      {
        n: numbers.get(index) ?? 0,
        operation: draft.operation,
        path: draft.path,
        params: draft.params,
        for: draft.for,
        expects: draft.expects ?? [],
        after,
        creates: draft.creates ?? [],
      },
    ];
  });
}
