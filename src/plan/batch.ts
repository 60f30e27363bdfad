import { canonicalJson } from "../model/json.ts";
import type { DraftCall } from "../model/kind.ts";
import type { Param } from "../model/plan.ts";

/** Calls that are equal but for one list become one call, where the first of them stood. */
export function batched(drafts: readonly DraftCall[]): readonly DraftCall[] {
  const groups = new Map<string, DraftCall[]>();
  const places: (DraftCall | DraftCall[])[] = [];
  for (const draft of drafts) {
    if (draft.batch === undefined) {
      places.push(draft);
      continue;
    }
    const key = canonicalJson([draft.operation, draft.path, without(draft.params, draft.batch.list), draft.batch]);
    const group = groups.get(key);
    if (group !== undefined) {
      group.push(draft);
      continue;
    }
    const opened = [draft];
    groups.set(key, opened);
    places.push(opened);
  }
  return places.flatMap((place) => (Array.isArray(place) ? chunks(place) : [place]));
}

/** As few calls as the limit allows. */
function chunks(group: readonly DraftCall[]): readonly DraftCall[] {
  const merged: DraftCall[] = [];
  let members: DraftCall[] = [];
  let size = 0;
  for (const draft of group) {
    const { list, limit } = draft.batch ?? { list: "", limit: 0 };
    const length = elements(draft, list).length;
    if (members.length > 0 && size + length > limit) {
      merged.push(merge(members));
      members = [];
      size = 0;
    }
    members.push(draft);
    size += length;
  }
  if (members.length > 0) merged.push(merge(members));
  return merged;
}

function merge(members: readonly DraftCall[]): DraftCall {
  const [first] = members;
  if (first?.batch === undefined) throw new RangeError("a batch of nothing");
  const { list } = first.batch;
  return {
    ...first,
    params: { ...first.params, [list]: members.flatMap((draft) => elements(draft, list)) },
    for: members.flatMap((draft) => draft.for),
    expects: members.flatMap((draft) => draft.expects ?? []),
    needs: members.flatMap((draft) => draft.needs ?? []),
    softNeeds: members.flatMap((draft) => draft.softNeeds ?? []),
    provides: members.flatMap((draft) => draft.provides ?? []),
    creates: members.flatMap((draft) => draft.creates ?? []),
    rank: Math.max(...members.map((draft) => draft.rank ?? 0)),
  };
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
