import type { getOctokit } from "@actions/github";
import { defined } from "../model/defined.ts";
import { EXIT, Failure, failure } from "../model/diagnostic.ts";
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
    failure("github/not-allowed", { ...fact, cause }, EXIT.notAllowed);
  if (status === 429 || type === "RATE_LIMITED" || /rate limit/i.test(message)) {
    const wait = defined({ retry_after_seconds: retryAfterSeconds });
    return failure("github/rate-limit", { ...fact, ...wait }, EXIT.unreachable);
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
    return failure("github/not-allowed", { ...fact, cause: "permission", permission }, EXIT.notAllowed);
  const isOff = status === 410 && /issues/i.test(message);
  if (isOff || (status !== undefined && status >= 400 && status < 500))
    return failure("github/refused", { ...fact, cause: isOff ? "issues-off" : "other" }, EXIT.notAllowed);
  return failure(
    "github/unreachable",
    {
      ...fact,
      ...defined({ by_proxy: proxyErrorIn(error) && (true as const) }),
    },
    EXIT.unreachable,
  );
}

/** A comment on a pull request, as far as the Action uses it. */
export interface PullComment {
  readonly nodeId: string;
  readonly id: number;
  readonly body: string;
  /** Whether the account of this token wrote the comment. Others can write any text, including our marker. */
  readonly mine: boolean;
  readonly minimised: boolean;
}

export interface Issue {
  readonly number: number;
  readonly body: string;
  readonly title: string;
  /** Whether somebody closed the issue as not planned. */
  readonly notPlanned: boolean;
}

/** The account of the token. */
export interface Viewer {
  readonly login: string;
  /** Tokens of jobs and apps do not belong to a person. */
  readonly isBot: boolean;
}

interface ListedIssue {
  readonly number: number;
  readonly title: string;
  readonly body?: string | null;
  readonly state_reason?: string | null;
  readonly pull_request?: unknown;
  readonly user: { readonly login: string; readonly type: string } | null;
}

/** Whether a line of the text is the marker. Within a line, a name that anybody chose can look like one. */
export const isMarked = (text: string, marker: string): boolean => text.split(/\r?\n/).includes(marker);

/** The account's own issues with the marker: others can write any text. */
export function ownIssues(listed: readonly ListedIssue[], viewer: Viewer, marker: string): readonly Issue[] {
  return listed.flatMap(({ number, title, body, user, pull_request, state_reason }) => {
    if (pull_request !== undefined || !isViewer(user, viewer)) return [];
    const text = body ?? "";
    return isMarked(text, marker) ? [{ number, body: text, title, notPlanned: state_reason === "not_planned" }] : [];
  });
}

/** GraphQL calls the account of a job's token by its bare name, REST adds `[bot]`: a person may have the bare name. */
function isViewer(user: ListedIssue["user"], { login, isBot }: Viewer): boolean {
  const bare = (name: string): string => name.replace(/\[bot\]$/, "");
  return user !== null && bare(user.login) === bare(login) && (!isBot || user.type === "Bot");
}

/** GitHub may return other line ends than it received. */
export function sameText(one: string, other: string): boolean {
  return one.replaceAll("\r\n", "\n").trimEnd() === other.trimEnd();
}

export const COMMENTS = `query($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) {
    comments(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { id databaseId body viewerDidAuthor isMinimized }
    } } } }`;
export const MINIMISE = `mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) { clientMutationId } }`;

/** @throws TypeError for any other answer */
export function commentPage(answer: unknown): { comments: readonly PullComment[]; next: string | undefined } {
  const repository = isObject(answer) ? answer.repository : undefined;
  const pull = isObject(repository) ? repository.pullRequest : undefined;
  const page = isObject(pull) ? pull.comments : undefined;
  if (!isObject(page) || !Array.isArray(page.nodes)) throw new TypeError("GitHub's answer has no comments");
  const nodes: readonly unknown[] = page.nodes;
  const comments = nodes.flatMap((node) =>
    isObject(node)
      ? [
          {
            nodeId: String(node.id),
            id: Number(node.databaseId),
            body: String(node.body),
            mine: node.viewerDidAuthor === true,
            minimised: node.isMinimized === true,
          },
        ]
      : [],
  );
  const info = page.pageInfo;
  const next = isObject(info) && info.hasNextPage === true ? String(info.endCursor) : undefined;
  return { comments, next };
}

export interface Review {
  readonly reviewer: string;
  /** The state in GitHub's spelling: APPROVED, CHANGES_REQUESTED, DISMISSED, COMMENTED. */
  readonly state: string;
  readonly commit: string;
  /** The time of the review (ISO 8601). */
  readonly at: string;
  /** Whether GitHub counts their approval: owner, member or collaborator. */
  readonly counts: boolean;
}

/**
 * When the merged commit was approved last. Only the last review of each reviewer counts: somebody who requests changes after approving, or whose
 * approval was dismissed, no longer approves.
 * @returns ISO 8601; undefined if nobody approves that commit
 */
export function approvedAt(reviews: readonly Review[], commit: string): string | undefined {
  const last = new Map<string, Review>();
  for (const review of [...reviews].sort((a, b) => (a.at < b.at ? -1 : 1)))
    if (review.counts && review.state !== "COMMENTED" && review.state !== "PENDING") last.set(review.reviewer, review);
  return [...last.values()]
    .filter((review) => review.state === "APPROVED" && review.commit === commit)
    .map(({ at }) => at)
    .sort()
    .at(-1);
}

export function notApproved(pull: number, isPlannedLater: boolean): Failure {
  return failure("reviewed/not-approved", { pull, is_planned_later: isPlannedLater }, EXIT.refusedByGuard);
}
