import { isList } from "../../model/json.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { leastCreationCalls, settingsAtCreation } from "./create.ts";
import { leastSubscriptionCalls } from "./subscriptions.ts";

/** From this level on, a request can create a channel and subscribe nobody (zulip-api.md §3.3). */
export const CREATE_LEVEL = 417;

/** Settings that this request accepts and does not store. The level of the fix is not known, so they are never sent with it. */
const FORGOTTEN = new Set(["can_create_topic_group", "can_delete_any_message_group", "can_delete_own_message_group"]);

/** How new channels without subscribers are created. */
interface EmptyCreations {
  /** By a separate request that subscribes nobody. */
  readonly alone: ReadonlySet<Change>;
  /** Like other channels, which subscribes the account that runs the plan: it leaves them afterwards. */
  readonly left: ReadonlySet<Change>;
}

/**
 * One request of the first type creates one channel; subscribing creates many, and one more request leaves them all. The way with fewer requests is
 * used; if both need as many, nobody is ever subscribed.
 */
export function emptyCreations(changes: readonly Change[], context: PlanContext): EmptyCreations {
  const empty = changes.filter(isMadeEmpty);
  const able = empty.filter((change) => canGoAlone(change, context));
  const ways = [new Set(able), new Set<Change>()].map((alone): EmptyCreations => {
    return { alone, left: new Set(empty.filter((change) => !alone.has(change))) };
  });
  const [separate, together] = ways;
  if (separate === undefined || together === undefined || able.length === 0)
    return { alone: new Set(), left: new Set(empty) };
  return cost(separate, changes, context) <= cost(together, changes, context) ? separate : together;
}

function isMadeEmpty({ action, fields }: Change): boolean {
  const wanted = fields.find(({ field }) => field === "subscribers")?.after;
  return action === "create" && wanted !== undefined && isList(wanted) && wanted.length === 0;
}

function canGoAlone(change: Change, context: PlanContext): boolean {
  if (context.realm.level < CREATE_LEVEL) return false;
  return !settingsAtCreation(change, context).some((field) => FORGOTTEN.has(field));
}

/** Requests that create channels or subscribe people. */
function cost({ alone, left }: EmptyCreations, changes: readonly Change[], context: PlanContext): number {
  const together = changes.filter((change) => change.action === "create" && !alone.has(change));
  return alone.size + leastCreationCalls(together, context) + leastSubscriptionCalls(changes, left, context);
}

/** The fewest requests that create these channels and subscribe and unsubscribe people in all of them. */
export function leastCreationAndSubscriptionCalls(changes: readonly Change[], context: PlanContext): number {
  return cost(emptyCreations(changes, context), changes, context);
}
