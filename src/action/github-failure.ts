import { type Diagnostic, EXIT, type ExitCode, Failure } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";

/** Could the same request be answered a moment later? Then GitHub, or the way to it, broke, and nobody knows whether it was done. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status >= 500 || status === 408;
  const { type, message } = refusalOf(error);
  return isObject(error) && Array.isArray(error.errors) && type === "" && /something went wrong|timeout/i.test(message);
}

/** The answer; undefined when GitHub has no such thing. */
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

/** One reason, whichever of GitHub's two APIs gave it: GraphQL answers 200 and puts what it refuses into the body. */
interface Refusal {
  readonly status: number | undefined;
  /** `FORBIDDEN`, `NOT_FOUND`, `RATE_LIMITED`, …; GraphQL only. */
  readonly type: string;
  readonly message: string;
  /** Seconds. */
  readonly retryAfter: string | undefined;
}

function refusalOf(error: unknown): Refusal {
  const listed: unknown = isObject(error) && Array.isArray(error.errors) ? error.errors[0] : undefined;
  const inner = isObject(listed) ? listed : {};
  const own = error instanceof Error ? error.message : String(error);
  const text = statusOf(error) === undefined && typeof inner.message === "string" ? inner.message : own;
  const response = isObject(error) && isObject(error.response) ? error.response : {};
  const retryAfter = isObject(response.headers) ? response.headers["retry-after"] : undefined;
  return {
    // The library says 500 for what was never answered.
    status: isObject(error) && error.response === undefined ? undefined : statusOf(error),
    type: typeof inner.type === "string" ? inner.type : "",
    message: text.split("\n")[0] ?? "",
    retryAfter: typeof retryAfter === "string" && /^\d+$/.test(retryAfter) ? retryAfter : undefined,
  };
}

/** One that names the permission where that could be the reason. @param what continues "GitHub did not let us …" */
export function failureOf(error: unknown, what: string, permission: string): Failure {
  if (error instanceof Failure) return error;
  const { status, type, message, retryAfter } = refusalOf(error);
  const says = `${status ?? "refused"}: ${message}`;
  const failure = (code: Diagnostic["code"], text: string, hint: string, exitCode: ExitCode): Failure =>
    new Failure(exitCode, { code, severity: "error", message: text, hint });
  if (status === 429 || type === "RATE_LIMITED" || /rate limit/i.test(message))
    return failure(
      "github/rate-limit",
      `GitHub did not let us ${what}: ${message}`,
      retryAfter === undefined ? "run the job again later" : `run the job again in ${retryAfter} s`,
      EXIT.unreachable,
    );
  if (status === 401)
    return failure(
      "github/not-allowed",
      `GitHub did not let us ${what} (${says})`,
      "the token is not valid, or not any more: leave out the input github-token (its default is the job's own), or give it another one",
      EXIT.notAllowed,
    );
  if (/not permitted to create or approve pull requests/i.test(message))
    return failure(
      "github/not-allowed",
      `GitHub did not let us ${what} (${says})`,
      "turn on Settings, Actions, General, “Allow GitHub Actions to create and approve pull requests”, or give github-token the token of an app",
      EXIT.notAllowed,
    );
  if (
    status === 403 ||
    status === 404 ||
    type === "FORBIDDEN" ||
    type === "NOT_FOUND" ||
    /not accessible by integration|forbidden/i.test(message)
  )
    return failure(
      "github/not-allowed",
      `GitHub did not let us ${what} (${says})`,
      `give the job the permission "${permission}"; jobs of pull requests from forks never get more than reading (docs/action.md)`,
      EXIT.notAllowed,
    );
  if (status === 410 && /issues/i.test(message))
    return failure(
      "github/refused",
      `GitHub did not let us ${what} (${says})`,
      "turn issues on in the repository's settings, or say `issue: false`",
      EXIT.notAllowed,
    );
  if (status !== undefined && status >= 400 && status < 500)
    return failure(
      "github/refused",
      `GitHub did not let us ${what} (${says})`,
      "the same request will be refused again: a rule of the repository, or something that is gone, stands in the way",
      EXIT.notAllowed,
    );
  return failure(
    "github/unreachable",
    `GitHub could not ${what}${status === undefined ? "" : ` (${status})`}: ${message}`,
    "run the job again; githubstatus.com tells of outages",
    EXIT.unreachable,
  );
}
