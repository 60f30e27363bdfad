import type { Address, Call, Change, SideEffects } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { notifiedPeople } from "../accounts.ts";
import { emptyCreations } from "./create.ts";
import { QUIET_LEVEL } from "./subscriptions.ts";

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
const SWITCH = "send_channel_events_messages";
/** Level 434 made notices a setting of the organization; before, they are always posted. */
export const SWITCH_LEVEL = 434;

export function channelEffects(
  changes: readonly Change[],
  context: PlanContext,
  calls: readonly Call[],
): Partial<SideEffects> {
  return { notices_in: noticesIn(changes, context, calls), direct_messages: directMessages(calls, context) };
}

function noticesIn(changes: readonly Change[], context: PlanContext, calls: readonly Call[]): readonly string[] {
  const posts = noticedCalls(calls, context);
  if (posts.length === 0) return [];
  // Creating a channel without subscribers posts no notice in it (zulip-api.md §3.3).
  const { alone } = emptyCreations(changes, context);
  const created = new Set(posts.flatMap(({ creates }) => creates));
  const written = new Set(
    posts.flatMap(({ for: purposes }) =>
      purposes.flatMap(({ address, fields }) => fields.map((field) => keyOf(address, field))),
    ),
  );
  return changes
    .filter(({ address, action, fields }) =>
      action === "create"
        ? created.has(address)
        : fields.some(({ field }) => NOTICED.has(field) && written.has(keyOf(address, field))),
    )
    .filter((change) => !alone.has(change))
    .map(({ name }) => name);
}

const keyOf = (address: Address, field: string): string => `${field} ${address}`;

/** The calls during which the organization has notices switched on: the plan itself may change this. */
function noticedCalls(calls: readonly Call[], { realm }: PlanContext): readonly Call[] {
  if (realm.level < SWITCH_LEVEL) return calls;
  const at = calls.findIndex(({ operation, params }) => operation === "update-realm" && SWITCH in params);
  const isOn = realm.setting(SWITCH) !== false;
  if (at === -1) return isOn ? calls : [];
  return isOn ? calls.slice(0, at) : calls.slice(at + 1);
}

/** Older servers notify everybody whom somebody else subscribes to an existing channel (zulip-api.md §5.2). */
function directMessages(calls: readonly Call[], context: PlanContext): number {
  if (context.realm.level >= QUIET_LEVEL) return 0;
  return calls
    .filter(({ operation, creates }) => operation === "subscribe" && creates.length === 0)
    .reduce((sum, { params }) => sum + notifiedPeople(params.principals, context), 0);
}
