import { EXIT, error, Failure } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";

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

/** A person's review of a pull request. */
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
  return new Failure(EXIT.refusedByGuard, error("reviewed/not-approved", { pull, is_planned_later: isPlannedLater }));
}
