import type { PlanContext } from "../../model/kind.ts";
import { ROLE } from "../../model/realm.ts";
import { groupAfter, groupBefore, type Outcome } from "./outcome.ts";
import { isPrivate } from "./privacy.ts";

/** The two settings whose members can read a private channel (zulip-api.md §3.6); changing them takes access to its content. */
export const CONTENT_ACCESS_SETTINGS = ["can_add_subscribers_group", "can_subscribe_group"] as const;

export type Answer = "yes" | "no" | "unknown";

/** User ids of the subscribers, as far as the snapshot has them. */
export function subscribersOf(outcome: Outcome, context: PlanContext): ReadonlySet<number> | undefined {
  const { channel } = outcome;
  if (channel === undefined) return undefined;
  const listed = context.snapshot.subscribers?.[String(channel.stream_id)];
  if (listed !== undefined) return new Set(listed);
  // Level 394 counts them (zulip-api.md §3.1).
  return channel.subscriber_count === 0 ? new Set() : undefined;
}

/** May the reading account see what is written in the channel as it is now? Roles alone open no private channel (§3.6). */
export function accountReads(outcome: Outcome, context: PlanContext): Answer {
  return answer(outcome, context, String(outcome.before("privacy") ?? ""), (setting) => groupBefore(outcome, setting));
}

/** … and once the change is applied? For a new channel this is about an account that nobody subscribes. */
export function accountWillRead(outcome: Outcome, context: PlanContext): Answer {
  return answer(outcome, context, String(outcome.after("privacy") ?? ""), (setting) => groupAfter(outcome, setting));
}

function answer(
  outcome: Outcome,
  context: PlanContext,
  privacy: string,
  value: (setting: string) => ReturnType<typeof groupAfter>,
): Answer {
  const { user_id: me, role } = context.snapshot.account;
  if (privacy === "web_public") return "yes";
  if (!isPrivate(privacy) && role !== ROLE.guest) return "yes";
  if (
    role !== ROLE.guest &&
    CONTENT_ACCESS_SETTINGS.some((setting) => context.realm.peopleIn(value(setting)).has(me))
  ) {
    return "yes";
  }
  const subscribers = subscribersOf(outcome, context);
  if (subscribers === undefined) return "unknown";
  return subscribers.has(me) ? "yes" : "no";
}
