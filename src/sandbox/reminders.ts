import type { JsonObject } from "../model/json.ts";
import { type Call, only } from "./call.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError, notFound } from "./errors.ts";
import { messageFor, seesMessage } from "./messages/access.ts";
import { messageUrl, silentMention, topicLink } from "./messages/links.ts";
import { rendered } from "./messages/markdown.ts";
import { postDirectNotice } from "./messages/post.ts";
import { MAX_CONTENT_LENGTH, truncated } from "./messages/posting.ts";
import { codePoints, int, json, optional, required, text } from "./params.ts";
import { strippedEnd } from "./python.ts";
import type { User } from "./rows/accounts.ts";
import type { Message, Reminder } from "./rows/messages.ts";
import { rows } from "./rows/values.ts";
import { checkInFuture } from "./scheduled.ts";
import type { RealmState } from "./state.ts";

/** Reminders of messages (api.md operation 17, zulip-api.md §16.15). They share an id space with scheduled messages. */

const MAX_NOTE_LENGTH = 1000;

/** @throws ApiError if the note is too long */
function normalizedNote(sent: string): string {
  const note = strippedEnd(sent).replace(/^\n+/, "");
  if (codePoints(note) > MAX_NOTE_LENGTH)
    throw new ApiError(`Maximum reminder note length: ${MAX_NOTE_LENGTH} characters`);
  if (note.includes("\0")) throw new ApiError("Message must not contain null bytes");
  return note;
}

/** The text that the Notification Bot will send. */
function contentOf(call: Call, message: Message, note: string): string {
  const { state, server } = call;
  const channel = message.channel_id === null ? undefined : state.channels[message.channel_id];
  const sender = state.users[message.sender_id];
  const what =
    channel === undefined ? "the following direct message" : topicLink(state, channel, message.topic, message.id);
  const head = `You requested a reminder for ${what}.${note === "" ? "" : ` Note:\n > ${note}`}`;
  const by = sender === undefined ? "" : silentMention(sender);
  const url = messageUrl(server.url, state, message);
  const [command] = /^\/(poll|todo)/.exec(message.content) ?? [];
  if (command !== undefined) return `${head}\n\n${by} [sent](${url}) a ${command === "/poll" ? "poll" : "todo list"}.`;
  const said = `${head}\n\n${by} [said](${url}):\n`;
  const fence = unusedFence(said);
  const room = MAX_CONTENT_LENGTH - codePoints(`${said}${fence}quote\n\n${fence}`);
  return `${said}${fence}quote\n${truncated(message.content, room)}\n${fence}`;
}
/** A row of backquotes that is longer than any in the text. */
function unusedFence(content: string): string {
  const longest = [...content.matchAll(/^ {0,3}(`{3,})/gm)].reduce(
    (max, [, run = ""]) => Math.max(max, run.length + 1),
    3,
  );
  return "`".repeat(longest);
}

const shown = (reminder: Reminder): JsonObject => ({
  reminder_id: reminder.id,
  to: [reminder.user_id],
  type: "private",
  content: reminder.content,
  rendered_content: reminder.rendered_content,
  scheduled_delivery_timestamp: reminder.scheduled_delivery_timestamp,
  failed: reminder.failed,
  reminder_target_message_id: reminder.reminder_target_message_id,
});

/** The user's reminders, in the order in which they are due. */
export function shownReminders(state: RealmState, user: User): JsonObject[] {
  return rows(state.reminders)
    .filter((reminder) => reminder.user_id === user.user_id)
    .sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.id - b.id)
    .map(shown);
}

export const reminderEndpoints = [
  defineEndpoint("GET /reminders", {
    level: 399,
    params: {},
    handler: ({ state, user }) => ({ reminders: shownReminders(state, user) }),
  }),
  defineEndpoint("POST /reminders", {
    level: 381,
    params: {
      message_id: required(json(int())),
      note: optional(text(), { level: 415 }),
      scheduled_delivery_timestamp: required(json(int())),
    },
    handler(call, { message_id, scheduled_delivery_timestamp, note: sent }) {
      const { state, ledger, user } = call;
      checkInFuture(call, scheduled_delivery_timestamp);
      const message = messageFor(call, message_id, "read");
      const note = normalizedNote(sent ?? "");
      const content = contentOf(call, message, note);
      const reminder: Reminder = {
        id: ledger.nextId("scheduled"),
        user_id: user.user_id,
        reminder_target_message_id: message_id,
        note,
        content,
        rendered_content: rendered(content, call),
        scheduled_delivery_timestamp,
        failed: false,
      };
      ledger.put(state.reminders, reminder.id, reminder);
      call.emit(only(user.user_id), { type: "reminders", op: "add", reminders: [shown(reminder)] });
      return { reminder_id: reminder.id };
    },
  }),
  defineEndpoint("DELETE /reminders/{reminder_id}", {
    level: 399,
    params: {},
    handler(call, { reminder_id }) {
      if (call.state.reminders[reminder_id]?.user_id !== call.user.user_id) throw notFound("Reminder does not exist");
      remove(call, call.user.user_id, reminder_id);
    },
  }),
];

function remove(call: Call, userId: number, reminderId: number): void {
  call.ledger.remove(call.state.reminders, reminderId);
  call.emit(only(userId), { type: "reminders", op: "remove", reminder_id: reminderId });
}

/** Sends the reminders that are due. Each shows the message as it is now, or as it was if the person can no longer see it. */
export function remindDue(call: Call): void {
  const { state } = call;
  for (const reminder of rows(state.reminders)) {
    if (reminder.scheduled_delivery_timestamp > call.now) continue;
    const user = state.users[reminder.user_id];
    const message = state.messages[reminder.reminder_target_message_id];
    const visible = user !== undefined && message !== undefined && seesMessage(state, user, message);
    if (user?.is_active === true)
      postDirectNotice(call, user.user_id, visible ? contentOf(call, message, reminder.note) : reminder.content);
    remove(call, reminder.user_id, reminder.id);
  }
}
