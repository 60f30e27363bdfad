import { defined } from "../model/defined.ts";
import type { DraftCall } from "../model/draft-call.ts";
import { canonicalJson } from "../model/json.ts";
import type { Param } from "../model/plan.ts";
import { combinedCall } from "./combined-call.ts";

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

function isParams(value: Param | undefined): value is readonly Param[] {
  return Array.isArray(value);
}

function without(params: DraftCall["params"], name: string): DraftCall["params"] {
  return Object.fromEntries(Object.entries(params).filter(([key]) => key !== name));
}
