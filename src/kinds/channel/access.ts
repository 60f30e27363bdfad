import { accessIn } from "../../access/of-plan.ts";
import { insidersOf } from "../../access/rights.ts";
import { isOpeningSetting } from "../../access/rules.ts";
import type { AccessChannel, AccessState } from "../../access/state.ts";
import { isList } from "../../model/json.ts";
import { oncePer } from "../../model/lazy.ts";
import type { DeclaredObject } from "../../model/objects.ts";
import type { PlanContext } from "../../model/plan-context.ts";

import type { Realm } from "../../model/realm.ts";
import { foldCase } from "../names.ts";
import type { Outcome } from "./outcome.ts";
import { isPrivate } from "./schema.ts";

/** Whether the server asks for access to the content before it changes the field. */
export const needsContent = (field: string): boolean => field === "privacy" || isOpeningSetting(field);

type Answer = "yes" | "no" | "unknown";

/** User ids of the subscribers, as far as the snapshot has them. */
export function subscribersOf(outcome: Outcome, context: PlanContext): ReadonlySet<number> | undefined {
  const { channel } = outcome;
  if (channel === undefined) return undefined;
  const listed = context.snapshot.subscribers?.[String(channel.stream_id)];
  if (listed !== undefined) return new Set(listed);
  // Level 394 counts them (zulip-api.md §3.1).
  return channel.subscriber_count === 0 ? new Set() : undefined;
}

/** The subscribers after the change. */
export function subscribersAfter(outcome: Outcome, context: PlanContext): ReadonlySet<number> | undefined {
  const after = outcome.changes("subscribers") ? outcome.after("subscribers") : undefined;
  if (after === undefined || !isList(after)) return subscribersOf(outcome, context);
  return new Set(after.map((name) => context.realm.userId(String(name))));
}

/** Whether planning this channel depends on its subscribers. It does if the file names subscribers, and for each private channel: who reads it is told. */
export function needsSubscribers(
  { fields, creation, key, id, was }: DeclaredObject,
  realm: Realm | undefined,
): boolean {
  if (creation?.subscribers !== undefined || fields.subscribers !== undefined) return true;
  if (isPrivate(String(fields.privacy ?? ""))) return true;
  if (realm === undefined) return false;
  const closed = privateChannelsOf(realm);
  if (closed.size === 0) return false;
  const names: readonly (string | number)[] = [
    key,
    ...(was === undefined ? [] : [foldCase(was)]),
    ...(id === undefined ? [] : [id]),
  ];
  return names.some((name) => closed.has(name));
}

/** Private channels by key and by id. Ten thousand channels ask for them, so there is an index. */
const privateChannelsOf = oncePer(({ snapshot }: Realm): ReadonlySet<string | number> => {
  const closed = snapshot.channels.filter(({ invite_only }) => invite_only);
  return new Set(closed.flatMap(({ name, stream_id }) => [foldCase(name), stream_id]));
});

/** Whether the reading account can read the channel now. Roles alone do not open a private channel (§3.6). */
export function accountReads({ change }: Outcome, context: PlanContext): Answer {
  const { before } = accessIn(context);
  const channel = before.channel(change.name);
  return channel === undefined ? "yes" : answer(channel, before, context);
}

/** Whether the account can read the channel after the change. For a new channel, the account is assumed not to be subscribed. */
export function accountWillRead({ change, ...outcome }: Outcome, context: PlanContext): Answer {
  const { after } = accessIn(context);
  const channel = after.channel(change.name);
  if (channel === undefined) return "yes";
  const isOpen = change.action === "create" && !outcome.changes("subscribers");
  return answer(isOpen ? { ...channel, subscribers: undefined } : channel, after, context);
}

/** Whether the channel is closed to the account after its settings are changed, and before anybody is subscribed or unsubscribed. */
export function accountIsShutOut({ change }: Outcome, context: PlanContext): boolean {
  const { before, after } = accessIn(context);
  const channel = after.channel(change.name);
  if (channel === undefined) return false;
  return answer({ ...channel, subscribers: before.channel(change.name)?.subscribers }, after, context) === "no";
}

function answer(channel: AccessChannel, state: AccessState, context: PlanContext): Answer {
  const { people, bound } = insidersOf(state, channel);
  if (people.has(context.snapshot.account.user_id)) return "yes";
  return bound === undefined ? "no" : "unknown";
}
