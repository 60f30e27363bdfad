import { isList, sameJson } from "../../model/json.ts";
import type { DraftCall, PlanContext } from "../../model/kind.ts";
import type { Change, Param } from "../../model/plan.ts";
import { foldCase } from "../names.ts";
import { atCreation, type Outcome, outcomeOf } from "./outcome.ts";
import { creationParameterOf, referenceNeeds } from "./parameters.ts";
import { nameToken } from "./renames.ts";

/**
 * The server would take more, but slowly: 500 channels took 7.6 seconds, in one transaction (zulip-api.md §15.5).
 */
export const CHANNELS_PER_CALL = 200;

/**
 * A new channel by the route that takes many at once and stores all eleven permission settings (docs/decisions/0011-creating-channels.md).
 * The name must be free: the server would subscribe to a channel that exists, and ignore every setting without a word (§3.4).
 */
export function subscribeCall(change: Change, context: PlanContext, freed: ReadonlySet<string | undefined>): DraftCall {
  const outcome = outcomeOf(change, context);
  const description = outcome.after("description");
  const element =
    typeof description === "string" && description !== "" ? { name: change.name, description } : { name: change.name };
  const principals = principalsOf(outcome, context);
  const shared: { [name: string]: Param } = principals.length === 0 ? {} : { principals };
  for (const field of settingsAtCreation(change, context)) {
    Object.assign(shared, creationParameterOf(field, outcome, context));
  }
  const isFreedFirst = freed.has(foldCase(change.name));
  return {
    operation: "subscribe",
    path: {},
    params: { subscriptions: [element], ...shared },
    for: [{ address: change.address, fields: change.fields.map(({ field }) => field) }],
    expects: [{ address: change.address, field: "exists", value: false }],
    needs: [
      ...(isFreedFirst ? [nameToken(change.name)] : []),
      ...referenceNeeds(
        outcome,
        change.fields.map(({ field }) => field),
      ),
    ],
    creates: [change.address],
    batch: { list: "subscriptions", limit: CHANNELS_PER_CALL },
    accepts: { address: change.address, params: ["is_default_stream"] },
  };
}

/**
 * Fields of a new channel that have to be sent: those that are not what it gets anyway. Some ask for a right as soon as they are
 * sent, whatever their value (zulip-api.md §3.5), and channels that come out alike must be able to share a request.
 */
export function settingsAtCreation(change: Change, context: PlanContext): readonly string[] {
  return change.fields
    .filter(({ field }) => field !== "description" && field !== "archived" && field !== "subscribers")
    .filter(({ field, after }) => !sameJson(after, atCreation(field, context.realm) ?? null))
    .map(({ field }) => field);
}

/** Who is subscribed, by id. Empty: nobody was named, and the server subscribes the account that creates (zulip-api.md §3.4). */
export function principalsOf(outcome: Outcome, context: PlanContext): readonly number[] {
  const subscribers = outcome.after("subscribers");
  if (subscribers === undefined || !isList(subscribers)) return [];
  return subscribers.map((name) => context.realm.userId(String(name))).sort((a, b) => a - b);
}
