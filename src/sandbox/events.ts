import { randomBytes } from "node:crypto";
import { isList, type Json, type JsonObject } from "../model/json.ts";
import type { Clock } from "./clock.ts";
import { ApiError } from "./errors.ts";
import type { User } from "./rows/accounts.ts";

/** The data that a client sent when it registered; the events that it gets depend on them. */
export interface Client {
  readonly userId: number;
  readonly capabilities: ReadonlySet<string>;
  readonly clientGravatar: boolean;
  readonly applyMarkdown: boolean;
}
/** An event: `type`, possibly `op`, and the payload of zulip-api.md §2.7; the queue adds the `id`. */
export type RealmEvent = { readonly type: string } & JsonObject;
/** One event for all clients, or one per client; undefined: this client gets no event. */
export type EventFor = RealmEvent | ((client: Client) => RealmEvent | undefined);
export type Audience = (user: User) => boolean;

interface QueueRequest {
  readonly client: Client;
  /** The event types that the client gets; null: all. */
  readonly eventTypes: readonly string[] | null;
  readonly idleTimeoutSeconds: number;
}

class Queue {
  readonly id: string;
  readonly client: Client;
  readonly eventTypes: ReadonlySet<string> | null;
  readonly idleTimeoutMs: number;
  events: Numbered[] = [];
  /** The events of `events` with which later ones may be merged; empty after each read. */
  readonly unread = new Map<string, Numbered>();
  nextEventId = 0;
  newestPrunedId = -1;
  lastUsedMs: number;
  /** Wakes the poll that waits for this queue. */
  waiting: AbortController | null = null;

  constructor(id: string, request: QueueRequest, nowMs: number) {
    this.id = id;
    this.client = request.client;
    this.eventTypes = request.eventTypes === null ? null : new Set(request.eventTypes);
    this.idleTimeoutMs = Math.min(request.idleTimeoutSeconds, MAX_IDLE_SECONDS) * 1000;
    this.lastUsedMs = nowMs;
  }

  /** A client that names `user_topic` does not get the older `muted_topics`, which it replaces. */
  accepts(type: string): boolean {
    const asked = this.eventTypes;
    return asked === null || (asked.has(type) && !(type === "muted_topics" && asked.has("user_topic")));
  }

  push(event: RealmEvent): void {
    const numbered = { ...event, id: this.nextEventId++ };
    const kind = mergedKind(event);
    const earlier = kind === undefined ? undefined : this.unread.get(kind);
    // Clients that never read have many events: the list is copied only if one of them goes.
    if (earlier !== undefined) this.events = this.events.filter((each) => each !== earlier);
    const pushed = earlier === undefined ? numbered : merged(earlier, numbered);
    this.events.push(pushed);
    if (kind !== undefined) this.unread.set(kind, pushed);
    this.waiting?.abort();
  }
}

/** Unread events that add the same flag become one event, with the id of the last. */
function mergedKind({ type, op, flag, all }: RealmEvent): string | undefined {
  return type === "update_message_flags" && op === "add" && all !== true && typeof flag === "string" ? flag : undefined;
}
function merged(earlier: Numbered, later: Numbered): Numbered {
  const [before, after] = [earlier.messages, later.messages];
  if (!isList(before) || !isList(after)) return later;
  return { ...earlier, id: later.id, messages: [...before, ...after] };
}
type Numbered = RealmEvent & { readonly id: number };

const HEARTBEAT_MS = 50_000;
/** The maximum idle time: one week. */
const MAX_IDLE_SECONDS = 604_800;

/** The event queues of all clients (§2.6). They are in the server's memory, not part of the realm's state. */
export class EventQueues {
  private readonly clock: Clock;
  private readonly queues = new Map<string, Queue>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** @returns the queue's id */
  register(request: QueueRequest): string {
    const hex = randomBytes(16).toString("hex");
    const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
    this.queues.set(id, new Queue(id, request, this.clock.now()));
    return id;
  }

  /** The ids of the accounts that have a queue. */
  listeners(): ReadonlySet<number> {
    return new Set([...this.queues.values()].map((queue) => queue.client.userId));
  }

  /** Prepares the event for each queue of the audience; it is pushed when the call commits. */
  prepare(userOf: (id: number) => User | undefined, audience: Audience, event: EventFor): (() => void)[] {
    const deliveries: (() => void)[] = [];
    for (const queue of this.queues.values()) {
      const user = userOf(queue.client.userId);
      // Deactivated accounts get no events.
      if (user?.is_active !== true || !audience(user)) continue;
      const shown = typeof event === "function" ? event(queue.client) : event;
      if (shown === undefined || !queue.accepts(shown.type)) continue;
      deliveries.push(() => queue.push(shown));
    }
    return deliveries;
  }

  /**
   * Returns the events after `lastEventId`, and acknowledges those up to it. Waits for an event unless `dontBlock`, until `hungUp` says that the caller is gone.
   * @throws ApiError BAD_EVENT_QUEUE_ID
   */
  async read(
    user: User,
    queueId: string,
    lastEventId: number,
    dontBlock: boolean,
    hungUp?: AbortSignal,
  ): Promise<{ readonly events: readonly Json[]; readonly waited: boolean }> {
    const queue = this.find(user, queueId);
    if (lastEventId < queue.newestPrunedId)
      throw new ApiError(`An event newer than ${lastEventId} has already been pruned!`);
    queue.events = queue.events.filter((event) => event.id > lastEventId);
    if (lastEventId > queue.newestPrunedId && lastEventId >= 0)
      queue.newestPrunedId = Math.min(lastEventId, queue.nextEventId - 1);
    queue.waiting?.abort();
    const waited = queue.events.length === 0 && !dontBlock;
    if (waited) {
      const wake = new AbortController();
      queue.waiting = wake;
      const leave = (): void => wake.abort();
      hungUp?.addEventListener("abort", leave, { once: true });
      await this.clock.sleep(HEARTBEAT_MS, wake.signal);
      hungUp?.removeEventListener("abort", leave);
      if (queue.waiting === wake) queue.waiting = null;
      if (queue.events.length === 0 && !wake.signal.aborted) queue.push({ type: "heartbeat" });
    }
    queue.lastUsedMs = this.clock.now();
    if (queue.events.length > 0 || dontBlock) queue.unread.clear();
    return { events: queue.events, waited };
  }

  /** @throws ApiError BAD_EVENT_QUEUE_ID */
  delete(user: User, queueId: string): void {
    this.close(this.find(user, queueId));
  }

  /** Ends every queue, because the realm was reset. */
  clear(): void {
    for (const queue of this.queues.values()) this.close(queue);
  }

  private close(queue: Queue): void {
    this.queues.delete(queue.id);
    queue.waiting?.abort();
  }

  private find(user: User, queueId: string): Queue {
    for (const queue of this.queues.values())
      if (queue.waiting === null && this.clock.now() - queue.lastUsedMs > queue.idleTimeoutMs) this.close(queue);
    const queue = this.queues.get(queueId);
    if (queue === undefined || queue.client.userId !== user.user_id)
      throw new ApiError(`Bad event queue ID: ${queueId}`, {
        code: "BAD_EVENT_QUEUE_ID",
        extra: { queue_id: queueId },
      });
    return queue;
  }
}
