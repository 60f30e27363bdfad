import type { Pair } from "../../model/objects.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { foldCase } from "../names.ts";

/** The channel of that name, as the plan leaves it, where the file has channels. */
export function channelPair(name: string, context: PlanContext): Pair | undefined {
  const exact = context.pair(`channel:${name}`);
  if (exact !== undefined) return exact;
  const key = foldCase(name);
  return context.pairs("channels").find(({ declared, live }) => foldCase(declared?.name ?? live?.name ?? "") === key);
}
