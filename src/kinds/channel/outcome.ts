import { insidersOf } from "../../access/grants.ts";
import { accessIn, namesAccount } from "../../access/of-plan.ts";
import { ADMINISTER, isOpeningSetting, OPENING_SETTINGS } from "../../access/rules.ts";
import type { AccessChannel, AccessState } from "../../access/state.ts";
import { own } from "../../model/defined.ts";
import { type Dependency, nameFree, partDone, written } from "../../model/draft-call.ts";
import type { Move } from "../../model/facets.ts";
import { isList, type Json } from "../../model/json.ts";
import { oncePer } from "../../model/lazy.ts";
import type { DeclaredObject, Fields, LiveObject, Pair } from "../../model/objects.ts";
import { isRightName } from "../../model/permission-settings.ts";
import type { Address, Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asGroupValue, type GroupValue, type Realm } from "../../model/realm.ts";
import type { SnapshotChannel } from "../../model/snapshot.ts";
import { foldCase } from "../names.ts";
import { hasRight, permissionsAtCreation, settingAtCreation } from "../permissions.ts";
import { CHANNEL_FIELDS } from "./properties.ts";

export const isPrivate = (privacy: string): boolean => privacy.startsWith("private");

/** A channel before and after its change: unchanged values come from the server, or from its defaults for new channels. */
export interface Outcome {
  readonly change: Change;
  /** As it is on the server; undefined when the plan creates it. */
  readonly channel: SnapshotChannel | undefined;
  before(field: string): Json | undefined;
  after(field: string): Json | undefined;
  changes(field: string): boolean;
}

export function outcomeOf(change: Change, context: PlanContext): Outcome {
  const live = context.pair(change.address)?.live;
  const fields = new Map(change.fields.map((field) => [field.field, field.after]));
  return {
    change,
    channel: change.id === undefined ? undefined : context.realm.channel(change.id),
    before: (field) => live?.fields[field],
    after: (field) => {
      if (fields.has(field)) return fields.get(field);
      return live === undefined ? atCreation(field, context.realm) : live.fields[field];
    },
    changes: (field) => fields.has(field),
  };
}

/** The default of a new channel (zulip-api.md §3.3, §3.7); undefined if the server does not have the field. */
export function atCreation(field: string, realm: Realm): Json | undefined {
  if (isRightName(field))
    return hasRight("stream", field, realm) ? settingAtCreation("stream", field, realm) : undefined;
  if (field === "archived") return false;
  const row = own(CHANNEL_FIELDS.rows, field);
  return row === undefined || (row.level ?? 0) > realm.level ? undefined : row.standard;
}

/** The values of a channel that nobody configured: those of its creation, with its creator. There is no default for subscribers. */
export function standingDefaults(realm: Realm, { id }: LiveObject): Fields {
  const creator = (id === null ? undefined : realm.channel(id)?.creator_id) ?? null;
  return { ...CHANNEL_FIELDS.standards(realm), ...permissionsAtCreation("stream", realm, creator) };
}

export function groupAfter(outcome: Outcome, setting: string): GroupValue {
  return asGroupValue(outcome.after(setting) ?? null) ?? "role:nobody";
}

export function groupBefore(outcome: Outcome, setting: string): GroupValue {
  return asGroupValue(outcome.before(setting) ?? null) ?? "role:nobody";
}

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

/**
 * Permission settings that must be written by a separate request before the rest. PATCH /streams is not atomic: it applies the privacy first, then
 * the settings one after the other (zulip-api.md §3.5.2). So in one request
 * - protected history would be set before its topic group, and stay without it if the group is refused (§3.8);
 * - a channel would become private, and closed to this account, before the groups that need access to its content (§3.6);
 * - the account would lose its access by `can_add_subscribers_group` before `can_subscribe_group`, which needs it, is set.
 */
export function settingsSentFirst(outcome: Outcome, context: PlanContext): readonly string[] {
  if (outcome.channel === undefined) return [];
  const before: string[] = [];
  if (losesAccessHalfway(outcome, context) && !willBeSubscribed(outcome, context)) before.push("can_subscribe_group");
  if (!outcome.changes("privacy")) return before;
  if (outcome.after("privacy") === "private_protected_history" && outcome.changes("can_create_topic_group")) {
    before.push("can_create_topic_group");
  }
  const changed = OPENING_SETTINGS.filter((setting) => outcome.changes(setting));
  if (changed.length > 0 && closesToAccount(outcome, context)) before.push(...changed);
  return before;
}

/**
 * The setting of who administers the channel, if the account gives up that right by it and needs the right for other requests: it is sent after them
 * (docs/internals/decisions/0015-requests-wait-for-states-and-rights.md).
 */
export function settingsSentLast(outcome: Outcome, context: PlanContext): readonly string[] {
  if (outcome.channel === undefined || context.realm.isAdmin || !outcome.changes(ADMINISTER)) return [];
  const isNeeded = outcome.changes("subscribers") || outcome.after("archived") === true;
  const { after } = accessIn(context);
  const stays = namesAccount(asGroupValue(outcome.after(ADMINISTER) ?? null), after, context);
  return isNeeded && !stays ? [ADMINISTER] : [];
}

/** The settings that are not sent last are written. */
export function settingsDone(outcome: Outcome, context: PlanContext): Dependency {
  const { address } = outcome.change;
  return settingsSentLast(outcome, context).length === 0 ? written(address) : partDone(address, "settings", 1);
}

/** Everybody is subscribed and unsubscribed. */
export const subscribersDone = (address: Address): Dependency => partDone(address, "subscribers", 1);

/**
 * Those of these fields that a separate request can set before or after the others: permission settings, except those that the privacy needs
 * (protected history has one topic group, zulip-api.md §3.8) and those that may decide whether the account reads the channel.
 */
export function settingsAlone(outcome: Outcome, fields: readonly string[], context: PlanContext): readonly string[] {
  const hasPrivacy = outcome.changes("privacy");
  const isBound = (field: string): boolean =>
    (hasPrivacy && field === "can_create_topic_group") ||
    (isOpeningSetting(field) && !readsWhateverIsSet(outcome, context));
  return fields.filter((field) => isRightName(field) && !isBound(field));
}

/** Whether the account reads the channel by itself: the channel is and stays open, or the account is subscribed before and after. */
function readsWhateverIsSet(outcome: Outcome, context: PlanContext): boolean {
  if (![outcome.before("privacy"), outcome.after("privacy")].some((word) => isPrivate(String(word)))) return true;
  const me = context.snapshot.account.user_id;
  return [subscribersOf(outcome, context), subscribersAfter(outcome, context)].every((ids) => ids?.has(me));
}

/**
 * Whether one request that sets both settings which open a private channel is refused in the middle: the account is in the present
 * `can_add_subscribers_group` only, and the server sets that one first.
 */
export function losesAccessHalfway(outcome: Outcome, context: PlanContext): boolean {
  if (![outcome.before("privacy"), outcome.after("privacy")].every((word) => isPrivate(String(word)))) return false;
  if (!OPENING_SETTINGS.every((setting) => outcome.changes(setting))) return false;
  // If nobody knows whether the account is subscribed, the check has a warning.
  if (subscribersOf(outcome, context)?.has(context.snapshot.account.user_id) !== false) return false;
  const { before, after } = accessIn(context);
  const isIn = (value: GroupValue): boolean => [before, after].every((state) => namesAccount(value, state, context));
  return !isIn(groupAfter(outcome, "can_add_subscribers_group")) && !isIn(groupBefore(outcome, "can_subscribe_group"));
}

function willBeSubscribed(outcome: Outcome, context: PlanContext): boolean {
  return (
    outcome.changes("subscribers") && subscribersAfter(outcome, context)?.has(context.snapshot.account.user_id) === true
  );
}

function closesToAccount(outcome: Outcome, context: PlanContext): boolean {
  const opens = !isPrivate(String(outcome.before("privacy"))) && isPrivate(String(outcome.after("privacy")));
  if (!opens || accountReads(outcome, context) !== "yes") return false;
  const me = context.snapshot.account.user_id;
  const isSubscribed = subscribersOf(outcome, context)?.has(me) === true;
  // The plan may take the account out of the group before this request.
  const { before, after } = accessIn(context);
  const isInGroup = OPENING_SETTINGS.some((setting) =>
    [before, after].every((state) => namesAccount(groupBefore(outcome, setting), state, context)),
  );
  return !isSubscribed && !isInGroup;
}

export interface Rename {
  readonly change: Change;
  readonly from: LiveObject;
  /** The key that the channel frees, or undefined if only the case changes. */
  readonly frees: string | undefined;
  /** The key that it takes, if another channel of this plan has to free it first. */
  readonly takes: string | undefined;
}

/** The renames of a plan (zulip-api.md §15.4). */
export function renamesOf(changes: readonly Change[], context: PlanContext): ReadonlyMap<Address, Rename> {
  const holders = channelsByKey(context);
  const steps = new Map<Address, Rename>();
  for (const change of changes) {
    if (change.was === undefined) continue;
    const from = context.pair(change.address)?.live;
    if (from === undefined) continue;
    const key = foldCase(change.name);
    const isOther = key !== from.key;
    steps.set(change.address, {
      change,
      from,
      frees: isOther ? from.key : undefined,
      takes: isOther && holders.has(key) ? key : undefined,
    });
  }
  return steps;
}

/** Renames by which a name passes from one object to another: not those that change only the case, or take a free name. */
export function channelMoves(changes: readonly Change[], context: PlanContext): readonly Move[] {
  return [...renamesOf(changes, context).values()].flatMap(({ change, frees: from, takes: to }) => {
    if (from === undefined || to === undefined) return [];
    return [{ change, from, to, isTwice: settingsSentFirst(outcomeOf(change, context), context).length > 0 }];
  });
}

/** The object of the section that has a name on the server now, also if it is archived. */
export function channelsByKey(context: PlanContext): ReadonlyMap<string, Pair> {
  const holders = new Map<string, Pair>();
  for (const pair of context.pairs("channels")) if (pair.live !== undefined) holders.set(pair.live.key, pair);
  return holders;
}

/** The state in which no channel has the name. */
export function freeName(name: string): Dependency {
  return nameFree("channel", foldCase(name));
}
