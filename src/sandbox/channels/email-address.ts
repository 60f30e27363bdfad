import { createHash } from "node:crypto";
import { accessibleChannel, isAdmin } from "../access.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { checkSendPermission } from "../messages/may-post.ts";
import { int, json, optional } from "../params.ts";

/** The channel's e-mail address: a secret of the caller, and of the account as which the mail would be posted. */
export const channelAddressEndpoints = [
  defineEndpoint("GET /streams/{stream_id}/email_address", {
    level: 226,
    params: { sender_id: optional(json(int({ min: 0 })), { level: 335 }) },
    handler(call, { stream_id, sender_id }) {
      const { state, user, server } = call;
      const channel = accessibleChannel(call, stream_id, "content");
      // In which words a server refuses this is not known.
      if (call.level >= 448) checkSendPermission(call, user, channel);
      const sender = sender_id === undefined ? undefined : state.users[sender_id];
      const isOwn = sender?.user_id === user.user_id;
      if (sender_id !== undefined && !isOwn && sender?.is_system_bot !== true) {
        if (sender?.is_bot !== true) throw new ApiError("No such bot");
        if (!isAdmin(user) && sender.bot_owner_id !== user.user_id) throw new ApiError("Insufficient permission");
      }
      const secret = `${server.keyOf(user.user_id)} ${stream_id} ${sender_id ?? ""}`;
      const token = createHash("sha256").update(secret).digest("hex").slice(0, 32);
      const name = slug(channel.name);
      return { email: `${name === "" ? "" : `${name}.`}${token}.show-sender@${new URL(server.url).hostname}` };
    },
  }),
];

/** Names that cannot be written in plain letters are omitted. */
function slug(name: string): string {
  const hyphened = name.replace(/[^\p{L}\p{N}_]+/gu, "-");
  const plain = hyphened
    .normalize("NFKD")
    .replace(/[^\x20-\x7e]/g, "")
    .toLowerCase()
    .replace(/^[-_]+|[-_]+$/g, "");
  return [...plain].length === [...hyphened].length ? plain : "";
}
