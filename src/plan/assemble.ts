import type { DraftCall } from "../model/kind.ts";
import { type Address, type Call, isIdOf, type Param } from "../model/plan.ts";
import { batched } from "./batch.ts";
import { type Exposure, type Ordered, saferOrder } from "./exposure.ts";
import { folded } from "./fold.ts";

/** Calls that can go out one after the other, or requests that wait for each other in a ring. */
export type Assembled =
  | {
      readonly ok: true;
      readonly calls: readonly Call[];
      /** Requests more than the fewest, so that nothing is open in between. */
      readonly splits: number;
    }
  | { readonly ok: false; readonly ring: readonly DraftCall[] };

/**
 * Requests in the order in which they go out: folded into each other where one can take the other along, alike ones together, each
 * after those it needs. The same drafts always give the same calls.
 * @param exposure what is held now and after: the order then opens nothing in between that is open neither before nor after
 */
export function assemble(drafts: readonly DraftCall[], exposure?: Exposure): Assembled {
  const alone = batched(folded(drafts)).map(withReferences);
  const needed = prerequisitesOf(alone);
  const order = inOrder(alone, needed);
  if (!order.ok) return order;
  const given = { drafts: alone, order: order.value, prerequisites: needed, splits: 0 };
  const safe = exposure === undefined ? given : saferOrder(alone, given.order, needed, exposure);
  return { ok: true, calls: numbered(safe), splits: safe.splits };
}

function numbered({ drafts: merged, order, prerequisites }: Ordered): readonly Call[] {
  const numbers = new Map(order.map((index, position) => [index, position + 1]));
  return order.flatMap((index) => {
    const draft = merged[index];
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

/** What a call creates it provides, and the id of what it mentions it needs. */
function withReferences(draft: DraftCall): DraftCall {
  const mentioned = new Set<Address>();
  collectReferences(draft.params, mentioned);
  collectReferences(draft.path, mentioned);
  const created = draft.creates ?? [];
  return {
    ...draft,
    needs: [...(draft.needs ?? []), ...[...mentioned].filter((address) => !created.includes(address))],
    provides: [...(draft.provides ?? []), ...created],
  };
}

function collectReferences(value: Param, into: Set<Address>): void {
  if (typeof value !== "object" || value === null) return;
  if (isIdOf(value)) into.add(value.idOf);
  else for (const item of Object.values(value)) collectReferences(item, into);
}

/** Positions of the calls that provide what each call needs, without doubles. */
function prerequisitesOf(drafts: readonly DraftCall[]): readonly (readonly number[])[] {
  const providers = new Map<string, number[]>();
  drafts.forEach((draft, index) => {
    for (const token of draft.provides ?? []) {
      const list = providers.get(token);
      if (list === undefined) providers.set(token, [index]);
      else list.push(index);
    }
  });
  return drafts.map((draft, index) => {
    const needed = (draft.needs ?? []).flatMap((token) => providers.get(token) ?? []);
    return [...new Set(needed)].filter((other) => other !== index);
  });
}

/** Every call after its prerequisites, else by rank and then as drafted. */
function inOrder(
  drafts: readonly DraftCall[],
  prerequisites: readonly (readonly number[])[],
): { readonly ok: true; readonly value: readonly number[] } | Extract<Assembled, { readonly ok: false }> {
  const rank = (index: number): number => drafts[index]?.rank ?? 0;
  const byRank = drafts.map((_, index) => index).sort((a, b) => rank(a) - rank(b) || a - b);
  const order: number[] = [];
  const state = new Map<number, "open" | "done">();
  for (const start of byRank) {
    // A stack of its own: a chain of renames can be as long as the list.
    const stack = [start];
    for (let index = stack.at(-1); index !== undefined; index = stack.at(-1)) {
      if (state.get(index) === "done") {
        stack.pop();
        continue;
      }
      const missing = (prerequisites[index] ?? []).filter((other) => state.get(other) !== "done");
      if (missing.length === 0) {
        state.set(index, "done");
        order.push(index);
        stack.pop();
        continue;
      }
      state.set(index, "open");
      // What is open is on the way here: it waits for this one, and this one for it.
      const closing = missing.find((other) => state.get(other) === "open");
      const [next] = missing;
      if (closing !== undefined || next === undefined) {
        const ring = closing === undefined ? stack : stack.slice(stack.indexOf(closing));
        return { ok: false, ring: ring.flatMap((at) => drafts[at] ?? []) };
      }
      stack.push(next);
    }
  }
  return { ok: true, value: order };
}
