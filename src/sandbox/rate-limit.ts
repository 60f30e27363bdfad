import type { Clock } from "./clock.ts";
import { ApiError } from "./errors.ts";

export interface RateLimit {
  readonly seconds: number;
  readonly requests: number;
}
/** The server's defaults for accounts (zulip-api.md §13.5). */
export const SERVER_RATE_LIMITS: readonly RateLimit[] = [
  { seconds: 60, requests: 200 },
  { seconds: 3600, requests: 2000 },
];
/** The server's defaults for callers without credentials, per address. */
export const ANONYMOUS_RATE_LIMITS: readonly RateLimit[] = [{ seconds: 60, requests: 100 }];

export type RateHeaders = { readonly [name: string]: string };
export class RateLimited extends ApiError {
  readonly headers: RateHeaders;
  constructor(secondsToWait: number, headers: RateHeaders) {
    super("API usage exceeded rate limit", {
      status: 429,
      code: "RATE_LIMIT_HIT",
      extra: { "retry-after": secondsToWait },
    });
    this.headers = headers;
  }
}

/** Counts requests per account and bucket in sliding windows. */
export class RateLimiter {
  private readonly clock: Clock;
  private readonly limits: readonly RateLimit[];
  private readonly times = new Map<string, number[]>();

  constructor(clock: Clock, limits: readonly RateLimit[]) {
    this.clock = clock;
    this.limits = [...limits].sort((a, b) => a.seconds - b.seconds);
  }

  /**
   * Counts one request. A success reports only the longest rule, as on the server.
   * @throws RateLimited if one of the rules is exhausted: the request is not counted, and must not be executed
   */
  count(who: string): RateHeaders {
    const longest = this.limits.at(-1);
    if (longest === undefined) return {};
    const now = this.clock.now();
    const times = (this.times.get(who) ?? []).filter((at) => at > now - longest.seconds * 1000);
    this.times.set(who, times);
    for (const limit of this.limits) {
      const inWindow = times.filter((at) => at > now - limit.seconds * 1000);
      if (inWindow.length < limit.requests) continue;
      const oldest = inWindow[inWindow.length - limit.requests] ?? now;
      const wait = (oldest + limit.seconds * 1000 - now) / 1000;
      throw new RateLimited(wait, {
        "x-ratelimit-limit": String(limit.requests),
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(Math.ceil(now / 1000 + wait)),
        "retry-after": String(wait),
      });
    }
    times.push(now);
    return {
      "x-ratelimit-limit": String(longest.requests),
      "x-ratelimit-remaining": String(longest.requests - times.length),
      "x-ratelimit-reset": String(Math.ceil(((times[0] ?? now) + longest.seconds * 1000) / 1000)),
    };
  }

  clear(): void {
    this.times.clear();
  }
}
