import type { Clock } from "./clock.ts";
import type { Audience, EventFor, EventQueues } from "./events.ts";
import type { User } from "./rows/accounts.ts";
import { Ledger, type RealmState } from "./state.ts";

/** An uploaded file of a multipart request. */
export interface UploadedFile {
  readonly field: string;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}
/** Limits on invitations that apply to every sender (zulip-api.md §9.3); without a value there is no limit. */
export interface InviteLimits {
  /** How many invitation mails the organization may send within two calendar days (UTC), including those that are resent. */
  readonly perDay?: number;
  /** If anybody may join without an invitation, only administrators may send invitations before their account has this age. */
  readonly minAccountAgeDays?: number;
  /** The number of paid seats, if the organization counts its seats by hand. */
  readonly licenses?: number;
}

/** The parts that stay the same from call to call. */
export interface Server {
  readonly state: RealmState;
  readonly level: number;
  readonly clock: Clock;
  readonly queues: EventQueues;
  /** The URL at which clients reach this server: `http://127.0.0.1:9911`. */
  readonly url: string;
  /** The API key of an account. */
  keyOf(userId: number): string;
  readonly inviteLimits: InviteLimits;
  /** Sends requests to outgoing webhook bots. */
  readonly postWebhook: PostWebhook;
  /** Records that the state has changed. */
  changed(): void;
  /** Runs an action in the server's own name, after the call; does nothing if the realm was reset in the meantime. */
  act(action: (call: Call) => void): void;
}
interface CallDetails {
  readonly user: User | undefined;
  readonly files: readonly UploadedFile[];
  /** Fires when the caller has disconnected; absent for calls that the server makes itself. */
  readonly signal?: AbortSignal;
  /** The client's name from the User-Agent header, for the `client` field of messages. */
  readonly client: string;
}

/** One request during its execution: what it may read, and the two ways in which it may have an effect. */
export class Call {
  readonly server: Server;
  readonly state: RealmState;
  readonly level: number;
  readonly ledger: Ledger;
  readonly files: readonly UploadedFile[];
  readonly client: string;
  readonly signal: AbortSignal | undefined;
  private readonly caller: User | undefined;
  private deliveries: (() => void)[] = [];
  private afterwards: (() => void)[] = [];

  constructor(server: Server, details: CallDetails) {
    this.server = server;
    this.state = server.state;
    this.level = server.level;
    this.ledger = new Ledger(server.state);
    this.files = details.files;
    this.client = details.client;
    this.signal = details.signal;
    this.caller = details.user;
  }

  /** The account that makes the call. */
  get user(): User {
    if (this.caller === undefined) throw new Error("an endpoint for anybody asked who calls");
    return this.caller;
  }

  /** The UNIX time in whole seconds. */
  get now(): number {
    return Math.floor(this.server.clock.now() / 1000);
  }

  /** Sends the event to every client of the audience once the call commits. The audience is determined now. */
  emit(audience: Audience, event: EventFor): void {
    this.deliveries.push(...this.server.queues.prepare((id) => this.state.users[id], audience, event));
  }

  /** Runs once the call has committed (requests to the outside). */
  afterCommit(action: () => void): void {
    this.afterwards.push(action);
  }

  /** Keeps everything written so far, even if the call is refused later: for operations that the server does in steps. */
  commit(): void {
    if (this.ledger.commit()) this.server.changed();
    const due = [...this.deliveries, ...this.afterwards];
    this.deliveries = [];
    this.afterwards = [];
    for (const action of due) action();
  }

  /** One of several steps, for a value that was sent: it stays done, even if a later one is refused. */
  step<Value>(sent: Value | undefined, run: (value: Value) => void): void {
    if (sent === undefined) return;
    run(sent);
    this.commit();
  }

  rollback(): void {
    this.ledger.rollback();
    this.deliveries = [];
    this.afterwards = [];
  }
}

export const everybody: Audience = () => true;
export const only =
  (...userIds: readonly number[]): Audience =>
  (user) =>
    userIds.includes(user.user_id);
export const among =
  (userIds: ReadonlySet<number>): Audience =>
  (user) =>
    userIds.has(user.user_id);

/** One request to an outgoing webhook bot. */

export interface WebhookRequest {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}
/** Posts one request. Rejects if there is no connection, or no answer in time. */
export type PostWebhook = (request: WebhookRequest) => Promise<{ readonly status: number; readonly body: string }>;
