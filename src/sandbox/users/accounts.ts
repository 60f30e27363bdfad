import { isAdmin, isOwner, memberById } from "../access.ts";
import { type Call, everybody } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, insufficientPermission, mustBe } from "../errors.ts";
import { revokeInvitesOf } from "../invites/revoke.ts";
import { json, oneOf, optional, text } from "../params.ts";
import { ROLE, type Role, rows, type User } from "../state.ts";
import { changeFullName } from "../user-settings/full-name.ts";
import { joinRoleGroups, leaveRoleGroups } from "./role-groups.ts";

const ROLES = [ROLE.owner, ROLE.administrator, ROLE.moderator, ROLE.member, ROLE.guest] as const;

/** Changing and deactivating accounts. */
export const accountEndpoints = [
  defineEndpoint({
    method: "PATCH",
    path: "/users/{user_id}",
    params: { full_name: optional(text()), role: optional(json(oneOf(...ROLES))) },
    handler(call, { user_id, full_name, role }) {
      const target = toAdminister(call, user_id);
      if (role !== undefined && role !== target.role) {
        checkOwners(call, target, role);
        changeRole(call, target, role);
      }
      if (full_name !== undefined && full_name.trim() !== target.full_name) changeFullName(call, target, full_name);
      return {};
    },
  }),
  defineEndpoint({
    method: "DELETE",
    path: "/users/me",
    who: ["human"],
    params: {},
    handler(call) {
      if (isOnlyOwner(call, call.user))
        throw new ApiError("Cannot deactivate the only organization owner", {
          code: "CANNOT_DEACTIVATE_LAST_USER",
          extra: { is_last_owner: true, entity: "organization owner" },
        });
      deactivate(call, call.user);
      return {};
    },
  }),
  defineEndpoint({
    method: "DELETE",
    path: "/users/{user_id}",
    params: { deactivation_notification_comment: optional(text()) },
    handler(call, { user_id }) {
      const target = toAdminister(call, user_id);
      if (target.is_bot) throw new ApiError("No such user");
      if (isOwner(target) && !isOwner(call.user)) throw mustBe("owner");
      if (isOnlyOwner(call, target)) throw new ApiError("Cannot deactivate the only organization owner");
      deactivate(call, target);
      revokeInvitesOf(call, target);
      return {};
    },
  }),
  defineEndpoint({
    method: "POST",
    path: "/users/{user_id}/reactivate",
    params: {},
    handler(call, { user_id }) {
      const target = memberById(call.state, user_id);
      if (!isAdmin(call.user) && target.bot_owner_id !== call.user.user_id) throw insufficientPermission();
      setActive(call, target, true);
      return {};
    },
  }),
];

/** @throws ApiError unless the caller may administer an active account */
function toAdminister(call: Call, userId: number): User {
  const target = memberById(call.state, userId);
  if (!target.is_active) throw new ApiError("User is deactivated");
  if (!isAdmin(call.user)) throw insufficientPermission();
  return target;
}

/** Only owners make and unmake owners, and one has to stay. @throws ApiError */
function checkOwners(call: Call, target: User, role: Role): void {
  if ((isOwner(target) || role === ROLE.owner) && !isOwner(call.user)) throw mustBe("owner");
  if (isOnlyOwner(call, target))
    throw new ApiError("The owner permission cannot be removed from the only organization owner.");
}
const isOnlyOwner = ({ state }: Call, target: User): boolean =>
  isOwner(target) &&
  !rows(state.users).some((user) => user.is_active && !user.is_bot && isOwner(user) && user.user_id !== target.user_id);

function changeRole(call: Call, target: User, role: Role): void {
  leaveRoleGroups(call, target);
  call.ledger.set(target, "role", role);
  call.emit(everybody, { type: "realm_user", op: "update", person: { user_id: target.user_id, role } });
  joinRoleGroups(call, target);
}

/** A person's bots go with them. */
function deactivate(call: Call, target: User): void {
  for (const bot of rows(call.state.users))
    if (bot.bot_owner_id === target.user_id && bot.is_active) setActive(call, bot, false);
  setActive(call, target, false);
}
function setActive(call: Call, target: User, is_active: boolean): void {
  call.ledger.set(target, "is_active", is_active);
  call.emit(everybody, { type: "realm_user", op: "update", person: { user_id: target.user_id, is_active } });
}
