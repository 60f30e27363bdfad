import { accessIn, namesAccount, objectsNamed } from "../../access/of-plan.ts";
import { ADMINISTER, OPENING_SETTINGS, READ, READER_FIELDS } from "../../access/rules.ts";
import { groupAddress } from "../../access/scope.ts";
import { defined } from "../../model/defined.ts";
import type { FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { Json } from "../../model/json.ts";
import { oncePer } from "../../model/lazy.ts";
import { isRightName } from "../../model/permission-settings.ts";
import type { Address, Call, Change, FieldChange, SideEffects } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { ROLE } from "../../model/roles.ts";
import { notifiedPeople } from "../accounts.ts";
import { openedToInvited } from "../invited-into.ts";
import { mayJoinInto, shiftRisks, sizesOf } from "../may-join-into.ts";
import { foldCase } from "../names.ts";
import { listChange } from "../requests.ts";
import { defaultChange, emptyCreations, principalsOf } from "./create.ts";
import { accountWillRead, groupAfter, isPrivate, type Outcome, outcomeOf } from "./outcome.ts";
import { isExactUnsaid, QUIET_LEVEL } from "./subscriptions.ts";

/** The changes that a reviewer must see first: who gains or loses which right, and what cannot be undone. */
export function channelRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const outcome = outcomeOf(change, context);
  return [
    ...(change.action === "create" ? creationRisks(outcome) : changeRisks(outcome, context)),
    ...lockouts(outcome, context),
    ...nameRisks(outcome, context),
    ...openedToInvited(change, context),
  ];
}

function creationRisks(outcome: Outcome): readonly FoundRisk[] {
  if (outcome.after("privacy") !== "web_public") return [];
  const fact: RiskFact = { kind: "open-to-web", object: namedOf(outcome.change), is_new: true };
  return [{ kind: "widens", fact, field: "privacy" }];
}

/** Whether the web reads the channel before the plan and after it. If only a setting of the organization decides that, the risk is that of the setting. */
function webOf({ change: { name } }: Outcome, context: PlanContext): { readonly was: boolean; readonly is: boolean } {
  const { before, after } = accessIn(context);
  return { was: before.isOnWeb(before.channel(name)), is: after.isOnWeb(after.channel(name)) };
}

function changeRisks(outcome: Outcome, context: PlanContext): readonly FoundRisk[] {
  return [
    ...archiveRisks(outcome, context),
    ...readerRisks(outcome, context),
    ...listRisks(outcome, context),
    ...messageRisks(outcome, context),
    ...historyRisks(outcome),
    ...outcome.change.fields.flatMap((field) => rightRisks(field, outcome, context)),
    ...retentionRisks(outcome, context),
  ];
}

const POINTERS = [
  "new_stream_announcements_stream_id",
  "signup_announcements_stream_id",
  "zulip_update_announcements_stream_id",
  "moderation_request_channel_id",
] as const;

/** Whether archiving takes the channel out of the default channels, without a change of the plan that says so (zulip-api.md §4). */
function endsAsDefault(id: number, { name, was = name }: Change, context: PlanContext): boolean {
  const isDefault = context.snapshot.default_channels?.includes(id) === true;
  return isDefault && [name, was].every((known) => defaultChange(known, context)?.action !== "remove");
}

/** Archiving clears the organization's settings that name the channel (zulip-api.md §3.12). */
function archiveRisks(outcome: Outcome, context: PlanContext): readonly FoundRisk[] {
  if (!outcome.changes("archived") || outcome.after("archived") !== true) return [];
  const { change, channel } = outcome;
  const cleared = POINTERS.filter((setting) => context.settingAfter(setting) === channel?.stream_id);
  const ends = channel !== undefined && endsAsDefault(channel.stream_id, change, context);
  const effects = { cleared, ...defined({ ends_default: ends ? (true as const) : undefined }) };
  return [{ kind: "removes", fact: { kind: "archived", object: namedOf(change), ...effects }, field: "archived" }];
}

function readerRisks(outcome: Outcome, context: PlanContext): readonly FoundRisk[] {
  // What rights to subscribe opened meanwhile can be read again only once the channel is back (zulip-api.md §3.12).
  const isBack = outcome.changes("archived") && outcome.after("archived") === false;
  const cause = READER_FIELDS.find((field) => outcome.changes(field)) ?? (isBack ? "archived" : undefined);
  if (cause === undefined) return [];
  const object = namedOf(outcome.change);
  const before = String(outcome.before("privacy"));
  const after = String(outcome.after("privacy"));
  const web = webOf(outcome, context);
  if (before !== after && web.is && !web.was) {
    return [{ kind: "widens", fact: { kind: "open-to-web", object, is_new: false }, field: cause }];
  }
  const { sizes, bound, newcomers } = shiftOf(outcome.change, READ, context);
  // The snapshot does not always have the subscribers. Subscribers of a private channel read it before and after.
  const at_most = bound && isPrivate(before) !== isPrivate(after);
  const readers = { kind: "readers", object } as const;
  const gains = { ...readers, shift: "gained", people: sizes.gained, at_most, ...defined({ newcomers }) } as const;
  return [
    ...(sizes.gained > 0 || newcomers !== undefined ? [{ kind: "widens", fact: gains, field: cause } as const] : []),
    ...shiftRisks({ ...sizes, gained: 0 }, (shift, people) => ({ ...readers, shift, people, at_most }), cause),
    ...joiningRisks(outcome, context).map((risk) => ({ ...risk, field: cause })),
    ...(before !== after && web.was && !web.is
      ? [{ kind: "narrows", fact: { kind: "closed-to-web", object }, field: cause } as const]
      : []),
  ];
}

/** People who could let themselves in by joining a group that the channel will admit. */
function joiningRisks({ change }: Outcome, context: PlanContext): readonly FoundRisk[] {
  const access = accessIn(context);
  const { difference } = access;
  const { gained, newcomers } = difference.joining(change.name);
  if (gained.size + newcomers.length === 0) return [];
  const object = namedOf(change);
  const groups = objectsNamed(access, difference.ways.groupsOf(change.name, gained), groupAddress);
  const later = defined({ newcomers: newcomers.length === 0 ? undefined : newcomers });
  const fact = { kind: "may-join-into", object, people: gained.size, ...later, groups, channels: [object] } as const;
  return [{ kind: "widens", fact }];
}

/** People who leave a private channel because the file does not list them, although its list does not say that it is exact. */
function listRisks(outcome: Outcome, context: PlanContext): readonly FoundRisk[] {
  const declared = context.pair(outcome.change.address)?.declared;
  if (declared === undefined || !isExactUnsaid(declared)) return [];
  const { removed } = listChange(outcome.change, "subscribers");
  if (removed.length === 0) return [];
  const bots = removed.filter((name) => context.realm.user(context.realm.userId(name))?.is_bot === true).length;
  const people = removed.length - bots;
  const fact: RiskFact = { kind: "list-is-exact", object: namedOf(outcome.change), people, bots };
  return [{ kind: "narrows", fact, field: "subscribers" }];
}

/** Older servers tell everybody whom somebody else subscribes (zulip-api.md §5.2). */
function messageRisks(outcome: Outcome, context: PlanContext): readonly FoundRisk[] {
  if (context.realm.level >= QUIET_LEVEL || !outcome.changes("subscribers")) return [];
  const { added } = listChange(outcome.change, "subscribers");
  const notified = added.filter((name) => context.realm.user(context.realm.userId(name))?.is_bot !== true);
  if (notified.length === 0) return [];
  const fact: RiskFact = { kind: "notified", object: namedOf(outcome.change), people: notified.length };
  return [{ kind: "noisy", fact, field: "subscribers" }];
}

function historyRisks(outcome: Outcome): readonly FoundRisk[] {
  const before = outcome.before("privacy");
  const after = outcome.after("privacy");
  // If the channel becomes web-public, another risk says that everybody can read it.
  if (before === "private_protected_history" && (after === "private_shared_history" || after === "public")) {
    const fact: RiskFact = { kind: "history-opened", object: namedOf(outcome.change) };
    return [{ kind: "widens", fact, field: "privacy" }];
  }
  return [];
}

function rightRisks({ field }: FieldChange, outcome: Outcome, context: PlanContext): readonly FoundRisk[] {
  // People whom `can_subscribe_group` names can read the channel: the risk says that.
  if (!isRightName(field) || field === "can_subscribe_group") return [];
  const { sizes, bound: at_most } = shiftOf(outcome.change, field, context);
  const right = { kind: "right", object: namedOf(outcome.change), setting: field } as const;
  const shifts = shiftRisks(sizes, (shift, people) => ({ ...right, shift, people, at_most }), field);
  const stepping =
    field === ADMINISTER ? mayJoinInto(outcome.change, [outcome.change.name], context, ADMINISTER) : undefined;
  if (stepping === undefined) return shifts;
  const gains = shifts.filter(({ kind }) => kind === "widens");
  return [...gains, { kind: "widens", fact: stepping, field }, ...shifts.filter((risk) => !gains.includes(risk))];
}

/** How many people (not bots) gain a right on a channel, and how many lose it. `bound`: its subscribers were not read. */
function shiftOf({ name }: Change, right: string, context: PlanContext) {
  const { after, difference } = accessIn(context);
  const pair = difference.pairOf(after.channel(name));
  if (pair === undefined) return { sizes: { gained: 0, lost: 0 }, bound: false };
  const shifted = right === READ ? difference.reading(pair) : difference.of(pair, right);
  const newcomers = right === READ ? difference.newReaders(pair) : [];
  const { bound } = shifted;
  return { sizes: sizesOf(shifted, context), bound, newcomers: newcomers.length === 0 ? undefined : newcomers };
}

/** Private channels that get another name, by the name that they have now. */
const privateNames = oncePer((context: PlanContext): ReadonlyMap<string, Change> => {
  const renamed = context.changes.filter(({ kind, was }) => kind === "channel" && was !== undefined);
  return new Map(
    renamed.flatMap((change) =>
      isPrivate(String(context.pair(change.address)?.live?.fields.privacy ?? ""))
        ? [[foldCase(change.was ?? ""), change] as const]
        : [],
    ),
  );
});

/** People who know a private channel by its name go on writing to that name. */
function nameRisks(outcome: Outcome, context: PlanContext): readonly FoundRisk[] {
  const { change } = outcome;
  if ((change.action !== "create" && change.was === undefined) || isPrivate(String(outcome.after("privacy"))))
    return [];
  const before = privateNames(context).get(foldCase(change.name));
  if (before === undefined || before === change) return [];
  const fact: RiskFact = { kind: "private-name", object: namedOf(change), before: namedOf(before) };
  return [{ kind: "widens", fact, field: "name" }];
}

const RETENTION = "message_retention_days";

/** Days for which messages are kept; the organization's own value if a channel has none. */
function days(value: unknown, standard: Json | undefined): number {
  if (typeof value === "number") return value;
  return value === "realm_default" && typeof standard === "number" && standard > 0
    ? standard
    : Number.POSITIVE_INFINITY;
}

export function keepsMessages({ field, before, after }: FieldChange, context: PlanContext): boolean {
  return (
    field === RETENTION && days(after, context.settingAfter(RETENTION)) > days(before, context.realm.setting(RETENTION))
  );
}

function retentionRisks(outcome: Outcome, context: PlanContext): readonly FoundRisk[] {
  if (!outcome.changes(RETENTION)) return [];
  const after = days(outcome.after(RETENTION), context.settingAfter(RETENTION));
  if (after >= days(outcome.before(RETENTION), context.realm.setting(RETENTION))) return [];
  const fact: RiskFact = { kind: "messages-deleted", object: namedOf(outcome.change), days: after };
  return [{ kind: "irreversible", fact, field: RETENTION }];
}

/** Rights that the account that runs the plan gives away and cannot take back by itself (zulip-api.md §3.6, §15.3). */
function lockouts(outcome: Outcome, context: PlanContext): readonly FoundRisk[] {
  const { change } = outcome;
  const me = context.snapshot.account;
  const { user_id, full_name } = me;
  const lost = { kind: "account-locked-out", object: namedOf(change), account: { user_id, full_name } } as const;
  const found: FoundRisk[] = [];
  const closes = READER_FIELDS.find((field) => outcome.changes(field));
  if (closes !== undefined && isPrivate(String(outcome.after("privacy"))) && willBeOutside(outcome, context)) {
    found.push({ kind: "lockout", fact: { ...lost, from: "reading" }, field: closes });
  }
  const administer = "can_administer_channel_group";
  const loses =
    outcome.changes(administer) &&
    me.role > ROLE.administrator &&
    !namesAccount(groupAfter(outcome, administer), accessIn(context).after, context);
  if (loses) found.push({ kind: "lockout", fact: { ...lost, from: "administering" }, field: administer });
  return found;
}

function willBeOutside(outcome: Outcome, context: PlanContext): boolean {
  if (outcome.change.action !== "create") return accountWillRead(outcome, context) === "no";
  const me = context.snapshot.account.user_id;
  const { after } = accessIn(context);
  const inGroup = OPENING_SETTINGS.some((setting) => namesAccount(groupAfter(outcome, setting), after, context));
  if (inGroup || !outcome.changes("subscribers")) return false;
  const subscribers = principalsOf(outcome, context);
  return !subscribers.includes(me);
}

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
