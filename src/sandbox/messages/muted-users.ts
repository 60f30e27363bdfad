import { memberById } from "../access.ts";
import { type Call, only } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import type { User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import { known } from "../users/access.ts";
import { hasCopy } from "./access.ts";
import { markRead } from "./flags.ts";

/** Muting somebody marks their messages as read. Bots and deactivated people can be muted as well. */

type Muted = readonly { readonly id: number; readonly timestamp: number }[];
const mutedBy = ({ state, user }: Call): Muted => state.muted_users[user.user_id] ?? [];
const target = (call: Call, userId: number): User => known(call, memberById(call.state, userId));

function set(call: Call, muted: Muted): void {
  call.ledger.put(call.state.muted_users, call.user.user_id, muted);
  call.emit(only(call.user.user_id), { type: "muted_users", muted_users: muted.map((each) => ({ ...each })) });
}

export const mutedUserEndpoints = [
  defineEndpoint("POST /users/me/muted_users/{muted_user_id}", {
    level: 48,
    params: {},
    handler(call, { muted_user_id }) {
      const { state, user } = call;
      if (muted_user_id === user.user_id) throw new ApiError("Cannot mute self");
      const { user_id: id } = target(call, muted_user_id);
      const muted = mutedBy(call);
      if (muted.some((each) => each.id === id)) throw new ApiError("User already muted");
      const theirs = rows(state.messages).filter((each) => each.sender_id === id && hasCopy(each, user.user_id));
      markRead(call, user, theirs);
      set(call, [...muted, { id, timestamp: call.now }]);
    },
  }),
  defineEndpoint("DELETE /users/me/muted_users/{muted_user_id}", {
    level: 48,
    params: {},
    handler(call, { muted_user_id }) {
      const { user_id: id } = target(call, muted_user_id);
      const muted = mutedBy(call);
      if (!muted.some((each) => each.id === id)) throw new ApiError("User is not muted");
      set(
        call,
        muted.filter((each) => each.id !== id),
      );
    },
  }),
];
