import { subscribersOf } from "./access.ts";
import type { Message } from "./rows/messages.ts";
import { rows } from "./rows/values.ts";
import type { RealmState } from "./state.ts";

const TEXT = "This is a sandbox. It was made from a snapshot, which holds no messages: this is the first one.";

/** A snapshot has no messages, and clients that were written for real organizations expect one: the public channel with most subscribers gets it. */
export function withWelcome(state: RealmState, takenAt: string): RealmState {
  const [channel] = rows(state.channels)
    .filter(({ invite_only, is_archived }) => !invite_only && !is_archived)
    .map((each) => ({ ...each, subscribers: subscribersOf(state, each.stream_id) }))
    .sort((a, b) => b.subscribers.length - a.subscribers.length);
  const sender = rows(state.users).find(({ is_system_bot }) => is_system_bot) ?? rows(state.users)[0];
  if (channel === undefined || sender === undefined || rows(state.messages).length > 0) return state;
  const id = state.next_id.message;
  const message: Message = {
    id,
    sender_id: sender.user_id,
    type: "channel",
    channel_id: channel.stream_id,
    to: [],
    topic: "",
    content: TEXT,
    rendered_content: `<p>${TEXT}</p>`,
    timestamp: Math.floor(Date.parse(takenAt) / 1000) || 0,
    last_edit_timestamp: null,
    last_moved_timestamp: null,
    edit_history: [],
    client: "Internal",
    received_by: channel.subscribers,
    flags: {},
    reactions: [],
    has_attachment: false,
  };
  return { ...state, messages: { [id]: message }, next_id: { ...state.next_id, message: id + 1 } };
}
