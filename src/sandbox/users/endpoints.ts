import type { JsonObject } from "../../model/json.ts";
import { accessibleChannel, hasMetadataAccess, isAdmin, isOwner, isSubscribed, memberById } from "../access.ts";
import type { Call } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, mustBe } from "../errors.ts";
import { type Args, bool, int, json, list, optional, required, text, withDefault } from "../params.ts";
import { changeProfile, entryOrRemoval } from "../profile/profile.ts";
import { stripped } from "../python.ts";
import { ROLE, type Role, type User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import { changeFullName } from "../user-settings/endpoints.ts";
import { activeTarget, administered, known, memberByAddress, roleNumber, toAdminister } from "./access.ts";
import { changeRole, deactivate, reactivate } from "./activity.ts";
import { checkMayReactivateBot } from "./bots.ts";
import { lastMessageId, mayKnowOf, members, shownUser } from "./shown.ts";

const details = {
  client_gravatar: withDefault(json(bool), true),
  include_custom_profile_fields: withDefault(json(bool), false),
};
const wish = ({ state, level, user }: Call, asked: Args<typeof details>) => ({
  state,
  level,
  viewer: user,
  profile: asked.include_custom_profile_fields,
  clientGravatar: asked.client_gravatar,
});

/** From this level on, a list omits people whom the caller may not know; before, it contained placeholders. */
const NO_STRANGERS_LEVEL = 437;
const isListed = ({ state, level, user }: Call, target: User): boolean =>
  level < NO_STRANGERS_LEVEL || mayKnowOf(state, user, target);

const MAX_COMMENT_LENGTH = 2000;
const OF_ALL_KINDS = { bots: true, deactivated: true };

const changes = {
  full_name: optional(text()),
  new_email: optional(text(), { level: 285 }),
  profile_data: optional(json(list(entryOrRemoval))),
  role: optional(json(roleNumber)),
};

/** Reading people, and changing and deactivating their accounts (zulip-api.md §1.2 to §1.5). */
export const userEndpoints = [
  defineEndpoint("GET /users", {
    params: { ...details, user_ids: optional(json(list(int())), { level: 384 }) },
    handler(call, { user_ids, ...asked }) {
      const wanted = user_ids === undefined ? undefined : new Set(user_ids);
      const found = members(call.state).filter(
        (user) => (wanted === undefined || wanted.has(user.user_id)) && isListed(call, user),
      );
      return { members: found.map((user) => shownUser(wish(call, asked), user)) };
    },
  }),
  defineEndpoint("POST /users", {
    who: ["administrator"],
    params: { email: required(text()), password: required(text()), full_name: required(text()) },
    // Only the administrators of a server can grant this right, and here nobody has it.
    handler() {
      throw new ApiError("User not authorized to create users");
    },
  }),
  defineEndpoint("GET /users/me", {
    handler(call) {
      const { user, state } = call;
      const asked = { client_gravatar: false, include_custom_profile_fields: true };
      return { ...shownUser(wish(call, asked), user), max_message_id: lastMessageId(state, user.user_id) };
    },
  }),
  defineEndpoint("GET /users/{user_id}", {
    params: details,
    handler: (call, { user_id, ...asked }) => ({
      user: shownUser(wish(call, asked), known(call, memberById(call.state, user_id))),
    }),
  }),
  defineEndpoint("GET /users/{email:str}", {
    params: details,
    handler: (call, { email, ...asked }) => ({
      user: shownUser(wish(call, asked), known(call, memberByAddress(call.state, call.user, email))),
    }),
  }),
  defineEndpoint("GET /users/{user_id}/channels", {
    level: 440,
    params: {},
    handler(call, { user_id }) {
      const { state, user } = call;
      const target = activeTarget(call, user_id, call.level >= 458);
      const channels = rows(state.channels).filter(
        (channel) => isSubscribed(state, channel.stream_id, target.user_id) && hasMetadataAccess(state, user, channel),
      );
      return { subscribed_channel_ids: channels.map((channel) => channel.stream_id) };
    },
  }),
  defineEndpoint("GET /users/{user_id}/subscriptions/{stream_id}", {
    params: {},
    handler(call, { user_id, stream_id }) {
      const target = activeTarget(call, user_id, call.level >= 458);
      accessibleChannel(call, stream_id, "metadata");
      return { is_subscribed: isSubscribed(call.state, stream_id, target.user_id) };
    },
  }),
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
