import { CHANNEL_PERMISSIONS } from "../../model/permission-settings.ts";
import { id, type Operation, read, write } from "../operation.ts";
import {
  flag,
  group,
  groupUpdate,
  integer,
  integerOrNull,
  integerOrWord,
  integers,
  jsonWord,
  list,
  type ParamSpec,
  people,
  required,
  text,
  texts,
  word,
} from "../param.ts";
import { rights } from "./rights.ts";

const TOPICS_POLICIES = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"];

/** Parameters of both ways to create a channel. The value of the policy is JSON text here and raw text in PATCH. */
const creation: { readonly [name: string]: ParamSpec } = {
  invite_only: flag("private"),
  is_web_public: flag("readable without an account"),
  is_default_stream: flag("new accounts are subscribed; organization administrators only", { level: 200 }),
  history_public_to_subscribers: flag("subscribers see what was written before they came"),
  message_retention_days: integerOrWord(["realm_default", "unlimited"], "days until messages are deleted; owners only"),
  topics_policy: jsonWord(TOPICS_POLICIES, "whether messages need a topic", { level: 392 }),
  folder_id: integer("its folder", { level: 389 }),
  default_push_notifications: flag("new subscribers get notifications on phones; administrators only", { level: 507 }),
  announce: flag("the notification bot announces it"),
  ...rights(CHANNEL_PERMISSIONS, group),
};

export const CHANNEL_OPERATIONS: readonly Operation[] = [
  read("get-streams", "GET /streams", {
    about: "Lists channels.",
    params: {
      include_public: flag("public channels (default true)"),
      include_web_public: flag("web-public channels"),
      include_subscribed: flag("the account's own channels (default true)"),
      exclude_archived: flag("without archived ones (default true)", { level: 315 }),
      include_all: flag("everything the account may know about", { level: 356 }),
      include_default: flag("marks default channels; does not widen the list"),
      include_owner_subscribed: flag("for a bot: its owner's channels too"),
      include_can_access_content: flag("channels whose content the account may see", { level: 356 }),
      include_all_active: flag("the older name of include_all; administrators only"),
    },
  }),
  read("get-stream-by-id", "GET /streams/{stream_id}", { about: "One channel.", level: 132 }),
  read("get-stream-id", "GET /get_stream_id", {
    about: "A channel's id by its name, in any case; not of archived channels.",
    params: { stream: required(text("the channel's name")) },
  }),
  write(
    "create-channel",
    "POST /channels/create",
    "guarded",
    "look the channel up by name; it is this call's when creator_id and date_created say so",
    {
      about: "Creates one channel. Drops three of its permission settings (levels 417 to at least 509).",
      level: 417,
      params: {
        name: required(text("at most 60 characters")),
        subscribers: required(integers("user ids; the caller only if listed; may be empty")),
        description: text("at most 1,024 characters, Markdown"),
        ...creation,
      },
    },
  ),
  write(
    "update-stream",
    "PATCH /streams/{stream_id}",
    "guarded",
    "re-read the channel and send only what still differs",
    {
      about: "Changes a channel, one part after the other: what precedes a refusal stays.",
      params: {
        description: text("at most 1,024 characters, Markdown"),
        new_name: text("at most 60 characters"),
        is_private: flag("private"),
        is_web_public: flag("readable without an account", { level: 98 }),
        history_public_to_subscribers: flag("subscribers see what was written before they came"),
        is_default_stream: flag("new accounts are subscribed; organization administrators only", { level: 200 }),
        message_retention_days: integerOrWord(
          ["realm_default", "unlimited"],
          "days until messages are deleted; owners only",
        ),
        is_archived: flag("only false does something: it unarchives", { level: 388 }),
        folder_id: integerOrNull("its folder; null removes it from the folder", { level: 389 }),
        topics_policy: word(TOPICS_POLICIES, "whether messages need a topic", { level: 392 }),
        default_push_notifications: flag("new subscribers get notifications on phones; administrators only", {
          level: 507,
        }),
        ...rights(CHANNEL_PERMISSIONS, groupUpdate),
      },
    },
  ),
  write("archive-stream", "DELETE /streams/{stream_id}", "idempotent", "re-read the channel: is_archived", {
    about: "Archives a channel; its messages and subscriptions stay.",
  }),
  write("subscribe", "POST /users/me/subscriptions", "idempotent", "re-read channels and subscribers", {
    about:
      "Subscribes people, and creates the channels that do not exist yet. Existing channels, archived ones too, keep their settings silently.",
    params: {
      subscriptions: required(list('channels: [{"name":…,"description":…}]')),
      principals: people("whom to subscribe (default: the caller)"),
      ...creation,
      authorization_errors_fatal: flag("false: channels out of reach are reported, not fatal (default true)"),
      send_new_subscription_messages: flag("tell people who were added to existing channels (default true)", {
        level: 397,
      }),
    },
  }),
  write("unsubscribe", "DELETE /users/me/subscriptions", "idempotent", "re-read subscribers", {
    about: "Unsubscribes people. One unknown name fails the whole call.",
    params: {
      subscriptions: required(texts("channel names")),
      principals: people("whom to unsubscribe (default: the caller)"),
    },
  }),
  read("get-subscriptions", "GET /users/me/subscriptions", {
    about: "The account's own channels.",
    params: { include_subscribers: word(["true", "false", "partial"], "with subscriber lists") },
  }),
  read("get-subscribers", "GET /streams/{stream_id}/members", {
    about: "Who is subscribed to a channel; active people only. Of an archived channel from level 480 on.",
  }),
  read("get-subscription-status", "GET /users/{user_id}/subscriptions/{stream_id}", {
    about: "Is somebody subscribed to a channel?",
    level: 12,
  }),
  read("get-user-channels", "GET /users/{user_id}/channels", {
    about: "The channels somebody is subscribed to.",
    level: 440,
    path: { user_id: id("the person; a bot from level 458 on") },
  }),
  write("add-default-stream", "POST /default_streams", "idempotent", "re-read default channels", {
    about: "New accounts are subscribed to this channel from now on.",
    params: { stream_id: required(integer("a public channel that is not archived")) },
  }),
  write("remove-default-stream", "DELETE /default_streams", "idempotent", "re-read default channels", {
    about: "New accounts are no longer subscribed to this channel.",
    params: { stream_id: required(integer("the channel")) },
  }),
  read("get-channel-folders", "GET /channel_folders", {
    about: "Lists channel folders.",
    level: 389,
    params: { include_archived: flag("archived ones too") },
  }),
  write("create-channel-folder", "POST /channel_folders/create", "guarded", "look for an active folder of that name", {
    about: "Creates a channel folder; it goes last.",
    level: 389,
    params: {
      name: required(text("at most 60 characters; unique among active folders")),
      description: required(text("at most 1,024 characters; may be empty")),
    },
  }),
  write("update-channel-folder", "PATCH /channel_folders/{channel_folder_id}", "idempotent", "re-read folders", {
    about: "Changes, archives or unarchives a channel folder. Not atomic.",
    level: 389,
    params: {
      name: text("at most 60 characters; its own name in other case is refused"),
      description: text("at most 1,024 characters"),
      is_archived: flag("archived; only if it contains no channel"),
    },
  }),
  write("patch-channel-folders", "PATCH /channel_folders", "idempotent", "re-read folders", {
    about: "Puts channel folders in order.",
    level: 414,
    params: { order: required(integers("every folder id, archived ones included")) },
  }),
];
