import { type Operation, read, write } from "../operation.ts";
import {
  flag,
  integer,
  integerOrWord,
  integers,
  list,
  object,
  recipients,
  required,
  text,
  texts,
  word,
} from "../param.ts";

const draftFields = '{"type":"stream"|"private"|"","to":[…],"topic":…,"content":…,"timestamp":…}';

const SERVER_OPERATIONS: readonly Operation[] = [
  read("get-server-settings", "GET /server_settings", {
    about: "What the server is: version, feature level, realm. Needs no account.",
  }),
  // The request leaves a queue that ends by itself after ten minutes: asking again is harmless.
  read("register-queue", "POST /register", {
    about: "Opens an event queue and answers with the state of the realm.",
    params: {
      fetch_event_types: texts("which state (default: as event_types)"),
      event_types: texts("which events the queue receives later (default: all)"),
      apply_markdown: flag("message content as HTML"),
      client_gravatar: flag("leave out avatar addresses that a client can compute"),
      include_subscribers: word(["true", "false", "partial"], "with subscriber lists"),
      client_capabilities: object("what the client understands; needs notification_settings_null"),
      narrow: list("which messages"),
      slim_presence: flag("the shorter form of presence"),
      presence_history_limit_days: integer("how far back presence goes", { level: 288 }),
      all_public_streams: flag("messages of every public channel"),
      idle_queue_timeout: integerOrWord(["mobile"], "seconds until an unread queue ends", { level: 481 }),
    },
  }),
  read("get-events", "GET /events", {
    about: "Waits for events of a queue, up to 90 seconds.",
    params: {
      queue_id: required(text("the queue")),
      last_event_id: required(integer("the last event seen; −1 at first")),
      dont_block: flag("answer at once"),
    },
  }),
  write("delete-queue", "DELETE /events", "guarded", "nothing to do: a queue ends by itself", {
    about: "Ends an event queue.",
    params: { queue_id: required(text("the queue")) },
  }),
];

const MESSAGE_OPERATIONS: readonly Operation[] = [
  read("get-messages", "GET /messages", {
    about: "Messages around an anchor.",
    params: {
      anchor: text("a message's id, newest, oldest or first_unread"),
      num_before: required(integer("how many before it")),
      num_after: required(integer("how many after it")),
      include_anchor: flag("with the anchor itself (default true)", { level: 155 }),
      narrow: list('which messages: [{"operator":…,"operand":…}]'),
      client_gravatar: flag("leave out avatar addresses that a client can compute"),
      apply_markdown: flag("content as HTML (default true)"),
      allow_empty_topic_name: flag("the empty topic as such", { level: 334 }),
      message_ids: integers("only these", { level: 300 }),
    },
  }),
  read("get-message", "GET /messages/{message_id}", {
    about: "One message.",
    params: {
      apply_markdown: flag("content as HTML (default true)"),
      allow_empty_topic_name: flag("the empty topic as such", { level: 334 }),
    },
  }),
  write("send-message", "POST /messages", "unsafe", "read the conversation; a repeat is a second message", {
    about: "Sends a message.",
    params: {
      type: required(word(["direct", "channel", "stream", "private"], "to people or to a channel")),
      to: required(recipients("a channel's id or name, or a list of user ids", { text: true })),
      content: required(text("Markdown")),
      topic: text("for channels"),
      read_by_sender: flag("mark it read", { level: 236 }),
    },
  }),
  write("update-message", "PATCH /messages/{message_id}", "guarded", "read the message", {
    about: "Edits, moves or re-titles a message.",
    params: {
      topic: text("the new topic"),
      subject: text("the older name of topic"),
      propagate_mode: word(["change_one", "change_later", "change_all"], "which messages move (default change_one)"),
      send_notification_to_old_thread: flag("leave a notice where it was"),
      send_notification_to_new_thread: flag("leave a notice where it is (default true)"),
      content: text("the new content"),
      prev_content_sha256: text("hash of the content to be replaced; refused when it is another", { level: 379 }),
      stream_id: integer("the channel to move to"),
    },
  }),
  write("delete-message", "DELETE /messages/{message_id}", "guarded", "read the message", {
    about: "Deletes a message.",
  }),
  write(
    "set-typing-status-for-message-edit",
    "POST /messages/{message_id}/typing",
    "idempotent",
    "nothing to do: it is forgotten in seconds",
    {
      about: "Tells others that a message is being edited.",
      level: 351,
      params: { op: required(word(["start", "stop"], "started or stopped")) },
    },
  ),
  write("mark-topic-as-read", "POST /mark_topic_as_read", "idempotent", "read the topic", {
    about: "Marks a topic as read; an empty topic_name marks the whole channel. Deprecated upstream.",
    params: { stream_id: required(integer("the channel")), topic_name: required(text("the topic")) },
  }),

  read("get-drafts", "GET /drafts", { about: "The account's drafts." }),
  write("create-drafts", "POST /drafts", "unsafe", "list drafts; a repeat makes them twice", {
    about: "Saves drafts.",
    params: { drafts: required(list(`[${draftFields}]`)) },
  }),
  write("edit-draft", "PATCH /drafts/{draft_id}", "idempotent", "list drafts", {
    about: "Replaces a draft.",
    params: { draft: required(object(draftFields)) },
  }),
  write("delete-draft", "DELETE /drafts/{draft_id}", "guarded", "list drafts", {
    about: "Deletes a draft.",
  }),

  read("get-scheduled-messages", "GET /scheduled_messages", { about: "The account's scheduled messages.", level: 173 }),
  write("create-scheduled-message", "POST /scheduled_messages", "unsafe", "list them; a repeat is a second one", {
    about: "Schedules a message.",
    level: 179,
    params: {
      type: required(word(["direct", "channel", "stream", "private"], "to people or to a channel")),
      to: required(recipients("a channel's id, or a list of user ids")),
      content: required(text("Markdown")),
      scheduled_delivery_timestamp: required(integer("UNIX seconds")),
      topic: text("for channels"),
      read_by_sender: flag("mark it read", { level: 236 }),
    },
  }),
  write(
    "update-scheduled-message",
    "PATCH /scheduled_messages/{scheduled_message_id}",
    "idempotent",
    "list scheduled messages",
    {
      about: "Changes a scheduled message.",
      level: 184,
      params: {
        type: word(["direct", "channel", "stream", "private"], "needs to, and topic for a channel"),
        to: recipients("a channel's id, or a list of user ids"),
        content: text("Markdown"),
        topic: text("for channels"),
        scheduled_delivery_timestamp: integer("UNIX seconds"),
      },
    },
  ),
  write("delete-scheduled-message", "DELETE /scheduled_messages/{scheduled_message_id}", "guarded", "list them", {
    about: "Deletes a scheduled message.",
    level: 173,
  }),

  read("get-reminders", "GET /reminders", { about: "The account's reminders.", level: 399 }),
  write("create-message-reminder", "POST /reminders", "unsafe", "list reminders; a repeat is a second one", {
    about: "Has the notification bot remind the account of a message.",
    level: 381,
    params: {
      message_id: required(integer("the message")),
      scheduled_delivery_timestamp: required(integer("UNIX seconds")),
      note: text("at most 1,000 characters", { level: 415 }),
    },
  }),
  write("delete-reminder", "DELETE /reminders/{reminder_id}", "guarded", "list reminders", {
    about: "Deletes a reminder.",
    level: 399,
  }),

  read("get-attachments", "GET /attachments", { about: "The account's uploaded files." }),
  write("remove-attachment", "DELETE /attachments/{attachment_id}", "guarded", "list attachments", {
    about: "Deletes an uploaded file.",
  }),

  {
    name: "zulip-outgoing-webhooks",
    method: "POST",
    template: "/service-outgoing-webhook",
    level: 0,
    about: "What the server sends to an outgoing-webhook bot's own address. Described here, never sent by realmctl.",
    path: {},
    params: {
      bot_email: required(text("the bot")),
      bot_full_name: required(text("the bot")),
      data: required(text("the message's content, Markdown")),
      trigger: required(text("direct_message, mention, …")),
      token: required(text("proves that the server sent it", { secret: true })),
      message: required(object("the message as GET /messages shows it")),
    },
    repeat: "unsafe",
    recovery: "the server's business",
    sentBy: "server",
  },
];

export const MESSAGE_AND_SERVER_OPERATIONS: readonly Operation[] = [...SERVER_OPERATIONS, ...MESSAGE_OPERATIONS];
