import { defined } from "../../model/defined.ts";
import { written } from "../../model/dependency.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import { type Address, type Change, type IdOf, objectChanges } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { foldCase } from "../names.ts";
import { channelChangesByKey, channelsByKey } from "../pairs.ts";

/** One request for each, unless the channel itself is written anyway: then the flag is part of that request (zulip-api.md §15.5). */
export function defaultCalls(changes: readonly Change[], context: PlanContext): readonly DraftCall[] {
  return objectChanges(changes).map((change): DraftCall => {
    if (change.action === "update") throw new RangeError(`${change.address} has nothing but its name`);
    const adds = change.action === "create";
    const channel = channelChange(change, context);
    const address: Address = channel?.address ?? `channel:${change.name}`;
    // Archiving removes the flag by itself.
    const params = defined({ is_default_stream: goesByItself(channel) ? undefined : adds });
    return {
      operation: adds ? "add-default-stream" : "remove-default-stream",
      path: {},
      params: { stream_id: channelId(change, channel, context) },
      for: [{ address: change.address, fields: [] }],
      mergeInto: { address, params },
      needs: adds ? [written(address)] : [],
    };
  });
}

/** The fewest requests: none for flags that are sent with their channel. */
export function leastDefaultCalls(changes: readonly Change[], context: PlanContext): number {
  return changes.filter((change) => !goesAlong(change, context)).length;
}

/** Whether this plan creates, changes or archives the channel. */
function goesAlong(change: Change, context: PlanContext): boolean {
  const channel = channelChange(change, context);
  if (channel === undefined) return false;
  const written = channel.fields.some(
    ({ field, after }) => field !== "subscribers" && !(field === "archived" && after === true),
  );
  return channel.action === "create" || written || goesByItself(channel);
}

function channelChange({ name }: Change, context: PlanContext): Change | undefined {
  const change = context.pair(`channel:${name}`)?.change;
  if (change !== undefined) return change;
  const key = foldCase(name);
  return channelChangesByKey(context.changes, key)[0];
}

/** Nothing but archived. */
function goesByItself(channel: Change | undefined): boolean {
  const written = channel?.fields.filter(({ field }) => field !== "subscribers") ?? [];
  return written.length === 1 && written[0]?.field === "archived" && written[0]?.after === true;
}

function channelId(change: Change, channel: Change | undefined, context: PlanContext): number | IdOf {
  if (channel?.id !== undefined) return channel.id;
  if (channel !== undefined) return context.idOf(channel.address);
  const key = foldCase(change.name);
  const [found] = channelsByKey(context.snapshot.channels, key);
  if (found === undefined) throw new RangeError(`no channel "${change.name}" in the snapshot or the plan`);
  return found.stream_id;
}
