import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { settingOf } from "../state.ts";
import { messageFor } from "./access.ts";
import { storedFlags } from "./flags.ts";

/** The people who have read a message and share this. The sender is never listed, nor is anybody who muted the viewer or whom the viewer muted. */
export const receiptEndpoints = [
  defineEndpoint("GET /messages/{message_id}/read_receipts", {
    level: 137,
    handler(call, { message_id }) {
      const { state, user } = call;
      const message = messageFor(call, message_id, "read");
      if (state.realm.enable_read_receipts !== true)
        throw new ApiError("Read receipts are disabled in this organization.");
      const mutes = (one: number, other: number) => (state.muted_users[one] ?? []).some(({ id }) => id === other);
      const user_ids = message.received_by.filter((id) => {
        const reader = state.users[id];
        if (
          reader?.is_active !== true ||
          id === message.sender_id ||
          mutes(id, user.user_id) ||
          mutes(user.user_id, id)
        )
          return false;
        return settingOf(state, reader, "send_read_receipts") === true && storedFlags(message, id).includes("read");
      });
      return { user_ids };
    },
  }),
];
