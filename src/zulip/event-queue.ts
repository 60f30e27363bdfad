import { EXIT, Failure } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import { isList, isObject } from "../model/json.ts";
import type { Connection } from "./connection.ts";
import { bodyOrFail } from "./failures.ts";
import type { Reply } from "./reply.ts";
import { watchCall } from "./snapshot.ts";

/** The result of one wait for events. */
export type Heard =
  /** The types of the events, without heartbeats; empty if nothing happened. */
  | { readonly heard: "events"; readonly types: readonly string[] }
  /** The server no longer has the queue: the caller opens another one and reads everything again. */
  | { readonly heard: "lost" }
  /** No answer after all attempts. The queue may still exist. */
  | { readonly heard: "failure"; readonly failure: Failure }
  | { readonly heard: "stopped" };

/** One event queue on the server (zulip-api.md §2.6): it receives every change that a snapshot would show. */
export class EventQueue {
  private readonly connection: Connection;
  private readonly id: string;
  private lastEventId: number;

  private constructor(connection: Connection, id: string, lastEventId: number) {
    this.connection = connection;
    this.id = id;
    this.lastEventId = lastEventId;
  }

  /** @throws Failure if the server cannot be reached or refuses */
  static async open(connection: Connection): Promise<EventQueue> {
    const body = bodyOrFail(await connection.exchange(watchCall()), connection);
    const { queue_id: id, last_event_id: last } = body;
    return new EventQueue(connection, String(id), typeof last === "number" ? last : -1);
  }

  /**
   * Waits until something happens, at most as long as the server holds back an answer.
   * @throws Failure if the server no longer accepts the account: waiting does not help
   */
  async wait(signal: AbortSignal): Promise<Heard> {
    const reply = await this.connection.exchange(
      { operation: "get-events", path: {}, params: { queue_id: this.id, last_event_id: this.lastEventId } },
      signal,
    );
    if (signal.aborted) return { heard: "stopped" };
    if (isLost(reply)) return { heard: "lost" };
    let body: JsonObject;
    try {
      body = bodyOrFail(reply, this.connection);
    } catch (error) {
      if (error instanceof Failure && error.exitCode === EXIT.unreachable) return { heard: "failure", failure: error };
      throw error;
    }
    const { events } = body;
    const types: string[] = [];
    for (const event of isList(events) ? events : []) {
      if (!isObject(event)) continue;
      if (typeof event.id === "number") this.lastEventId = Math.max(this.lastEventId, event.id);
      if (event.type !== "heartbeat") types.push(String(event.type));
    }
    return { heard: "events", types };
  }

  /**
   * Deletes the queue. The request has been sent when this returns; {@link Connection.settled} waits for the answer. An unread queue costs the server
   * memory for ten minutes; if the deletion fails, the queue ends by itself after that time.
   */
  async close(): Promise<void> {
    await this.connection.sendAlongside({ operation: "delete-queue", path: {}, params: { queue_id: this.id } });
  }
}

/** "An event newer than … has already been pruned!" has no code of its own; both mean that events were missed. */
function isLost(reply: Reply): boolean {
  if (reply.kind !== "envelope" || reply.status !== 400) return false;
  return reply.body.code === "BAD_EVENT_QUEUE_ID" || /already been pruned/.test(String(reply.body.msg));
}
