import { maySometime } from "../../access/of-plan.ts";
import type { Diagnostic, Span } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { ROLE } from "../../model/roles.ts";
import { notAllowed, revokesUnknown, termsDiagnostics } from "../inviting-rights.ts";
import { INVITING_RIGHT, invitesOf } from "./calls.ts";
import { wantedOf } from "./terms.ts";

/** Whether the account may invite anybody at all. Reported once, at the first address. */
export function invitingDiagnostics([first]: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const setting = INVITING_RIGHT;
  if (first === undefined || maySometime(setting, context)) return [];
  return [notAllowed(context, { to: "invite-anybody", setting }, first.at)];
}

/** Further things that the account may not do (zulip-api.md §9.2, §9.4). */
export function sendingDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  return termsDiagnostics(wantedOf(change, context), placeIn(change, context), context);
}

/** Revoking somebody else's invitation needs an administrator, and one for owners needs an owner. */
export function revokingDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const { user_id: me } = context.snapshot.account;
  const invites = invitesOf(change, context);
  const unknown = invites.find(({ unknown_role }) => unknown_role !== undefined)?.unknown_role;
  if (unknown !== undefined) return [revokesUnknown(change, unknown, context)];
  const others = invites.filter((invite) => invite.invited_by_user_id !== me);
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

function placeIn(change: Change, context: PlanContext): (field: string) => Span | undefined {
  const spans = context.pair(change.address)?.declared?.spans;
  return (field) => spans?.of(field) ?? change.at;
}
