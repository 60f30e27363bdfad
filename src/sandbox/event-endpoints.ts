import { defined } from "../model/defined.ts";
import { defineEndpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import { bool, int, json, list, optional, required, string, text, withDefault } from "./params.ts";

/** GET and DELETE /events (zulip-api.md §2.6). */
export const eventEndpoints = [
  defineEndpoint("GET /events", {
    bucket: "events",
    reportsIgnored: false,
    params: {
      apply_markdown: withDefault(json(bool), false),
      client_gravatar: withDefault(json(bool), false),
      dont_block: withDefault(json(bool), false),
      event_types: optional(json(list(string()))),
      last_event_id: optional(json(int())),
      queue_id: optional(text()),
    },
    async handler(call, { queue_id, last_event_id, dont_block, event_types, apply_markdown, client_gravatar }) {
      const { user, server } = call;
      if (queue_id !== undefined && last_event_id === undefined) throw new ApiError("Missing 'last_event_id' argument");
      if (queue_id !== undefined) {
        const { events, waited } = await server.queues.read(
          user,
          queue_id,
          last_event_id ?? -1,
          dont_block,
          call.signal,
        );
        return { events, ...defined({ queue_id: waited ? queue_id : undefined }) };
      }
      // A request that creates a queue cannot wait for events.
      if (!dont_block) throw new ApiError("Missing 'queue_id' argument");
      const client = {
        userId: user.user_id,
        capabilities: new Set<string>(),
        clientGravatar: client_gravatar,
        applyMarkdown: apply_markdown,
      };
      const made = server.queues.register({ client, eventTypes: event_types ?? null, idleTimeoutSeconds: 600 });
      const { events } = await server.queues.read(user, made, -1, dont_block, call.signal);
      return { events, queue_id: made };
    },
  }),
  defineEndpoint("DELETE /events", {
    params: { queue_id: required(text()) },
    handler(call, { queue_id }) {
      call.server.queues.delete(call.user, queue_id);
    },
  }),
];
