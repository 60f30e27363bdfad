import type { JsonObject } from "../../model/json.ts";
import type { Call } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { bool, int, json, list, nullable, optional, text, withDefault } from "../params.ts";
import type { Message } from "../rows/messages.ts";
import { rows } from "../rows/values.ts";
import { hasCopy, messageFor, seesHistory, seesMessage } from "./access.ts";
import { shownFlags, storedFlags } from "./flags.ts";
import { markedDifferences } from "./html-diff.ts";
import { includesHistory, narrowTest, searchFields, type Term, term, whereItIsNow } from "./narrow.ts";
import { isMove, messageObject, withoutContent } from "./render.ts";
import { shownTopic } from "./topics.ts";
import { isMutedFor } from "./user-topics.ts";

/** GET /messages, and the endpoints for a single message. */

/** Larger than any message id: the end of every range. */
const NEWEST = 10_000_000_000_000_000;
const MAX_MESSAGES = 5000;

export const fetchEndpoints = [
  defineEndpoint("GET /messages", {
    params: {
      allow_empty_topic_name: withDefault(json(bool), false, { level: 334 }),
      anchor: optional(text()),
      apply_markdown: withDefault(json(bool), true),
      client_gravatar: withDefault(json(bool), true),
      include_anchor: withDefault(json(bool), true),
      message_ids: withDefault(json(nullable(list(int({ min: 0 })))), null, { level: 300 }),
      narrow: withDefault(json(nullable(list(term))), null),
      num_after: withDefault(json(int({ min: 0 })), 0),
      num_before: withDefault(json(int({ min: 0 })), 0),
      use_first_unread_anchor: withDefault(json(bool), false),
    },
    handler(call, args) {
      const { state, user, level } = call;
      const { message_ids: ids, anchor: sentAnchor, num_before, num_after } = args;
      const ranged = num_before > 0 || num_after > 0 || sentAnchor !== undefined || args.use_first_unread_anchor;
      if (ids !== null && ranged) throw incompatible();
      const anchor = ids === null ? anchorOf(sentAnchor, args.use_first_unread_anchor) : undefined;
      const wanted = ids === null ? num_before + num_after : ids.length;
      if (wanted > MAX_MESSAGES) throw new ApiError(`Too many messages requested (maximum ${MAX_MESSAGES}).`);
      if (num_before > 0 && num_after > 0 && !args.include_anchor)
        throw new ApiError("The anchor can only be excluded at an end of the range");
      const found = matching(call, whereItIsNow(call, args.narrow ?? []));
      const searched = (args.narrow ?? []).filter(({ operator }) => operator === "search");
      const words = searched.map(({ operand }) => String(operand)).join(" ");
      const object = (message: Message): JsonObject => ({
        ...messageObject(state, message, {
          viewerId: user.user_id,
          level,
          applyMarkdown: args.apply_markdown,
          clientGravatar: args.client_gravatar,
          allowEmptyTopicName: args.allow_empty_topic_name,
        }),
        flags: shownFlags(message, user.user_id),
        ...(searched.length === 0 ? undefined : searchFields(message, words)),
      });
      if (ids !== null) {
        const asked = new Set(ids);
        const messages = found.filter((message) => asked.has(message.id)).map(object);
        return { messages, found_anchor: false, found_oldest: false, found_newest: false, history_limited: false };
      }
      const at = anchor ?? firstUnread(call, found);
      const range = around(found, at, { before: num_before, after: num_after, includeAnchor: args.include_anchor });
      return {
        messages: range.messages.map(object),
        found_anchor: range.foundAnchor,
        found_oldest: range.foundOldest,
        found_newest: range.foundNewest,
        history_limited: false,
        anchor: at,
      };
    },
  }),
  defineEndpoint("GET /messages/{message_id}", {
    params: {
      allow_empty_topic_name: withDefault(json(bool), false, { level: 334 }),
      apply_markdown: withDefault(json(bool), true),
    },
    handler(call, args) {
      const { state, user, level } = call;
      const message = messageFor(call, args.message_id, "read");
      const object = messageObject(state, message, {
        viewerId: user.user_id,
        level,
        applyMarkdown: args.apply_markdown,
        clientGravatar: true,
        allowEmptyTopicName: args.allow_empty_topic_name,
      });
      return { message: { ...object, flags: shownFlags(message, user.user_id) }, raw_content: message.content };
    },
  }),
  defineEndpoint("GET /messages/{message_id}/history", {
    params: { allow_empty_topic_name: withDefault(json(bool), false, { level: 334 }) },
    handler(call, args) {
      const { state } = call;
      const policy = state.realm.message_edit_history_visibility_policy;
      if (policy === "none") throw new ApiError("Message edit history is disabled in this organization");
      const message = messageFor(call, args.message_id, "read");
      const shown = (topic: string) =>
        message.channel_id === null ? "" : shownTopic(state, topic, args.allow_empty_topic_name);
      return { message_history: historyOf(message, shown, policy === "moves") };
    },
  }),
];

function incompatible(): ApiError {
  const names = ["num_before", "num_after", "anchor", "message_ids", "include_anchor", "use_first_unread_anchor"];
  return new ApiError(`Unsupported parameter combination: ${names.join(", ")}`);
}

/** The message to start from; undefined: the first unread one. @throws ApiError */
export function anchorOf(sent: string | undefined, firstUnread: boolean): number | undefined {
  if (firstUnread || sent === "first_unread") return undefined;
  if (sent === undefined) throw new ApiError("Missing 'anchor' argument.");
  if (sent === "oldest") return 0;
  if (sent === "newest") return NEWEST;
  if (!/^\s*[+-]?\d+\s*$/.test(sent)) throw new ApiError("Invalid anchor");
  return Math.min(Math.max(Number(sent), 0), NEWEST);
}

/** The messages that the narrow selects among those that the user may see, ascending. */
export function matching(call: Call, terms: readonly Term[]): Message[] {
  const { state, user } = call;
  const test = narrowTest(call, terms);
  const withHistory = includesHistory(state, user, terms);
  return rows(state.messages).filter((message) => {
    const channel = message.channel_id === null ? undefined : state.channels[message.channel_id];
    const received = hasCopy(message, user.user_id) && seesMessage(state, user, message);
    if (!received && !(withHistory && channel !== undefined && seesHistory(state, user, channel))) return false;
    return test(message);
  });
}

export function firstUnread(call: Call, found: readonly Message[]): number {
  const { state, user } = call;
  const unread = found.find(
    (message) =>
      hasCopy(message, user.user_id) &&
      !storedFlags(message, user.user_id).includes("read") &&
      !isMutedFor(state, user, message),
  );
  return unread?.id ?? NEWEST;
}

interface Range {
  readonly before: number;
  readonly after: number;
  readonly includeAnchor: boolean;
}
export function around(found: readonly Message[], anchor: number, { before, after, includeAnchor }: Range) {
  const atEnd = anchor >= NEWEST;
  const atStart = anchor === 0;
  const earlier = found.filter((message) => message.id < anchor);
  const same = found.filter((message) => message.id === anchor && includeAnchor);
  const later = found.filter((message) => message.id > anchor);
  const first = before > 0 ? earlier.slice(-before) : [];
  const last = atEnd ? [] : later.slice(0, after);
  return {
    messages: [...first, ...same, ...last],
    foundAnchor: same.length === 1,
    foundOldest: atStart || first.length < before,
    foundNewest: atEnd || last.length < after,
  };
}

/**
 * From the first version to the current one; each entry shows the message after that edit.
 * @param onlyMoves omits edits that changed only the content, and the former content of all others
 */
function historyOf(message: Message, shown: (topic: string) => string, onlyMoves: boolean): JsonObject[] {
  let { content, rendered_content: html, topic } = message;
  const entries: JsonObject[] = [];
  for (const entry of message.edit_history) {
    const filled: { [key: string]: JsonObject[string] } = {
      ...entry,
      topic: shown(topic),
      content,
      rendered_content: html,
    };
    if (typeof entry.prev_content === "string") {
      const before = typeof entry.prev_rendered_content === "string" ? entry.prev_rendered_content : html;
      filled.content_html_diff = markedDifferences(before, html);
      [content, html] = [entry.prev_content, before];
    }
    if (typeof entry.prev_topic === "string") {
      topic = entry.prev_topic;
      filled.prev_topic = shown(topic);
    }
    if (!onlyMoves) entries.push(filled);
    else if (isMove(entry)) entries.push(withoutContent(filled));
  }
  entries.push({
    topic: shown(topic),
    content,
    rendered_content: html,
    timestamp: message.timestamp,
    user_id: message.sender_id,
  });
  return entries.reverse();
}
