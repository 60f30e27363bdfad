import { SPECTATORS } from "../../access/rules.ts";
import { isPrivacy } from "../../access/state.ts";
import { defined } from "../../model/defined.ts";
import { type Dependency, type DraftCall, settingWritten, written } from "../../model/draft-call.ts";
import { canonicalJson, isList, type Json, sameJson } from "../../model/json.ts";
import { indexed, oncePer } from "../../model/lazy.ts";
import { groupsIn } from "../../model/named-in.ts";
import type { Pair } from "../../model/objects.ts";
import { isRightName } from "../../model/permission-settings.ts";
import { type Change, fieldIn, type IdOf, type Param } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { foldCase, foldersByKey } from "../names.ts";
import { groupChangeParam, groupExists, groupParam, liveGroupSetting } from "../permissions.ts";
import { requestFor } from "../requests.ts";
import { idInFolderName } from "./live.ts";
import { atCreation, freeName, isPrivate, type Outcome, outcomeOf } from "./outcome.ts";
import { privacyFlags } from "./schema.ts";
import { CHANNELS_PER_CALL, leastSubscriptionCalls } from "./subscriptions.ts";

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
  const request = {
    ...creation(outcome, freed, context),
    operation: "subscribe",
    params: {
      subscriptions: [named(outcome)],
      ...defined({ principals: own ? undefined : principals }),
      ...settingParams(change, outcome, context),
    },
    batch: { list: "subscriptions", limit: CHANNELS_PER_CALL },
  };
  return requestFor(change, request, left ? written.filter((field) => field !== "subscribers") : written);
}

/** A new channel without subscribers, at any time: by the request that allows this (zulip-api.md §3.3). */
export function createCall(change: Change, context: PlanContext, freed: ReadonlySet<string | undefined>): DraftCall {
  const outcome = outcomeOf(change, context);
  return requestFor(change, {
    ...creation(outcome, freed, context),
    operation: "create-channel",
    params: { ...named(outcome), subscribers: [], ...settingParams(change, outcome, context) },
  });
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
function creation(outcome: Outcome, freed: ReadonlySet<string | undefined>, context: PlanContext): Partial<DraftCall> {
  const { change } = outcome;
  const written = change.fields.map(({ field }) => field);
  const { needs, softNeeds } = references(outcome, written, context);
  const isFreedFirst = freed.has(foldCase(change.name));
  return {
    needs: [...(isFreedFirst ? [freeName(change.name)] : []), ...needs],
    softNeeds,
    uses: rightsUsed(outcome, settingsAtCreation(change, context), context),
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
function leastCreationCalls(changes: readonly Change[], context: PlanContext): number {
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

type PrivacyKind = "web_public" | "private" | "public";

export function privacyKind(outcome: Outcome): PrivacyKind {
  const privacy = String(outcome.after("privacy"));
  return privacy === "web_public" ? "web_public" : isPrivate(privacy) ? "private" : "public";
}

/** Fields that only administrators set, and whoever is in a setting of the organization. */
export function policyRights(
  outcome: Outcome,
  { realm }: Pick<PlanContext, "realm">,
): readonly { readonly field: string; readonly setting: string }[] {
  if (realm.isAdmin) return [];
  return [
    ...(outcome.after("topics_policy") === "inherit"
      ? []
      : [{ field: "topics_policy", setting: "can_set_topics_policy_group" }]),
    { field: "can_delete_any_message_group", setting: "can_set_delete_message_policy_group" },
    { field: "can_delete_own_message_group", setting: "can_set_delete_message_policy_group" },
  ];
}

/** Rights of the organization that a request with these fields uses. */
export function rightsUsed(outcome: Outcome, fields: readonly string[], context: PlanContext): readonly string[] {
  const policies = policyRights(outcome, context).filter(({ field }) => fields.includes(field));
  const creates = outcome.change.action === "create" || fields.includes("privacy");
  return [...(creates ? creationSettings(outcome) : []), ...new Set(policies.map(({ setting }) => setting))];
}

/**
 * Who may create such a channel, or set this privacy: settings of the organization from which no role is exempt (zulip-api.md §3.3, §3.5). A
 * web-public channel is not private, and each request says so, which also needs the right to create public channels.
 */
export function creationSettings(outcome: Outcome): readonly string[] {
  const kind = privacyKind(outcome);
  return [`can_create_${kind}_channel_group`, ...(kind === "web_public" ? ["can_create_public_channel_group"] : [])];
}

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
  const wanted = fieldIn(fields, "subscribers")?.after;
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

/** What the plan does to a channel's place among the default channels. */
export function defaultChange(name: string, { changes }: PlanContext): Change | undefined {
  return indexOf(changes).get(foldCase(name));
}

const indexOf = oncePer((changes: readonly Change[]): ReadonlyMap<string, Change> => {
  const found = changes.filter(({ kind }) => kind === "default_channel");
  return new Map(found.map((change) => [foldCase(change.name), change]));
});

interface Params {
  readonly [name: string]: Param;
}

/** A changed field as a parameter of PATCH /streams (zulip-api.md §3.5). */
export function parameterOf(field: string, outcome: Outcome, context: PlanContext): Params {
  if (isRightName(field)) {
    const old = outcome.channel === undefined ? undefined : liveGroupSetting(outcome.channel, field);
    return { [field]: groupChangeParam(outcome.after(field), old, context) };
  }
  switch (field) {
    case "name":
      return { new_name: outcome.change.name };
    case "archived":
      // Only `false` has an effect; archiving is a separate request.
      return { is_archived: false };
    case "privacy":
      return privacyParams(outcome, "is_private");
    case "folder":
      return { folder_id: folderId(outcome.after("folder"), context) };
    default:
      return plain(field, outcome);
  }
}

/** A field as a parameter of the calls that create channels (zulip-api.md §3.4). */
function creationParameterOf(field: string, outcome: Outcome, context: PlanContext): Params {
  if (isRightName(field)) return { [field]: groupParam(outcome.after(field), context) };
  switch (field) {
    case "privacy":
      return privacyParams(outcome, "invite_only");
    case "folder":
      return { folder_id: folderId(outcome.after("folder"), context) };
    default:
      return plain(field, outcome);
  }
}

/** Always all three: `is_private` alone resets the history (zulip-api.md §3.8). */
function privacyParams(outcome: Outcome, isPrivate: "is_private" | "invite_only"): Params {
  const privacy = outcome.after("privacy");
  if (!isPrivacy(privacy)) throw new RangeError(`no privacy: ${String(privacy)}`);
  const { invite_only, is_web_public, history_public_to_subscribers } = privacyFlags(privacy);
  return { [isPrivate]: invite_only, is_web_public, history_public_to_subscribers };
}

function plain(field: string, outcome: Outcome): Params {
  const value = outcome.after(field);
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
    throw new RangeError(`${field} has no plain value`);
  return { [field]: value };
}

/**
 * What must exist before these fields can be written: groups and folders that this plan creates or reactivates. An existing folder, inactive or with
 * another name, accepts channels as it is (zulip-api.md §11); it is only better if its own request comes first.
 */
export function references(
  outcome: Outcome,
  fields: readonly string[],
  context: PlanContext,
): Required<Pick<DraftCall, "needs" | "softNeeds">> {
  const needs = fields.flatMap((field) => (isRightName(field) ? groupsIn(outcome.after(field)).map(groupExists) : []));
  const name = fields.includes("folder") ? outcome.after("folder") : undefined;
  const folder = typeof name === "string" ? declaredFolder(name, context) : undefined;
  // The id of a group or folder that this plan creates is needed in any case.
  return {
    needs: [...needs, ...(fields.includes("privacy") ? neededSettings(outcome, context) : [])],
    softNeeds: folder === undefined ? [] : [written(folder.address)],
  };
}

/** Settings of the organization that must allow this first, if the plan changes them. */
function neededSettings(outcome: Outcome, { realm, settingAfter }: PlanContext): readonly Dependency[] {
  const isChanged = (setting: string): boolean => realm.setting(setting) !== settingAfter(setting);
  if (outcome.after("privacy") === "web_public" && isChanged(SPECTATORS)) return [settingWritten(SPECTATORS)];
  const moderation = "moderation_request_channel_id";
  const isModerated =
    outcome.channel !== undefined && realm.setting(moderation) === outcome.channel.stream_id && isChanged(moderation);
  return isModerated ? [settingWritten("moderation_request_channel")] : [];
}

const foldersDeclared = indexed<Pair>(({ declared }) => (declared === undefined ? [] : [foldCase(declared.name)]));
const NO_FOLDERS: readonly NonNullable<PlanContext["snapshot"]["channel_folders"]>[number][] = [];

function declaredFolder(name: string, context: PlanContext): Pair | undefined {
  const key = foldCase(name);
  return foldersDeclared(context.pairs("channel_folders"), key)[0];
}

function folderId(name: unknown, context: PlanContext): number | IdOf | null {
  if (typeof name !== "string") return null;
  const key = foldCase(name);
  const declared = declaredFolder(name, context);
  if (declared !== undefined) return context.idOf(declared.address);
  const folders = foldersByKey(context.snapshot.channel_folders ?? NO_FOLDERS, key);
  const folder =
    folders.find((candidate) => !candidate.is_archived) ??
    folders[0] ??
    context.snapshot.channel_folders?.find(({ id }) => id === idInFolderName(name));
  if (folder === undefined) throw new RangeError(`no folder "${name}" in the snapshot or the plan`);
  return folder.id;
}
