import type { Diagnostic, Span } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { sameJson } from "../../model/json.ts";
import type { DeclaredObject, Pair, PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { releaseOf, tooOld } from "../../model/releases.ts";
import { listNames } from "../../model/suggest.ts";
import { isTemporaryName } from "../../model/temporary-name.ts";
import { foldCase } from "../names.ts";
import { accountThatRuns, warning } from "../problems.ts";
import { refusedBy, settingRule } from "../setting-rules.ts";
import { CONTENT_ACCESS_SETTINGS, subscribersAfter } from "./access.ts";
import { defaultChange } from "./default-flag.ts";
import { groupAfter, type Outcome, outcomeOf } from "./outcome.ts";
import { isPrivate } from "./privacy.ts";
import { problem, spanOf } from "./problem.ts";
import { channelsByKey } from "./renames.ts";
import { rightsProblems } from "./rights.ts";
import { isPermissionSetting, PERMISSIONS } from "./schema.ts";

export const UNARCHIVE_LEVEL = 388;

/** Mistakes that the server would refuse, or worse, accept: found before anything is sent. */
export function checkChannels(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [
    ...context
      .pairs("channels")
      .flatMap((pair) => [
        ...archivedNames(pair, context),
        ...levelProblems(pair, context),
        ...unreadSubscribers(pair),
      ]),
    ...nameProblems(changes, context),
    ...unseenNames(changes, context),
    ...changes.flatMap((change) => {
      const outcome = outcomeOf(change, context);
      return [
        ...change.fields.flatMap(({ field }) => groupProblems(field, outcome, context)),
        ...privacyProblems(outcome, context),
        ...topicProblems(outcome),
        ...reachProblems(outcome, context),
        ...rightsProblems(outcome, context),
      ];
    }),
  ];
}

/**
 * An archived channel keeps its name (zulip-api.md §3.10), and one that is declared comes back. Where the file says nothing about
 * that, it may mean another channel, so nobody should miss it.
 */
function archivedNames({ declared, live }: Pair, { realm }: PlanContext): readonly Diagnostic[] {
  if (declared === undefined || live?.inactive !== true || declared.fields.archived !== false) return [];
  if (saysArchived(declared)) return [];
  const comesBack = realm.level >= UNARCHIVE_LEVEL;
  const name = JSON.stringify(live.name);
  const others = `if another channel is meant, rename that one first (another item with was: ${name} and archived: true)`;
  return [
    {
      code: "channels/archived",
      severity: comesBack ? "warning" : "error",
      message: comesBack
        ? `the archived channel ${name} comes back, with its messages and its subscribers`
        : `there is an archived channel ${name}, and this server cannot bring it back: that needs ${releaseOf(UNARCHIVE_LEVEL)}`,
      hint: `write archived: true to leave it archived; ${others}`,
      at: declared.at,
    },
  ];
}

/** Is `archived` written in the item? What is not is placed at its name. */
function saysArchived({ spans, at }: DeclaredObject): boolean {
  return spans.archived !== undefined && !sameJson(spans.archived, at);
}

/** The file says who is subscribed, and nobody knows who is. */
function unreadSubscribers({ declared, live }: Pair): readonly Diagnostic[] {
  if (declared?.creation?.subscribers === undefined || live === undefined) return [];
  const message = `this snapshot does not say who is subscribed to #${live.name}`;
  const hint = "plan against the server, or take a snapshot that includes subscribers";
  return [problem("channels/subscribers-not-read", message, hint, declared.spans.subscribers ?? declared.at)];
}

/** Levels of single values; those of whole fields are the planner's (zulip-api.md §14.1). */
function levelProblems({ declared, live }: Pair, { realm }: PlanContext): readonly Diagnostic[] {
  if (declared === undefined) return [];
  const problems: Diagnostic[] = [];
  if (declared.fields.topics_policy === "empty_topic_only" && realm.level < 404 && realm.level >= 392) {
    problems.push(
      tooOld(
        { kind: "value", field: "topics_policy", value: "empty_topic_only" },
        404,
        realm.level,
        declared.spans.topics_policy ?? declared.at,
      ),
    );
  }
  const comesBack = declared.fields.archived === false && live?.inactive === true;
  if (comesBack && saysArchived(declared) && realm.level < UNARCHIVE_LEVEL) {
    const what = { kind: "reactivation", noun: "archived channel", name: quote(live.name, "channel") } as const;
    problems.push(tooOld(what, UNARCHIVE_LEVEL, realm.level, declared.spans.archived ?? declared.at));
  }
  return problems;
}

/** A name that is taken: the server finds it out after it applied half of the request (zulip-api.md §3.5.2). */
function nameProblems(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const holders = channelsByKey(context);
  return changes.flatMap((change) => {
    if (change.was === undefined && change.action !== "create") return [];
    const holder = holders.get(foldCase(change.name));
    if (holder === undefined || holder === context.pair(change.address)) return [];
    const { live } = holder;
    if (live === undefined || holder.change?.was !== undefined) return [];
    const archived = live.inactive ? "an archived" : "another";
    const name = JSON.stringify(live.name);
    return [
      problem(
        "channels/name-taken",
        `"${change.name}" is the name of ${archived} channel`,
        live.id !== null && isTemporaryName(live.name, live.id)
          ? "it is left over from a run that ended early: give it a name under channels"
          : `give that one another name first: an item with was: ${name}${live.inactive ? " and archived: true" : ""}`,
        change.fields.find(({ field }) => field === "name")?.at ?? change.at,
      ),
    ];
  });
}

function groupProblems(field: string, outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  if (!isPermissionSetting(field) || outcome.change.action === "remove") return [];
  const rule = settingRule("stream", field, PERMISSIONS[field].everyone, context.realm);
  return refusedBy(rule, groupAfter(outcome, field)).map(({ what, hint }) =>
    problem("channels/group-not-allowed", `${field} cannot be ${what}`, hint, spanOf(outcome, field)),
  );
}

function privacyProblems(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  const privacy = String(outcome.after("privacy"));
  const problems: Diagnostic[] = [];
  if (privacy === "private_protected_history") problems.push(...protectedHistoryProblems(outcome));
  if (!outcome.changes("privacy")) return problems;
  const at = spanOf(outcome, "privacy");
  if (isPrivate(privacy) && outcome.channel !== undefined && !outcome.channel.is_archived) {
    const isDefault =
      context.snapshot.default_channels?.includes(outcome.channel.stream_id) === true &&
      defaultChange(outcome.change.name, context)?.action !== "remove";
    const hint =
      "take it out of the default channels (with `manage: {default_channels: exact}` those that the file does not list go), or leave it public";
    if (isDefault) problems.push(problem("channels/default-private", "a default channel cannot be private", hint, at));
  }
  if (!isPrivate(privacy) && outcome.channel !== undefined) {
    const moderated = context.realm.setting("moderation_request_channel_id") === outcome.channel.stream_id;
    const hint = "moderation requests come in here: the organization's settings can name another channel for them";
    if (moderated) {
      problems.push(
        problem("channels/moderation-channel", "the channel for moderation requests must be private", hint, at),
      );
    }
  }
  if (privacy === "web_public") problems.push(...webPublicProblems(at, context));
  return problems;
}

/** Protected history and a topic group other than everyone exclude each other (zulip-api.md §3.8). */
function protectedHistoryProblems(outcome: Outcome): readonly Diagnostic[] {
  const topics = outcome.after("can_create_topic_group");
  const touched = ["privacy", "can_create_topic_group"].find((field) => outcome.changes(field));
  if (touched === undefined || topics === undefined || topics === "role:everyone") return [];
  return [
    problem(
      "channels/protected-history",
      `with protected history everybody may start topics, but can_create_topic_group ${outcome.changes("can_create_topic_group") ? "would be" : "is"} ${words(topics)}`,
      "set can_create_topic_group: role:everyone, or another privacy",
      spanOf(
        outcome,
        touched === "privacy" && outcome.changes("can_create_topic_group") ? "can_create_topic_group" : touched,
      ),
    ),
  ];
}

function words(value: unknown): string {
  return typeof value === "string" ? value : "a list of groups and people";
}

function webPublicProblems(at: Span | undefined, { realm }: PlanContext): readonly Diagnostic[] {
  const off = [
    { setting: "server_web_public_streams_enabled", why: "this server has them switched off" },
    { setting: "enable_spectator_access", why: "this organization has them switched off (enable_spectator_access)" },
  ].find(({ setting }) => realm.setting(setting) === false);
  if (off === undefined) return [];
  const hint = "switch them on in the organization's settings, or make the channel public";
  return [problem("channels/web-public-off", `there are no web-public channels here: ${off.why}`, hint, at)];
}

function topicProblems(outcome: Outcome): readonly Diagnostic[] {
  if (outcome.after("topics_policy") !== "empty_topic_only" || !outcome.changes("topics_policy")) return [];
  if (outcome.change.action === "create") return [];
  return [
    {
      ...problem(
        "channels/empty-topic-only",
        `the server refuses empty_topic_only while any message of #${outcome.change.name} has a topic, and its own notices count`,
        "this policy is for new channels",
        spanOf(outcome, "topics_policy"),
      ),
      severity: "warning",
    },
  ];
}

/** A private channel that nobody can enter stays lost: no role opens it again (zulip-api.md §15.3.18). */
function reachProblems(outcome: Outcome, context: PlanContext): readonly Diagnostic[] {
  if (!isPrivate(String(outcome.after("privacy"))) || outcome.change.action === "remove") return [];
  const cause = ["archived", "privacy", ...CONTENT_ACCESS_SETTINGS, "subscribers"].find((field) =>
    outcome.changes(field),
  );
  const archives = outcome.changes("archived") && outcome.after("archived") === true;
  if (cause === undefined || archives) return [];
  const subscribers = subscribersAfter(outcome, context);
  if (subscribers === undefined || subscribers.size > 0) return [];
  const at = spanOf(outcome, cause);
  if (outcome.channel !== undefined && outcome.changes("archived")) {
    const message = `#${outcome.change.name} is private and has no subscribers: the server does not bring it back`;
    return [
      problem("channels/nobody-left", message, "make it public in the same plan, or subscribe somebody first", at),
    ];
  }
  const members = CONTENT_ACCESS_SETTINGS.some(
    (setting) => context.after.peopleIn(groupAfter(outcome, setting)).size > 0,
  );
  if (members) return [];
  return [
    problem(
      "channels/nobody-left",
      outcome.channel === undefined
        ? `nobody could read or enter #${outcome.change.name}: it is private and has no subscribers`
        : `nobody could read or enter #${outcome.change.name} any more`,
      "subscribe somebody first, or name a group with members in can_add_subscribers_group or can_subscribe_group",
      at,
    ),
  ];
}

/** Only administrators see every private channel, and one that is not seen holds its name like any other. */
function unseenNames(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const named = changes.filter(({ action, was }) => action === "create" || was !== undefined);
  const [first] = named;
  if (first === undefined || context.realm.isAdmin) return [];
  const names = listNames(
    named.map(({ name }) => `#${name}`),
    4,
  );
  return [
    warning(
      "channels/unseen-names",
      `${accountThatRuns(context)} does not see every private channel, so whether ${names} ${named.length === 1 ? "is" : "are"} free is not known`,
      "the server refuses a name that is taken, and nothing is overwritten; the account of an administrator sees all of them",
      first.at,
    ),
  ];
}
