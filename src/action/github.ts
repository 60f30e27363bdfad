import { randomUUID } from "node:crypto";
import { getOctokit } from "@actions/github";
import { defined } from "../model/defined.ts";
import { EXIT, failure } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import type { Fetch } from "../zulip/proxied-fetch.ts";
import { Branches } from "./github-branches.ts";
import {
  COMMENTS,
  commentPage,
  type Issue,
  MINIMISE,
  ownIssues,
  type Patience,
  type PullComment,
  Requests,
  type Review,
  sameText,
  unlessMissing,
  type Viewer,
  Waiting,
  waitForLimits,
} from "./github-requests.ts";

export interface Artifact {
  readonly id: number;
  readonly name: string;
  readonly createdAt: string;
  readonly headSha: string;
  readonly headBranch: string;
  /** The repository that has the run's commit; for runs of a fork, this is the fork. */
  readonly headRepositoryId: number | undefined;
  readonly sizeBytes: number;
}

export interface Annotation {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly level: "notice" | "warning" | "failure";
  readonly title: string;
  readonly message: string;
}

export interface CheckRun {
  readonly name: string;
  readonly headSha: string;
  readonly conclusion: "success" | "neutral" | "failure" | "action_required";
  readonly title: string;
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}

const REASONS = { open: "reopened", closed: "completed" } as const;

/** The part of GitHub's API that the Action uses. Every refusal is a Failure that names the permission. */
export class GitHub {
  /** Branches and pull requests; used only by the adopt-drift pull request. */
  readonly branches: Branches;
  private readonly octokit: ReturnType<typeof getOctokit>;
  private readonly requests: Requests;
  private readonly clock: Patience["clock"];
  private readonly isBot: boolean;
  private readonly at: { readonly owner: string; readonly repo: string };

  /**
   * @param baseUrl the address of the REST API, from which that of GraphQL follows
   * @param proxied whether a proxy is between the job and GitHub
   */
  constructor(
    token: string,
    at: { readonly owner: string; readonly repo: string },
    baseUrl: string,
    patience: Patience,
    proxied?: Fetch,
  ) {
    if (token === "") throw failure("github/no-token", {}, EXIT.notAllowed);
    this.octokit = getOctokit(token, { baseUrl, ...defined({ request: proxied && { fetch: proxied } }) });
    const waiting = new Waiting(patience);
    waitForLimits(this.octokit, waiting);
    this.requests = new Requests(waiting);
    this.clock = patience.clock;
    this.isBot = token.startsWith("ghs_");
    this.at = at;
    this.branches = new Branches(this.octokit, this.requests, at);
  }

  /** Every comment of the pull request, oldest first. */
  async comments(number: number): Promise<readonly PullComment[]> {
    const found: PullComment[] = [];
    for (let after: string | null = null; ; ) {
      const answer: unknown = await this.requests.repeat("read-comments", "pull-requests: write", () =>
        this.octokit.graphql(COMMENTS, { ...this.at, number, after }),
      );
      const page = commentPage(answer);
      found.push(...page.comments);
      if (page.next === undefined) return found;
      after = page.next;
    }
  }

  async createComment(number: number, body: string): Promise<void> {
    await this.requests.once(
      "write-comment",
      "pull-requests: write",
      async () => void (await this.octokit.rest.issues.createComment({ ...this.at, issue_number: number, body })),
      async () => (await this.comments(number)).find((comment) => comment.mine && sameText(comment.body, body)),
    );
  }

  async updateComment(id: number, body: string): Promise<void> {
    await this.requests.repeat("edit-comment", "pull-requests: write", () =>
      this.octokit.rest.issues.updateComment({ ...this.at, comment_id: id, body }),
    );
  }

  async minimiseComment(nodeId: string): Promise<void> {
    await this.requests.repeat("minimise-comment", "pull-requests: write", () =>
      this.octokit.graphql(MINIMISE, { id: nodeId }),
    );
  }

  /** One check run with all its annotations: GitHub takes 50 at a time. */
  async createCheck(check: CheckRun): Promise<void> {
    const output = (from: number) => ({
      title: check.title,
      summary: check.summary,
      annotations: check.annotations.slice(from, from + 50).map(({ path, line, endLine, level, title, message }) => ({
        path,
        start_line: line,
        end_line: endLine,
        annotation_level: level,
        title,
        message,
      })),
    });
    const externalId = randomUUID();
    const at = { ...this.at, check_run_id: 0 };
    at.check_run_id = await this.requests.once(
      "write-check",
      "checks: write",
      async () => {
        const { data } = await this.octokit.rest.checks.create({
          ...this.at,
          name: check.name,
          head_sha: check.headSha,
          external_id: externalId,
          status: "completed",
          conclusion: check.conclusion,
          output: output(0),
        });
        return data.id;
      },
      async () => {
        const made = { ...this.at, ref: check.headSha, check_name: check.name, filter: "all", per_page: 100 } as const;
        const { data } = await this.octokit.rest.checks.listForRef(made);
        return data.check_runs.find(({ external_id }) => external_id === externalId)?.id;
      },
    );
    for (let from = 50; from < check.annotations.length; from += 50)
      await this.requests.once(
        "write-check",
        "checks: write",
        async () => void (await this.octokit.rest.checks.update({ ...at, output: output(from) })),
        // The annotations of an update are added to the existing ones.
        async () => (await this.octokit.rest.checks.get(at)).data.output.annotations_count > from || undefined,
      );
  }

  /** Open issues of this account with the marker. */
  async openIssues(marker: string): Promise<readonly Issue[]> {
    return this.requests.repeat("read-issues", "issues: write", async () => {
      const viewer = await this.viewer();
      const issues = await this.octokit.paginate(this.octokit.rest.issues.listForRepo, {
        ...this.at,
        state: "open",
        per_page: 100,
      });
      return ownIssues(issues, viewer, marker);
    });
  }

  /** Closed issues of this account with the marker, among those that were updated last. */
  async closedIssues(marker: string): Promise<readonly Issue[]> {
    return this.requests.repeat("read-issues", "issues: write", async () => {
      const viewer = await this.viewer();
      const list = { ...this.at, state: "closed", sort: "updated", direction: "desc", per_page: 100 } as const;
      return ownIssues((await this.octokit.rest.issues.listForRepo(list)).data, viewer, marker);
    });
  }

  /** @param marker a line of the body that no other open issue of this account has */
  async createIssue(title: string, body: string, marker: string): Promise<number> {
    return this.requests.once(
      "open-issue",
      "issues: write",
      async () => (await this.octokit.rest.issues.create({ ...this.at, title, body })).data.number,
      async () => (await this.openIssues(marker))[0]?.number,
    );
  }

  async updateIssue(
    number: number,
    change: { title?: string; body?: string; state?: "open" | "closed" },
  ): Promise<void> {
    await this.requests.repeat("edit-issue", "issues: write", () =>
      this.octokit.rest.issues.update({
        ...this.at,
        issue_number: number,
        ...change,
        ...defined({ state_reason: change.state === undefined ? undefined : REASONS[change.state] }),
      }),
    );
  }

  async commentOnIssue(number: number, body: string): Promise<void> {
    const at = { ...this.at, issue_number: number };
    const since = new Date(this.clock.now() - LOOK_BACK_MS).toISOString();
    await this.requests.once(
      "write-issue-comment",
      "issues: write",
      async () => void (await this.octokit.rest.issues.createComment({ ...at, body })),
      async () => {
        const { data } = await this.octokit.rest.issues.listComments({ ...at, since, per_page: 100 });
        return data.find((comment) => sameText(comment.body ?? "", body));
      },
    );
  }

  /** The merge commit that GitHub prepares for a pull request; undefined while it is not ready, or if there are conflicts. */
  async mergeOf(number: number): Promise<string | undefined> {
    return this.requests.repeat("read-merge", "contents: read", () =>
      unlessMissing(async () => {
        const { data } = await this.octokit.rest.git.getRef({ ...this.at, ref: `pull/${number}/merge` });
        return data.object.sha;
      }),
    );
  }

  /** Whether a branch has that commit in its history. */
  async contains(branch: string, sha: string): Promise<boolean> {
    const status = await this.requests.repeat("compare-commits", "contents: read", () =>
      unlessMissing(async () => {
        const basehead = `${branch}...${sha}`;
        const { data } = await this.octokit.rest.repos.compareCommitsWithBasehead({
          ...this.at,
          basehead,
          per_page: 1,
        });
        return data.status;
      }),
    );
    return status === "identical" || status === "behind";
  }

  async mergeBase(base: string, head: string): Promise<string> {
    return this.requests.repeat("compare-commits", "contents: read", async () => {
      const { data } = await this.octokit.rest.repos.compareCommitsWithBasehead({
        ...this.at,
        basehead: `${base}...${head}`,
      });
      return data.merge_base_commit.sha;
    });
  }

  /** Unexpired artifacts of that name, newest first. */
  async artifacts(name: string): Promise<readonly Artifact[]> {
    return this.requests.repeat("list-artifacts", "actions: read", async () => {
      // Hourly snapshots that are kept for a week fill more than one page. GitHub promises no order.
      const found = [];
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const list = { ...this.at, name, per_page: PER_PAGE, page };
        const { data, headers } = await this.octokit.rest.actions.listArtifactsForRepo(list);
        found.push(...data.artifacts);
        if (isLastPage(data.artifacts, headers.link)) break;
      }
      return found
        .filter((artifact) => !artifact.expired && artifact.name === name)
        .map((artifact) => ({
          id: artifact.id,
          name: artifact.name,
          createdAt: artifact.created_at ?? "",
          headSha: artifact.workflow_run?.head_sha ?? "",
          headBranch: artifact.workflow_run?.head_branch ?? "",
          headRepositoryId: artifact.workflow_run?.head_repository_id,
          sizeBytes: artifact.size_in_bytes,
        }))
        .sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.id - a.id));
    });
  }

  async downloadArtifact(id: number): Promise<Uint8Array> {
    return this.requests.repeat("download-artifact", "actions: read", async () => {
      const { data } = await this.octokit.rest.actions.downloadArtifact({
        ...this.at,
        artifact_id: id,
        archive_format: "zip",
      });
      if (data instanceof ArrayBuffer) return new Uint8Array(data);
      throw new TypeError("the answer is no zip");
    });
  }

  /** Merged pull requests that brought a commit into the default branch. */
  async pullsOf(
    sha: string,
  ): Promise<readonly { readonly number: number; readonly head: string; readonly base: string }[]> {
    return this.requests.repeat("find-pull-request", "pull-requests: read", async () => {
      const { data } = await this.octokit.rest.repos.listPullRequestsAssociatedWithCommit({
        ...this.at,
        commit_sha: sha,
      });
      return data
        .filter((pull) => pull.merged_at !== null && pull.merge_commit_sha === sha)
        .map((pull) => ({ number: pull.number, head: pull.head.sha, base: pull.base.ref }));
    });
  }

  /** The comments on a pull request, up to the number that is read. */
  async reviews(number: number): Promise<readonly Review[]> {
    return this.requests.repeat("read-reviews", "pull-requests: read", async () => {
      const found: Review[] = [];
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const list = { ...this.at, pull_number: number, per_page: PER_PAGE, page };
        const { data, headers } = await this.octokit.rest.pulls.listReviews(list);
        for (const { user, state, commit_id, submitted_at, author_association } of data)
          found.push({
            reviewer: user?.login ?? "",
            state,
            commit: commit_id ?? "",
            at: submitted_at ?? "",
            counts: COUNTING.has(author_association),
          });
        if (isLastPage(data, headers.link)) return found;
      }
      throw failure("action/too-much", { counted: "reviews", pull: number, most: MOST_PAGES * PER_PAGE });
    });
  }

  private async viewer(): Promise<Viewer> {
    const answer: unknown = await this.octokit.graphql("query { viewer { login } }");
    const login = isObject(answer) && isObject(answer.viewer) ? answer.viewer.login : undefined;
    // Without the account, every issue would look like somebody else's, and each run would open a new one.
    if (typeof login !== "string" || login === "")
      throw new TypeError("GitHub's answer does not say whose token this is");
    return { login, isBot: this.isBot };
  }
}

/** A comment of this run is not older than the run, whatever the clocks say. */
const LOOK_BACK_MS = 15 * 60_000;

/** The associations of people whose approval GitHub itself can count. */
const COUNTING: ReadonlySet<string> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

/** The maximum number of pages, with a hundred entries each. */
const MOST_PAGES = 10;
const PER_PAGE = 100;

/** GitHub leaves out of a page what the token may not see: a page that is not full is the last one only if GitHub names no next page. */
const isLastPage = (page: readonly unknown[], link: string | undefined): boolean =>
  page.length < PER_PAGE && link?.includes('rel="next"') !== true;
