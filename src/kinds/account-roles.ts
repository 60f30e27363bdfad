import type { Json } from "../model/json.ts";
import type { InexpressibleFact } from "../model/kind-facts.ts";
import type { LiveObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
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
