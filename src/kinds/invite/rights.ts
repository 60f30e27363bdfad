import type { Diagnostic, Span } from "../../model/diagnostic.ts";
import type { PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { ROLE } from "../../model/realm.ts";
import { foldCase } from "../names.ts";
import { accountThatRuns, problem, warning } from "../problems.ts";
import { invitesOf } from "./calls.ts";
import { channelRights, isLetIn, staysIn } from "./standing.ts";
import { namesIn, wantedOf } from "./terms.ts";

/** May the account invite anybody at all? Said once, at the first address. */
export function invitingProblems([first]: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const { realm } = context;
  const setting = "can_invite_users_group";
  if (first === undefined || realm.setting(setting) === undefined || staysIn(setting, context)) return [];
  return [
    problem(
      "invites/not-allowed",
      `${accountThatRuns(context)} may not invite people`,
      `it has to be in the organization's ${setting}; no role is exempt`,
      first.at,
    ),
  ];
}

/** What else the account may not do (zulip-api.md §9.2, §9.4): said now, with the line that asks for it. */
export function sendingProblems(change: Change, context: PlanContext): readonly Diagnostic[] {
  const wanted = wantedOf(change, context);
  const { realm } = context;
  const place = placeIn(change, context);
  const problems: Diagnostic[] = [];
  const refuse = (field: string, why: string, hint: string): void => {
    problems.push(problem("invites/not-allowed", `${accountThatRuns(context)} ${why}`, hint, place(field)));
  };
  if (wanted.invite_as === "owner" && !realm.isOwner)
    refuse("invite_as", "may not invite owners", "it has to be an owner of the organization");
  if ((wanted.invite_as === "administrator" || wanted.invite_as === "moderator") && !realm.isAdmin)
    refuse("invite_as", `may not invite a ${wanted.invite_as}`, "it has to be an administrator of the organization");
  if (wanted.welcome_message_custom_text !== undefined && !realm.isAdmin)
    refuse(
      "welcome_message_custom_text",
      "may not choose the welcome message",
      "it has to be an administrator of the organization",
    );
  for (const name of namesIn(wanted.channels)) problems.push(...channelProblems(name, place("channels"), context));
  for (const name of namesIn(wanted.groups)) {
    const group = realm.groupByName(name);
    const may =
      group === undefined ||
      staysIn("can_manage_all_groups", context) ||
      ["can_manage_group", "can_add_members_group"].some((setting) =>
        isLetIn(`user_group:${name}`, setting, group[setting], context),
      );
    if (!may) refuse("groups", `may not add members to ${name}`, "it has to be in that group's can_add_members_group");
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
      ? "an owner"
      : others.length > 0 && !context.realm.isAdmin
        ? "an administrator"
        : undefined;
  if (needed === undefined) return [];
  return [
    problem(
      "invites/not-allowed",
      `${accountThatRuns(context)} may not revoke the invitation of ${change.name}`,
      `it has to be ${needed} of the organization: somebody else sent it`,
      change.at,
    ),
  ];
}

function channelProblems(name: string, at: Span | undefined, context: PlanContext): readonly Diagnostic[] {
  // One that this plan makes is this account's own.
  if (context.pair(`channel:${name}`)?.change?.action === "create") return [];
  const id = context.pair(`channel:${name}`)?.live?.id;
  const key = foldCase(name);
  const channel = context.snapshot.channels.find((each) =>
    id === undefined ? foldCase(each.name) === key : each.stream_id === id,
  );
  if (channel === undefined) return [];
  const subject = accountThatRuns(context);
  const rights = channelRights(name, channel, context);
  const hint = "somebody in the channel has to subscribe this account, or put it into can_add_subscribers_group";
  if (rights.reads === "no")
    return [problem("invites/not-allowed", `${subject} cannot read the private channel #${name}`, hint, at)];
  const problems =
    rights.reads === "unknown"
      ? [
          warning(
            "invites/not-allowed",
            `${subject} must be in the private channel #${name}, and this snapshot does not say whether it is`,
            hint,
            at,
          ),
        ]
      : [];
  if (rights.mayAdd) return problems;
  return [
    ...problems,
    problem(
      "invites/not-allowed",
      `${subject} may not add subscribers to #${name}`,
      "it has to be in can_add_subscribers_group, of the channel or of the organization, or administer the channel",
      at,
    ),
  ];
}

function placeIn(change: Change, context: PlanContext): (field: string) => Span | undefined {
  const spans = context.pair(change.address)?.declared?.spans;
  return (field) => spans?.[field] ?? change.at;
}
