import type { Quoted, Word } from "./values.ts";

/** Errors of GitHub's API in a job. */
export interface GithubFacts {
  readonly "github/no-token": Record<never, never>;
  readonly "github/not-allowed": GithubAnswer &
    (
      | { readonly cause: "token" | "pull-requests-off" }
      /** @property permission in the spelling of a workflow's `permissions:` */
      | { readonly cause: "permission"; readonly permission: Word }
    );
  readonly "github/rate-limit": GithubAnswer & { readonly retry_after_seconds?: number };
  readonly "github/refused": GithubAnswer & { readonly cause: "issues-off" | "other" };
  /** @property by_proxy the answer is from the runner's proxy; the request never reached GitHub */
  readonly "github/unreachable": GithubAnswer & { readonly by_proxy?: true };
}

interface GithubAnswer {
  readonly work: GithubWork;
  /** The HTTP status; absent if GitHub did not answer, or answered in GraphQL. */
  readonly status?: number;
  readonly answer: Quoted;
}

/** The tasks for which a job uses GitHub's API. */
export type GithubWork =
  | "compare-commits"
  | "download-artifact"
  | "edit-comment"
  | "edit-issue"
  | "edit-pull-request"
  | "find-pull-request"
  | "list-artifacts"
  | "make-branch"
  | "minimise-comment"
  | "move-branch"
  | "open-issue"
  | "open-pull-request"
  | "read-branch"
  | "read-comments"
  | "read-commit"
  | "read-directory"
  | "read-file"
  | "read-files"
  | "read-issues"
  | "read-merge"
  | "read-pull-requests"
  | "read-reviews"
  | "remove-branch"
  | "write-check"
  | "write-comment"
  | "write-commit"
  | "write-issue-comment";
