import type { Catalogue } from "../page.ts";

/** Codes about export, adopt and what runs in CI. */
export const JOB_CODES = {
  "fmt/not-safe": [
    "The file cannot be formatted without changing its meaning, or it is no file of a configuration.",
    "Correct what the message names, or leave the file as it is.",
  ],
  "adopt/by-hand": [
    "The file cannot be changed in place without losing something: an anchor, a merge or a comment is in the way.",
    "Make the change that the message names by hand.",
  ],
  "adopt/hidden-snapshot": [
    "The snapshot has invented names instead of private ones, which would be wrong in the file.",
    "Give the job credentials, or a snapshot with all names.",
  ],
  "adopt/no-branch": [
    "The job does not run for a branch, so it cannot open a pull request.",
    "Run it on a schedule, or by hand on the default branch.",
  ],
  "adopt/nobody-to-ask": [
    "Nobody is at the terminal to choose what is adopted, or to approve the change of the file.",
    "Name the objects, and write `--yes`.",
  ],
  "adopt/shared-file": [
    "The server's values would be written into a file that other organizations include, or that is outside of the directory of this one (others of the repository may include it), and `--yes` prevents the question whether that is meant.",
    "Run `adopt` without `--yes` and answer; or write the values into the file of the organization alone.",
  ],
  "adopt/unknown-address": ["No difference has this address.", "Correct it; `realmctl drift` shows what differs."],
  "adopt/unknown-field": [
    "`--field` names a field that no object has.",
    "Correct it; `realmctl drift` shows the fields that differ.",
  ],
  "adopt/what": ["No argument says what to adopt.", "Name objects (`channel:general`), or write `--all`."],
  "adopt/would-break": [
    "With everything that was chosen, the file would have errors. For example, it would still name an object that no longer exists.",
    "Take objects one by one (`realmctl adopt channel:general`), or change the places by hand that still name a missing object.",
  ],
  "init/exists": [
    "A file that would be written already exists, and `--force` is missing.",
    "Name another file, or write `--force`.",
  ],
  "init/no-action": [
    "A workflow names the repository and the commit of the Action that it runs. realmctl knows its own only if it was cloned from GitHub, and no other was given.",
    "Write `--action owner/repository@commit`.",
  ],
  "init/no-package": [
    "The jobs that `init --workflows` writes for GitLab, Forgejo and Gitea install realmctl with npm, and no package was given. realmctl does not guess it: a name alone may be somebody else's package.",
    "Name it: `--package realmctl@0.1.0`, or the https address of a tarball or Git repository.",
  ],
  "init/nobody-to-ask": ["Nobody is at the terminal to answer.", "Write `--yes`, and the answers as flags."],
  "export/exists": [
    "A file that would be written already exists.",
    "Name another place, or replace it with `--force`.",
  ],
  "export/not-read": [
    "The snapshot does not hold a section that was named, or this server does not have it.",
    "Take a snapshot that holds it (`realmctl snapshot --invites`), or leave the section out.",
  ],
  "export/not-possible": [
    "What was read cannot be written as a file: two objects have the same name, the organization has no address, or something else that cannot happen on a server.",
    "Take a new snapshot. If the organization was read just now, please report it with the message.",
  ],
  "export/too-large": [
    "What the export would write is larger than what realmctl reads: 32 MB in one file, 64 MB in a file and all that it includes. A million subscribers take 35 MB.",
    "Write several files with `--out-dir` and `--split kind`, or leave out `--subscribers`. If that is not enough, write fewer sections with `--kinds`.",
  ],
  "export/unknown-section": ["No section with this name can be exported.", "Correct the name."],
  "export/where": ["No option says where to write the files.", "Name a file or a directory."],
  "action/apply-on-pull-request": [
    "The Action applies a pull request only after it is merged.",
    "Let the job of the main branch apply.",
  ],
  "action/base-branch": [
    "The Action does not plan a pull request to this branch: its guard rails may differ from those of the branch that is applied.",
    "Make the pull request to the default branch, or name its branch with the input `base-branches`.",
  ],
  "action/bug": [
    "The Action ended because of a bug in realmctl.",
    "Report it, with the lines of the log that show where it happened.",
  ],
  "action/event": [
    "The event that started the job does not have the data that this command needs.",
    "Start the job with the event that the hint names.",
  ],
  "action/input": ["An input of the Action is missing, or does not exist.", "Correct it in the workflow."],
  "action/no-credentials": [
    "The job has no credentials of the organization: pull requests from forks get none.",
    "Run the trusted job, or store the credentials as secrets.",
  ],
  "action/snapshot-on-pull-request": [
    "The job of a pull request takes no snapshots, because such a snapshot would hide names that the pull request does not contain.",
    "Let the job of the main branch take them.",
  ],
  "drift/watch-format": [
    "A page cannot show changes while they happen.",
    "Watch with `--format text` or `json`, or ask for the page without `--watch`.",
  ],
  "artifact/broken": [
    "A stored artifact cannot be used: it is damaged or has another format.",
    "Run the job that stores it again.",
  ],
  "action/too-much": [
    "A commit has more files, or larger ones, than a job reads through GitHub's API.",
    "Include fewer or smaller files.",
  ],
  "comment/no-job": [
    "The command keeps a comment on the merge request or pull request that its job runs for, and this job does not run for one.",
    "Run it in a job for merge requests (pull requests); the hosts' variables say which one.",
  ],
  "comment/no-token": [
    "Writing a comment needs a token of the host, in REALMCTL_TOKEN.",
    "On GitLab, create a project access token with the scope api; on Forgejo and Gitea, pass the job's own token.",
  ],
  "comment/plain-http": [
    "The address of the host's API begins with http, so others could read the token on its way. realmctl accepts http only for this machine.",
    "Use the https address.",
  ],
  "comment/refused": ["The host refused to write the comment.", "Read its message: usually the token lacks a right."],
  "comment/unreachable": [
    "No connection to the host of the merge request can be made, or it broke.",
    "Run the job again.",
  ],
  "github/no-token": ["There is no token for GitHub's API.", "Pass `github.token` to the Action."],
  "github/not-allowed": [
    "The token does not have permission for this.",
    "Give the job the permission that the message names.",
  ],
  "github/rate-limit": ["GitHub accepts no more requests for now.", "Try again later."],
  "github/refused": [
    "GitHub refuses this for every account: a rule of the repository forbids it, or something no longer exists.",
    "Read its message; the same request will be refused again.",
  ],
  "github/unreachable": ["No connection to GitHub can be made.", "Try again."],
  "reviewed/moved": [
    "The organization changed since the plan was reviewed: an apply would not do what was approved.",
    "Review the new plan and approve it.",
  ],
  "reviewed/not-approved": [
    "Nobody approved the merged commit after its plan was written.",
    "Plan again in a new pull request, and have it approved after the plan was written.",
  ],
  "reviewed/none": [
    "No plan was reviewed for this commit, or another version of realmctl wrote the review (`realmctl-reviewed.json` has a version).",
    "Let the pull request's job plan, or allow an apply without a reviewed plan. After an update between the plan and the merge, run the plan of the pull request again.",
  ],
  "reviewed/other-base": [
    "The reviewed plan is for a pull request to another branch.",
    "Make a pull request to the branch that is applied.",
  ],
  "reviewed/other-file": ["The reviewed plan is for another file.", "Name the same file in both jobs."],
  "reviewed/other-realm": ["The reviewed plan is for another organization.", "Use the same credentials in both jobs."],
} as const satisfies Catalogue;
