import { listNames } from "../words.ts";
import { type NoAnswer, noAnswerText } from "./calls.ts";
import { diagnostic } from "./definition.ts";
import type { Quoted, Word } from "./values.ts";
import { bare, q, say } from "./words.ts";

/** The hosts for `realmctl comment`. GitHub is not among them, since the Action comments there. */
export type CommentHost = "forgejo" | "gitea" | "gitlab";

export type CommentWork = "say-who" | "list" | "create" | "edit" | "delete";

/** Errors of `realmctl comment`, and of the host that it comments on. */
export const hosts = {
  /** @property given the value of `--package`, if npm cannot install it */
  "init/no-package": diagnostic<{ given?: Quoted }>({
    says: ({ given }) =>
      given === undefined
        ? "the jobs must install realmctl, and this copy of it was not installed from a release"
        : `${q(given)} is neither a package name with a version nor an https address, so npm could not install it`,
    help: "name the package to install: --package name@version, or --package https://git.example.org/realmctl-0.1.0.tgz",
    means:
      "The jobs that `init --workflows` writes for GitLab, Forgejo and Gitea install realmctl with npm, and no package was given. realmctl does not guess it: a name alone may be somebody else's package.",
    out: "Name it: `--package realmctl@0.1.0`, or the https address of a tarball or Git repository.",
  }),
  /**
   * @property missing variables of the environment that jobs of this host have
   * @property no_number all variables are set, but none of them has the number of a pull request
   */
  "comment/no-job": diagnostic<{ host: CommentHost; missing: readonly Word[]; no_number?: true }>({
    says: ({ host, missing, no_number }) =>
      `this job does not run for a ${REQUEST[host]} on ${NAME[host]}: ${no_number === true ? "its event names no pull request" : `${listNames(missing)} ${missing.length === 1 ? "is" : "are"} not set`}`,
    help: ({ host }) =>
      host === "gitlab"
        ? 'run it in a job with the rule $CI_PIPELINE_SOURCE == "merge_request_event"'
        : "run it in a job that starts on: pull_request",
    means:
      "The command keeps a comment on the merge request or pull request that its job runs for, and this job does not run for one.",
    out: "Run it in a job for merge requests (pull requests); the hosts' variables say which one.",
  }),
  "comment/no-token": diagnostic<{ host: CommentHost }>({
    says: ({ host }) => `there is no token for ${NAME[host]}'s API`,
    help: ({ host }) =>
      host === "gitlab"
        ? "put a project access token with the scope api into the masked variable REALMCTL_TOKEN; a job's own token cannot write notes"
        : "pass the job's own token: REALMCTL_TOKEN: ${{ github.token }}",
    means: "Writing a comment needs a token of the host, in REALMCTL_TOKEN.",
    out: "On GitLab, create a project access token with the scope api; on Forgejo and Gitea, pass the job's own token.",
  }),
  /** With this address of the API, the token would be sent unencrypted. */
  "comment/plain-http": diagnostic<{ variable: Word }>({
    says: ({ variable }) => `${variable} is not an https address: everybody on the way could read the token`,
    help: "use the host's https address",
    means:
      "The address of the host's API begins with http, so others could read the token on its way. realmctl accepts http only for this machine.",
    out: "Use the https address.",
  }),
  "comment/refused": diagnostic<{ host: CommentHost; work: CommentWork; status: number; answer: Quoted }>({
    says: ({ host, work, status, answer }) =>
      `${NAME[host]} refused to ${COMMENT_WORK[work]} (${status}: ${bare(answer)})`,
    help: ({ host, status }) =>
      status === 401 || status === 403
        ? `the token is not valid, or may not do this: ${host === "gitlab" ? "it needs the scope api, and the role Reporter or a higher one" : "it needs the scopes write:issue and read:user; a job for a fork has no token that may write"}`
        : status === 404
          ? `the ${REQUEST[host]} does not exist, or the token may not see it`
          : status === 429 || status >= 500
            ? "run the job again later"
            : `look into the ${REQUEST[host]}'s settings, and run the job again`,
    means: "The host refused to write the comment.",
    out: "Read its message: usually the token lacks a right.",
  }),
  /** @property reason absent if an answer came that is not from the host's API */
  "comment/unreachable": diagnostic<{ host: CommentHost; work: CommentWork; reason?: NoAnswer }>({
    says: ({ host, work, reason }) =>
      `${NAME[host]} could not ${COMMENT_WORK[work]}: ${reason === undefined ? "the answer did not come from its API" : noAnswerText(reason)}`,
    help: "run the job again",
    means: "No connection to the host of the merge request can be made, or it broke.",
    out: "Run the job again.",
  }),
};

const NAME: { readonly [host in CommentHost]: string } = { forgejo: "Forgejo", gitea: "Gitea", gitlab: "GitLab" };
const REQUEST: { readonly [host in CommentHost]: string } = {
  forgejo: "pull request",
  gitea: "pull request",
  gitlab: "merge request",
};
const COMMENT_WORK: { readonly [work in CommentWork]: string } = {
  "say-who": "say whose token this is",
  list: "list the comments",
  create: "write a comment",
  edit: "edit the comment",
  delete: "delete an older comment",
};

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
