import { type Diagnostic, error } from "../../model/diagnostic.ts";
import type { DiagnosticFacts } from "../../model/diagnostics/definitions.ts";
import { quote, runningAccount } from "../../model/diagnostics/values.ts";
import { indexed } from "../../model/lazy.ts";
import type { Pair } from "../../model/objects.ts";
import { type Change, fieldIn, spanOfField } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { ROLE } from "../../model/roles.ts";
import { unknownRoleOf } from "../accounts.ts";
import { leavingNotes } from "../inviting-rights.ts";

/** Errors that the server would refuse, and changes that would leave this run without an account (zulip-api.md §17.1, §17.2). */
export function checkPeople(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [
    ...changes.flatMap((change) => rightDiagnostics(change, context)),
    ...changes.flatMap((change) => ownDiagnostics(change, context)),
    ...changes.flatMap((change) => deletedDiagnostics(change, context)),
    ...changes.flatMap((change) => botDiagnostics(change, context)),
    ...inactiveOwnerDiagnostics(changes, context),
  ];
}

/** Reactivating the owner before the change of the role would work, but would give back the rights of an owner for a moment. */
function inactiveOwnerDiagnostics(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const waiting = changes.filter((change) => needsTwoOwners(change, context));
  if (waiting.length === 0) return [];
  const owners = ownersThroughout(changes, context) + changes.filter((change) => becomesOwner(change, context)).length;
  return owners < 2
    ? waiting.map((change) =>
        error("people/inactive-owner", { person: quote(change.name) }, spanOfField(change, "role")),
      )
    : [];
}

/** Administrators may change everybody; only owners may give or take the role of an owner. */
function rightDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const { realm, snapshot } = context;
  const account = runningAccount(snapshot);
  const person = quote(change.name);
  const role = fieldIn(change.fields, "role");
  const refuse = (needs: DiagnosticFacts["people/not-allowed"]["needs"], at = change.at) => [
    error("people/not-allowed", { account, person, needs }, at),
  ];
  const unknown = unknownRoleOf(change, realm);
  if (unknown !== undefined) return refuse({ role: unknown }, role?.at);
  if (!realm.isAdmin) return refuse("administrator");
  if (realm.isOwner) return [];
  if (role !== undefined && (role.before === "owner" || role.after === "owner")) return refuse("owner", role.at);
  const leaves = fieldIn(change.fields, "deactivated", true);
  return leaves !== undefined && roleBefore(change, context) === "owner" ? refuse("owner", leaves.at) : [];
}

/** The account that runs the plan must exist until the end, and see that everything is done. */
function ownDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const { snapshot, changes } = context;
  if (change.id !== snapshot.account.user_id) return [];
  const account = runningAccount(snapshot);
  const leaves = fieldIn(change.fields, "deactivated", true);
  if (leaves !== undefined)
    return [error("people/oneself", { account, becomes: "deactivated" }, leaves.at ?? change.at)];
  const role = fieldIn(change.fields, "role");
  if (role === undefined) return [];
  if (role.after === "guest") return [error("people/oneself", { account, becomes: "guest" }, role.at ?? change.at)];
  // Other changes of the plan may need the role that is taken away.
  if (changes.some((other) => other !== change))
    return [error("people/own-role-alone", { account, ...noOwnerAfter(context) }, spanOfField(change, "role"))];
  return [];
}

/** Sending the rest of the plan first would only lead to a change that can never be sent. */
function noOwnerAfter(context: PlanContext): { readonly leaves_no_owner?: true } {
  const changes = context.changes.filter(({ kind }) => kind === "person");
  const isKept = ownersThroughout(changes, context) > 0 || changes.some((change) => staysOwner(change, context));
  return isKept ? {} : { leaves_no_owner: true };
}

/** Whether a server reactivates an account that was deleted is not known; what the account was is gone. */
function deletedDiagnostics(change: Change, { realm }: PlanContext): readonly Diagnostic[] {
  const returns = fieldIn(change.fields, "deactivated", false);
  if (returns === undefined || realm.user(change.id ?? 0)?.is_deleted !== true) return [];
  return [error("people/deleted", { person: quote(change.name) }, returns.at ?? change.at)];
}

/** Bots that the file has in use and whose owner stays the same, by that owner; unless the file names the owner, which another error says. */
const stayingByOwner = indexed<Pair>(({ declared, live, change }) => {
  const owner = live?.fields.owner;
  const isGiven = declared?.fields.owner === owner || fieldIn(change?.fields, "owner") !== undefined;
  const isKept = declared?.absent === false && declared.fields.deactivated !== true && live?.inactive === false;
  return isKept && typeof owner === "string" && !isGiven ? [owner] : [];
});

/** Bots are deactivated with their owners: a bot that the file has in use must have another owner by then. */
function botDiagnostics(change: Change, context: PlanContext): readonly Diagnostic[] {
  const leaves = fieldIn(change.fields, "deactivated", true);
  if (leaves === undefined || change.id === undefined) return [];
  return stayingByOwner(context.pairs("bots"), change.name).flatMap(({ declared }) => {
    if (declared === undefined) return [];
    const at = declared.spans.of("deactivated") ?? declared.at;
    const fact = { person: quote(change.name), bot: quote(declared.name, "bot") };
    return [error("people/bot-in-use", fact, at, leavingNotes(change))];
  });
}

/** The role that the account has now. */
export function roleBefore({ address }: Change, context: PlanContext): unknown {
  return context.pair(address)?.live?.fields.role;
}

/** How many people are owners all the time; bots do not count (zulip-api.md §17.2). */
export function ownersThroughout(changes: readonly Change[], { snapshot }: PlanContext): number {
  const touched = new Set(changes.map(({ id }) => id));
  return snapshot.users.filter(
    ({ user_id, role, is_active, is_bot }) => role === ROLE.owner && is_active && !is_bot && !touched.has(user_id),
  ).length;
}

/** An active owner after the plan. */
function staysOwner(change: Change, context: PlanContext): boolean {
  const live = context.pair(change.address)?.live?.fields;
  const after = { ...live, ...Object.fromEntries(change.fields.map((field) => [field.field, field.after])) };
  return after.role === "owner" && after.deactivated !== true;
}

/** An active owner after the plan, and not before. */
export function becomesOwner(change: Change, context: PlanContext): boolean {
  const live = context.pair(change.address)?.live?.fields;
  const wasOwner = live?.role === "owner" && live.deactivated !== true;
  return staysOwner(change, context) && !wasOwner;
}

/** A deactivated owner who gets another role: the server refuses it while only one owner is active, although nothing would be lost (zulip-api.md §17.2). */
export function needsTwoOwners({ address, fields }: Change, context: PlanContext): boolean {
  const live = context.pair(address)?.live?.fields;
  return live?.role === "owner" && live.deactivated === true && fieldIn(fields, "role") !== undefined;
}
