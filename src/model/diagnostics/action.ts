import { kindOf } from "../address.ts";
import { cases, type FactIn } from "../cases.ts";
import { defined } from "../defined.ts";
import { count, listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import { type Unreadable, whyUnreadable } from "./unreadable.ts";
import type { Named, Word } from "./values.ts";
import { orList, say } from "./words.ts";

/** What is wrong with an input of the Action. */
const inputWords = cases("cause", {
  outside: ({ text }: { text: Word }, about: string) =>
    say(`${about}: ${text} is not inside the repository`, "write a path that starts at the top of the repository"),
  "not-boolean": ({ text }: { text: Word }, about: string) =>
    say(`${about}: "${text}" is neither true nor false`, "write true or false"),
  "not-a-branch": ({ text }: { text: Word }, about: string) =>
    say(
      `${about}: "${text}" is not the name of a branch`,
      "write each name in full, as GitHub shows it: main, release/1; patterns and refs/heads/ are not names",
    ),
  "not-a-value": ({ text }: { text: Word }) =>
    say(
      `the input set needs the name of a variable, = and its value on each line, not ${JSON.stringify(text)}`,
      "write site=berlin",
    ),
  "not-time": ({ text }: { text: Word }, about: string) =>
    say(
      `${about}: "${text}" is not a time`,
      "write a time, such as 90s, 10m or 2h (a number alone means seconds), and at most 24h",
    ),
  "not-hours": (_: object, about: string) => say(`${about}: it is not a number of hours`, "write a number above zero"),
  "approval-unreviewed": (_: object, about: string) =>
    say(`${about}: nobody can have approved a plan that is not required`, "write `reviewed: required`"),
  choice: ({ text, choices }: { text: Word; choices: readonly Word[] }, about: string) =>
    say(text === "" ? `${about} is missing` : `${about}: there is no "${text}"`, `write one of ${choices.join(", ")}`),
});
export type InputCause = FactIn<typeof inputWords>;

const eventCause = cases("cause", {
  "no-repository": "GITHUB_REPOSITORY is not set: the Action runs as a step of a workflow on GitHub",
  "not-json": "the event file (GITHUB_EVENT_PATH) is not JSON",
  "no-pull-request": "the event file (GITHUB_EVENT_PATH) does not say which pull request it is",
  form: ({ reason }: { reason: Word }) => `the event file (GITHUB_EVENT_PATH) is not as GitHub writes it: ${reason}`,
});
type EventFact = FactIn<typeof eventCause>;

const artifactCause = cases("cause", {
  "no-directory": "it is not a zip file",
  damaged: "its zip file is damaged",
  "no-file": ({ file }: { file: Word }) => `there is no ${file} in it`,
  packed: ({ file }: { file: Word }) => `${file} is compressed in a way that realmctl does not know`,
  "too-large": ({ file, most_bytes }: { file: Word; most_bytes: number }) =>
    `${file} is larger than ${most_bytes} bytes`,
  other: ({ reason }: { reason: Word }) => reason,
});
type BrokenFact = FactIn<typeof artifactCause>;

const REVIEW_AGAIN = "nothing was sent; plan again in a new pull request, and review what is there now";
const PLAN_WITH_NAMES =
  "if the new plan does not show it either, that plan is made from a snapshot without names: plan with credentials (examples/github/plan-with-credentials.yml)";
const FEWER_FILES =
  "include fewer or smaller files, or plan from a checkout (examples/github/plan-with-credentials.yml)";
const RUN_AGAIN = "run the job that writes the artifact again";

/** Errors that stop a job of the GitHub Action. Inputs, branches and commits are in the repository, so they are not secret. */
export const action = {
  "action/apply-on-pull-request": diagnostic({
    says: "a pull request is not applied before it is merged",
    help: "run apply on pushes to the default branch (examples/github/apply.yml)",
    means: "The Action applies a pull request only after it is merged.",
    out: "Let the job of the main branch apply.",
  }),
  "action/snapshot-on-pull-request": diagnostic({
    says: "the job of a pull request takes no snapshot: it would hide what that pull request does not name",
    help: "run it on pushes to the default branch and on a schedule (examples/github/snapshot.yml)",
    means:
      "The job of a pull request takes no snapshots, because such a snapshot would hide names that the pull request does not contain.",
    out: "Let the job of the main branch take them.",
  }),
  "action/base-branch": diagnostic<{ branch: Word; allowed: readonly Word[] }>({
    says: ({ branch, allowed }) =>
      `the pull request is for the branch ${JSON.stringify(branch)}: only those for ${orList(allowed)} are planned`,
    help: "change the pull request's base, or name the branch with the input base-branches",
    means:
      "The Action does not plan a pull request to this branch: its guard rails may differ from those of the branch that is applied.",
    out: "Make the pull request to the default branch, or name its branch with the input `base-branches`.",
  }),
  "action/bug": diagnostic({
    says: "realmctl stopped because of a bug of its own",
    help: "please report it with the log of the run, which says where it happened",
    means: "The Action ended because of a bug in realmctl.",
    out: "Report it, with the lines of the log that show where it happened.",
  }),
  "action/event": diagnostic<EventFact>({
    says: (fact) => eventCause(fact),
    help: "on other machines use the command line: realmctl plan",
    means: "The event that started the job does not have the data that this command needs.",
    out: "Start the job with the event that the hint names.",
  }),
  "action/input": diagnostic<{ input: Word } & InputCause>({
    says: (fact) => inputWords(fact, `input ${fact.input}`),
    means: "An input of the Action is missing, or does not exist.",
    out: "Correct it in the workflow.",
  }),
  "action/no-credentials": diagnostic({
    says: "this job has no credentials of the organization",
    help: "give zulip-site, zulip-email and zulip-api-key; a pull request's job plans without them with `snapshot: artifact`",
    means: "The job has no credentials of the organization: pull requests from forks get none.",
    out: "Run the trusted job, or store the credentials as secrets.",
  }),
  "action/too-much": diagnostic({
    says: cases("counted", {
      files: ({ file, most }: { file: Word; most: number }) =>
        say(`${file} is one file more than the ${most} that a job reads through GitHub's API`, FEWER_FILES),
      bytes: ({ file, most_mebibytes }: { file: Word; most_mebibytes: number }) =>
        say(
          `with ${file} the files are larger than what a job reads through GitHub's API (${most_mebibytes} MB)`,
          FEWER_FILES,
        ),
      directories: ({ most }: { most: number }) =>
        say(
          `GitHub does not list a repository of this size at once, and a job reads no more than ${most} directories`,
          FEWER_FILES,
        ),
      reviews: ({ pull, most }: { pull: number; most: number }) =>
        say(`#${pull} has more than ${most} reviews`, "make a new pull request"),
    }),
    means: "A commit has more files, or larger ones, than a job reads through GitHub's API.",
    out: "Include fewer or smaller files.",
  }),
  "adopt/hidden-snapshot": diagnostic({
    says: "the snapshot hides names, so the file cannot take values from it",
    help: "give the drift job credentials, or a snapshot made with redact-snapshot: false (in a private repository)",
    means: "The snapshot has invented names instead of private ones, which would be wrong in the file.",
    out: "Give the job credentials, or a snapshot with all names.",
  }),
  "adopt/no-branch": diagnostic<{ ref?: Word }>({
    says: ({ ref }) =>
      ref === undefined
        ? "this run is not for a branch, so it cannot open a pull request"
        : `a pull request cannot be opened against ${ref}, which is not a branch`,
    help: "run drift on a schedule, or by hand on the default branch",
    means: "The job does not run for a branch, so it cannot open a pull request.",
    out: "Run it on a schedule, or by hand on the default branch.",
  }),
  "artifact/broken": diagnostic<BrokenFact>({
    says: (fact) => `the artifact cannot be used: ${artifactCause(fact)}`,
    help: RUN_AGAIN,
    means: "A stored artifact cannot be used: it is damaged or has another format.",
    out: "Run the job that stores it again.",
  }),
  /** @property pull absent if no merged pull request belongs to the commit */
  "reviewed/none": diagnostic<{ commit: Word; pull?: number; other_version?: true }>({
    says: ({ commit, pull, other_version: isOther }) => {
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
    means:
      "No plan was reviewed for this commit, or another version of realmctl wrote the review (`realmctl-reviewed.json` has a version).",
    out: "Let the pull request's job plan, or allow an apply without a reviewed plan. After an update between the plan and the merge, run the plan of the pull request again.",
  }),
  "reviewed/not-approved": diagnostic<{ pull: number; is_planned_later: boolean }>({
    says: ({ pull, is_planned_later }) =>
      is_planned_later
        ? `every plan of the last commit of #${pull} is newer than its approval, so nobody approved what it shows`
        : `nobody who may approve has approved the last commit of #${pull}`,
    help: "plan again in a new pull request, and let somebody approve it after the plan was written",
    means: "Nobody approved the merged commit after its plan was written.",
    out: "Plan again in a new pull request, and have it approved after the plan was written.",
  }),
  "reviewed/other-base": diagnostic<{ reviewed: Word; base: Word }>({
    says: ({ reviewed, base }) => `the reviewed plan is of a pull request to ${reviewed}, but ${base} is applied`,
    help: REVIEW_AGAIN,
    means: "The reviewed plan is for a pull request to another branch.",
    out: "Make a pull request to the branch that is applied.",
  }),
  "reviewed/other-file": diagnostic({
    says: "the merged file is not the one that was planned: the base branch moved in the meantime",
    help: REVIEW_AGAIN,
    means: "The reviewed plan is for another file.",
    out: "Name the same file in both jobs.",
  }),
  "reviewed/other-realm": diagnostic<{ reviewed: Word; url: Word }>({
    says: ({ reviewed, url }) => `the reviewed plan is for ${reviewed}, but this is ${url}`,
    help: REVIEW_AGAIN,
    means: "The reviewed plan is for another organization.",
    out: "Use the same credentials in both jobs.",
  }),
  "reviewed/refused": diagnostic<{ guards: readonly Word[] }>({
    says: ({ guards }) =>
      `guard rails of the base refused the reviewed plan (${listNames(guards)}), and a change cannot loosen what it is checked with`,
    help: "nothing was sent; loosen the guard rails in a pull request of their own, and then plan this change again in a new one",
    means:
      "The pull request's plan was refused by guard rails that its base branch had. It was merged nevertheless. Even if it loosens these guard rails itself, they hold for it.",
    out: "Merge a change of the guard rails first. Then make a pull request with the change that needs it.",
  }),
  /**
   * @property fields empty if the difference is what happens to the object as a whole
   * @property is_unlisted the file does not declare the object, and the reviewed plan does not have it at all
   */
  "reviewed/moved": diagnostic<{
    subject: "object" | "order" | "singleton";
    object: Named;
    fields: readonly Word[];
    is_unlisted?: true;
  }>({
    says: ({ subject, object: { address, name }, fields, is_unlisted }, report) => {
      const kind = kindOf(address);
      const action = subject === "order" ? "reorder" : "update";
      const about = report.changeName({
        kind,
        name,
        action,
        ...defined({ singleton: subject === "singleton" || undefined }),
      });
      const what = fields.length === 0 ? "what happens to it" : fields.join(", ");
      return say(
        `${about}: ${what} changed since the review, or was not in the reviewed plan`,
        [REVIEW_AGAIN, ...(is_unlisted ? [PLAN_WITH_NAMES] : [])].join("; "),
      );
    },
    means: "The organization changed since the plan was reviewed: an apply would not do what was approved.",
    out: "Review the new plan and approve it.",
  }),
  /** @property people how many; of a review of very many people, how many more than it showed */
  "reviewed/still-read": diagnostic<{ object: Named; people: number }>({
    says: ({ object, people }, report) =>
      say(
        `${report.called(object)}: ${count(people, "person", "people")} could still read it, although the reviewed plan showed that they no longer can`,
        REVIEW_AGAIN,
      ),
    means:
      "The reviewed plan showed that people no longer read a channel. Somebody opened another way since then: a group that may subscribe itself, a new subscription, or a group that others may join. The changes of the plan would not take that away.",
    out: "Close that way, or review the new plan and approve it.",
  }),
  "snapshot/cannot-read": diagnostic<{ file: Word; why: Unreadable }>({
    says: ({ file, why }) => `the snapshot ${file} cannot be read: ${whyUnreadable(why)}`,
    help: "name a file that an earlier step of this job writes, or write `snapshot: artifact`",
    means: "The snapshot cannot be read.",
    out: "Correct the path.",
  }),
  "snapshot/digest": diagnostic<{ file: Word }>({
    says: ({ file }) => `${file} was changed after it was written: its digest does not match`,
    help: "run the snapshot job again",
    means: "The snapshot is not the one that was made: its checksum differs.",
    out: "Make it again.",
  }),
  "snapshot/no-artifact": diagnostic<{ artifact: Word; branch?: Word; are_others: boolean }>({
    says: ({ artifact, branch }) =>
      `there is no artifact "${artifact}" of a run on ${branch === undefined ? "the default branch" : `the branch ${branch}`}`,
    help: ({ are_others }) =>
      are_others
        ? "those of other branches and of forks are not trusted; run the snapshot job on the default branch"
        : "run the snapshot job (examples/github/snapshot.yml) on the default branch once",
    means: "No job of the default branch has stored a snapshot that this job could use.",
    out: "Run the workflow that takes snapshots on the default branch first.",
  }),
  "snapshot/too-large": diagnostic<{ artifact: Word; most_mebibytes: number }>({
    says: ({ artifact, most_mebibytes }) => `the artifact "${artifact}" has more than ${most_mebibytes} MB`,
    help: "name the artifact of the snapshot job (input snapshot-artifact); a snapshot without names is smaller (redact-snapshot: true)",
    means: "The snapshot is larger than that of any organization.",
    out: "Check what was stored.",
  }),
};
