import { isList } from "../../model/json.ts";
import type { Pair } from "../../model/objects.ts";
import type { IdOf } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { fieldIds } from "./live.ts";

/** The fields after the plan. */
export function staying(context: PlanContext): readonly Pair[] {
  return context
    .pairs("profile_fields")
    .filter((pair) => pair.change?.action !== "remove" && (pair.live !== undefined || pair.change !== undefined));
}

/** Every field's id in the order of the plan: the server requires all of them, also those of unknown types (zulip-api.md §12.3). */
export function orderedIds(after: unknown, context: PlanContext): readonly (number | IdOf)[] {
  const byName = new Map(staying(context).map((pair) => [nameAfter(pair), pair]));
  const names = isList(after) ? after.map(String) : [];
  const ids = names.flatMap((name): readonly (number | IdOf)[] => {
    const pair = byName.get(name);
    return pair === undefined ? [] : [pair.live?.id ?? { idOf: pair.address }];
  });
  const removedIds = new Set(
    context.changes.flatMap(({ kind, action, id }) => (kind === "profile_field" && action === "remove" ? [id] : [])),
  );
  const others = fieldIds(context.realm).filter((id) => !ids.includes(id) && !removedIds.has(id));
  return [...ids, ...others];
}

export const nameAfter = ({ change, live }: Pair): string => change?.name ?? live?.name ?? "";

/** The fields of a profile field once the plan is applied. */
export function fieldsAfter({ declared, live }: Pair): NonNullable<Pair["live"]>["fields"] {
  return { ...live?.fields, ...declared?.fields };
}
