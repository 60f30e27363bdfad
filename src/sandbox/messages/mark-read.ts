import { accessibleChannel, isSubscribed, memberById } from "../access.ts";
import { type Call, only } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { bool, int, json, list, nullable, required, text, withDefault } from "../params.ts";
import type { User } from "../rows/accounts.ts";
import type { Message, MutedUser } from "../rows/messages.ts";
import { rows } from "../rows/values.ts";
import { settingOf } from "../state.ts";
import { known } from "../users/access.ts";
import { hasCopy, messageFor, seesMessage } from "./access.ts";
import { anchorOf, around, firstUnread, matching } from "./fetch.ts";
import { emitFlag, FLAGS, type Flag, HISTORY, markRead, storedFlags, writeFlag } from "./flags.ts";
import { term } from "./narrow.ts";
import { displayNameToEmpty, sameTopic } from "./topics.ts";

/** Flags of the caller's own copies (api.md operation 11, zulip-api.md §16.14). */

/** Only the server sets any other flag. */
const EDITABLE: ReadonlySet<string> = new Set(["read", "starred", "collapsed"]);
const HIDDEN: ReadonlySet<string> = new Set(["is_private", "active_mobile_push_notification"]);
/** @throws ApiError; the flag is checked before the operation */
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
  defineEndpoint("POST /mark_all_as_read", {
    handler(call) {
      writeFlag(
        call,
        call.user.user_id,
        unread(call, () => true),
        "read",
        true,
      );
      emitFlag(call, call.user, "all", "read", true);
      return call.level >= 211 ? { complete: true } : {};
    },
  }),
  defineEndpoint("POST /mark_stream_as_read", {
    params: { stream_id: required(json(int())) },
    handler(call, { stream_id }) {
      accessibleChannel(call, stream_id, "content");
      markRead(
        call,
        call.user,
        unread(call, (message) => message.channel_id === stream_id),
      );
    },
  }),
  defineEndpoint("POST /mark_topic_as_read", {
    params: { topic_name: required(text()), stream_id: required(json(int())) },
    handler(call, { stream_id, topic_name }) {
      const { state, user } = call;
      accessibleChannel(call, stream_id, "content");
      const topic = displayNameToEmpty(call, topic_name);
      // The display name of the empty topic must exist as a topic; the empty name itself need not.
      if (topic_name !== "") {
        const exists = rows(state.messages).some(
          (message) =>
            message.channel_id === stream_id && sameTopic(message.topic, topic) && hasCopy(message, user.user_id),
        );
        if (!exists) throw new ApiError(`No such topic '${topic}'`);
      }
      // The empty name counts as no name: the whole channel is marked as read.
      const belongs = (message: Message) =>
        message.channel_id === stream_id && (topic === "" || sameTopic(message.topic, topic));
      markRead(call, user, unread(call, belongs));
    },
  }),
  defineEndpoint("POST /messages/flags", {
    params: { flag: required(text()), messages: required(json(list(int()))), op: required(text()) },
    handler(call, { messages: ids, op, flag }) {
      const { ignored } = changeFlags(call, ids, flag, op);
      return { messages: [...ids], ...ignored };
    },
  }),
  defineEndpoint("POST /messages/flags/narrow", {
    level: 155,
    params: {
      anchor: required(text()),
      flag: required(text()),
      include_anchor: withDefault(json(bool), true),
      narrow: required(json(nullable(list(term)))),
      num_after: required(json(int({ min: 0 }))),
      num_before: required(json(int({ min: 0 }))),
      op: required(text()),
    },
    handler(call, args) {
      const anchor = anchorOf(args.anchor, false);
      if (args.num_before > 0 && args.num_after > 0 && !args.include_anchor)
        throw new ApiError("The anchor can only be excluded at an end of the range");
      const before = Math.min(args.num_before, Math.max(MAX_AT_ONCE - args.num_after, MAX_AT_ONCE / 2));
      const after = Math.min(args.num_after, MAX_AT_ONCE - before);
      const found = matching(call, args.narrow ?? []);
      const wanted = { before, after, includeAnchor: args.include_anchor };
      const range = around(found, anchor ?? firstUnread(call, found), wanted);
      const ids = range.messages.map((message) => message.id);
      const { changed, ignored } = changeFlags(call, ids, args.flag, args.op);
      return {
        processed_count: ids.length,
        updated_count: changed.length,
        first_processed_id: ids[0] ?? null,
        last_processed_id: ids.at(-1) ?? null,
        found_oldest: range.foundOldest,
        found_newest: range.foundNewest,
        ...ignored,
      };
    },
  }),
];
const MAX_AT_ONCE = 5000;

/**
 * Adds or removes a flag. Messages that already have the requested state, as history is already read, are skipped. Messages can become unread only in
 * channels to which the user is subscribed.
 * @throws ApiError
 */
function changeFlags(call: Call, ids: readonly number[], sentFlag: string, op: string) {
  const { state, user } = call;
  const flag = editableFlag(sentFlag);
  const adding = isAdding(op);
  const ignoredChannels = new Set<number>();
  const messages: Message[] = [];
  for (const id of new Set(ids)) {
    const message = state.messages[id];
    const channelId = message?.channel_id ?? null;
    const isElsewhere = channelId !== null && !isSubscribed(state, channelId, user.user_id);
    if (flag === "read" && !adding && isElsewhere) ignoredChannels.add(channelId);
    else if (message === undefined || !hasCopy(message, user.user_id)) {
      if (HISTORY.has(flag) === adding) continue;
      if (message === undefined || !seesMessage(state, user, message)) throw new ApiError("Invalid message(s)");
      messages.push(message);
    } else messages.push(message);
  }
  const changed = writeFlag(call, user.user_id, messages, flag, adding);
  emitFlag(call, user, changed, flag, adding);
  const channels = [...ignoredChannels].sort((a, b) => a - b);
  return { changed, ignored: call.level >= 355 ? { ignored_because_not_subscribed_channels: channels } : {} };
}

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

/** Muting somebody marks their messages as read. Bots and deactivated people can be muted as well. */

type Muted = readonly MutedUser[];
const mutedBy = ({ state, user }: Call): Muted => state.muted_users[user.user_id] ?? [];
const target = (call: Call, userId: number): User => known(call, memberById(call.state, userId));

function set(call: Call, muted: Muted): void {
  call.ledger.put(call.state.muted_users, call.user.user_id, muted);
  call.emit(only(call.user.user_id), { type: "muted_users", muted_users: muted.map((each) => ({ ...each })) });
}

export const mutedUserEndpoints = [
  defineEndpoint("POST /users/me/muted_users/{muted_user_id}", {
    level: 48,
    params: {},
    handler(call, { muted_user_id }) {
      const { state, user } = call;
      if (muted_user_id === user.user_id) throw new ApiError("Cannot mute self");
      const { user_id: id } = target(call, muted_user_id);
      const muted = mutedBy(call);
      if (muted.some((each) => each.id === id)) throw new ApiError("User already muted");
      const theirs = rows(state.messages).filter((each) => each.sender_id === id && hasCopy(each, user.user_id));
      markRead(call, user, theirs);
      set(call, [...muted, { id, timestamp: call.now }]);
    },
  }),
  defineEndpoint("DELETE /users/me/muted_users/{muted_user_id}", {
    level: 48,
    params: {},
    handler(call, { muted_user_id }) {
      const { user_id: id } = target(call, muted_user_id);
      const muted = mutedBy(call);
      if (!muted.some((each) => each.id === id)) throw new ApiError("User is not muted");
      set(
        call,
        muted.filter((each) => each.id !== id),
      );
    },
  }),
];
