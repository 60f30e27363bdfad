import { maySometime } from "../access/of-plan.ts";
import { type Diagnostic, error, type Note, type Span } from "../model/diagnostic.ts";
import type { InviteRight } from "../model/diagnostics/invites.ts";
import { quote, runningAccount } from "../model/diagnostics/values.ts";
import type { Fields } from "../model/objects.ts";
import { type Change, fieldIn } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { listed } from "../model/texts.ts";
import { addsToGroup, channelRights, readsCreated } from "./inviter-standing.ts";
import { foldCase } from "./names.ts";
import { channelsByKey } from "./pairs.ts";

export function notAllowed(context: PlanContext, right: InviteRight, at: Span | undefined) {
  return error("invites/not-allowed", { account: runningAccount(context.snapshot), right }, at);
}

/** An invitation as a role that this version does not know: nobody can tell what a change would take away. */
export const revokesUnknown = (change: Change, role: number, context: PlanContext): Diagnostic =>
  notAllowed(context, { to: "revoke", address: quote(change.name), needs: { role } }, change.at);

/** An invitation or a link that the file keeps, but that ends when the account of its creator is deactivated. */
export function goesWithSender(sender: Change, invitation: string, at: Span | undefined): Diagnostic {
  const fact = { person: quote(sender.name), invitation: quote(invitation) };
  return error("people/invitation-in-use", fact, at, leavingNotes(sender));
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
export function termsDiagnostics(
  wanted: Fields,
  place: (field: string) => Span | undefined,
  context: PlanContext,
): readonly Diagnostic[] {
  const { realm } = context;
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
    if (!addsToGroup(name, context) && !maySometime("can_manage_all_groups", context))
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
