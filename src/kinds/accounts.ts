import { isAccountKind } from "../access/scope.ts";
import type { Json } from "../model/json.ts";
import type { InexpressibleFact } from "../model/kind-facts.ts";
import { oncePer } from "../model/lazy.ts";
import type { LiveObject } from "../model/objects.ts";
import type { Change, Param } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { Realm } from "../model/realm.ts";
import { roleWord } from "../model/roles.ts";
import type { SnapshotInvite, SnapshotUser } from "../model/snapshot.ts";

/** The role as a field of the account: its word, or the server's number of a role that this version does not know, which no file can have. */
export const roleField = ({ role, unknown_role }: Pick<SnapshotUser, "role" | "unknown_role">): string | number =>
  unknown_role ?? roleWord(role);

/** The role that an invitation gives, in the same form. */
export const invitedRole = ({ invited_as: role, unknown_role }: SnapshotInvite): string | number =>
  roleField({ role, unknown_role });

/** Whether no file can declare an invitation: it would be another one without its role. */
export const hasUnknownRole = ({ fields }: LiveObject): boolean => typeof fields.invite_as === "number";

/** Why a file cannot name the role. */
export const inexpressibleRole = (live: Json): InexpressibleFact | undefined =>
  typeof live === "number" ? { why: "role-unknown", role: live } : undefined;

/** Whether a request could set the value, if the field is the role. */
export const canBeRole = (field: string, value: Json): boolean =>
  field !== "role" || inexpressibleRole(value) === undefined;

/** The role of the changed account, if this version does not know it: nobody can tell what the change would take away or give. */
export const unknownRoleOf = ({ id }: Change, realm: Realm): number | undefined =>
  id === undefined ? undefined : realm.user(id)?.unknown_role;

/**
 * The change that deactivates the account, or reactivates it. When an account is deactivated, so are its bots, and its invitations and links are
 * revoked (zulip-api.md §17.4).
 */
export function accountTurning(
  userId: number | null | undefined,
  { realm, pair }: PlanContext,
  deactivated: boolean,
): Change | undefined {
  if (userId === undefined || userId === null) return undefined;
  const change = pair(`person:${realm.userName(userId)}`)?.change;
  const turns = change?.fields.some(({ field, after }) => field === "deactivated" && after === deactivated) === true;
  return turns ? change : undefined;
}

/**
 * Whether the plan changes accounts. Everybody's memberships can be taken away before a setting changes and given after it, but an account changes its
 * role, or is deactivated, in one request: only then can settings of one object have to change at different times
 * (docs/internals/decisions/0014-nothing-is-open-in-between.md).
 */
export const changesAccounts = ({ changes }: Pick<PlanContext, "changes">): boolean => hasAccounts(changes);

const hasAccounts = oncePer((changes: readonly Change[]) => changes.some(({ kind }) => isAccountKind(kind)));

/**
 * How many of these accounts get a message of the Notification Bot when somebody adds or removes them: people, except the account that does it
 * (zulip-api.md §5.2, §10.4).
 */
export function notifiedPeople(ids: Param | undefined, { realm, snapshot }: PlanContext): number {
  if (!Array.isArray(ids)) return 0;
  return ids.filter(
    (id: Param) => typeof id === "number" && id !== snapshot.account.user_id && realm.user(id)?.is_bot !== true,
  ).length;
}
