import { defined } from "../../../model/defined.ts";
import type { ActionFacts } from "../../../model/diagnostics/action.ts";
import { changeName } from "../../object-names.ts";
import { whyUnreadable } from "./unreadable.ts";
import { orList, say, type WordsOf } from "./words.ts";

const REVIEW_AGAIN = "nothing was sent; plan again in a new pull request, and review what is there now";
const PLAN_WITH_NAMES =
  "if the new plan does not show it either, that plan is made from a snapshot without names: plan with credentials (examples/github/plan-with-credentials.yml)";
const FEWER_FILES =
  "include fewer or smaller files, or plan from a checkout (examples/github/plan-with-credentials.yml)";
const RUN_AGAIN = "run the job that writes the artifact again";

export const actionWords: WordsOf<ActionFacts> = {
  "action/apply-on-pull-request": () =>
    say(
      "a pull request is not applied before it is merged",
      "run apply on pushes to the default branch (examples/github/apply.yml)",
    ),
  "action/snapshot-on-pull-request": () =>
    say(
      "the job of a pull request takes no snapshot: it would hide what that pull request does not name",
      "run it on pushes to the default branch and on a schedule (examples/github/snapshot.yml)",
    ),
  "action/base-branch": ({ branch, allowed }) =>
    say(
      `the pull request is for the branch ${JSON.stringify(branch)}: only those for ${orList(allowed)} are planned`,
      "change the pull request's base, or name the branch with the input base-branches",
    ),
  "action/bug": () =>
    say(
      "realmctl stopped because of a bug of its own",
      "please report it with the log of the run, which says where it happened",
    ),
  "action/event": (fact) => say(eventCause(fact), "on other machines use the command line: realmctl plan"),
  "action/input": (fact) => {
    const about = `input ${fact.input}`;
    switch (fact.cause) {
      case "outside":
        return say(
          `${about}: ${fact.text} is not inside the repository`,
          "write a path that starts at the top of the repository",
        );
      case "not-a-value":
        return say(
          `the input set needs the name of a variable, = and its value on each line, not ${JSON.stringify(fact.text)}`,
          "write site=berlin",
        );
      case "not-a-branch":
        return say(
          `${about}: "${fact.text}" is not the name of a branch`,
          "write each name in full, as GitHub shows it: main, release/1; patterns and refs/heads/ are not names",
        );
      case "not-boolean":
        return say(`${about}: "${fact.text}" is neither true nor false`, "write true or false");
      case "not-hours":
        return say(`${about}: it is not a number of hours`, "write a number above zero");
      case "not-time":
        return say(
          `${about}: "${fact.text}" is not a time`,
          "write a time, such as 90s, 10m or 2h (a number alone means seconds), and at most 24h",
        );
      case "approval-unreviewed":
        return say(`${about}: nobody can have approved a plan that is not required`, "write `reviewed: required`");
      case "choice":
        return say(
          fact.text === "" ? `${about} is missing` : `${about}: there is no "${fact.text}"`,
          `write one of ${fact.choices.join(", ")}`,
        );
    }
  },
  "action/no-credentials": () =>
    say(
      "this job has no credentials of the organization",
      "give zulip-site, zulip-email and zulip-api-key; a pull request's job plans without them with `snapshot: artifact`",
    ),
  "action/too-much": (fact) => {
    switch (fact.counted) {
      case "files":
        return say(
          `${fact.file} is one file more than the ${fact.most} that a job reads through GitHub's API`,
          FEWER_FILES,
        );
      case "bytes":
        return say(
          `with ${fact.file} the files are larger than what a job reads through GitHub's API (${fact.most_mebibytes} MB)`,
          FEWER_FILES,
        );
      case "directories":
        return say(
          `GitHub does not list a repository of this size at once, and a job reads no more than ${fact.most} directories`,
          FEWER_FILES,
        );
      case "reviews":
        return say(`#${fact.pull} has more than ${fact.most} reviews`, "make a new pull request");
    }
  },
  "adopt/hidden-snapshot": () =>
    say(
      "the snapshot hides names, so the file cannot take values from it",
      "give the drift job credentials, or a snapshot made with redact-snapshot: false (in a private repository)",
    ),
  "adopt/no-branch": ({ ref }) =>
    say(
      ref === undefined
        ? "this run is not for a branch, so it cannot open a pull request"
        : `a pull request cannot be opened against ${ref}, which is not a branch`,
      "run drift on a schedule, or by hand on the default branch",
    ),
  "artifact/broken": (fact) => say(`the artifact cannot be used: ${artifactCause(fact)}`, RUN_AGAIN),
  "reviewed/none": ({ commit, pull, other_version: isOther }) => {
    if (pull !== undefined && isOther === true)
      return say(
        `another version of realmctl wrote the reviewed plan of #${pull}: this one cannot tell what was confirmed`,
        "run the plan of the pull request again with this version, and then this job",
      );
    return say(
      pull === undefined
        ? `no merged pull request belongs to ${commit}, so nobody reviewed this plan`
        : `the pull request #${pull} has no plan of its last commit`,
      "plan on pull requests, and upload the plan (examples/github/plan.yml), or write `reviewed: if-found`",
    );
  },
  "reviewed/not-approved": ({ pull, is_planned_later }) =>
    say(
      is_planned_later
        ? `every plan of the last commit of #${pull} is newer than its approval, so nobody approved what it shows`
        : `nobody who may approve has approved the last commit of #${pull}`,
      "plan again in a new pull request, and let somebody approve it after the plan was written",
    ),
  "reviewed/other-base": ({ reviewed, base }) =>
    say(`the reviewed plan is of a pull request to ${reviewed}, but ${base} is applied`, REVIEW_AGAIN),
  "reviewed/other-file": () =>
    say("the merged file is not the one that was planned: the base branch moved in the meantime", REVIEW_AGAIN),
  "reviewed/other-realm": ({ reviewed, url }) =>
    say(`the reviewed plan is for ${reviewed}, but this is ${url}`, REVIEW_AGAIN),
  "reviewed/moved": ({ subject, object: { address, name }, fields, is_unlisted }) => {
    const kind = address.slice(0, address.indexOf(":"));
    const action = subject === "order" ? "reorder" : "update";
    const about = changeName({ kind, name, action, ...defined({ singleton: subject === "singleton" || undefined }) });
    const what = fields.length === 0 ? "what happens to it" : fields.join(", ");
    return say(
      `${about}: ${what} changed since the review, or was not in the reviewed plan`,
      [REVIEW_AGAIN, ...(is_unlisted ? [PLAN_WITH_NAMES] : [])].join("; "),
    );
  },
  "snapshot/cannot-read": ({ file, why }) =>
    say(
      `the snapshot ${file} cannot be read: ${whyUnreadable(why)}`,
      "name a file that an earlier step of this job writes, or write `snapshot: artifact`",
    ),
  "snapshot/digest": ({ file }) =>
    say(`${file} was changed after it was written: its digest does not match`, "run the snapshot job again"),
  "snapshot/no-artifact": ({ artifact, branch, are_others }) =>
    say(
      `there is no artifact "${artifact}" of a run on ${branch === undefined ? "the default branch" : `the branch ${branch}`}`,
      are_others
        ? "those of other branches and of forks are not trusted; run the snapshot job on the default branch"
        : "run the snapshot job (examples/github/snapshot.yml) on the default branch once",
    ),
  "snapshot/too-large": ({ artifact, most_mebibytes }) =>
    say(
      `the artifact "${artifact}" has more than ${most_mebibytes} MB`,
      "name the artifact of the snapshot job (input snapshot-artifact); a snapshot without names is smaller (redact-snapshot: true)",
    ),
};

function eventCause(fact: ActionFacts["action/event"]): string {
  switch (fact.cause) {
    case "no-repository":
      return "GITHUB_REPOSITORY is not set: the Action runs as a step of a workflow on GitHub";
    case "not-json":
      return "the event file (GITHUB_EVENT_PATH) is not JSON";
    case "no-pull-request":
      return "the event file (GITHUB_EVENT_PATH) does not say which pull request it is";
    case "form":
      return `the event file (GITHUB_EVENT_PATH) is not as GitHub writes it: ${fact.reason}`;
  }
}

function artifactCause(fact: ActionFacts["artifact/broken"]): string {
  switch (fact.cause) {
    case "no-directory":
      return "it is not a zip file";
    case "damaged":
      return "its zip file is damaged";
    case "no-file":
      return `there is no ${fact.file} in it`;
    case "packed":
      return `${fact.file} is compressed in a way that realmctl does not know`;
    case "too-large":
      return `${fact.file} is larger than ${fact.most_bytes} bytes`;
    case "other":
      return fact.reason;
  }
}
