import { channelWithContentAccess } from "../access.ts";
import type { Call } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { bool, int, json, list, required, text, withDefault } from "../params.ts";
import { type Message, rows } from "../state.ts";
import { hasCopy, seesMessage } from "./access.ts";
import { matching } from "./fetch.ts";
import { changeFlag, FLAGS, type Flag, storedFlags } from "./flags.ts";
import { term } from "./narrow.ts";
import { displayNameToEmpty, sameTopic } from "./topics.ts";

/** Flags of the caller's own copies (api.md operation 11, zulip-api.md §16.14). */

/** All other flags the server alone sets. */
const EDITABLE: ReadonlySet<string> = new Set(["read", "starred", "collapsed"]);
const HIDDEN: ReadonlySet<string> = new Set(["is_private", "active_mobile_push_notification"]);
/** @throws ApiError; the flag is looked at before the operation */
function editableFlag(flag: string): Flag {
  const known = FLAGS.find((each) => each === flag);
  if (known === undefined && !HIDDEN.has(flag)) throw new ApiError(`Invalid flag: '${flag}'`);
  if (known === undefined || !EDITABLE.has(known)) throw new ApiError(`Flag not editable: '${flag}'`);
  return known;
}
function isAdding(op: string): boolean {
  if (op !== "add" && op !== "remove") throw new ApiError(`Invalid message flag operation: '${op}'`);
  return op === "add";
}

const unread = (call: Call, belongs: (message: Message) => boolean): Message[] => {
  const { user_id } = call.user;
  return rows(call.state.messages).filter(
    (message) => hasCopy(message, user_id) && !storedFlags(message, user_id).includes("read") && belongs(message),
  );
};

export const markReadEndpoints = [
  defineEndpoint({
    method: "POST",
    path: "/mark_all_as_read",
    reportsIgnored: false,
    params: {},
    handler(call) {
      changeFlag(
        call,
        call.user.user_id,
        unread(call, () => true),
        "read",
        true,
      );
      return call.level >= 211 ? { complete: true } : {};
    },
  }),
  defineEndpoint({
    method: "POST",
    path: "/mark_stream_as_read",
    params: { stream_id: required(json(int())) },
    handler(call, { stream_id }) {
      const channel = channelWithContentAccess(call.state, call.user, stream_id);
      if (channel.is_archived) throw new ApiError("Invalid channel ID");
      changeFlag(
        call,
        call.user.user_id,
        unread(call, (message) => message.channel_id === stream_id),
        "read",
        true,
      );
      return {};
    },
  }),
  defineEndpoint({
    method: "POST",
    path: "/mark_topic_as_read",
    params: { stream_id: required(json(int())), topic_name: required(text()) },
    handler(call, { stream_id, topic_name }) {
      const { state, user } = call;
      if (channelWithContentAccess(state, user, stream_id).is_archived) throw new ApiError("Invalid channel ID");
      const topic = displayNameToEmpty(call, topic_name);
      if (topic !== "") {
        const exists = rows(state.messages).some(
          (message) =>
            message.channel_id === stream_id && sameTopic(message.topic, topic) && hasCopy(message, user.user_id),
        );
        if (!exists) throw new ApiError(`No such topic '${topic}'`);
      }
      // The empty name is taken for no name at all: the whole channel is read.
      const belongs = (message: Message) =>
        message.channel_id === stream_id && (topic === "" || sameTopic(message.topic, topic));
      changeFlag(call, user.user_id, unread(call, belongs), "read", true);
      return {};
    },
  }),
  defineEndpoint({
    method: "POST",
    path: "/messages/flags",
    params: { flag: required(text()), messages: required(json(list(int()))), op: required(text()) },
    handler(call, { messages: ids, op, flag }) {
      const { state, user } = call;
      const changed = editableFlag(flag);
      const adding = isAdding(op);
      const messages = ids.map((id) => {
        const message = state.messages[id];
        if (message === undefined || !(hasCopy(message, user.user_id) || seesMessage(state, user, message)))
          throw new ApiError("Invalid message(s)");
        return message;
      });
      changeFlag(call, user.user_id, messages, changed, adding);
      return call.level >= 355
        ? { messages: [...ids], ignored_because_not_subscribed_channels: [] }
        : { messages: [...ids] };
    },
  }),
  defineEndpoint({
    method: "POST",
    path: "/messages/flags/narrow",
    level: 155,
    params: {
      anchor: required(text()),
      flag: required(text()),
      include_anchor: withDefault(json(bool), true),
      narrow: required(json(list(term))),
      num_after: required(json(int({ min: 0 }))),
      num_before: required(json(int({ min: 0 }))),
      op: required(text()),
    },
    handler(call, args) {
      const { user } = call;
      const flag = editableFlag(args.flag);
      const adding = isAdding(args.op);
      const found = matching(call, args.narrow);
      const at = anchorId(args.anchor, found, user.user_id);
      const before = found
        .filter((message) => message.id < at)
        .slice(args.num_before === 0 ? found.length : -args.num_before);
      const same = args.include_anchor ? found.filter((message) => message.id === at) : [];
      const after = found.filter((message) => message.id > at).slice(0, args.num_after);
      const messages = [...before, ...same, ...after];
      const changed = changeFlag(call, user.user_id, messages, flag, adding);
      return {
        processed_count: messages.length,
        updated_count: changed.length,
        first_processed_id: messages[0]?.id ?? null,
        last_processed_id: messages.at(-1)?.id ?? null,
        found_oldest: before.length < args.num_before || at === 0,
        found_newest: after.length < args.num_after || at === Number.MAX_SAFE_INTEGER,
        ...(call.level >= 355 ? { ignored_because_not_subscribed_channels: [] } : {}),
      };
    },
  }),
];

function anchorId(anchor: string, found: readonly Message[], userId: number): number {
  if (anchor === "oldest") return 0;
  if (anchor === "newest") return Number.MAX_SAFE_INTEGER;
  if (anchor === "first_unread")
    return found.find((message) => !storedFlags(message, userId).includes("read"))?.id ?? Number.MAX_SAFE_INTEGER;
  if (!/^\s*[+-]?\d+\s*$/.test(anchor)) throw new ApiError("Invalid anchor");
  return Math.max(Number(anchor), 0);
}
