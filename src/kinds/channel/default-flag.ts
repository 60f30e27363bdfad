import { oncePer } from "../../model/lazy.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { foldCase } from "../names.ts";

/** What the plan does to a channel's place among the default channels. */
export function defaultChange(name: string, { changes }: PlanContext): Change | undefined {
  return indexOf(changes).get(foldCase(name));
}

const indexOf = oncePer((changes: readonly Change[]): ReadonlyMap<string, Change> => {
  const found = changes.filter(({ kind }) => kind === "default_channel");
  return new Map(found.map((change) => [foldCase(change.name), change]));
});
