import type { Message } from "../../src/sandbox/rows/messages.ts";

/** A message that somebody wrote in a channel, for those who try what they may do with it. */
export const channelMessage = (
  message: Pick<Message, "id" | "sender_id" | "channel_id" | "topic" | "received_by" | "timestamp">,
): Message => ({
  ...message,
  type: "channel",
  to: [],
  content: "x",
  rendered_content: "<p>x</p>",
  last_edit_timestamp: null,
  last_moved_timestamp: null,
  edit_history: [],
  client: "test",
  flags: {},
  reactions: [],
  has_attachment: false,
});

const madeChannel = (isPrivate: boolean) => ({
  path: "/channels/create",
  params: { name: "brand new", subscribers: "[]", invite_only: String(isPrivate) },
});

/** A POST that shows who has a right in the organization. */
export const ORGANIZATION_REQUESTS: {
  readonly [right: string]: { readonly path: string; readonly params: { readonly [name: string]: string } };
} = {
  can_invite_users_group: {
    path: "/invites",
    params: { invitee_emails: "new@acme.example", stream_ids: "[]", invite_expires_in_minutes: "1000" },
  },
  create_multiuse_invite_group: { path: "/invites/multiuse", params: { stream_ids: "[]" } },
  can_create_public_channel_group: madeChannel(false),
  can_create_private_channel_group: madeChannel(true),
  can_create_groups: { path: "/user_groups/create", params: { name: "brand new", description: "", members: "[]" } },
  can_create_bots_group: {
    path: "/bots",
    params: { full_name: "Brand New", short_name: "brand-new", bot_type: "1" },
  },
};
