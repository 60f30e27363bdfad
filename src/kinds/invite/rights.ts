import { type Diagnostic, error, type Span } from "../../model/diagnostic.ts";
import type { InviteRight } from "../../model/diagnostics/invites.ts";
import { quote, runningAccount } from "../../model/diagnostics/values.ts";
import type { PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { ROLE } from "../../model/realm.ts";
import { foldCase } from "../names.ts";
import { channelsByKey } from "../pairs.ts";
import { invitesOf } from "./calls.ts";
import { channelRights, isLetIn, staysIn } from "./standing.ts";
import { namesIn, wantedOf } from "./terms.ts";

/** May the account invite anybody at all? Said once, at the first address. */
export function invitingProblems([first]: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const { realm } = context;
  const setting = "can_invite_users_group";
  if (first === undefined || realm.setting(setting) === undefined || staysIn(setting, context)) return [];
  return [notAllowed(context, { to: "invite", setting }, first.at)];
}

function notAllowed(context: PlanContext, right: InviteRight, at: Span | undefined) {
  return error("invites/not-allowed", { account: runningAccount(context.snapshot), right }, at);
}

/** What else the account may not do (zulip-api.md §9.2, §9.4): said now, with the line that asks for it. */
export function sendingProblems(change: Change, context: PlanContext): readonly Diagnostic[] {
  const wanted = wantedOf(change, context);
  const { realm } = context;
  const place = placeIn(change, context);
  const problems: Diagnostic[] = [];
  const refuse = (field: string, right: InviteRight): void => {
    problems.push(notAllowed(context, right, place(field)));
  };
  if (wanted.invite_as === "owner" && !realm.isOwner) refuse("invite_as", { to: "invite-owner" });
  if ((wanted.invite_as === "administrator" || wanted.invite_as === "moderator") && !realm.isAdmin)
    refuse("invite_as", { to: "invite-as", role: wanted.invite_as });
  if (wanted.welcome_message_custom_text !== undefined && !realm.isAdmin)
    refuse("welcome_message_custom_text", { to: "welcome-message" });
  for (const name of namesIn(wanted.channels)) problems.push(...channelProblems(name, place("channels"), context));
  for (const name of namesIn(wanted.groups)) {
    const group = realm.groupByName(name);
    const may =
      group === undefined ||
      staysIn("can_manage_all_groups", context) ||
      ["can_manage_group", "can_add_members_group"].some((setting) =>
        isLetIn(`user_group:${name}`, setting, group[setting], context),
      );
    if (!may) refuse("groups", { to: "add-to-group", group: quote(name, "user_group") });
  }
  return problems;
}

/** Somebody else's invitation takes an administrator, and one of an owner takes an owner. */
export function revokingProblems(change: Change, context: PlanContext): readonly Diagnostic[] {
  const { user_id: me } = context.snapshot.account;
  const others = invitesOf(change, context).filter((invite) => invite.invited_by_user_id !== me);
  const asOwner = others.some((invite) => invite.invited_as === ROLE.owner);
  const needed =
    asOwner && !context.realm.isOwner
      ? "owner"
      : others.length > 0 && !context.realm.isAdmin
        ? "administrator"
        : undefined;
  if (needed === undefined) return [];
  return [notAllowed(context, { to: "revoke", address: quote(change.name), needs: needed }, change.at)];
}

function channelProblems(name: string, at: Span | undefined, context: PlanContext): readonly Diagnostic[] {
  // One that this plan makes is this account's own.
  if (context.pair(`channel:${name}`)?.change?.action === "create") return [];
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
  const named = quote(name, "channel");
  const unread = notAllowed(context, { to: "read-channel", channel: named, is_known: rights.reads === "no" }, at);
  if (rights.reads === "no") return [unread];
  return [
    ...(rights.reads === "unknown" ? [{ ...unread, severity: "warning" as const }] : []),
    ...(rights.mayAdd ? [] : [notAllowed(context, { to: "add-subscribers", channel: named }, at)]),
  ];
}

function placeIn(change: Change, context: PlanContext): (field: string) => Span | undefined {
  const spans = context.pair(change.address)?.declared?.spans;
  return (field) => spans?.[field] ?? change.at;
}
