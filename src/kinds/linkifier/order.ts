import { isList } from "../../model/json.ts";
import type { Pair } from "../../model/objects.ts";
import type { PlanContext } from "../../model/plan-context.ts";

/** Every linkifier after the plan, in the order in which the server will try them. */
export function finalOrder(context: PlanContext): readonly Pair[] {
  const staying = context
    .pairs("linkifiers")
    .filter((pair) => pair.change?.action !== "remove" && (pair.live !== undefined || pair.change !== undefined));
  const byName = new Map(staying.map((pair) => [pair.change?.name ?? pair.live?.name ?? "", pair]));
  const reorder = context.changes.find(({ kind, action }) => kind === "linkifier" && action === "reorder");
  const after = reorder?.fields[0]?.after;
  if (after !== undefined && isList(after)) return after.flatMap((name) => byName.get(String(name)) ?? []);

  const byLiveName = new Map(staying.flatMap((pair) => (pair.live === undefined ? [] : [[pair.live.name, pair]])));
  const existing = (context.snapshot.linkifiers ?? []).flatMap(({ pattern }) => byLiveName.get(pattern) ?? []);
  return [...existing, ...staying.filter((pair) => pair.live === undefined)];
}
