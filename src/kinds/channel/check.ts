import { accessIn, maySometime, maySometimeBy } from "../../access/of-plan.ts";
import type { People } from "../../access/people.ts";
import { OPENING_SETTINGS, READ, READER_FIELDS, SPECTATORS } from "../../access/rules.ts";
import { ownersOfBots } from "../../access/sources.ts";
import { defined } from "../../model/defined.ts";
import { type Diagnostic, error, type Span, tooOld, warning } from "../../model/diagnostic.ts";
import type { ChannelRight } from "../../model/diagnostics/channels.ts";
import { type Quoted, quote, quoteAll, runningAccount } from "../../model/diagnostics/values.ts";
import type { FileCheck } from "../../model/facets.ts";
import { sameJson } from "../../model/json.ts";
import type { DeclaredObject, LiveObject, Pair } from "../../model/objects.ts";
import { type Change, fieldIn, spanOfField } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { asGroupValue, type GroupValue } from "../../model/realm.ts";
import { ROLE } from "../../model/roles.ts";
import { exceptDiagnostics, firstOf } from "../checks.ts";
import { nameTakenBy } from "../name-taken.ts";
import { foldCase, pinsNothing } from "../names.ts";
import { neverAllowed, refusedIn } from "../permissions.ts";
import { listChange } from "../requests.ts";
import { creationSettings, defaultChange, policyRights, privacyKind, settingsAtCreation } from "./create.ts";
import { letInByLeftOut, letInByLeftOutPrivacy } from "./left-out-openings.ts";
import { unseenChannels } from "./live.ts";
import {
  accountReads,
  channelsByKey,
  groupAfter,
  groupBefore,
  isPrivate,
  type Outcome,
  outcomeOf,
  subscribersAfter,
} from "./outcome.ts";
import { inOrListed, isAdditive, isClosedAfter, staysInactive, subscribedBeside } from "./subscriptions.ts";

export const UNARCHIVE_LEVEL = 388;
/** From this level on, `topics_policy` can be `empty_topic_only`. */
export const EMPTY_TOPIC_LEVEL = 404;

/** Errors that the file alone shows: groups that a setting cannot name, and a topic group that protected history excludes. */
export const checkChannelsInFile: FileCheck = (declared, _section, realm) => {
  if (realm !== undefined) return [];
  return [
    ...neverAllowed("channels/group-not-allowed", "stream", declared),
    ...declared.filter(({ absent }) => !absent).flatMap(protectedInFile),
  ];
};

function protectedInFile({ fields, spans, at }: DeclaredObject): readonly Diagnostic[] {
  const { privacy, can_create_topic_group: written } = fields;
  const topics = asGroupValue(written ?? null);
  if (privacy !== "private_protected_history" || topics === undefined || topics === "role:everyone") return [];
  return [protectedHistory(topics, true, spans.of("can_create_topic_group") ?? at)];
}

const protectedHistory = (topics: GroupValue, is_changed: boolean, at: Span | undefined): Diagnostic => {
  const group = defined({ group: typeof topics === "string" ? quote(topics, "user_group") : undefined });
  return error("channels/protected-history", { ...group, is_changed }, at);
};

/** Errors that the server would refuse, or accept although they do harm: found before anything is sent. */
export function checkChannels(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [
    ...context
      .pairs("channels")
      .flatMap((pair) => [
        ...archivedNames(pair, context),
        ...levelDiagnostics(pair, context),
        ...unreadSubscribers(pair),
      ]),
    ...nameDiagnostics(changes, context),
    ...unseenNames(changes, context),
    ...subscribersBeside(context),
    ...exceptDiagnostics(
      { name: "channel", section: "channels", noun: ["channel", "channels"] },
      "subscribers",
      context,
    ),
    ...changes.flatMap((change) => {
      const outcome = outcomeOf(change, context);
      return [
        ...groupDiagnostics(change, context),
        ...privacyDiagnostics(outcome, context),
        ...topicDiagnostics(outcome),
        ...reachDiagnostics(outcome, context),
        ...rightsDiagnostics(outcome, context),
      ];
    }),
  ];
}

/**
 * An archived channel keeps its name (zulip-api.md §3.10), and a declared one is reactivated. If the file does not say `archived`, it may mean
 * another channel, so there is a warning.
 */
function archivedNames({ declared, live }: Pair, { realm }: PlanContext): readonly Diagnostic[] {
  if (declared === undefined || live?.inactive !== true || declared.fields.archived !== false) return [];
  if (saysArchived(declared)) return [];
  const { was } = declared;
  // Another channel should get the name: that is an error of its own, which says who has it.
  if (was !== undefined && realm.snapshot.channels.some((one) => !one.is_archived && one.name === was)) return [];
  const comesBack = realm.level >= UNARCHIVE_LEVEL;
  const name = quote(live.name, "channel");
  return [
    comesBack
      ? warning("channels/archived", { name }, declared.at)
      : error("channels/archived", { name, needs_level: UNARCHIVE_LEVEL }, declared.at),
  ];
}

/** Whether `archived` is written in the item. A value that is not written has the place of its name. */
function saysArchived({ spans, at }: DeclaredObject): boolean {
  const written = spans.of("archived");
  return written !== undefined && !sameJson(written, at);
}

/** The file names subscribers, and the current subscribers are not known. */
function unreadSubscribers({ declared, live }: Pair): readonly Diagnostic[] {
  if (declared?.creation?.subscribers === undefined || live === undefined) return [];
  const at = declared.spans.of("subscribers") ?? declared.at;
  return [error("channels/subscribers-not-read", { name: quote(live.name, "channel") }, at)];
}

/** Who reads a private channel although its entry does not name them, and the channels for which that is not known. */
function subscribersBeside(context: PlanContext): readonly Diagnostic[] {
  const all = context.pairs("channels");
  const pairs = all.flatMap(({ declared, live }) => {
    return declared === undefined || live === undefined ? [] : [{ declared, live }];
  });
  const created = all.flatMap(({ declared, live }) =>
    live === undefined && declared?.implied?.includes("subscribers") === true && isClosedAfter(declared, live)
      ? [declared]
      : [],
  );
  const unknown = pairs.filter(
    ({ declared, live }) =>
      // Whether there is a list, without its names: those of a thousand channels take longer than the rest of a plan.
      !("subscribers" in live.fields) && declared.creation?.subscribers === undefined && isClosedAfter(declared, live),
  );
  const [first] = unknown;
  const names = quoteNames(unknown.map(({ live }) => live));
  return [
    ...pairs.flatMap((pair) => [...unlisted(pair, context), ...unsetOpenings(pair, context)]),
    ...(first === undefined ? [] : [warning("channels/subscribers-unknown", { names }, first.declared.at)]),
    ...withoutList(created, context),
    ...unsetPrivacies(pairs),
  ];
}

/** Private channels whose entries do not say `privacy`: if somebody opens one, there is nothing to compare that with. */
function unsetPrivacies(
  pairs: readonly { readonly declared: DeclaredObject; readonly live: LiveObject }[],
): readonly Diagnostic[] {
  const found = pairs.flatMap(({ declared, live }) =>
    declared.fields.privacy === undefined && isClosedAfter(declared, live) ? [declared] : [],
  );
  const [first] = found;
  const names = quoteNames(found);
  return first === undefined ? [] : [warning("channels/unset-privacy", { names }, first.at)];
}

/** New private channels without a list: a later plan would name the account that creates them. */
function withoutList(created: readonly DeclaredObject[], { snapshot }: PlanContext): readonly Diagnostic[] {
  const [first] = created;
  if (first === undefined) return [];
  const names = quoteNames(created);
  return [warning("channels/no-list", { account: runningAccount(snapshot), names }, first.at)];
}

function unlisted(
  { declared, live }: { readonly declared: DeclaredObject; readonly live: LiveObject },
  context: PlanContext,
): readonly Diagnostic[] {
  const beside = subscribedBeside(declared, context);
  if (beside.size === 0) return [];
  const fact = {
    ...{
      name: quote(declared.name, "channel"),
      ...factOf(beside.or(ownersBeside(declared, beside, context)), context),
    },
    ...defined({
      is_archived: staysInactive(declared, live) ? (true as const) : undefined,
      is_additive: isAdditive(declared) ? (true as const) : undefined,
    }),
  };
  const found = warning("channels/unlisted", fact, declared.spans.of("subscribers") ?? declared.at);
  return [{ ...found, isOfObject: true }];
}

/** People who read a channel only through bots that its entry does not name. */
function ownersBeside(declared: DeclaredObject, beside: People, context: PlanContext): People {
  const { after } = accessIn(context);
  const channel = after.channel(declared.name);
  if (channel === undefined) return after.population.nobody;
  const owners = ownersOfBots(after, channel, READ, beside).minus(inOrListed(declared, context));
  // Nearly always: then the settings of a thousand channels are not even read.
  if (owners.size === 0) return owners;
  const known = OPENING_SETTINGS.map((setting) => after.peopleIn(channel.settings.get(setting) ?? "role:nobody"));
  return known.reduce((people, named) => people.minus(named), owners);
}

/** Who is beside a list can come into the channel by something that the file leaves out: the list alone does not say who reads it. */
function unsetOpenings(
  { declared, live }: { readonly declared: DeclaredObject; readonly live: LiveObject },
  context: PlanContext,
): readonly Diagnostic[] {
  const found = isClosedAfter(declared, live)
    ? letInByLeftOut(declared, context)
    : letInByLeftOutPrivacy(declared, context);
  if (found === undefined) return [];
  const { people, settings, others } = found;
  const fact = { name: quote(declared.name, "channel"), settings, others, ...factOf(people, context) };
  const diagnostic = warning("channels/unset-opening", fact, declared.spans.of("subscribers") ?? declared.at);
  return [{ ...diagnostic, isOfObject: true }];
}

/** People and bots, and the first of them by name. */
function factOf(all: People, context: PlanContext) {
  const { bots: allBots } = accessIn(context).after.accounts;
  const [people, bots] = [all.minus(allBots).ids(), all.and(allBots).ids()];
  return { people, bots, first: firstOf(people, context), first_bots: firstOf(bots, context) };
}

/** Levels of single values; those of whole fields are the planner's (zulip-api.md §14.1). */
function levelDiagnostics({ declared, live }: Pair, { realm }: PlanContext): readonly Diagnostic[] {
  if (declared === undefined) return [];
  const diagnostics: Diagnostic[] = [];
  if (declared.fields.topics_policy === "empty_topic_only" && realm.level < EMPTY_TOPIC_LEVEL && realm.level >= 392) {
    diagnostics.push(
      tooOld(
        { kind: "value", field: "topics_policy", value: "empty_topic_only" },
        EMPTY_TOPIC_LEVEL,
        realm.level,
        declared.spans.of("topics_policy") ?? declared.at,
      ),
    );
  }
  const comesBack = declared.fields.archived === false && live?.inactive === true;
  if (comesBack && saysArchived(declared) && realm.level < UNARCHIVE_LEVEL) {
    const what = { kind: "reactivation", noun: "archived channel", name: quote(live.name, "channel") } as const;
    diagnostics.push(tooOld(what, UNARCHIVE_LEVEL, realm.level, declared.spans.of("archived") ?? declared.at));
  }
  return diagnostics;
}

/** A name that is taken: the server notices it after it applied half of the request (zulip-api.md §3.5.2). */
function nameDiagnostics(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const holders = channelsByKey(context);
  return changes.flatMap((change) => {
    if (change.was === undefined && change.action !== "create") return [];
    const holder = holders.get(foldCase(change.name));
    if (holder === undefined || holder === context.pair(change.address)) return [];
    const { live } = holder;
    if (live === undefined || holder.change?.was !== undefined || pinsNothing(change, context)) return [];
    const fact = nameTakenBy(live, change, context);
    return [error("channels/name-taken", fact, fieldIn(change.fields, "name")?.at ?? change.at)];
  });
}

function groupDiagnostics(change: Change, { realm }: PlanContext): readonly Diagnostic[] {
  if (change.action === "remove") return [];
  return change.fields.flatMap(({ at = change.at, ...field }) =>
    refusedIn("channels/group-not-allowed", "stream", { ...field, at }, realm),
  );
}

function privacyDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  const privacy = String(outcome.after("privacy"));
  const diagnostics: Diagnostic[] = [];
  if (privacy === "private_protected_history") diagnostics.push(...protectedHistoryDiagnostics(outcome));
  if (!outcome.changes("privacy")) return diagnostics;
  const at = spanOfField(outcome.change, "privacy");
  // When a channel leaves this state, the server has no name for the state in its notice (zulip-api.md §3.3, quirk 5).
  if (outcome.before("privacy") === "private_and_web_public") diagnostics.push(error("channels/privacy-stuck", {}, at));
  if (isPrivate(privacy) && outcome.channel !== undefined && !outcome.channel.is_archived) {
    const isDefault =
      context.snapshot.default_channels?.includes(outcome.channel.stream_id) === true &&
      defaultChange(outcome.change.name, context)?.action !== "remove";
    if (isDefault) diagnostics.push(error("channels/default-private", {}, at));
  }
  if (!isPrivate(privacy) && outcome.channel !== undefined) {
    const moderated = context.settingAfter("moderation_request_channel_id") === outcome.channel.stream_id;
    if (moderated) diagnostics.push(error("channels/moderation-channel", {}, at));
  }
  if (privacy === "web_public") diagnostics.push(...webPublicDiagnostics(at, context));
  return diagnostics;
}

/** Protected history and a topic group other than everyone exclude each other (zulip-api.md §3.8). */
function protectedHistoryDiagnostics(outcome: Outcome): readonly Diagnostic[] {
  const topics = outcome.after("can_create_topic_group");
  const touched = ["privacy", "can_create_topic_group"].find((field) => outcome.changes(field));
  if (touched === undefined || topics === undefined || topics === "role:everyone") return [];
  const isChanged = outcome.changes("can_create_topic_group");
  const at = spanOfField(outcome.change, touched === "privacy" && isChanged ? "can_create_topic_group" : touched);
  return [protectedHistory(asGroupValue(topics) ?? "role:nobody", isChanged, at)];
}

function webPublicDiagnostics(at: Span | undefined, { settingAfter }: PlanContext): readonly Diagnostic[] {
  if (settingAfter("server_web_public_streams_enabled") === false)
    return [error("channels/web-public-off", { by: "server" }, at)];
  if (settingAfter(SPECTATORS) === false) return [error("channels/web-public-off", { by: "organization" }, at)];
  return [];
}

function topicDiagnostics(outcome: Outcome): readonly Diagnostic[] {
  if (outcome.after("topics_policy") !== "empty_topic_only" || !outcome.changes("topics_policy")) return [];
  if (outcome.change.action === "create") return [];
  const name = quote(outcome.change.name, "channel");
  return [warning("channels/empty-topic-only", { name }, spanOfField(outcome.change, "topics_policy"))];
}

/** A private channel that nobody can enter is lost: no role opens it again (zulip-api.md §15.3.18). */
function reachDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  if (!isPrivate(String(outcome.after("privacy"))) || outcome.change.action === "remove") return [];
  const cause = ["archived", ...READER_FIELDS].find((field) => outcome.changes(field));
  const archives = outcome.changes("archived") && outcome.after("archived") === true;
  if (cause === undefined || archives) return [];
  const subscribers = subscribersAfter(outcome, context);
  if (subscribers === undefined || subscribers.size > 0) return [];
  const at = spanOfField(outcome.change, cause);
  const name = quote(outcome.change.name, "channel");
  if (outcome.channel !== undefined && outcome.changes("archived"))
    return [error("channels/nobody-left", { name, cause: "reactivation" }, at)];
  const members = OPENING_SETTINGS.some(
    (setting) => accessIn(context).after.peopleIn(groupAfter(outcome, setting)).size > 0,
  );
  if (members) return [];
  return [error("channels/nobody-left", { name, cause: outcome.channel === undefined ? "creation" : "update" }, at)];
}

/** Only administrators see every private channel, and an unseen channel occupies its name like any other. */
function unseenNames(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const named = changes.filter(({ action, was }) => action === "create" || was !== undefined);
  const [first] = named;
  if (first === undefined || unseenChannels(context.realm) === undefined) return [];
  const names = quoteNames(named);
  return [warning("channels/unseen-names", { account: runningAccount(context.snapshot), names }, first.at)];
}

/** What the reading account may not do (zulip-api.md §3.6, §15.6): reported while planning, at the line that asks for it. */
function rightsDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  const administers = administratorDiagnostics(outcome, context);
  if (administers.length > 0) return administers;
  return [
    ...creationGroupDiagnostics(outcome, context),
    ...contentDiagnostics(outcome, context),
    ...retentionDiagnostics(outcome, context),
    ...pushDiagnostics(outcome, context),
    ...policyDiagnostics(outcome, context),
    ...subscriptionDiagnostics(outcome, context),
  ];
}

/** Adding and removing others (zulip-api.md §5.1, §5.2); for a channel that the same request creates, neither needs a right. */
function subscriptionDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  if (outcome.change.action === "create" || context.realm.isAdmin || !outcome.changes("subscribers")) return [];
  const { added, removed } = listChange(outcome.change, "subscribers");
  const me = context.realm.userName(context.snapshot.account.user_id);
  const has = (setting: string): boolean => maySometimeBy(groupBefore(outcome, setting), context);
  const administers = has("can_administer_channel_group");
  const channel = channelName(outcome);
  const diagnostics: Diagnostic[] = [];
  const setting = "can_add_subscribers_group";
  const adds = administers || has(setting) || maySometime(setting, context);
  if (added.some((person) => person !== me) && !adds)
    diagnostics.push(notAllowed(outcome, context, "subscribers", { to: "subscribe-others", channel }));
  if (removed.some((person) => person !== me) && !administers && !has("can_remove_subscribers_group"))
    diagnostics.push(notAllowed(outcome, context, "subscribers", { to: "unsubscribe-others", channel }));
  return diagnostics;
}

function administratorDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  const { account } = context.snapshot;
  if (account.role === ROLE.guest) return [notAllowed(outcome, context, undefined, { to: "change-anything" })];
  if (outcome.change.action === "create" || context.realm.isAdmin) return [];
  // Administering a channel is not the only way to change its subscribers.
  if (outcome.change.fields.every(({ field }) => field === "subscribers")) return [];
  const administers = groupBefore(outcome, "can_administer_channel_group");
  if (maySometimeBy(administers, context)) return [];
  return [notAllowed(outcome, context, undefined, { to: "administer", channel: channelName(outcome) })];
}

/** Owners are not exempt (zulip-api.md §3.3, §15.3.20); changing the privacy counts as creating (§3.5). */
function creationGroupDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  if (outcome.change.action !== "create" && !outcome.changes("privacy")) return [];
  const privacy = privacyKind(outcome).replace("_", "-");
  return creationSettings(outcome)
    .filter((setting) => !maySometime(setting, context))
    .map((setting) => notAllowed(outcome, context, "privacy", { to: "create", privacy, setting }));
}

/** Roles do not open a private channel: content access is a matter of being in it or in its groups (zulip-api.md §3.6). */
function contentDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  if (outcome.channel === undefined) return [];
  const adds = listChange(outcome.change, "subscribers").added.length > 0;
  const field = READER_FIELDS.find((candidate) => (candidate === "subscribers" ? adds : outcome.changes(candidate)));
  if (field === undefined) return [];
  const access = accountReads(outcome, context);
  // A membership that the plan gives is written first.
  const joins = OPENING_SETTINGS.some((setting) => maySometimeBy(groupBefore(outcome, setting), context));
  if (access === "yes" || (access === "no" && joins)) return [];
  const channel = channelName(outcome);
  const diagnostic = notAllowed(outcome, context, field, { to: "read", channel, field, is_known: access === "no" });
  return [access === "no" ? diagnostic : { ...diagnostic, severity: "warning" }];
}

function retentionDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  if (!isSent("message_retention_days", outcome, context)) return [];
  const field = "message_retention_days";
  if (!context.realm.isOwner) return [notAllowed(outcome, context, field, { to: "set-as-owner", field })];
  if (context.realm.setting("zulip_plan_is_not_limited") !== false) return [];
  return [error("channels/limited-plan", {}, spanOfField(outcome.change, field))];
}

/** Administrators of the channel are not enough (zulip-api.md §14.1). */
function pushDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  const field = "default_push_notifications";
  if (!isSent(field, outcome, context) || context.realm.isAdmin) return [];
  return [notAllowed(outcome, context, field, { to: "set-as-administrator", field })];
}

function policyDiagnostics(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  return policyRights(outcome, context)
    .filter(({ field }) => isSent(field, outcome, context))
    .filter(({ setting }) => !maySometime(setting, context))
    .map(({ field, setting }) => notAllowed(outcome, context, field, { to: "set", field, setting }));
}

function isSent(field: string, outcome: Outcome, context: PlanContext): boolean {
  if (!outcome.changes(field)) return false;
  return outcome.change.action !== "create" || settingsAtCreation(outcome.change, context).includes(field);
}

function notAllowed(outcome: Outcome, context: PlanContext, field: string | undefined, right: ChannelRight) {
  const at = field === undefined ? outcome.change.at : spanOfField(outcome.change, field);
  return error("channels/not-allowed", { account: runningAccount(context.snapshot), right }, at);
}

const quoteNames = (channels: readonly { readonly name: string }[]): readonly Quoted[] =>
  quoteAll(
    channels.map(({ name }) => name),
    "channel",
  );
const channelName = ({ change: { was, name } }: Outcome): Quoted => quote(was ?? name, "channel");
