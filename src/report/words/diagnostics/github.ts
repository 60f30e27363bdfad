import type { GithubFacts, GithubWork } from "../../../model/diagnostics/github.ts";
import { bare, say, type WordsOf } from "./words.ts";

const OWN_TOKEN = "leave out the input github-token (its default is the job's own)";

export const githubWords: WordsOf<GithubFacts> = {
  "github/no-token": () => say("there is no token for GitHub's API", `${OWN_TOKEN}, or give it one`),
  "github/not-allowed": (fact) => {
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
  "github/rate-limit": ({ work, answer, retry_after_seconds }) =>
    say(
      `GitHub refused to ${WORK[work]}: ${bare(answer)}`,
      retry_after_seconds === undefined ? "run the job again later" : `run the job again in ${retry_after_seconds} s`,
    ),
  "github/refused": (fact) =>
    say(
      refused(fact),
      fact.cause === "issues-off"
        ? "turn issues on in the repository's settings, or write `issue: false`"
        : "the same request will be refused again: look for a rule of the repository that forbids it, or for something that was deleted",
    ),
  "github/unreachable": ({ work, status, answer, by_proxy }) =>
    say(
      `GitHub could not ${WORK[work]}${status === undefined ? "" : ` (${status})`}: ${bare(answer)}`,
      by_proxy === true
        ? "check the proxy of the runner: HTTPS_PROXY names it, NO_PROXY names hosts that are reached without it"
        : "run the job again; githubstatus.com reports outages",
    ),
};

const refused = ({ work, status, answer }: GithubFacts["github/refused"] | GithubFacts["github/not-allowed"]): string =>
  `GitHub refused to ${WORK[work]} (${status ?? "refused"}: ${bare(answer)})`;

const WORK: { readonly [work in GithubWork]: string } = {
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
};
