import { diagnostic } from "./definition.ts";
import type { Quoted, Word } from "./values.ts";
import { bare, say } from "./words.ts";

/** The tasks for which a job uses GitHub's API. */
const WORK = {
  "compare-commits": "compare two commits",
  "download-artifact": "download an artifact",
  "edit-comment": "edit the comment",
  "edit-issue": "edit the issue",
  "edit-pull-request": "edit the pull request",
  "find-pull-request": "find the pull request",
  "list-artifacts": "list artifacts",
  "make-branch": "create a branch",
  "minimise-comment": "hide an older comment",
  "move-branch": "update a branch",
  "open-issue": "open an issue",
  "open-pull-request": "open a pull request",
  "read-branch": "read a branch",
  "read-comments": "read the comments",
  "read-commit": "read a commit",
  "read-directory": "read a directory of a commit",
  "read-file": "read a file of a commit",
  "read-files": "read the files of a commit",
  "read-issues": "read the issues",
  "read-merge": "read the pull request's merge",
  "read-pull-requests": "read the pull requests",
  "read-reviews": "read the reviews",
  "remove-branch": "remove a branch",
  "write-check": "write a check",
  "write-comment": "write a comment",
  "write-commit": "write a commit",
  "write-issue-comment": "comment on the issue",
} as const;
export type GithubWork = keyof typeof WORK;

interface GithubAnswer {
  readonly work: GithubWork;
  /** The HTTP status; absent if GitHub did not answer, or answered in GraphQL. */
  readonly status?: number;
  readonly answer: Quoted;
}

type NotAllowedFact = GithubAnswer &
  (
    | { readonly cause: "token" | "pull-requests-off" }
    /** @property permission in the spelling of a workflow's `permissions:` */
    | { readonly cause: "permission"; readonly permission: Word }
  );

type RefusedFact = GithubAnswer & { readonly cause: "issues-off" | "other" };

const OWN_TOKEN = "leave out the input github-token (its default is the job's own)";

/** Errors of GitHub's API in a job. */
export const github = {
  "github/no-token": diagnostic({
    says: "there is no token for GitHub's API",
    help: `${OWN_TOKEN}, or give it one`,
    means: "There is no token for GitHub's API.",
    out: "Pass `github.token` to the Action.",
  }),
  "github/not-allowed": diagnostic<NotAllowedFact>({
    says: (fact) => {
      const message = refused(fact);
      switch (fact.cause) {
        case "token":
          return say(message, `the token is not valid, or has expired: ${OWN_TOKEN}, or give it another one`);
        case "pull-requests-off":
          return say(
            message,
            "turn on Settings, Actions, General, “Allow GitHub Actions to create and approve pull requests”, or give github-token the token of an app",
          );
        case "permission":
          return say(
            message,
            `give the job the permission "${fact.permission}"; jobs of pull requests from forks can only read (docs/ci.md)`,
          );
      }
    },
    means: "The token does not have permission for this.",
    out: "Give the job the permission that the message names.",
  }),
  "github/rate-limit": diagnostic<GithubAnswer & { retry_after_seconds?: number }>({
    says: ({ work, answer }) => `GitHub refused to ${WORK[work]}: ${bare(answer)}`,
    help: ({ retry_after_seconds }) =>
      retry_after_seconds === undefined ? "run the job again later" : `run the job again in ${retry_after_seconds} s`,
    means: "GitHub accepts no more requests for now.",
    out: "Try again later.",
  }),
  "github/refused": diagnostic<RefusedFact>({
    says: (fact) => refused(fact),
    help: (fact) =>
      fact.cause === "issues-off"
        ? "turn issues on in the repository's settings, or write `issue: false`"
        : "the same request will be refused again: look for a rule of the repository that forbids it, or for something that was deleted",
    means: "GitHub refuses this for every account: a rule of the repository forbids it, or something no longer exists.",
    out: "Read its message; the same request will be refused again.",
  }),
  /** @property by_proxy the answer is from the runner's proxy; the request never reached GitHub */
  "github/unreachable": diagnostic<GithubAnswer & { by_proxy?: true }>({
    says: ({ work, status, answer }) =>
      `GitHub could not ${WORK[work]}${status === undefined ? "" : ` (${status})`}: ${bare(answer)}`,
    help: ({ by_proxy }) =>
      by_proxy === true
        ? "check the proxy of the runner: HTTPS_PROXY names it, NO_PROXY names hosts that are reached without it"
        : "run the job again; githubstatus.com reports outages",
    means: "No connection to GitHub can be made.",
    out: "Try again.",
  }),
};

const refused = ({ work, status, answer }: RefusedFact | NotAllowedFact): string =>
  `GitHub refused to ${WORK[work]} (${status ?? "refused"}: ${bare(answer)})`;
