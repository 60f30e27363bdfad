import { defined } from "../model/defined.ts";
import { error as diagnostic, EXIT, Failure } from "../model/diagnostic.ts";
import type { GithubWork } from "../model/diagnostics/github.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isObject } from "../model/json.ts";
import { TransportError } from "../zulip/transport.ts";

/**
 * Whether the same request could succeed a moment later: GitHub, or the connection to it, failed, and nobody knows whether the request was carried
 * out.
 */
export function isPassing(error: unknown): boolean {
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
export function failureOf(error: unknown, work: GithubWork, permission: string): Failure {
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
