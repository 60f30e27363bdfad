import { canonicalJson, type Json } from "../../model/json.ts";
import type { PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { CHANNELS_PER_CALL, principalsOf, settingsAtCreation } from "./create.ts";
import { defaultChange } from "./default-flag.ts";
import { outcomeOf } from "./outcome.ts";
import { channelsByKey, cyclesOf, renamesOf } from "./renames.ts";
import { settingsBeforePrivacy } from "./split.ts";
import { leastSubscriptionCalls } from "./subscriptions.ts";

/** See docs/decisions/0012-least-calls.md for why no way takes fewer. */
export function leastChannelCalls(changes: readonly Change[], context: PlanContext): number {
  const created = changes.filter((change) => change.action === "create");
  const existing = changes.filter((change) => change.action !== "create");
  return leastCreations(created, context) + leastUpdates(existing, context) + leastSubscriptionCalls(existing, context);
}

/** A request that creates has one set of settings and subscribers for all its channels. */
function leastCreations(changes: readonly Change[], context: PlanContext): number {
  const sizes = new Map<string, number>();
  for (const change of changes) {
    const sent = new Set(settingsAtCreation(change, context));
    const settings: { [field: string]: Json } = {
      subscribers: principalsOf(outcomeOf(change, context), context),
      // The flag is a setting of the request like others.
      default: defaultChange(change.name, context)?.action === "create",
    };
    for (const { field, after } of change.fields) if (sent.has(field)) settings[field] = after;
    const key = canonicalJson(settings);
    sizes.set(key, (sizes.get(key) ?? 0) + 1);
  }
  return [...sizes.values()].reduce((sum, size) => sum + Math.ceil(size / CHANNELS_PER_CALL), 0);
}

/** A request that changes or archives is about one channel. */
function leastUpdates(changes: readonly Change[], context: PlanContext): number {
  let least = 0;
  const twice = new Set<Change>();
  for (const change of changes) {
    const outcome = outcomeOf(change, context);
    const archives = outcome.changes("archived") && outcome.after("archived") === true;
    const own = change.fields.filter(({ field }) => field !== "subscribers");
    const others = own.length - (archives ? 1 : 0);
    if (archives) least += 1;
    if (others > 0) least += 1;
    if (settingsBeforePrivacy(outcome, context).length > 0) {
      least += 1;
      twice.add(change);
    }
  }
  // In a cycle of names one channel has to be written twice: names are unique after every request.
  const cycles = cyclesOf(renamesOf(changes, context), channelsByKey(context));
  return least + cycles.filter((cycle) => !cycle.some(({ change }) => twice.has(change))).length;
}
