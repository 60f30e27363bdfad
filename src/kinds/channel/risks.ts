import type { PlanContext } from "../../model/kind.ts";
import type { Change, FieldChange, Risk } from "../../model/plan.ts";
import { ROLE } from "../../model/realm.ts";
import { called } from "../names.ts";
import { people } from "../people.ts";
import { accountWillRead, CONTENT_ACCESS_SETTINGS, subscribersAfter, subscribersOf } from "./access.ts";
import { principalsOf } from "./create.ts";
import { groupAfter, groupBefore, type Outcome, outcomeOf } from "./outcome.ts";
import { difference, readersByPrivacy } from "./people.ts";
import { isPrivate } from "./privacy.ts";
import { isPermissionSetting, type PermissionSetting } from "./schema.ts";
import { QUIET_LEVEL, subscriberChange } from "./subscriptions.ts";

type Found = Omit<Risk, "address">;

/** What a reviewer must see first: who comes to read or do what, who no longer does, what cannot be taken back. */
export function channelRisks(change: Change, context: PlanContext): readonly Risk[] {
  const outcome = outcomeOf(change, context);
  const found = [
    ...(change.action === "create" ? creationRisks(outcome) : changeRisks(outcome, context)),
    ...lockouts(outcome, context),
  ];
  return found.map((risk) => ({ ...risk, address: change.address }));
}

function creationRisks(outcome: Outcome): readonly Found[] {
  if (outcome.after("privacy") !== "web_public") return [];
  return [
    {
      kind: "widens",
      message: `${called(outcome.change, "#")} is readable by everybody on the web`,
      ...at(outcome, "privacy"),
    },
  ];
}

function changeRisks(outcome: Outcome, context: PlanContext): readonly Found[] {
  return [
    ...archiveRisks(outcome, context),
    ...readerRisks(outcome, context),
    ...messageRisks(outcome, context),
    ...historyRisks(outcome),
    ...outcome.change.fields.flatMap((field) => rightRisks(field, outcome, context)),
    ...retentionRisks(outcome, context),
  ];
}

const POINTERS = {
  new_stream_announcements_stream_id: "announcements of new channels",
  signup_announcements_stream_id: "announcements of new users",
  zulip_update_announcements_stream_id: "announcements of Zulip updates",
  moderation_request_channel_id: "moderation requests",
} as const;

/** Archiving clears what the organization's settings say of the channel (zulip-api.md §3.12). */
function archiveRisks(outcome: Outcome, context: PlanContext): readonly Found[] {
  if (!outcome.changes("archived") || outcome.after("archived") !== true) return [];
  const { change, channel } = outcome;
  const lost = Object.entries(POINTERS)
    .filter(([setting]) => context.realm.setting(setting) === channel?.stream_id)
    .map(([, purpose]) => purpose);
  const alsoLost = lost.length === 0 ? "" : `, and ${lost.join(" and ")} have no channel any more`;
  return [{ kind: "removes", message: `${called(change, "#")} is archived${alsoLost}`, ...at(outcome, "archived") }];
}

function readerRisks(outcome: Outcome, context: PlanContext): readonly Found[] {
  const cause = ["privacy", ...CONTENT_ACCESS_SETTINGS, "subscribers"].find((field) => outcome.changes(field));
  if (cause === undefined) return [];
  const name = called(outcome.change, "#");
  const place = at(outcome, cause);
  const before = String(outcome.before("privacy"));
  const after = String(outcome.after("privacy"));
  if (after === "web_public" && before !== after) {
    return [{ kind: "widens", message: `${name} becomes readable by everybody on the web`, ...place }];
  }
  const subscribers = subscribersOf(outcome, context);
  const readersBefore = readersByPrivacy(
    before,
    (setting) => groupBefore(outcome, setting),
    subscribers,
    context.realm,
  );
  const readersAfter = readersByPrivacy(
    after,
    (setting) => groupAfter(outcome, setting),
    subscribersAfter(outcome, context),
    context.after,
  );
  const { gained, lost } = difference(readersBefore, readersAfter, context.realm);
  // Who is subscribed is not always in the snapshot: subscribers of a private channel read it before and after.
  const about = subscribers === undefined && isPrivate(before) !== isPrivate(after) ? "up to " : "";
  const found: Found[] = [];
  if (gained > 0) {
    found.push({
      kind: "widens",
      message: `${name} becomes readable by ${about}${people(gained, "more ")}`,
      ...place,
    });
  }
  if (lost > 0) {
    found.push({ kind: "narrows", message: `${about}${people(lost)} can no longer read ${name}`, ...place });
  }
  if (before === "web_public" && after !== before) {
    found.push({ kind: "narrows", message: `${name} is no longer readable on the web`, ...place });
  }
  return found;
}

/** Older servers tell everybody whom somebody else subscribes (zulip-api.md §5.2). */
function messageRisks(outcome: Outcome, context: PlanContext): readonly Found[] {
  if (context.realm.level >= QUIET_LEVEL || !outcome.changes("subscribers")) return [];
  const { added } = subscriberChange(outcome.change);
  const told = added.filter((name) => context.realm.user(context.realm.userId(name))?.is_bot !== true);
  if (told.length === 0) return [];
  const message = `${people(told.length)} ${told.length === 1 ? "gets" : "get"} a message about ${called(outcome.change, "#")}`;
  return [{ kind: "noisy", message, ...at(outcome, "subscribers") }];
}

function historyRisks(outcome: Outcome): readonly Found[] {
  const name = called(outcome.change, "#");
  const before = outcome.before("privacy");
  const after = outcome.after("privacy");
  if (before === "private_protected_history" && after === "private_shared_history") {
    const message = `subscribers of ${name} can read what was written before they came`;
    return [{ kind: "widens", message, ...at(outcome, "privacy") }];
  }
  return [];
}

const DEEDS: { readonly [setting in PermissionSetting]: string } = {
  can_add_subscribers_group: "add subscribers to",
  can_administer_channel_group: "administer",
  can_create_topic_group: "start topics in",
  can_delete_any_message_group: "delete any message in",
  can_delete_own_message_group: "delete their own messages in",
  can_move_messages_out_of_channel_group: "move messages out of",
  can_move_messages_within_channel_group: "move messages within",
  can_remove_subscribers_group: "unsubscribe others from",
  can_send_message_group: "post in",
  can_subscribe_group: "subscribe to",
  can_resolve_topics_group: "resolve topics in",
};

function rightRisks({ field }: FieldChange, outcome: Outcome, context: PlanContext): readonly Found[] {
  if (!isPermissionSetting(field)) return [];
  // Everybody but guests may subscribe to a public channel, whatever this says.
  if (field === "can_subscribe_group" && !isPrivate(String(outcome.after("privacy")))) return [];
  const before = holders(field, outcome, context, "before");
  const after = holders(field, outcome, context, "after");
  const { gained, lost } = difference(before.people, after.people, context.realm);
  const about = before.certain && after.certain ? "" : "up to ";
  const name = called(outcome.change, "#");
  const place = at(outcome, field);
  const found: Found[] = [];
  if (gained > 0) {
    found.push({
      kind: "widens",
      message: `${about}${people(gained, "more ")} may ${DEEDS[field]} ${name}`,
      ...place,
    });
  }
  if (lost > 0) {
    found.push({
      kind: "narrows",
      message: `${about}${people(lost)} may no longer ${DEEDS[field]} ${name}`,
      ...place,
    });
  }
  return found;
}

/** Rights without which nobody needs to read the channel; the others are worth nothing to who cannot (zulip-api.md §3.6). */
const FROM_OUTSIDE: ReadonlySet<string> = new Set([
  ...CONTENT_ACCESS_SETTINGS,
  "can_administer_channel_group",
  "can_remove_subscribers_group",
]);

/**
 * Who has the right: whom the setting names, as far as they read the channel. Where its subscribers are not known nobody is left out: of a
 * private channel these are the most that it can be; of a public one they are right but for guests who are not subscribed.
 */
function holders(
  field: PermissionSetting,
  outcome: Outcome,
  context: PlanContext,
  when: "before" | "after",
): { readonly people: ReadonlySet<number>; readonly certain: boolean } {
  const realm = when === "before" ? context.realm : context.after;
  const value = (setting: string) => (when === "before" ? groupBefore : groupAfter)(outcome, setting);
  const privacy = String(when === "before" ? outcome.before("privacy") : outcome.after("privacy"));
  const named = realm.peopleIn(value(field));
  if (named.size === 0 || FROM_OUTSIDE.has(field)) return { people: named, certain: true };
  const subscribers = (when === "before" ? subscribersOf : subscribersAfter)(outcome, context);
  if (subscribers === undefined) return { people: named, certain: !isPrivate(privacy) };
  const readers = readersByPrivacy(privacy, value, subscribers, realm);
  return { people: new Set([...named].filter((id) => readers.has(id))), certain: true };
}

function retentionRisks(outcome: Outcome, context: PlanContext): readonly Found[] {
  if (!outcome.changes("message_retention_days")) return [];
  const days = (value: unknown): number => {
    if (typeof value === "number") return value;
    const standard = context.realm.setting("message_retention_days");
    return value === "realm_default" && typeof standard === "number" && standard > 0
      ? standard
      : Number.POSITIVE_INFINITY;
  };
  const after = days(outcome.after("message_retention_days"));
  if (after >= days(outcome.before("message_retention_days"))) return [];
  const message = `messages in ${called(outcome.change, "#")} that are older than ${after} days are deleted for good`;
  return [{ kind: "irreversible", message, ...at(outcome, "message_retention_days") }];
}

/** Rights that the account running this plan gives away and cannot take back by itself (zulip-api.md §3.6, §15.3). */
function lockouts(outcome: Outcome, context: PlanContext): readonly Found[] {
  const { change } = outcome;
  const me = context.snapshot.account;
  const found: Found[] = [];
  const closes = ["privacy", ...CONTENT_ACCESS_SETTINGS, "subscribers"].find((field) => outcome.changes(field));
  if (closes !== undefined && isPrivate(String(outcome.after("privacy"))) && willBeOutside(outcome, context)) {
    const message = `${me.full_name}, the account that runs this, cannot change who reads ${called(change, "#")} afterwards`;
    found.push({ kind: "lockout", message, ...at(outcome, closes) });
  }
  const administer = "can_administer_channel_group";
  const loses =
    outcome.changes(administer) &&
    me.role > ROLE.administrator &&
    !context.after.peopleIn(groupAfter(outcome, administer)).has(me.user_id);
  if (loses) {
    const message = `${me.full_name}, the account that runs this, no longer administers ${called(change, "#")} afterwards`;
    found.push({ kind: "lockout", message, ...at(outcome, administer) });
  }
  return found;
}

function willBeOutside(outcome: Outcome, context: PlanContext): boolean {
  if (outcome.change.action !== "create") return accountWillRead(outcome, context) === "no";
  const me = context.snapshot.account.user_id;
  const inGroup = CONTENT_ACCESS_SETTINGS.some((setting) =>
    context.after.peopleIn(groupAfter(outcome, setting)).has(me),
  );
  if (inGroup || !outcome.changes("subscribers")) return false;
  const subscribers = principalsOf(outcome, context);
  return !subscribers.includes(me);
}

function at(outcome: Outcome, field: string): { readonly at?: NonNullable<Risk["at"]> } {
  const span = outcome.change.fields.find((change) => change.field === field)?.at ?? outcome.change.at;
  return span === undefined ? {} : { at: span };
}
