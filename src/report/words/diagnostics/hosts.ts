import type { CommentHost, CommentWork, HostFacts } from "../../../model/diagnostics/hosts.ts";
import { listNames } from "../list-names.ts";
import { noAnswerText } from "../no-answer.ts";
import { bare, q, say, type WordsOf } from "./words.ts";

export const hostWords: WordsOf<HostFacts> = {
  "init/no-package": ({ given }) =>
    say(
      given === undefined
        ? "the jobs must install realmctl, and this copy of it was not installed from a release"
        : `${q(given)} is neither a package name with a version nor an https address, so npm could not install it`,
      "name the package to install: --package name@version, or --package https://git.example.org/realmctl-0.1.0.tgz",
    ),
  "comment/no-job": ({ host, missing, no_number }) =>
    say(
      `this job does not run for a ${REQUEST[host]} on ${NAME[host]}: ${no_number === true ? "its event names no pull request" : `${listNames(missing)} ${missing.length === 1 ? "is" : "are"} not set`}`,
      host === "gitlab"
        ? 'run it in a job with the rule $CI_PIPELINE_SOURCE == "merge_request_event"'
        : "run it in a job that starts on: pull_request",
    ),
  "comment/no-token": ({ host }) =>
    say(
      `there is no token for ${NAME[host]}'s API`,
      host === "gitlab"
        ? "put a project access token with the scope api into the masked variable REALMCTL_TOKEN; a job's own token cannot write notes"
        : "pass the job's own token: REALMCTL_TOKEN: ${{ github.token }}",
    ),
  "comment/plain-http": ({ variable }) =>
    say(
      `${variable} is not an https address: everybody on the way could read the token`,
      "use the host's https address",
    ),
  "comment/refused": ({ host, work, status, answer }) =>
    say(
      `${NAME[host]} refused to ${WORK[work]} (${status}: ${bare(answer)})`,
      status === 401 || status === 403
        ? `the token is not valid, or may not do this: ${host === "gitlab" ? "it needs the scope api, and the role Reporter or a higher one" : "it needs the scopes write:issue and read:user; a job for a fork has no token that may write"}`
        : status === 404
          ? `the ${REQUEST[host]} does not exist, or the token may not see it`
          : status === 429 || status >= 500
            ? "run the job again later"
            : `look into the ${REQUEST[host]}'s settings, and run the job again`,
    ),
  "comment/unreachable": ({ host, work, reason }) =>
    say(
      `${NAME[host]} could not ${WORK[work]}: ${reason === undefined ? "the answer did not come from its API" : noAnswerText(reason)}`,
      "run the job again",
    ),
};

const NAME: { readonly [host in CommentHost]: string } = { forgejo: "Forgejo", gitea: "Gitea", gitlab: "GitLab" };
const REQUEST: { readonly [host in CommentHost]: string } = {
  forgejo: "pull request",
  gitea: "pull request",
  gitlab: "merge request",
};
const WORK: { readonly [work in CommentWork]: string } = {
  "say-who": "say whose token this is",
  list: "list the comments",
  create: "write a comment",
  edit: "edit the comment",
  delete: "delete an older comment",
};
