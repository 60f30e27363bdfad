import type { DecodeContext } from "../model/decoding.ts";
import { defined, whenDefined } from "../model/defined.ts";
import { type Diagnostic, error, finding, type Path, type Span, warning } from "../model/diagnostic.ts";
import { type Quoted, quote } from "../model/diagnostics/values.ts";
import { type Dependency, written } from "../model/draft-call.ts";
import type { DeclaredObject, Fields, Named, NamingObject } from "../model/objects.ts";
import type { Change, Param } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { byText, type Realm } from "../model/realm.ts";
import type { FieldSecrecy } from "../model/secrecy.ts";
import type { SnapshotInvite } from "../model/snapshot.ts";
import { listed } from "../model/texts.ts";
import { channelName, resolveChannel } from "./channels-by-name.ts";
import { foldCase, strip } from "./names.ts";
import { groupExists, groupId } from "./permissions.ts";
import { unseenOf } from "./readings.ts";
import { resolveGroup } from "./references.ts";

/** The fields of an invitation that name what it gives, and the kind of the named objects. */
const INVITED_TO = { channels: "channel", groups: "user_group" } as const;

/** What a file says with both kinds of invitations about the objects that they name. */
export const INVITED_FILE = {
  records: INVITED_TO,
  names: ({ creation }: NamingObject): readonly Named[] => [
    ...listed(creation?.channels).map((name) => ({ kind: "channel", name, field: "channels" })),
    ...listed(creation?.groups).map((name) => ({ kind: "user_group", name, field: "groups", isUse: false as const })),
  ],
};

/** How both are read. @param section the word that a file with any has */
export const invitedLive = (section: string) => ({
  unseen: (realm: Realm) => unseenOf(realm, "invitations", "others-invitations"),
  // What the file asks for today is sent; a drift cannot tell whether somebody else did.
  mayBeUnseen: ({ absent }: DeclaredObject, comparesOnly: boolean) => comparesOnly && !absent,
  // Whether this account may invite to a private channel depends on its subscribers.
  request: (declared: readonly DeclaredObject[]) => ({
    invites: true,
    subscribers: declared.some(({ absent, creation }) => !absent && listed(creation?.channels).length > 0),
  }),
  requestWords: [section],
});

interface WrittenTerms {
  readonly channels?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly include_realm_default_subscriptions?: boolean | undefined;
  readonly welcome_message_custom_text?: string | null | undefined;
}

/** What is sent with an invitation and cannot be read back. */
export function resolveTerms(item: WrittenTerms, context: DecodeContext): Fields {
  const { channels, groups, include_realm_default_subscriptions, welcome_message_custom_text } = item;
  return defined({
    channels: whenDefined(channels, (names) => resolveChannels(names, context)),
    groups: whenDefined(groups, (names) => resolveGroups(names, context)),
    include_realm_default_subscriptions,
    welcome_message_custom_text: welcome_message_custom_text ?? undefined,
  });
}

/** Channels by their names, also new ones; those that cannot be found are reported and left out. Sorted, without duplicates. */
function resolveChannels(names: readonly string[], context: DecodeContext): readonly string[] {
  const found = names.flatMap((name, index) => resolveNamed(name, index, context) ?? []);
  return [...new Set(found)].sort(byText);
}

function resolveNamed(written: string, index: number, context: DecodeContext): string | undefined {
  const name = strip(written);
  const path = ["channels", index];
  const key = foldCase(name);
  const leaves = context.declares("channel", key) ? undefined : context.removedAt?.("channel", key);
  if (leaves !== undefined) return reportRemoved(channelName(name), path, leaves, context);
  const archived = (channel: Quoted) => finding("invites/archived-channel", { name: channel });
  const found = resolveChannel(name, path, context, "invites/unknown-channel", archived);
  return typeof found === "object" ? found.name : found;
}

/** The entry is a record: no request sends its channels and groups any more, so what the file archives or deactivates may be among them. */
export function asRecord(context: DecodeContext): DecodeContext {
  return {
    ...context,
    report: (path, finding) =>
      context.report(path, finding.code === "invites/made-inactive" ? { ...finding, severity: "warning" } : finding),
  };
}

/**
 * Invitations are sent last: what the same file archives or deactivates is not in use by then. Without a realm there is no "now", and the entry can be
 * a record of an invitation whose day is over.
 */
function reportRemoved(name: Quoted, path: Path, at: Span, context: DecodeContext): undefined {
  const severity = context.realm === undefined ? "warning" : "error";
  const notes = [{ at, note: "made-inactive-here" as const }];
  context.report(path, { ...finding("invites/made-inactive", { name }, { notes }), severity });
}

const groupName = (name: string): Quoted => quote(name, "user_group");

/** Groups that people can become members of, without the roles, which `invite_as` gives. Sorted, without duplicates. */
function resolveGroups(names: readonly string[], context: DecodeContext): readonly string[] {
  const found = names.flatMap((name, index) => {
    const leaves = context.removedAt?.("user_group", name);
    if (leaves !== undefined) return reportRemoved(groupName(name), ["groups", index], leaves, context) ?? [];
    if (!name.startsWith("role:")) return resolveGroup(name, ["groups", index], context) ?? [];
    context.report(["groups", index], finding("invites/system-group", { name: groupName(name) }));
    return [];
  });
  return [...new Set(found)].sort(byText);
}

/**
 * Entries of open invitations that name what the plan makes, or what takes the name of another object by it. An invitation was made with ids, so it leads where it
 * led, and after the plan nothing but the file says where that is.
 */
export function namingOthers(section: string, context: PlanContext): readonly Diagnostic[] {
  return Object.entries(INVITED_TO).flatMap(([field, kind]) => {
    const own = context.changes.filter((change) => change.kind === kind);
    const moved = own.filter(({ name, was }) => was !== undefined && foldCase(was) !== foldCase(name));
    const taking = new Map(
      [...own.filter(({ action }) => action === "create"), ...moved].map((change) => [foldCase(change.name), change]),
    );
    const leaving = new Map(moved.map(({ name, was = name }) => [foldCase(was), name]));
    return context.pairs(section).flatMap(({ declared, live, change }) => {
      if (declared === undefined || live === undefined || change !== undefined) return [];
      return listed(declared.creation?.[field]).flatMap((name) => {
        const taken = taking.get(foldCase(name));
        const led = leaving.get(foldCase(name));
        if (taken === undefined || (taken.action !== "create" && led === undefined)) return [];
        const fact = {
          invitation: quote(declared.name),
          name: quote(name, kind),
          ...defined({ led: led === undefined ? undefined : quote(led, kind) }),
          is_new: taken.action === "create",
        };
        // An entry that means what gets the name by its rename is right: nobody can tell it from one that was forgotten.
        const report = fact.is_new && led !== undefined ? error : warning;
        return [report("invites/leads-elsewhere", fact, declared.spans.of(field) ?? declared.at)];
      });
    });
  });
}

/** Feature levels of fields that are sent with an invitation or a link and cannot be read back (zulip-api.md §14.2). */
export const TERM_LEVELS: { readonly [field: string]: number } = { groups: 322, welcome_message_custom_text: 416 };

/** What the terms of an invitation, or of an invitation link, reveal. */
export const termsSecrecy: { readonly [term: string]: FieldSecrecy } = {
  invite_as: "word",
  expires: "word",
  expires_in: "word",
  expires_on: "word",
  channels: { of: "channel" },
  groups: "groups",
};

/** The wanted values of an invitation, in the words of the file; values that the file leaves out stay as they were if it is replaced. */
export function wantedOf({ address }: Change, context: PlanContext): Fields {
  const pair = context.pair(address);
  return { ...pair?.live?.fields, ...pair?.declared?.fields, ...pair?.declared?.creation };
}

/** The terms of which requests leave out the server's defaults, so that as many invitations as possible are equal. */
export function termParams(wanted: Fields, context: PlanContext): { readonly [name: string]: Param } {
  const terms: { [name: string]: Param } = {};
  const groups = listed(wanted.groups).map((name) => groupId(name, context));
  if (groups.length > 0) terms.group_ids = groups;
  if (wanted.include_realm_default_subscriptions === true) terms.include_realm_default_subscriptions = true;
  if (wanted.notify_referrer_on_join === false) terms.notify_referrer_on_join = false;
  const { welcome_message_custom_text: welcome } = wanted;
  if (typeof welcome === "string") terms.welcome_message_custom_text = welcome;
  return terms;
}

/** A channel or group that is reactivated, or opens, changes before anybody is invited to it. */
export const namedAsWanted = ({ channels, groups }: Fields, context: PlanContext): readonly Dependency[] => [
  ...listed(channels).flatMap((name) => context.whole(`channel:${name}`)),
  ...listed(groups).flatMap((name) => [groupExists(name), written(`user_group:${name}`)]),
];

/** The account that made an invitation, unless it is the one that runs the plan. */
export function madeBy(invite: SnapshotInvite | undefined, { realm, snapshot }: PlanContext): { readonly by?: Maker } {
  const user_id = invite?.invited_by_user_id ?? null;
  if (user_id === null || user_id === snapshot.account.user_id) return {};
  return { by: { user_id, ...defined({ full_name: realm.user(user_id)?.full_name }) } };
}

interface Maker {
  readonly user_id: number;
  readonly full_name?: string;
}

/** The first moment of a day (UTC) in milliseconds; undefined if it is not a day. */
export function startOfDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const start = Date.parse(`${text}T00:00:00Z`);
  // February 30 is not a day, though it is parsed as one of March.
  return Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== text ? undefined : start;
}
