import { defined } from "../model/defined.ts";
import type { NameTaken } from "../model/diagnostics/names.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { LiveObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { isTemporaryName } from "../model/temporary-name.ts";

/** The data of the error about a name that another object has. An entry with `id:` may have the id of the wrong object. */
export function nameTakenBy(holder: LiveObject, change: Change, context: PlanContext): NameTaken {
  const { declared, live } = context.pair(change.address) ?? {};
  const { id } = holder;
  const pinned =
    declared?.id === undefined || live === undefined || id === null
      ? undefined
      : { id: declared.id, is: quote(live.name, change.kind), right: id };
  return {
    name: quote(change.name, change.kind),
    held_by: quote(holder.name, change.kind),
    is_inactive: holder.inactive,
    is_left_over: id !== null && isTemporaryName(holder.name, id),
    ...defined({ pinned }),
  };
}
