import { accessibleChannel, hasMetadataAccess, isSubscribed, memberById } from "../access.ts";
import type { Call } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { type Args, bool, int, json, list, optional, required, text, withDefault } from "../params.ts";
import type { User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import { activeTarget, known, memberByAddress } from "./access.ts";
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

/** Reading people (zulip-api.md §1.2 to §1.5). */
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
];
