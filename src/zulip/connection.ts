import { defined } from "../model/defined.ts";
import type { WireCall } from "../model/journal.ts";
import type { ReadUpload } from "../model/repository-file.ts";
import type { TraceEvent, TraceWait, Waiting } from "../model/trace.ts";
import type { Clock } from "./clock.ts";
import { type EchoFilter, echoFilter } from "./echo.ts";
import { encodeCall, encodeFields } from "./encode.ts";
import { operationNamed } from "./operations.ts";
import {
  backoffMs,
  MOST_RATE_LIMITED,
  MOST_READS,
  type Pace,
  pace,
  type RateRule,
  rateLimitWaitMs,
  SERVER_RULES,
} from "./pace.ts";
import { type Reply, understand } from "./reply.ts";
import { type HttpRequest, type HttpResponse, type Transport, TransportError } from "./transport.ts";
import { isUnsentFile, multipart, type UploadedFile, uploadsOf } from "./uploads.ts";
import type { Secret } from "./zuliprc.ts";

/** The time limit for GET /events, which the server holds back for up to 90 seconds (zulip-api.md §2.6). */
const LONG_POLL_MS = 100_000;

/** How long one answer may take in total, including the repeats of a read that failed. */
export const ANSWER_LIMIT_MS = 60_000;
/**
 * How long a finished command still waits for the deletion of its event queue, which is its only background request. Giving up is safe: the server
 * ends a queue by itself after ten minutes without a request for its events (zulip-api.md §2.6).
 */
export const ALONGSIDE_LIMIT_MS = 5_000;
/** After this time, a message gives the reason for the wait. */
export const SLOW_MS = 5_000;

/** The account and the server, and how they talk. */
export interface ConnectionOptions {
  /** The address, without a slash at its end. */
  readonly site: string;
  readonly email: string;
  readonly key: Secret;
  /** The source of the credentials, for the message that says that they are wrong. */
  readonly origin?: CredentialOrigin;
  readonly transport: Transport;
  readonly clock: Clock;
  /** The version of realmctl, for the server's logs. */
  readonly version: string;
  /** The rate limits; default: those of a server with the default configuration. Empty: no limits, for a sandbox. */
  readonly rateRules?: readonly RateRule[];
  /** The time limit for one answer; default: {@link ANSWER_LIMIT_MS}. */
  readonly timeoutMs?: number;
  readonly trace?: (event: TraceEvent) => void;
  /** Called once for each request that takes long, and for each long wait before one. */
  readonly onWaiting?: (waiting: Waiting) => void;
  /** The deadline of the whole run: after it, no wait continues, no read is waited for, and no write begins. */
  readonly deadline?: Deadline;
}

/** The end of a run's time. */
export interface Deadline {
  readonly limitMs: number;
  /** Fires when the time is over. */
  readonly signal: AbortSignal;
}

/** The sources of the credentials: "ZULIP_EMAIL", "~/.zuliprc line 3"; that of the bundle of certificates only if there is one. */
export interface CredentialOrigin {
  readonly email: string;
  readonly key: string;
  readonly certBundle?: string;
}

/** The connection of one account to one server: it adds credentials, keeps the pace, waits after a 429, and repeats what is safe to repeat. */
export class Connection {
  readonly site: string;
  readonly email: string;
  readonly origin: CredentialOrigin | undefined;
  private readonly echo: EchoFilter;
  private readonly options: ConnectionOptions;
  private readonly gate: Pace;
  private readonly alongside = new Set<{ readonly exchange: Promise<unknown>; readonly giveUp: () => void }>();
  /** The current activities, the longest first. */
  private readonly pending = new Set<() => Waiting>();
  private readonly headers: { readonly [name: string]: string };

  constructor(options: ConnectionOptions) {
    this.options = options;
    this.site = options.site;
    this.email = options.email;
    this.origin = options.origin;
    this.echo = echoFilter(options.email, options.key.reveal());
    const { clock } = options;
    this.gate = pace(options.rateRules ?? SERVER_RULES, {
      now: () => clock.now(),
      sleep: (ms, signal) => this.wait("pace", ms, signal),
    });
    this.headers = {
      accept: "application/json",
      // Messages are in the language of this header; some cases can be distinguished only by their text (zulip-api.md §13.3).
      "accept-language": "en",
      "user-agent": `realmctl/${options.version} (Node.js ${process.versions.node})`,
    };
  }

  /** Waits until the next request may be sent at once. */
  ready(signal?: AbortSignal): Promise<void> {
    return this.gate.room(this.untilDeadline(signal));
  }

  /** What the connection waits for now: the longest wait if there are several; undefined if it waits for nothing. */
  waitingFor(): Waiting | undefined {
    const [longest] = this.pending;
    return longest?.();
  }

  /** Set when the run's time is over. */
  get overdue(): Deadline | undefined {
    const { deadline } = this.options;
    return deadline?.signal.aborted === true ? deadline : undefined;
  }

  private untilDeadline(signal: AbortSignal | undefined): AbortSignal | undefined {
    const { deadline } = this.options;
    if (deadline === undefined) return signal;
    return signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
  }

  /**
   * Sends a call in the background: only {@link Connection.settled} waits for its answer, and only for a while. Its loss must not matter. It has been
   * sent when this returns.
   * @throws TypeError for a call that does not match the table of operations
   */
  async sendAlongside(call: WireCall): Promise<void> {
    const over = new AbortController();
    const exchange = this.exchange(call, over.signal);
    // A failure is reported by `settled`; until then, it must not end the process.
    exchange.catch(() => {});
    const sent = { exchange, giveUp: () => over.abort() };
    this.alongside.add(sent);
    exchange.then(
      () => this.alongside.delete(sent),
      () => {},
    );
    await new Promise((nextTurn) => setImmediate(nextTurn));
  }

  /** Ends when every background call has its answer, or was given up after {@link ALONGSIDE_LIMIT_MS}. */
  async settled(): Promise<void> {
    const sent = [...this.alongside];
    this.alongside.clear();
    if (sent.length === 0) return;
    let cancelAlarm = (): void => {};
    const isOver = new Promise<void>((end) => {
      cancelAlarm = this.options.clock.alarm(ALONGSIDE_LIMIT_MS, () => {
        for (const { giveUp } of sent) giveUp();
        end();
      });
    });
    try {
      await Promise.race([Promise.all(sent.map(({ exchange }) => exchange)), isOver]);
    } finally {
      cancelAlarm();
    }
  }

  /**
   * @param stop ends waiting and the request that was sent
   * @param stopSoon ends only waiting; fires before `stop` if both are given
   * @param readUpload provides the files that the call sends
   * @throws TypeError for a call that does not match the table of operations
   */
  async exchange(call: WireCall, stop?: AbortSignal, stopSoon = stop, readUpload?: ReadUpload): Promise<Reply> {
    const mayRepeat = operationNamed(call.operation).repeat === "read";
    // The result of a write that was sent is worth waiting for.
    const signal = mayRepeat ? this.untilDeadline(stop) : stop;
    const sendNoMore = this.untilDeadline(stopSoon);
    const uploads = await uploadsOf(call, readUpload);
    if (isUnsentFile(uploads)) return { kind: "no-file", file: uploads };
    const request = this.request(call, uploads, signal);
    const limit = this.limitOf(call);
    let failures = 0;
    let turnedAway = 0;
    let met: TransportError | undefined;
    for (;;) {
      await this.gate.enter(sendNoMore);
      if (sendNoMore?.aborted)
        return { kind: "no-answer", error: new TransportError("aborted", { is: "stopped" }, true) };
      const outcome = await this.once(request, limit);
      if (outcome instanceof TransportError) {
        failures += outcome.failure === "timeout" ? 2 : 1;
        // A request that never left may be sent again, also a write; a request that left, only if it changes nothing.
        const again = (mayRepeat || outcome.neverSent) && mayPass(outcome) && failures < MOST_READS && limit.leftMs > 0;
        // The reason why the previous attempt did not reach the server is more helpful than the deadline.
        if (!again) return { kind: "no-answer", error: (mayRepeat && limit.leftMs <= 0 && met) || outcome };
        met = outcome.neverSent ? outcome : undefined;
        await this.wait("retry", backoffMs(failures, this.options.clock), sendNoMore);
        continue;
      }
      this.gate.learn(outcome);
      if (outcome.status === 429) {
        turnedAway += 1;
        const ms = rateLimitWaitMs(outcome, turnedAway, this.options.clock);
        if (ms === undefined || turnedAway > MOST_RATE_LIMITED) return { kind: "rate-limited" };
        await this.wait("rate-limit", ms, sendNoMore);
        continue;
      }
      const reply = understand(outcome, new URL(request.url).pathname, this.echo);
      const broken = outcome.status >= 500 || (reply.kind === "unreadable" && outcome.status < 300);
      failures += broken ? 1 : 0;
      if (!broken || !mayRepeat || failures >= MOST_READS || limit.leftMs <= 0) return reply;
      await this.wait("retry", backoffMs(failures, this.options.clock), sendNoMore);
    }
  }

  /**
   * Reads something public at an address, without the credentials.
   * @param url absolute, of a host that the caller trusts
   */
  async fetchPublic(url: string, signal?: AbortSignal): Promise<HttpResponse | TransportError> {
    const { accept: _, ...headers } = this.headers;
    const limit = { limitMs: this.options.timeoutMs ?? ANSWER_LIMIT_MS, isTold: false };
    const left = { ...limit, leftMs: limit.limitMs };
    const request: HttpRequest = {
      method: "GET",
      url,
      headers,
      body: undefined,
      asBytes: true,
      ...defined({ signal }),
    };
    for (let failures = 1; ; failures += 1) {
      const answer = await this.once(request, left);
      const mayHelp =
        answer instanceof TransportError ? mayPass(answer) : answer.status >= 500 || answer.status === 429;
      if (!mayHelp || failures >= MOST_READS || left.leftMs <= 0) return answer;
      await this.wait("retry", backoffMs(failures, this.options.clock), signal);
    }
  }

  /** The time that the attempts of one exchange may take together. */
  private limitOf({ operation }: WireCall): Limit {
    const limitMs = this.options.timeoutMs ?? ANSWER_LIMIT_MS;
    // A channel without new events is not a delay that has to be reported.
    return operation === "get-events"
      ? {
          limitMs: Math.max(limitMs, LONG_POLL_MS),
          leftMs: Math.max(limitMs, LONG_POLL_MS),
          isTold: true,
          isLong: true,
        }
      : { limitMs, leftMs: limitMs, isTold: false };
  }

  /** The request itself, for the transport: it holds the key. */
  private request(call: WireCall, uploads: readonly UploadedFile[], signal: AbortSignal | undefined): HttpRequest {
    const { method, path, query, form } = encodeCall(call);
    const { contentType, body } =
      uploads.length === 0
        ? { contentType: form === undefined ? undefined : "application/x-www-form-urlencoded", body: form }
        : multipart(encodeFields(operationNamed(call.operation), call.params), uploads);
    const credentials = Buffer.from(`${this.options.email}:${this.options.key.reveal()}`).toString("base64");
    return {
      method,
      url: `${this.site}${path}${query === "" ? "" : `?${query}`}`,
      headers: {
        ...this.headers,
        authorization: `Basic ${credentials}`,
        ...defined({ "content-type": contentType }),
      },
      body,
      ...defined({ headersTimeoutMs: call.operation === "get-events" ? LONG_POLL_MS : undefined, signal }),
    };
  }

  private async once(request: HttpRequest, limit: Limit): Promise<HttpResponse | TransportError> {
    const { clock, trace } = this.options;
    const { method } = request;
    const path = new URL(request.url).pathname;
    const start = clock.now();
    try {
      const response = await this.withinLimit(request, limit);
      trace?.({ event: "answer", method, path, status: response.status, ms: clock.now() - start });
      return response;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      trace?.({ event: "no-answer", method, path, reason: error.reason, ms: clock.now() - start });
      return error;
    } finally {
      limit.leftMs -= clock.now() - start;
    }
  }

  /** @throws TransportError also when the time is over, however the transport reacts to being stopped */
  private async withinLimit(request: HttpRequest, limit: Limit): Promise<HttpResponse> {
    const { clock, transport, onWaiting } = this.options;
    const { limitMs, leftMs } = limit;
    const over = new AbortController();
    const untilSlowMs = SLOW_MS - (limitMs - leftMs);
    const cancelSlow = clock.alarm(Math.max(0, untilSlowMs), () => {
      if (limit.isTold || limitMs <= SLOW_MS) return;
      limit.isTold = true;
      onWaiting?.({ for: "answer", host: this.host, sinceMs: SLOW_MS, limitMs });
    });
    const cancelEnd = clock.alarm(leftMs, () => over.abort());
    const isOver = new Promise<never>((_, reject) => {
      over.signal.addEventListener("abort", () => {
        reject(new TransportError("timeout", { is: "not-whole", limit_seconds: limitMs / 1000 }, false));
      });
    });
    const signal = request.signal === undefined ? over.signal : AbortSignal.any([request.signal, over.signal]);
    const stop = stopOf(request.signal);
    const answer = Promise.race([transport({ ...request, signal }), isOver, stop.comes]);
    const begun = clock.now();
    const sinceMs = (): number => limitMs - leftMs + clock.now() - begun;
    try {
      // While no event happens, this is not a delay to report.
      if (limit.isLong === true) return await answer;
      return await this.during(() => ({ for: "answer", host: this.host, sinceMs: sinceMs(), limitMs }), answer);
    } finally {
      stop.forget();
      cancelSlow();
      cancelEnd();
    }
  }

  private get host(): string {
    return new URL(this.site).host;
  }

  private async wait(why: TraceWait, ms: number, signal: AbortSignal | undefined): Promise<void> {
    const { clock } = this.options;
    this.waits(why, ms);
    const until = clock.now() + ms;
    const left = (): Waiting => ({ for: why, host: this.host, ms: Math.max(0, until - clock.now()) });
    await this.during(left, clock.sleep(ms, signal));
  }

  /** Reports an activity to others while it lasts. */
  private async during<T>(what: () => Waiting, work: Promise<T>): Promise<T> {
    this.pending.add(what);
    try {
      return await work;
    } finally {
      this.pending.delete(what);
    }
  }

  private waits(why: TraceWait, ms: number): void {
    const { trace, onWaiting } = this.options;
    trace?.({ event: "wait", why, ms });
    if (why !== "retry" && ms > SLOW_MS) onWaiting?.({ for: why, host: this.host, ms });
  }
}

/** What the attempts of one exchange share. */
interface Limit {
  readonly limitMs: number;
  leftMs: number;
  isTold: boolean;
  /** Whether the server holds back its answer on purpose. */
  readonly isLong?: boolean;
}

/** Whether waiting can help. A wrong certificate or an unknown host name stays wrong. */
function mayPass({ failure, detail }: TransportError): boolean {
  return (
    failure === "unreachable" || failure === "timeout" || failure === "broken-off" || detail === "proxy-unreachable"
  );
}

/** Rejects when the signal fires: a transport that is still connecting does not listen to it. */
function stopOf(signal: AbortSignal | undefined): { readonly comes: Promise<never>; forget(): void } {
  let hear = (): void => {};
  const comes = new Promise<never>((_, reject) => {
    hear = () => reject(new TransportError("aborted", { is: "stopped" }, false));
  });
  signal?.addEventListener("abort", hear);
  return { comes, forget: () => signal?.removeEventListener("abort", hear) };
}
