import { accessIn, maySometime, namesAccount } from "../access/of-plan.ts";
import { MANAGE_ALL, OPENING_SETTINGS } from "../access/rules.ts";
import { type Diagnostic, error, type Note, type Span, tooOld } from "../model/diagnostic.ts";
import type { InviteRight } from "../model/diagnostics/invites.ts";
import { quote, runningAccount } from "../model/diagnostics/values.ts";
import { isList, type Json } from "../model/json.ts";
import type { DeclaredObject, Fields, LiveObject } from "../model/objects.ts";
import { type Address, type Change, fieldIn } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { asGroupValue, type GroupValue } from "../model/realm.ts";
import { ROLE } from "../model/roles.ts";
import type { SnapshotChannel, SnapshotInvite } from "../model/snapshot.ts";
import { listed } from "../model/texts.ts";
import { accountTurning } from "./accounts.ts";
import { namingOthers, TERM_LEVELS, wantedOf } from "./invitation-terms.ts";
import { channelsByKey, foldCase } from "./names.ts";

function notAllowed(context: PlanContext, right: InviteRight, at: Span | undefined) {
  return error("invites/not-allowed", { account: runningAccount(context.snapshot), right }, at);
}

/** Invitations by mail, or links: what differs between them for a check. */
interface InvitationKind {
  readonly section: "invites" | "invite_links";
  readonly noun: string;
  /** The setting of the organization that says who may make them. */
  readonly right: string;
  /** The server's rows of an object, the latest last. */
  readonly rows: (object: LiveObject, context: PlanContext) => readonly SnapshotInvite[];
}

/**
 * What the server would refuse, of invitations by mail and of links (zulip-api.md §9.2, §9.4).
 * @param made the changes that make one
 * @param declared the entries whose terms this server may be too old for
 */
export function checkInvitations(
  kind: InvitationKind,
  changes: readonly Change[],
  made: readonly Change[],
  declared: readonly DeclaredObject[],
  context: PlanContext,
): readonly Diagnostic[] {
  const { section, noun, right } = kind;
  const { level } = context.realm;
  const [first] = made;
  return [
    ...declared.flatMap(({ creation = {}, spans, at }) =>
      Object.keys(creation)
        .filter((field) => (TERM_LEVELS[field] ?? 0) > level)
        .map((field) =>
          tooOld({ kind: "field-of", field, noun }, TERM_LEVELS[field] ?? 0, level, spans.of(field) ?? at),
        ),
    ),
    ...changes.flatMap((change) => (change.action === "create" ? [] : revokingDiagnostics(kind, change, context))),
    ...(first === undefined || maySometime(right, context)
      ? []
      : [notAllowed(context, { to: "invite-anybody", setting: right }, first.at)]),
    ...leavingDiagnostics(kind, context),
    ...namingOthers(section, context),
    ...made.flatMap((change) => termsDiagnostics(change, context)),
  ];
}

/** Revoking somebody else's needs an administrator, and one for owners needs an owner. Of an unknown role, nobody can tell what would be taken away. */
function revokingDiagnostics({ rows }: InvitationKind, change: Change, context: PlanContext): readonly Diagnostic[] {
  const { realm, snapshot } = context;
  const live = context.pair(change.address)?.live;
  const invites = live === undefined ? [] : rows(live, context);
  const refuse = (needs: Extract<InviteRight, { readonly to: "revoke" }>["needs"]): readonly Diagnostic[] => [
    notAllowed(context, { to: "revoke", address: quote(change.name), needs }, change.at),
  ];
  const role = invites.find(({ unknown_role }) => unknown_role !== undefined)?.unknown_role;
  if (role !== undefined) return refuse({ role });
  const others = invites.filter(({ invited_by_user_id }) => invited_by_user_id !== snapshot.account.user_id);
  if (others.some(({ invited_as }) => invited_as === ROLE.owner) && !realm.isOwner) return refuse("owner");
  return others.length > 0 && !realm.isAdmin ? refuse("administrator") : [];
}

/** They end with the accounts that made them: the file cannot keep one whose account it deactivates. */
function leavingDiagnostics({ section, rows }: InvitationKind, context: PlanContext): readonly Diagnostic[] {
  return context.pairs(section).flatMap(({ declared, live, change }) => {
    if (declared === undefined || live === undefined || change !== undefined) return [];
    const sender = accountTurning(rows(live, context).at(-1)?.invited_by_user_id, context, true);
    if (sender === undefined) return [];
    const fact = { person: quote(sender.name), invitation: quote(declared.name) };
    return [error("people/invitation-in-use", fact, declared.at, leavingNotes(sender))];
  });
}

/** The line that deactivates the account. */
export function leavingNotes({ at, fields }: Change): readonly Note[] {
  const place = fieldIn(fields, "deactivated")?.at ?? at;
  return place === undefined ? [] : [{ at: place, note: "made-inactive-here" }];
}

/**
 * What the account may not give to the people whom it invites, by mail or by a link (zulip-api.md §9.2): reported while planning, at the line that
 * asks for it.
 */
function termsDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const { realm } = context;
  const wanted = wantedOf(change, context);
  const spans = context.pair(change.address)?.declared?.spans;
  const place = (field: string): Span | undefined => spans?.of(field) ?? change.at;
  const diagnostics: Diagnostic[] = [];
  const refuse = (field: string, right: InviteRight): void => {
    diagnostics.push(notAllowed(context, right, place(field)));
  };
  if (wanted.invite_as === "owner" && !realm.isOwner) refuse("invite_as", { to: "invite-owner" });
  if ((wanted.invite_as === "administrator" || wanted.invite_as === "moderator") && !realm.isAdmin)
    refuse("invite_as", { to: "invite-as", role: wanted.invite_as });
  if (wanted.welcome_message_custom_text !== undefined && !realm.isAdmin)
    refuse("welcome_message_custom_text", { to: "welcome-message" });
  for (const name of listed(wanted.channels)) diagnostics.push(...channelDiagnostics(name, place("channels"), context));
  for (const name of listed(wanted.groups))
    if (!addsToGroup(name, context) && !maySometime(MANAGE_ALL, context))
      refuse("groups", { to: "add-to-group", group: quote(name, "user_group") });
  return diagnostics;
}

function channelDiagnostics(name: string, at: Span | undefined, context: PlanContext): readonly Diagnostic[] {
  if (context.pair(`channel:${name}`)?.change?.action === "create")
    // The account administers the channel, so only reading is in question.
    return readsCreated(name, context)
      ? []
      : [notAllowed(context, { to: "read-created-channel", channel: quote(name, "channel") }, at)];
  const id = context.pair(`channel:${name}`)?.live?.id;
  const key = foldCase(name);
  const channel =
    id === undefined
      ? channelsByKey(context.snapshot.channels, key)[0]
      : typeof id === "number"
        ? context.realm.channel(id)
        : undefined;
  if (channel === undefined) return [];
  const rights = channelRights(name, channel, context);
  if (rights.reads === "no") return [unreadable(name, true, at, context)];
  return [
    ...(rights.reads === "unknown" ? [{ ...unreadable(name, false, at, context), severity: "warning" as const }] : []),
    ...(rights.mayAdd ? [] : [notAllowed(context, { to: "add-subscribers", channel: quote(name, "channel") }, at)]),
  ];
}

function unreadable(name: string, is_known: boolean, at: Span | undefined, context: PlanContext): Diagnostic {
  return notAllowed(context, { to: "read-channel", channel: quote(name, "channel"), is_known }, at);
}

/**
 * Invitations are sent last, so the rights of the account at that time count: with the settings after this plan, and the groups that it is in then.
 */
function channelRights(
  name: string,
  channel: SnapshotChannel,
  context: PlanContext,
): { readonly reads: "yes" | "no" | "unknown"; readonly mayAdd: boolean } {
  const { realm, snapshot } = context;
  const live = accessIn(context).before.channel(channel.name)?.settings;
  const holds = (setting: string): boolean => isLetIn(`channel:${name}`, setting, live?.get(setting), context);
  const isPrivate = isPrivateAfter(name, context) ?? channel.invite_only;
  const reads = (): "yes" | "no" | "unknown" => {
    if (!isPrivate || OPENING_SETTINGS.some(holds)) return "yes";
    const { user_id: me } = snapshot.account;
    const isSubscribed =
      isSubscribedAfter(name, context) ?? snapshot.subscribers?.[String(channel.stream_id)]?.includes(me);
    if (isSubscribed === undefined) return "unknown";
    return isSubscribed ? "yes" : "no";
  };
  const mayAdd =
    (snapshot.default_channels ?? []).includes(channel.stream_id) ||
    maySometime("can_add_subscribers_group", context) ||
    realm.isAdmin ||
    holds("can_administer_channel_group") ||
    holds("can_add_subscribers_group");
  return { reads: reads(), mayAdd };
}

/**
 * Whether the account reads a channel that this plan creates. It is subscribed to it only if the file does not list subscribers, or lists the account;
 * to administer a private channel is not enough (zulip-api.md §9.2).
 */
function readsCreated(name: string, context: PlanContext): boolean {
  return (
    isPrivateAfter(name, context) !== true ||
    isSubscribedAfter(name, context) !== false ||
    OPENING_SETTINGS.some((setting) => isLetIn(`channel:${name}`, setting, undefined, context))
  );
}

/** Whether the channel is private after the plan; undefined if the plan does not change its privacy. */
function isPrivateAfter(name: string, context: PlanContext): boolean | undefined {
  const privacy = fieldAfter(`channel:${name}`, "privacy", context);
  return typeof privacy === "string" ? privacy.startsWith("private") : undefined;
}

/** Whether the account is subscribed after the plan; undefined if the plan does not change who is subscribed. */
function isSubscribedAfter(name: string, context: PlanContext): boolean | undefined {
  const wanted = fieldAfter(`channel:${name}`, "subscribers", context);
  if (wanted === undefined || !isList(wanted)) return undefined;
  return wanted.includes(context.realm.userName(context.snapshot.account.user_id));
}

/**
 * Rights of the organization that an invitation uses: those without which it would be refused.
 * @param setting - the one that says who may make this invitation at all
 */
export function invitingUses(setting: string, { channels, groups }: Fields, context: PlanContext): readonly string[] {
  const isNeeded = !listed(groups).every((name) => addsToGroup(name, context));
  return [
    setting,
    ...(listed(channels).length > 0 && !context.realm.isAdmin ? ["can_add_subscribers_group"] : []),
    ...(isNeeded ? [MANAGE_ALL] : []),
  ];
}

/** Whether settings of the group let the account add people to it. */
function addsToGroup(name: string, context: PlanContext): boolean {
  const group = accessIn(context).before.group(name);
  return (
    group === undefined ||
    ["can_manage_group", "can_add_members_group"].some((setting) =>
      isLetIn(`user_group:${name}`, setting, group.settings.get(setting), context),
    )
  );
}

/** Whether the account is in the group of a channel's or a group's setting. This plan may change the setting. */
function isLetIn(address: Address, setting: string, live: GroupValue | undefined, context: PlanContext): boolean {
  const { before, after } = accessIn(context);
  const changed = fieldAfter(address, setting, context);
  const value = changed === undefined ? undefined : asGroupValue(changed);
  if (value !== undefined) return namesAccount(value, after, context);
  return [before, after].every((state) => namesAccount(live, state, context));
}

function fieldAfter(address: Address, field: string, context: PlanContext): Json | undefined {
  return fieldIn(context.pair(address)?.change?.fields, field)?.after;
}
