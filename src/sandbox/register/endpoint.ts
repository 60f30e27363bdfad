import { defined } from "../../model/defined.ts";
import { checkSubscribersWish } from "../channels/shown.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { bool, int, json, list, maybe, nullable, object, optional, string, withDefault, word } from "../params.ts";
import { ROLE } from "../rows/accounts.ts";
import { versionOf } from "../start.ts";
import { isWanted, STATE_PARTS } from "./parts.ts";

/** Unknown capabilities are ignored; this one is required as soon as any is sent. */
const capabilities = object(
  {
    notification_settings_null: bool,
    bulk_message_deletion: maybe(bool),
    user_avatar_url_field_optional: maybe(bool),
    stream_typing_notifications: maybe(bool),
    user_settings_object: maybe(bool),
    linkifier_url_template: maybe(bool),
    user_list_incomplete: maybe(bool),
    include_deactivated_groups: maybe(bool),
    archived_channels: maybe(bool),
    empty_topic_name: maybe(bool),
    simplified_presence_events: maybe(bool),
    individual_emoji_changes: maybe(bool),
  },
  { otherwise: (path) => `${path} is not a dict` },
);
const names = json(list(string()));

/** POST /register (zulip-api.md §2.1): creates a queue, and returns the state at which its events start. */
export const registerEndpoints = [
  defineEndpoint("POST /register", {
    params: {
      all_public_streams: optional(json(bool)),
      apply_markdown: withDefault(json(bool), false),
      client_capabilities: optional(json(capabilities)),
      client_gravatar: withDefault(json(nullable(bool)), null),
      event_types: optional(names),
      fetch_event_types: optional(names),
      idle_queue_timeout: optional(json(int({ min: 1 })), { level: 481 }),
      include_subscribers: withDefault(word("true", "false", "partial"), "false"),
      narrow: withDefault(json(list(list(string()))), []),
      presence_history_limit_days: optional(json(int())),
      queue_lifespan_secs: withDefault(json(int()), 0),
      slim_presence: withDefault(json(bool), false),
    },
    handler(call, sent) {
      const { state, server, level, user } = call;
      checkSubscribersWish(level, sent.include_subscribers);
      const clientGravatar = sent.client_gravatar ?? true;
      if (sent.all_public_streams && user.role === ROLE.guest) throw new ApiError("User not authorized for this query");
      checkNarrow(sent.narrow);
      const known = new Set(
        Object.entries(sent.client_capabilities ?? {})
          .filter(([, has]) => has === true)
          .map(([name]) => name),
      );
      const idleTimeoutSeconds = sent.idle_queue_timeout ?? (sent.queue_lifespan_secs || IDLE_SECONDS);
      const queue_id = server.queues.register({
        client: {
          userId: user.user_id,
          capabilities: known,
          clientGravatar,
          applyMarkdown: sent.apply_markdown,
        },
        eventTypes: sent.event_types ?? null,
        idleTimeoutSeconds,
      });
      const wanted = sent.fetch_event_types ?? sent.event_types;
      const types = wanted === undefined ? undefined : new Set(wanted);
      const asked = {
        call,
        capabilities: known,
        clientGravatar,
        slimPresence: sent.slim_presence,
        subscribers: sent.include_subscribers,
      };
      const parts = Object.entries(STATE_PARTS).flatMap(([part, fields]) =>
        isWanted(part, level, types) ? [fields(asked)] : [],
      );
      return Object.assign(
        {
          queue_id,
          zulip_version: versionOf(state, level),
          zulip_feature_level: level,
          zulip_merge_base: state.zulip_merge_base,
          ...defined({ idle_queue_timeout_secs: level >= 481 ? idleTimeoutSeconds : undefined }),
        },
        ...parts,
        { last_event_id: -1 },
      );
    },
  }),
];

/** A queue accepts only a few kinds of narrow. The sandbox does not filter by them: every queue gets all messages. */
function checkNarrow(narrow: readonly (readonly string[])[]): void {
  for (const [operator = "", operand] of narrow) {
    if (!NARROW_OPERATORS.includes(operator)) throw new ApiError(`Operator ${operator} not supported.`);
    if (operator === "is" && operand === "followed") throw new ApiError(`Operand ${operand} not supported.`);
  }
}
const NARROW_OPERATORS = ["channel", "stream", "topic", "sender", "is"];

const IDLE_SECONDS = 600;
