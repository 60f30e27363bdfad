import { createHash } from "node:crypto";
import { defined } from "../../model/defined.ts";
import { accessibleChannel, isAdmin, isModerator, mayInChannel } from "../access.ts";
import { attachmentObject } from "../attachments.ts";
import type { Call } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, expectationMismatch } from "../errors.ts";
import { bool, int, json, optional, text, withDefault, word } from "../params.ts";
import { strippedEnd } from "../python.ts";
import type { Channel } from "../rows/channels.ts";
import type { Message } from "../rows/messages.ts";
import {
  channelOf,
  checkMayCreateTopic,
  checkSendPermission,
  destinationOf,
  limitSeconds,
  mayByRealm,
  messageFor,
  seesHistory,
  seesMessage,
} from "./access.ts";
import { applyEdit } from "./move.ts";
import { checkMentions, mentionsIn } from "./post.ts";
import { type Edit, type Move, normalizedContent, topicParams, topicSent } from "./posting.ts";
import {
  checkTopicCharacters,
  checkTopicDemanded,
  displayNameToEmpty,
  editsMindPolicies,
  emptyTopicName,
  emptyTopicRefused,
  looksEmpty,
  messagesInTopic,
  namedTopicRefused,
  RESOLVED_PREFIX,
  topicsPolicy,
  truncateTopic,
} from "./topics.ts";
import { isWidget } from "./widgets.ts";

/** PATCH /messages/{message_id} (api.md operation 1, zulip-api.md §16.1–§16.7). */

/** Extra time, so that people can finish an edit that they began before the limit. */
const GRACE_SECONDS = 20;

interface Request {
  readonly stream_id: number | undefined;
  /** The new topic; undefined if none was sent, or if the message already has it. */
  readonly topic: string | undefined;
  readonly propagate_mode: Edit["propagateMode"];
  readonly content: string | undefined;
  readonly prev_content_sha256: string | undefined;
}

export const editEndpoints = [
  defineEndpoint("PATCH /messages/{message_id}", {
    params: {
      content: optional(text()),
      prev_content_sha256: optional(text(), { level: 379 }),
      propagate_mode: withDefault(word("change_later", "change_one", "change_all"), "change_one"),
      send_notification_to_new_thread: withDefault(json(bool), true),
      send_notification_to_old_thread: withDefault(json(bool), false),
      stream_id: optional(json(int({ min: 0 }))),
      ...topicParams,
    },
    handler(call, args) {
      const { state, level } = call;
      const sent = topicSent(args);
      const message = messageFor(call, args.message_id, "modify");
      if (args.content !== undefined) checkMayEditContent(call, message, GRACE_SECONDS);
      const topic = sent === undefined ? undefined : displayNameToEmpty(call, sent);
      // Direct messages have no topic; this differs from the empty topic.
      const isSame = message.channel_id !== null && topic === message.topic;
      // Below 509, a message that is sent to its own channel counts as moved.
      const stays = level >= 509 && args.stream_id === message.channel_id;
      const request: Request = {
        stream_id: stays ? undefined : args.stream_id,
        topic: isSame ? undefined : topic,
        propagate_mode: args.propagate_mode,
        content: args.content,
        prev_content_sha256: args.prev_content_sha256,
      };
      checkRequest(call, message, request);
      const edit = editOf(call, message, request);
      if (edit.move !== undefined) checkMayRename(call, message, edit.move, request);
      if (edit.content !== undefined) {
        const sender = state.users[message.sender_id] ?? call.user;
        checkMentions(call, sender, destinationOf(call, message), mentionsIn(call, edit.content));
      }
      if (edit.move !== undefined) checkMayMove(call, message, edit.move, request);
      const detached = applyEdit(call, message, edit, {
        noticeInOld: args.send_notification_to_old_thread,
        noticeInNew: args.send_notification_to_new_thread,
      });
      return defined({
        detached_uploads: level >= 285 ? detached.map((each) => attachmentObject(state, each, level)) : undefined,
      });
    },
  }),
];

/** @throws ApiError; also applies to requests that only report typing */
export function checkMayEditContent(call: Call, message: Message, graceSeconds: number): void {
  const { state, user } = call;
  if (state.realm.allow_message_editing !== true)
    throw new ApiError("Your organization has turned off message editing");
  if (message.sender_id !== user.user_id) throw notYours();
  if (isTooOld(call, message, "message_content_edit_limit_seconds", graceSeconds))
    throw new ApiError("The time limit for editing this message has passed");
}
const notYours = (): ApiError => new ApiError("You don't have permission to edit this message");

function isTooOld(call: Call, message: Message, setting: string, graceSeconds: number): boolean {
  const limit = limitSeconds(call.state, setting);
  return limit !== null && call.now - message.timestamp > limit + graceSeconds;
}

/** Checks that the request is valid at all, without checking rights. */
function checkRequest(call: Call, message: Message, request: Request): void {
  const { stream_id, topic, content, propagate_mode } = request;
  if (topic === undefined && content === undefined && stream_id === undefined) throw new ApiError("Nothing to change");
  if (message.channel_id === null) {
    if (stream_id !== undefined) throw new ApiError("Direct messages cannot be moved to channels.");
    if (topic !== undefined) throw new ApiError("Direct messages cannot have topics.");
  }
  if (propagate_mode !== "change_one" && topic === undefined && stream_id === undefined)
    throw new ApiError("Invalid propagate_mode without topic edit");
  if (topic !== undefined) checkTopicDemanded(call, topic);
  if (topic === RESOLVED_PREFIX.trim() || topic === RESOLVED_PREFIX + emptyTopicName(call.state))
    throw new ApiError("General chat cannot be marked as resolved");
  if (topic !== undefined) checkTopicCharacters(call, topic);
  if (stream_id !== undefined && content !== undefined)
    throw new ApiError("Cannot change message content while changing channel");
  if (content !== undefined && isWidget(message)) throw new ApiError("Widgets cannot be edited.");
  const { prev_content_sha256: expected } = request;
  if (expected !== undefined && expected !== createHash("sha256").update(message.content).digest("hex"))
    throw expectationMismatch("prev_content_sha256");
}

function editOf(call: Call, message: Message, request: Request): Edit {
  const content = request.content === undefined ? undefined : newContent(request.content);
  const { propagate_mode: propagateMode } = request;
  if (message.channel_id === null) return { content, move: undefined, propagateMode };
  const { state } = call;
  const from = channelOf(state, message);
  const after = request.topic === undefined ? message.topic : truncateTopic(request.topic);
  const isResolved =
    request.topic !== undefined &&
    after.startsWith(RESOLVED_PREFIX) &&
    !message.topic.startsWith(RESOLVED_PREFIX) &&
    request.topic.slice(RESOLVED_PREFIX.length) === message.topic;
  const isUnresolved =
    request.topic !== undefined &&
    message.topic.startsWith(RESOLVED_PREFIX) &&
    !after.startsWith(RESOLVED_PREFIX) &&
    // Removes all leading check marks, however many there are.
    message.topic.replace(/^[✔ ]+/, "") === after;
  const to = request.stream_id === undefined ? from : accessibleChannel(call, request.stream_id, "content");
  const topicChanged = request.topic !== undefined;
  const channelChanged = request.stream_id !== undefined;
  const policy = topicsPolicy(state, to);
  if (editsMindPolicies(call.level)) {
    if (looksEmpty(after) && (topicChanged || channelChanged) && policy === "disable_empty_topic")
      throw emptyTopicRefused(call);
    if (policy === "empty_topic_only" && !looksEmpty(after)) throw namedTopicRefused(state);
  }
  const move: Move = { from, to, before: message.topic, after, topicChanged, channelChanged, isResolved, isUnresolved };
  return { content, move: topicChanged || channelChanged ? move : undefined, propagateMode };
}
const newContent = (sent: string): string => normalizedContent(strippedEnd(sent) === "" ? "(deleted)" : sent);

/** @throws ApiError if the user may not give the message this topic */
function checkMayRename(call: Call, message: Message, move: Move, request: Request): void {
  if (!move.topicChanged) return;
  const { state, user } = call;
  if (move.isResolved || move.isUnresolved) {
    // Below 367, resolving a topic counted as moving between topics.
    const setting = call.level >= 367 ? "can_resolve_topics_group" : "can_move_messages_between_topics_group";
    const inChannel = (channel: Channel) => mayInChannel(state, user, channel, "can_resolve_topics_group");
    if (!mayByRealm(state, user, setting) && !inChannel(move.from) && !inChannel(move.to))
      throw new ApiError("You don't have permission to resolve topics in this channel.");
    return;
  }
  const within = (channel: Channel) =>
    mayInChannel(state, user, channel, "can_administer_channel_group") ||
    mayInChannel(state, user, channel, "can_move_messages_within_channel_group");
  const may =
    isAdmin(user) ||
    mayByRealm(state, user, "can_move_messages_between_topics_group") ||
    within(move.from) ||
    within(move.to);
  if (!may) throw notYours();
  if (isTooOldToMove(call, message, { move, request }, "move_messages_within_stream_limit_seconds"))
    throw new ApiError("The time limit for editing this message's topic has passed.");
}

/** @throws ApiError if the user may not move the message, or one of the messages that move with it */
function checkMayMove(call: Call, message: Message, move: Move, request: Request): void {
  const { state, user } = call;
  if (move.channelChanged) {
    const may =
      isAdmin(user) ||
      mayByRealm(state, user, "can_move_messages_between_channels_group") ||
      mayInChannel(state, user, move.from, "can_administer_channel_group") ||
      mayInChannel(state, user, move.from, "can_move_messages_out_of_channel_group");
    if (!may) throw new ApiError("You don't have permission to move this message");
    checkSendPermission(call, user, move.to, false);
    if (isTooOldToMove(call, message, { move, request }, "move_messages_between_streams_limit_seconds"))
      throw new ApiError("The time limit for editing this message's channel has passed");
  }
  // Resolving renames the topic; it is neither a move nor the start of a topic.
  if (move.isResolved || move.isUnresolved) return;
  if (request.propagate_mode === "change_all" && !isModerator(user)) checkAgeOfTopic(call, move);
  checkMayCreateTopic(call, user, move.to, move.after);
}

/** From 505 on, the limit of a whole topic is told instead, if it has a message that is recent enough. */
function isTooOldToMove(
  call: Call,
  message: Message,
  { move, request }: { readonly move: Move; readonly request: Request },
  setting: string,
): boolean {
  if (isModerator(call.user) || !isTooOld(call, message, setting, GRACE_SECONDS)) return false;
  if (call.level < 505 || request.propagate_mode !== "change_all") return true;
  return messagesSeen(call, move).every((each) => isTooOld(call, each, setting, GRACE_SECONDS));
}

/** The messages of the topic that the mover sees. */
function messagesSeen({ state, user }: Call, move: Move): readonly Message[] {
  const all = messagesInTopic(state, move.from.stream_id, move.before);
  return seesHistory(state, user, move.from) ? all : all.filter((message) => seesMessage(state, user, message));
}

/** A whole topic may move only if all of its messages that the mover sees are recent enough. @throws ApiError */
function checkAgeOfTopic(call: Call, move: Move): void {
  const { state } = call;
  const limits = [
    move.topicChanged ? limitSeconds(state, "move_messages_within_stream_limit_seconds") : null,
    move.channelChanged ? limitSeconds(state, "move_messages_between_streams_limit_seconds") : null,
  ].filter((limit) => limit !== null);
  if (limits.length === 0) return;
  const deadline = Math.min(...limits) + GRACE_SECONDS;
  const seen = messagesSeen(call, move);
  const young = seen.filter((message) => call.now - message.timestamp <= deadline);
  if (young.length === seen.length) return;
  throw new ApiError(
    `You only have permission to move the ${young.length}/${seen.length} most recent messages in this topic.`,
    {
      code: "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
      extra: {
        first_message_id_allowed_to_move: young[0]?.id ?? null,
        total_messages_in_topic: seen.length,
        total_messages_allowed_to_move: young.length,
      },
    },
  );
}
