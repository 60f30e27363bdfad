import { defined } from "../../model/defined.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { User } from "../rows/accounts.ts";
import type { Message } from "../rows/messages.ts";
import type { RealmState } from "../state.ts";
import { seenBy, shownPicture } from "../users/shown.ts";
import { topicLinks } from "./links.ts";
import { isStatusMessage, type Move } from "./posting.ts";
import { isResolveToggle, shownTopic } from "./topics.ts";

/** A message as clients get it: GET /messages, message events, outgoing webhooks (api.md, Message object). */

/** The part of the server's URL that identifies the realm; the API shows it nowhere else. */
const REALM_SUBDOMAIN = "zulip";
const SYSTEM_SUBDOMAIN = "zulipinternal";

interface MessageView {
  /** The viewer; it determines the other side of a direct message. */
  readonly viewerId: number;
  readonly level: number;
  /** Whether `content` is HTML rather than Markdown. */
  readonly applyMarkdown: boolean;
  /** Whether null may replace the URL of an avatar that the client can compute. */
  readonly clientGravatar: boolean;
  /** Whether the empty topic is shown as it is, rather than under its display name. */
  readonly allowEmptyTopicName: boolean;
}

/** Everything except `flags`, which belong to the viewer's copy. */
export function messageObject(state: RealmState, message: Message, view: MessageView): JsonObject {
  const sender = state.users[message.sender_id];
  if (sender === undefined) throw new Error(`message ${message.id} has no sender`);
  const isChannel = message.channel_id !== null;
  const history = visibleHistory(state, message)?.map((entry) => withShownTopics(state, entry, view));
  const shown = seenBy(state, state.users[view.viewerId], sender);
  return defined({
    id: message.id,
    sender_id: message.sender_id,
    content: view.applyMarkdown ? message.rendered_content : message.content,
    recipient_id: recipientId(state, message, view.viewerId),
    timestamp: message.timestamp,
    client: message.client,
    subject: isChannel ? shownTopic(state, message.topic, view.allowEmptyTopicName) : "",
    topic_links: topicLinks(state, message.topic),
    ...editTimes(message, view.level),
    edit_history: history,
    is_me_message: isStatusMessage(message.content),
    reactions: [...message.reactions],
    submessages: [...(message.submessages ?? [])],
    sender_full_name: shown.full_name,
    sender_email: shown.email,
    sender_realm_str: sender.is_system_bot ? SYSTEM_SUBDOMAIN : REALM_SUBDOMAIN,
    display_recipient: displayRecipient(state, message),
    type: isChannel ? "stream" : "private",
    stream_id: message.channel_id ?? undefined,
    avatar_url: shownPicture(state, shown, view.clientGravatar),
    content_type: view.applyMarkdown ? "text/html" : "text/x-markdown",
  });
}

/** Former topics are shown in the same way as the current one. */
const withShownTopics = (state: RealmState, entry: JsonObject, view: MessageView): JsonObject => ({
  ...entry,
  ...defined({
    topic: typeof entry.topic === "string" ? shownTopic(state, entry.topic, view.allowEmptyTopicName) : undefined,
    prev_topic:
      typeof entry.prev_topic === "string" ? shownTopic(state, entry.prev_topic, view.allowEmptyTopicName) : undefined,
  }),
});

/** Moves count as edits below level 365; adding or removing a check mark is not a move. */
function editTimes(message: Message, level: number): { readonly [key: string]: Json | undefined } {
  const { last_edit_timestamp: edited, last_moved_timestamp: moved } = message;
  if (level >= 365) return { last_edit_timestamp: edited ?? undefined, last_moved_timestamp: moved ?? undefined };
  const newest = message.edit_history[0]?.timestamp;
  return { last_edit_timestamp: newest };
}
/** Whether a change counts for `last_moved_timestamp`, which resolving and unresolving do not change. */
export function countsAsMove(change: Pick<Move, "channelChanged" | "topicChanged" | "before" | "after">): boolean {
  return change.channelChanged || (change.topicChanged && !isResolveToggle(change.before, change.after));
}

/** Newest first; the realm's policy decides what people see of it. undefined: there was no edit, or nobody may see it. */
function visibleHistory(state: RealmState, message: Message): JsonObject[] | undefined {
  const policy = state.realm.message_edit_history_visibility_policy;
  if (policy === "none" || message.edit_history.length === 0) return undefined;
  if (policy !== "moves") return [...message.edit_history];
  return message.edit_history.filter(isMove).map(withoutContent);
}
export const isMove = (entry: JsonObject): boolean => "prev_topic" in entry || "prev_stream" in entry;
/** An entry without the former content and the difference from it. */
export function withoutContent(entry: JsonObject): JsonObject {
  const { prev_content: _, prev_rendered_content: __, content_html_diff: ___, ...others } = entry;
  return others;
}

/** A number for each set of receivers. In a direct message, each side gets the number of the other. */
function recipientId(state: RealmState, message: Message, viewerId: number): number {
  if (message.channel_id !== null) return message.channel_id * 3;
  if (message.to.length <= 2) {
    const other = message.to.find((id) => id !== viewerId) ?? viewerId;
    return (
      (message.to.includes(viewerId) ? other : (message.to.find((id) => id !== message.sender_id) ?? other)) * 3 + 1
    );
  }
  const key = message.to.join(",");
  const first = Object.values(state.direct_message_groups).findIndex((people) => people.join(",") === key);
  return first * 3 + 2;
}

function displayRecipient(state: RealmState, message: Message): Json {
  if (message.channel_id !== null) return state.channels[message.channel_id]?.name ?? "";
  const people = message.to.flatMap((id) => {
    const user = state.users[id];
    return user === undefined ? [] : [user];
  });
  const order = people.length > 2 ? (user: User) => user.user_id : (user: User) => user.email;
  return [...people]
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .map((user) => ({ id: user.user_id, email: user.email, full_name: user.full_name, is_mirror_dummy: false }));
}
