import type { Clock } from "./clock.ts";
import type { Audience, EventFor, EventQueues } from "./events.ts";
import { Ledger } from "./ledger.ts";
import type { User } from "./rows/accounts.ts";
import type { RealmState } from "./state.ts";
import type { PostWebhook } from "./webhook-request.ts";

/** An uploaded file of a multipart request. */
export interface UploadedFile {
  readonly field: string;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}
/** What stops invitations whoever sends them (zulip-api.md §9.3); what is left out is unlimited. */
export interface InviteLimits {
  /** Mails of the organization within two days of the calendar (UTC), those sent again included. */
  readonly perDay?: number;
  /** Where anybody may join without an invitation, only administrators invite before their account is that old. */
  readonly minAccountAgeDays?: number;
  /** Seats that are paid for, where somebody counts them by hand. */
  readonly licenses?: number;
}

/** What stays the same from call to call. */
export interface Server {
  readonly state: RealmState;
  readonly level: number;
  readonly clock: Clock;
  readonly queues: EventQueues;
  /** Where clients reach this server: `http://127.0.0.1:9911`. */
  readonly url: string;
  /** The API key of an account. */
  keyOf(userId: number): string;
  readonly inviteLimits: InviteLimits;
  /** Reaches outgoing webhook bots. */
  readonly postWebhook: PostWebhook;
  /** The state is no longer what it was. */
  changed(): void;
  /** Carries something out in the server's own name, after the call; nothing happens when the realm was reset meanwhile. */
  act(action: (call: Call) => void): void;
}
interface CallDetails {
  readonly user: User | undefined;
  readonly files: readonly UploadedFile[];
  /** Fires when the caller has gone; absent for calls that the server makes itself. */
  readonly signal?: AbortSignal;
  /** What the User-Agent calls itself, for messages' `client`. */
  readonly client: string;
}

/** One request being carried out: what it may read, and the two ways in which it may have an effect. */
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

  /** The account that calls. */
  get user(): User {
    if (this.caller === undefined) throw new Error("an endpoint for anybody asked who calls");
    return this.caller;
  }

  /** UNIX seconds, whole. */
  get now(): number {
    return Math.floor(this.server.clock.now() / 1000);
  }

  /** Tells every client of the audience, once the call commits. Who belongs to it is decided now. */
  emit(audience: Audience, event: EventFor): void {
    this.deliveries.push(...this.server.queues.prepare((id) => this.state.users[id], audience, event));
  }

  /** Runs once the call has committed (deliveries to the outside). */
  afterCommit(action: () => void): void {
    this.afterwards.push(action);
  }

  /** Keeps what was written so far, whatever comes: for operations that the server does in steps. */
  commit(): void {
    if (this.ledger.commit()) this.server.changed();
    const due = [...this.deliveries, ...this.afterwards];
    this.deliveries = [];
    this.afterwards = [];
    for (const action of due) action();
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
