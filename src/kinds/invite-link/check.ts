import { maySometime } from "../../access/of-plan.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { quote } from "../../model/diagnostics/values.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { ROLE } from "../../model/roles.ts";
import { tooOld } from "../../model/too-old.ts";
import { TERM_LEVELS } from "../invitation-terms.ts";
import { namingOthers } from "../invited-to.ts";
import { goesWithSender, notAllowed, revokesUnknown, termsDiagnostics } from "../inviting-rights.ts";
import { linkWith, MAKING_RIGHT, makerLeaving } from "./calls.ts";

/** What the server would refuse (zulip-api.md §9.4). */
export function checkLinks(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const made = changes.filter(({ action }) => action === "create");
  const [first] = made;
  return [
    ...(first === undefined || maySometime(MAKING_RIGHT, context)
      ? []
      : [notAllowed(context, { to: "invite-anybody", setting: MAKING_RIGHT }, first.at)]),
    ...made.flatMap((change) => makingDiagnostics(change, context)),
    ...changes.flatMap((change) => (change.action === "remove" ? revokingDiagnostics(change, context) : [])),
    ...leavingDiagnostics(context),
    ...namingOthers("invite_links", context),
  ];
}

/** Links end with the accounts that created them: the file cannot keep one whose creator it deactivates. */
function leavingDiagnostics(context: PlanContext): readonly Diagnostic[] {
  return context.pairs("invite_links").flatMap(({ declared, live, change }) => {
    if (declared === undefined || change !== undefined) return [];
    const maker = makerLeaving(live?.id, context);
    return maker === undefined ? [] : [goesWithSender(maker, declared.name, declared.at)];
  });
}

function makingDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const declared = context.pair(change.address)?.declared;
  const wanted = { ...declared?.fields, ...declared?.creation };
  const place = (field: string) => declared?.spans.of(field) ?? change.at;
  const { level } = context.realm;
  const levels = Object.keys(wanted).flatMap((field) => {
    const needed = TERM_LEVELS[field] ?? 0;
    return needed <= level
      ? []
      : [tooOld({ kind: "field-of", field, noun: "invitation link" }, needed, level, place(field))];
  });
  return [...levels, ...termsDiagnostics(wanted, place, context)];
}

/** Revoking somebody else's link needs an administrator, and one for owners needs an owner. */
function revokingDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const link = linkWith(change.id, context.snapshot);
  if (link?.unknown_role !== undefined) return [revokesUnknown(change, link.unknown_role, context)];
  if (link === undefined || link.invited_by_user_id === context.snapshot.account.user_id) return [];
  const needs = link.invited_as === ROLE.owner && !context.realm.isOwner ? "owner" : "administrator";
  if (needs === "administrator" && context.realm.isAdmin) return [];
  return [notAllowed(context, { to: "revoke", address: quote(change.name), needs }, change.at)];
}
