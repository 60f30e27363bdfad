import { exists } from "../model/dependency.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import type { DraftCall, PlanContext, ResourceKind } from "../model/kind.ts";
import type { Address } from "../model/plan.ts";

/**
 * Requests for values that name people and bots that come back wait for them: the server takes nobody who is deactivated into a group or a
 * setting, and gives them no bots (zulip-api.md §17.4).
 */
export function afterReturns(
  drafts: readonly DraftCall[],
  { changes, realm }: PlanContext,
  kinds: readonly ResourceKind[],
): readonly DraftCall[] {
  const returning = new Map<string, Address>();
  for (const { kind, id, address, fields } of changes) {
    const { isAccount, inactivity } = kinds.find((candidate) => candidate.name === kind) ?? {};
    if (isAccount !== true || id === undefined) continue;
    if (fields.some(({ field, after }) => field === inactivity?.field && after === false))
      returning.set(realm.userName(id), address);
  }
  if (returning.size === 0) return drafts;
  const known = new Map(changes.map((change) => [change.address, change]));
  return drafts.map((draft) => {
    const needed = draft.for.flatMap(({ address, fields }) =>
      (known.get(address)?.fields ?? [])
        .filter(({ field }) => fields.includes(field))
        .flatMap(({ after }) => textsIn(after))
        .flatMap((text) => returning.get(text) ?? []),
    );
    if (needed.length === 0) return draft;
    return { ...draft, needs: [...(draft.needs ?? []), ...[...new Set(needed)].map((address) => exists(address))] };
  });
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (isList(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap((item: Json) => textsIn(item)) : [];
}
