import type { JsonObject } from "../../model/json.ts";
import { isAdmin, isOwner } from "../access.ts";
import type { Call } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, mustBe } from "../errors.ts";
import { type Args, json, list, optional, text } from "../params.ts";
import { changeProfile, entryOrRemoval } from "../profile/data.ts";
import { ROLE, type Role, type User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import { changeFullName } from "../user-settings/full-name.ts";
import { stripped } from "../white-space.ts";
import { administered, memberByAddress, roleNumber, toAdminister } from "./access.ts";
import { deactivate, reactivate } from "./activity.ts";
import { checkMayReactivateBot } from "./make-bot.ts";
import { changeRole } from "./role-groups.ts";

const MAX_COMMENT_LENGTH = 2000;
const OF_ALL_KINDS = { bots: true, deactivated: true };

const changes = {
  full_name: optional(text()),
  new_email: optional(text(), { level: 285 }),
  profile_data: optional(json(list(entryOrRemoval))),
  role: optional(json(roleNumber)),
};
function change(call: Call, target: User, sent: Args<typeof changes>): JsonObject {
  const { full_name, new_email, profile_data = [], role } = sent;
  // Only the administrators of a server can grant this right, and here nobody has it.
  if (new_email !== undefined) throw new ApiError("User not authorized to change user emails");
  if (role !== undefined && role !== (target.unknown_role ?? target.role)) {
    checkOwners(call, target, role);
    changeRole(call, target, role);
  }
  if (full_name !== undefined && full_name !== target.full_name && stripped(full_name) !== "")
    changeFullName(call, target, full_name);
  changeProfile(call, target, profile_data);
  return {};
}

/** Changing and deactivating accounts. */
export const accountEndpoints = [
  defineEndpoint("PATCH /users/{user_id}", {
    params: changes,
    handler(call, { user_id, ...sent }) {
      return change(call, toAdminister(call, user_id, OF_ALL_KINDS), sent);
    },
  }),
  defineEndpoint("PATCH /users/{email:str}", {
    level: 385,
    params: changes,
    handler(call, { email, ...sent }) {
      return change(call, administered(call, memberByAddress(call.state, call.user, email), OF_ALL_KINDS), sent);
    },
  }),
  defineEndpoint("DELETE /users/me", {
    handler(call) {
      if (isOnlyOwner(call, call.user))
        throw new ApiError("Cannot deactivate the only organization owner.", {
          code: "CANNOT_DEACTIVATE_LAST_USER",
          extra: { is_last_owner: true, entity: "organization owner" },
        });
      deactivate(call, call.user);
    },
  }),
  defineEndpoint("DELETE /users/{user_id}", {
    params: { deactivation_notification_comment: optional(text({ maxLength: MAX_COMMENT_LENGTH })) },
    handler(call, { user_id }) {
      const target = toAdminister(call, user_id, { bots: false, deactivated: false });
      if (isOwner(target) && !isOwner(call.user)) throw mustBe("owner");
      if (isOnlyOwner(call, target)) throw new ApiError("Cannot deactivate the only organization owner");
      deactivate(call, target);
    },
  }),
  defineEndpoint("POST /users/{user_id}/reactivate", {
    handler(call, { user_id }) {
      const target = toAdminister(call, user_id, OF_ALL_KINDS);
      if (target.is_bot) checkMayReactivateBot(call, target);
      reactivate(call, target);
    },
  }),
];

/** Only owners may grant or remove the owner role, and one owner must remain. @throws ApiError */
function checkOwners(call: Call, target: User, role: Role): void {
  if ((isOwner(target) || role === ROLE.owner) && !isOwner(call.user)) throw mustBe("owner");
  if (!isAdmin(call.user)) throw mustBe("administrator");
  if (isOnlyOwner(call, target))
    throw new ApiError("The owner permission cannot be removed from the only organization owner.");
}
/** Whether the account is an owner of a realm with only one active owner: then a deactivated owner cannot lose the role either. */
function isOnlyOwner({ state }: Call, target: User): boolean {
  if (!isOwner(target) || target.is_bot) return false;
  return rows(state.users).filter((user) => user.is_active && !user.is_bot && isOwner(user)).length === 1;
}
