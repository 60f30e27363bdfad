import type { getOctokit } from "@actions/github";
import { defined } from "../model/defined.ts";
import { error as diagnostic, EXIT, Failure } from "../model/diagnostic.ts";
import type { GithubWork } from "../model/diagnostics/hosts.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isObject } from "../model/json.ts";
import { type WaitCause, waitingForGitHub } from "../report/action/log.ts";
import type { Clock } from "../zulip/clock.ts";
import { TransportError } from "../zulip/transport.ts";

/** The wait before each repeat. GitHub's failures last seconds, or longer than a job should wait. */
const PAUSES_MS = [2000, 6000, 18_000] as const;

/**
 * Sends the Action's requests to GitHub. If GitHub or the connection fails, it is unknown whether a request was carried out. Reads are repeated, and
 * so are writes whose repetition has the same result. Before something is created again, the Action looks for the result of the first attempt. Every
 * refusal is a Failure that names the permission.
 */
export class Requests {
  private readonly waiting: Waiting;

  constructor(waiting: Waiting) {
    this.waiting = waiting;
  }

  /**
   * Reads, or writes something that may be written twice.
   * @param permission as `permissions:` in a workflow spells it
   * @throws Failure for every refusal of GitHub
   */
  async repeat<T>(work: GithubWork, permission: string, run: () => Promise<T>): Promise<T> {
    return this.once(work, permission, run, async () => undefined);
  }

  /**
   * Creates something that must not exist twice.
   * @param find returns what an earlier attempt created although its answer was lost; undefined if it created nothing
   * @throws Failure for every refusal of GitHub
   */
  async once<T>(
    work: GithubWork,
    permission: string,
    make: () => Promise<T>,
    find: () => Promise<T | undefined>,
  ): Promise<T> {
    for (let repeat = 0; ; repeat += 1) {
      try {
        return await make();
      } catch (error) {
        const passing = isPassing(error);
        // GitHub may refuse a repeat because the attempt before it succeeded.
        if (!passing && repeat === 0) throw failureOf(error, work, permission);
        const pauseMs = passing ? PAUSES_MS[repeat] : undefined;
        const waited = pauseMs !== undefined && (await this.waiting.pause("no-answer", pauseMs));
        const made = await find().catch(() => undefined);
        if (made !== undefined) return made;
        if (!waited) throw failureOf(error, work, permission);
      }
    }
  }
}

/** How to wait, and whom to inform. */
export interface Patience {
  readonly clock: Pick<Clock, "now" | "sleep">;
  readonly say: (text: string) => void;
}

/** The limit for one request. */
const MOST_REPEATS = 4;
/** The limit for a whole job: somebody pays for its minutes, and other jobs wait for it. */
const MOST_WAIT_MS = 5 * 60_000;
/** What GitHub recommends where an answer does not say how long to wait. */
const SECONDARY_WAIT_MS = 60_000;
/** The time limit for an answer; artifacts are large. */
const ANSWER_MS = 60_000;
const DOWNLOAD_MS = 5 * 60_000;

/** The waiting time of one job, whatever the reasons. */
export class Waiting {
  private leftMs = MOST_WAIT_MS;
  readonly clock: Patience["clock"];
  private readonly say: Patience["say"];

  constructor({ clock, say }: Patience) {
    this.clock = clock;
    this.say = say;
  }

  /** @returns false, at once, if the job would wait longer than it may */
  async pause(why: WaitCause, waitMs: number): Promise<boolean> {
    if (waitMs > this.leftMs) return false;
    this.leftMs -= waitMs;
    this.say(waitingForGitHub(why, waitMs));
    await this.clock.sleep(waitMs);
    return true;
  }
}

/**
 * Waits and repeats a request where GitHub says that it was asked too often. GitHub did nothing with such a request, so a comment cannot appear
 * twice. Waits that are too long for a job, and all other refusals, are left to the caller.
 */
export function waitForLimits(octokit: ReturnType<typeof getOctokit>, waiting: Waiting): void {
  octokit.hook.wrap("request", async (request, options) => {
    const given = { ...options.request };
    const fetchOnce: typeof fetch = given.fetch ?? fetch;
    for (let repeat = 0; ; repeat += 1) {
      try {
        const signal = AbortSignal.timeout(/\/zip$/.test(options.url) ? DOWNLOAD_MS : ANSWER_MS);
        // The hooks registered before this one see these options, whatever the caller passed.
        options.request = { ...given, signal, fetch: wholly(fetchOnce) };
        return await request(options);
      } catch (error) {
        const waitMs = limitWaitMs(error, waiting.clock.now(), repeat);
        if (waitMs === undefined || repeat >= MOST_REPEATS) throw error;
        if (!(await waiting.pause("asked-too-often", waitMs))) throw error;
      }
    }
  });
}

/** Reads answers to their end. The library treats an answer that ends in the middle as an empty one: a file without lines. */
function wholly(fetchOnce: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchOnce(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(await response.arrayBuffer(), { status, statusText, headers });
  };
}

/**
 * How long to wait after a refusal, in milliseconds; undefined if it has nothing to do with a limit, or if nobody knows how long.
 * @param repeat how often the request was repeated already
 */
export function limitWaitMs(error: unknown, nowMs: number, repeat: number): number | undefined {
  if (!isObject(error) || (error.status !== 403 && error.status !== 429)) return undefined;
  const response = isObject(error.response) ? error.response : {};
  const headers = isObject(response.headers) ? response.headers : {};
  const retryAfter = wholeNumber(headers["retry-after"]);
  if (retryAfter !== undefined) return Math.max(1, retryAfter) * 1000;
  const reset = wholeNumber(headers["x-ratelimit-reset"]);
  // The two clocks can differ by a few seconds.
  if (wholeNumber(headers["x-ratelimit-remaining"]) === 0 && reset !== undefined)
    return Math.max(1000, reset * 1000 - nowMs + 1000);
  const isSecondary = typeof error.message === "string" && /secondary rate limit/i.test(error.message);
  return isSecondary || error.status === 429 ? SECONDARY_WAIT_MS * 2 ** repeat : undefined;
}

function wholeNumber(value: unknown): number | undefined {
  return (typeof value === "string" && /^\d+$/.test(value)) || typeof value === "number" ? Number(value) : undefined;
}

/**
 * Whether the same request could succeed a moment later: GitHub, or the connection to it, failed, and nobody knows whether the request was carried
 * out.
 */
function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  const proxied = proxyErrorIn(error);
  if (proxied !== undefined) return proxied.detail === "proxy-unreachable";
  if (status !== undefined) return status >= 500 || status === 408;
  const { type, message } = refusalOf(error);
  return isObject(error) && Array.isArray(error.errors) && type === "" && /something went wrong|timeout/i.test(message);
}

/** A proxy is between the job and GitHub. If it asks for a password, or does not let GitHub through, a repeat gets the same answer. */
function proxyErrorIn(error: unknown): TransportError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1)
    if (cause instanceof TransportError && cause.failure === "proxy") return cause;
  return undefined;
}

/** The answer; undefined if GitHub does not have the object. */
export async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

function statusOf(error: unknown): number | undefined {
  return isObject(error) && typeof error.status === "number" ? error.status : undefined;
}

/** One error, from either of GitHub's two APIs: GraphQL answers 200 and puts its errors into the body. */
interface Refusal {
  readonly status: number | undefined;
  /** `FORBIDDEN`, `NOT_FOUND`, `RATE_LIMITED`, …; only in GraphQL. */
  readonly type: string;
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
}

function refusalOf(error: unknown): Refusal {
  const listed: unknown = isObject(error) && Array.isArray(error.errors) ? error.errors[0] : undefined;
  const inner = isObject(listed) ? listed : {};
  const own = error instanceof Error ? error.message : String(error);
  const text = statusOf(error) === undefined && typeof inner.message === "string" ? inner.message : own;
  const response = isObject(error) && isObject(error.response) ? error.response : {};
  const retryAfter = isObject(response.headers) ? response.headers["retry-after"] : undefined;
  return {
    // The library reports 500 for a request that got no answer.
    status: isObject(error) && error.response === undefined ? undefined : statusOf(error),
    type: typeof inner.type === "string" ? inner.type : "",
    message: text.split("\n")[0] ?? "",
    retryAfterSeconds: typeof retryAfter === "string" && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined,
  };
}

/** A Failure that names the permission where a missing one could be the reason. */
function failureOf(error: unknown, work: GithubWork, permission: string): Failure {
  if (error instanceof Failure) return error;
  const { status, type, message, retryAfterSeconds } = refusalOf(error);
  const fact = { work, answer: quote(message), ...defined({ status }) };
  const notAllowed = (cause: "token" | "pull-requests-off") =>
    new Failure(EXIT.notAllowed, diagnostic("github/not-allowed", { ...fact, cause }));
  if (status === 429 || type === "RATE_LIMITED" || /rate limit/i.test(message)) {
    const wait = defined({ retry_after_seconds: retryAfterSeconds });
    return new Failure(EXIT.unreachable, diagnostic("github/rate-limit", { ...fact, ...wait }));
  }
  if (status === 401) return notAllowed("token");
  if (/not permitted to create or approve pull requests/i.test(message)) return notAllowed("pull-requests-off");
  if (
    status === 403 ||
    status === 404 ||
    type === "FORBIDDEN" ||
    type === "NOT_FOUND" ||
    /not accessible by integration|forbidden/i.test(message)
  )
    return new Failure(EXIT.notAllowed, diagnostic("github/not-allowed", { ...fact, cause: "permission", permission }));
  const isOff = status === 410 && /issues/i.test(message);
  if (isOff || (status !== undefined && status >= 400 && status < 500))
    return new Failure(
      EXIT.notAllowed,
      diagnostic("github/refused", { ...fact, cause: isOff ? "issues-off" : "other" }),
    );
  return new Failure(
    EXIT.unreachable,
    diagnostic("github/unreachable", {
      ...fact,
      ...defined({ by_proxy: proxyErrorIn(error) && (true as const) }),
    }),
  );
}
