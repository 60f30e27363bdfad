import type { PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { emptyCreations } from "./empty.ts";

/** Changes of these fields post a message of the Notification Bot in the channel (zulip-api.md §3.5.4). */
const NOTICED = new Set([
  "name",
  "description",
  "privacy",
  "can_send_message_group",
  "message_retention_days",
  "topics_policy",
  "archived",
]);

export function noticesOf(
  changes: readonly Change[],
  context: PlanContext,
): { readonly emails: number; readonly notices_in: readonly string[] } {
  // Level 434 made them a setting of the organization; before, they are always posted.
  if (context.realm.level >= 434 && context.realm.setting("send_channel_events_messages") === false) {
    return { emails: 0, notices_in: [] };
  }
  // Who makes a channel without subscribers posts nothing in it (zulip-api.md §3.3).
  const { alone } = emptyCreations(changes, context);
  const noticed = changes.filter(
    (change) =>
      (change.action === "create" && !alone.has(change)) ||
      (change.action !== "create" && change.fields.some(({ field }) => NOTICED.has(field))),
  );
  return { emails: 0, notices_in: noticed.map(({ name }) => name) };
}
