import { defined } from "../../model/defined.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import { canonicalJson, isList, type Json, sameJson } from "../../model/json.ts";
import type { Change, Param } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { foldCase } from "../names.ts";
import { rightsUsed } from "./creators.ts";
import { defaultChange } from "./default-flag.ts";
import { atCreation, type Outcome, outcomeOf } from "./outcome.ts";
import { creationParameterOf, references } from "./parameters.ts";
import { freeName } from "./renames.ts";

/**
 * The server would take more, but slowly: 500 channels took 7.6 seconds, in one transaction (zulip-api.md §15.5).
 */
export const CHANNELS_PER_CALL = 200;

/**
 * A new channel by the request that takes many at once and stores all eleven permission settings
 * (docs/internals/decisions/0013-fewest-requests-with-a-proof.md). The name
 * must be free: if a channel with the name exists, the server would subscribe people to it and silently ignore every setting (§3.4).
 * @param left the account that is subscribed by this request leaves again in a separate one
 */
export function subscribeCall(
  change: Change,
  context: PlanContext,
  freed: ReadonlySet<string | undefined>,
  left: boolean,
): DraftCall {
  const outcome = outcomeOf(change, context);
  const principals = subscribedFirst(outcome, context);
  // The server subscribes this account if the request names nobody, so such creations can share a request.
  const own = sameJson(principals, [context.realm.snapshot.account.user_id]);
  const written = change.fields.map(({ field }) => field);
  return {
    ...creation(outcome, freed, context),
    operation: "subscribe",
    params: {
      subscriptions: [named(outcome)],
      ...defined({ principals: own ? undefined : principals }),
      ...settingParams(change, outcome, context),
    },
    for: [{ address: change.address, fields: left ? written.filter((field) => field !== "subscribers") : written }],
    batch: { list: "subscriptions", limit: CHANNELS_PER_CALL },
  };
}

/** A new channel without subscribers, at any time: by the request that allows this (zulip-api.md §3.3). */
export function createCall(change: Change, context: PlanContext, freed: ReadonlySet<string | undefined>): DraftCall {
  const outcome = outcomeOf(change, context);
  return {
    ...creation(outcome, freed, context),
    operation: "create-channel",
    params: { ...named(outcome), subscribers: [], ...settingParams(change, outcome, context) },
    for: [{ address: change.address, fields: change.fields.map(({ field }) => field) }],
  };
}

function named(outcome: Outcome): { readonly [name: string]: string } {
  const { name } = outcome.change;
  const description = outcome.after("description");
  return typeof description === "string" && description !== "" ? { name, description } : { name };
}

function settingParams(change: Change, outcome: Outcome, context: PlanContext): { readonly [name: string]: Param } {
  const params: { [name: string]: Param } = {};
  for (const field of settingsAtCreation(change, context)) {
    Object.assign(params, creationParameterOf(field, outcome, context));
  }
  return params;
}

/** The common part of all requests that create a channel. */
function creation(
  outcome: Outcome,
  freed: ReadonlySet<string | undefined>,
  context: PlanContext,
): Omit<DraftCall, "operation" | "params" | "for"> {
  const { change } = outcome;
  const written = change.fields.map(({ field }) => field);
  const { needs, softNeeds } = references(outcome, written, context);
  const isFreedFirst = freed.has(foldCase(change.name));
  return {
    path: {},
    expects: [{ address: change.address, field: "exists", value: false }],
    needs: [...(isFreedFirst ? [freeName(change.name)] : []), ...needs],
    softNeeds,
    uses: rightsUsed(outcome, settingsAtCreation(change, context), context),
    creates: [change.address],
    mergeTarget: { address: change.address, params: ["is_default_stream"] },
  };
}

/**
 * Fields of a new channel that have to be sent: those that differ from the defaults. Some need a right as soon as they are sent, whatever their value
 * (zulip-api.md §3.5), and channels with the same result must be able to share a request.
 */
export function settingsAtCreation(change: Change, context: PlanContext): readonly string[] {
  return change.fields
    .filter(({ field }) => field !== "description" && field !== "archived" && field !== "subscribers")
    .filter(({ field, after }) => !sameJson(after, atCreation(field, context.realm) ?? null))
    .map(({ field }) => field);
}

/** The wanted subscribers, by id. */
export function principalsOf(outcome: Outcome, context: PlanContext): readonly number[] {
  const subscribers = outcome.after("subscribers");
  if (subscribers === undefined || !isList(subscribers)) return [];
  return context.realm.userIds(subscribers.map(String));
}

/** The first subscribers of a new channel: if none are given, the server subscribes the account that creates it (zulip-api.md §3.4). */
function subscribedFirst(outcome: Outcome, context: PlanContext): readonly number[] {
  const wanted = principalsOf(outcome, context);
  return wanted.length === 0 ? [context.realm.snapshot.account.user_id] : wanted;
}

/** A request that creates channels has one set of settings and subscribers for all of them (docs/internals/decisions/0013-fewest-requests-with-a-proof.md). */
export function leastCreationCalls(changes: readonly Change[], context: PlanContext): number {
  const sizes = new Map<string, number>();
  for (const change of changes) {
    const sent = new Set(settingsAtCreation(change, context));
    const settings: { [field: string]: Json } = {
      subscribers: subscribedFirst(outcomeOf(change, context), context),
      // The flag is a setting of the request like others.
      default: defaultChange(change.name, context)?.action === "create",
    };
    for (const { field, after } of change.fields) if (sent.has(field)) settings[field] = after;
    const key = canonicalJson(settings);
    sizes.set(key, (sizes.get(key) ?? 0) + 1);
  }
  return [...sizes.values()].reduce((sum, size) => sum + Math.ceil(size / CHANNELS_PER_CALL), 0);
}
