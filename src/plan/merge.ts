import { defined } from "../model/defined.ts";
import type { DraftCall } from "../model/draft-call.ts";
import { canonicalJson } from "../model/json.ts";
import { type Address, isParams, type Param } from "../model/plan.ts";

/** Merges calls into another call that can absorb them: their parameters and their purpose join that call's. */
export function merged(drafts: readonly DraftCall[]): readonly DraftCall[] {
  const hosts = new Map<Address, { readonly index: number; readonly params: readonly string[] }[]>();
  const result: (DraftCall | undefined)[] = [...drafts];
  drafts.forEach((draft, index) => {
    if (draft.mergeTarget === undefined) return;
    const known = hosts.get(draft.mergeTarget.address) ?? [];
    hosts.set(draft.mergeTarget.address, [...known, { index, params: draft.mergeTarget.params }]);
  });
  drafts.forEach((draft, index) => {
    const { mergeInto } = draft;
    if (mergeInto === undefined) return;
    // The last call that writes an object changes its privacy, and the default flag has to be sent with it.
    const host = hosts
      .get(mergeInto.address)
      ?.findLast(({ params }) => Object.keys(mergeInto.params).every((name) => params.includes(name)));
    if (host === undefined || host.index === index) return;
    const into = result[host.index];
    // The host itself has joined another call.
    if (into === undefined) return;
    result[host.index] = {
      ...into,
      ...combinedCall([into, draft]),
      params: { ...into.params, ...mergeInto.params },
      riders: [...(into.riders ?? []), draft],
    };
    result[index] = undefined;
  });
  return result.filter((draft) => draft !== undefined);
}

/** Calls that differ only in one list, in the order in which they were drafted. */
interface Group {
  readonly batch: NonNullable<DraftCall["batch"]>;
  readonly drafts: DraftCall[];
}

/** Combines calls that differ only in one list. The combined call takes the position of the first one. */
export function batched(drafts: readonly DraftCall[]): readonly DraftCall[] {
  const groups = new Map<string, Group>();
  const places: (DraftCall | Group)[] = [];
  for (const draft of drafts) {
    const { operation, path, params, batch } = draft;
    if (batch === undefined) {
      places.push(draft);
      continue;
    }
    const key = canonicalJson([operation, path, without(params, batch.list), batch]);
    const group = groups.get(key);
    if (group !== undefined) {
      group.drafts.push(draft);
      continue;
    }
    const opened = { batch, drafts: [draft] };
    groups.set(key, opened);
    places.push(opened);
  }
  return places.flatMap((place) => ("drafts" in place ? chunks(place) : [place]));
}

/** As few calls as the limit allows. */
function chunks({ batch: { list, limit }, drafts }: Group): readonly DraftCall[] {
  const found: [DraftCall, ...DraftCall[]][] = [];
  let size = 0;
  for (const draft of drafts) {
    const { length } = elements(draft, list);
    const last = found.at(-1);
    size += length;
    if (last !== undefined && size <= limit) {
      last.push(draft);
    } else {
      found.push([draft]);
      size = length;
    }
  }
  return found.map((members) => {
    const { riders, ...first } = members[0];
    return {
      ...first,
      ...combinedCall(members),
      ...defined({ riders: members.length > 1 ? undefined : riders }),
      params: { ...first.params, [list]: members.flatMap((draft) => elements(draft, list)) },
      rank: Math.max(...members.map(({ rank = 0 }) => rank)),
    };
  });
}

function elements(draft: DraftCall, list: string): readonly Param[] {
  const value = draft.params[list];
  if (!isParams(value)) throw new RangeError(`${draft.operation}: ${list} is no list`);
  return value;
}

function without(params: DraftCall["params"], name: string): DraftCall["params"] {
  return Object.fromEntries(Object.entries(params).filter(([key]) => key !== name));
}

/** The purpose, expectations, dependencies and effects of several calls that become one, and the rights that it needs. */
export function combinedCall(
  drafts: readonly DraftCall[],
): Required<Pick<DraftCall, "for" | "expects" | "needs" | "softNeeds" | "provides" | "creates" | "uses" | "reads">> {
  return {
    for: drafts.flatMap((draft) => draft.for),
    expects: drafts.flatMap(({ expects = [] }) => expects),
    needs: drafts.flatMap(({ needs = [] }) => needs),
    softNeeds: drafts.flatMap(({ softNeeds = [] }) => softNeeds),
    provides: drafts.flatMap(({ provides = [] }) => provides),
    creates: drafts.flatMap(({ creates = [] }) => creates),
    uses: [...new Set(drafts.flatMap(({ uses = [] }) => uses))],
    reads: [...new Set(drafts.flatMap(({ reads = [] }) => reads))],
  };
}
