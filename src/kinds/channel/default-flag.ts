import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { foldCase } from "../names.ts";

/** What the plan does to a channel's place among the default channels. */
export function defaultChange(name: string, { changes }: PlanContext): Change | undefined {
  let index = indexes.get(changes);
  if (index === undefined) {
    const found = changes.filter(({ kind }) => kind === "default_channel");
    index = new Map(found.map((change) => [foldCase(change.name), change]));
    indexes.set(changes, index);
  }
  return index.get(foldCase(name));
}
const indexes = new WeakMap<readonly Change[], ReadonlyMap<string, Change>>();
