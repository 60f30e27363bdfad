import type { getOctokit } from "@actions/github";
import { isObject } from "../model/json.ts";
import { type WaitCause, waitingForGitHub } from "../report/action/log.ts";
import type { Clock } from "../zulip/clock.ts";

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
