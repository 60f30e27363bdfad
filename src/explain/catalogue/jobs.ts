import type { Catalogue } from "../page.ts";

/** Codes about export, adopt and what runs in CI. */
export const JOB_CODES = {
  "fmt/not-safe": [
    "The file cannot be put in form without a change of what it means.",
    "Correct what the message names, or leave the file as it is.",
  ],
  "adopt/by-hand": [
    "The file cannot be changed in place without losing something: an anchor, a merge or a comment is in the way.",
    "Make this change by hand; the message says which.",
  ],
  "adopt/hidden-snapshot": [
    "The snapshot has made-up names in place of private ones: taken into the file, they would be wrong.",
    "Give the job credentials, or a snapshot with all names.",
  ],
  "adopt/link": [
    "The file is a link or another repository, so it cannot be changed in place.",
    "Have the file itself there.",
  ],
  "adopt/no-branch": [
    "The job runs for no branch that a pull request could be made against.",
    "Run it on a schedule, or by hand on the default branch.",
  ],
  "adopt/not-text": ["The file is not UTF-8 throughout: writing it back would change it.", "Save it as UTF-8."],
  "adopt/nobody-to-ask": [
    "Nobody is at the terminal to choose what is adopted, or to approve the change of the file.",
    "Name the objects, and write `--yes`.",
  ],
  "adopt/unknown-address": ["No difference has this address.", "Correct it; `realmctl drift` shows what differs."],
  "adopt/unknown-field": [
    "`--field` names a field that no object has.",
    "Correct it; `realmctl drift` shows the fields that differ.",
  ],
  "adopt/what": ["Nothing says what is to be adopted.", "Name objects (`channel:general`), or everything."],
  "adopt/would-break": [
    "The file would have errors if it took all that was chosen: it would still name something that is gone, for example.",
    "Take objects one by one (`realmctl adopt channel:general`), or settle by hand what still names what is gone.",
  ],
  "init/exists": [
    "A file that would be written is there already, and nobody said that it may be replaced.",
    "Name another, or write `--force`.",
  ],
  "init/no-action": [
    "A workflow names the repository and the commit of the Action that it runs. realmctl knows its own when it was cloned from GitHub, and was told nothing else.",
    "Write `--action owner/repository@commit`.",
  ],
  "init/no-package": [
    "The jobs that `init --workflows` writes for GitLab, Forgejo and Gitea install realmctl with npm, and nobody said what that is: a name alone may be somebody else's package.",
    "Name it: `--package realmctl@0.1.0`, or the https address of a tarball or Git repository.",
  ],
  "init/nobody-to-ask": ["Nobody is at the terminal to answer.", "Write `--yes`, and the answers as flags."],
  "export/exists": [
    "A file that would be written is there already.",
    "Name another place, or say that it may be replaced.",
  ],
  "export/not-read": [
    "A section was asked for that the snapshot does not hold, or that this server does not have.",
    "Take a snapshot that holds it (`realmctl snapshot --invites`), or leave the section out.",
  ],
  "export/not-possible": [
    "What was read of the organization cannot be written as a file: two objects of one name, no address, or something else that no server has.",
    "Take a new snapshot. If the organization was read just now, please report it with the message.",
  ],
  "export/unknown-section": ["There is no section of this name to be exported.", "Correct the name."],
  "export/where": ["Nothing says where the files are to be written.", "Name a file or a directory."],
  "action/apply-on-pull-request": [
    "A pull request is not applied before it is merged.",
    "Let the job of the main branch apply.",
  ],
  "action/base-branch": [
    "A pull request to this branch is not planned: other guard rails might hold there than on the branch that is applied.",
    "Make the pull request to the default branch, or name its branch with the input `base-branches`.",
  ],
  "action/bug": [
    "The Action ended with an error of its own.",
    "Report it, with the lines of the log that say where it was.",
  ],
  "action/event": [
    "The event that started the job does not say what this command needs.",
    "Start it by the event that the hint names.",
  ],
  "action/input": [
    "An input of the Action is missing, or none of those that there are.",
    "Correct it in the workflow.",
  ],
  "action/no-credentials": [
    "The job has no credentials of the organization: pull requests from forks get none.",
    "Run the trusted job, or store the credentials as secrets.",
  ],
  "action/snapshot-on-pull-request": [
    "A pull request's job does not take snapshots: what it does not name would be hidden from it.",
    "Let the job of the main branch take them.",
  ],
  "drift/watch-format": [
    "A page cannot grow while somebody watches.",
    "Watch with `--format text` or `json`, or ask for the page without `--watch`.",
  ],
  "artifact/broken": [
    "A stored artifact cannot be used: it is damaged or of another form.",
    "Run the job that stores it again.",
  ],
  "action/too-much": [
    "A version of the repository has more files, or larger ones, than a job reads through GitHub's API.",
    "Include fewer or smaller files.",
  ],
  "comment/no-job": [
    "The command keeps a comment on the merge request or pull request that its job runs for, and this is no such job.",
    "Run it in a job for merge requests (pull requests); the hosts' variables say which one.",
  ],
  "comment/no-token": [
    "Writing a comment needs a token of the host, in REALMCTL_TOKEN.",
    "On GitLab make a project access token with the scope api; on Forgejo and Gitea hand over the job's own.",
  ],
  "comment/plain-http": [
    "The address of the host's API begins with http, and the token would be readable on the way. Only this machine itself is reached that way.",
    "Use the https address.",
  ],
  "comment/refused": ["The host does not write the comment.", "Read its message: most often the token lacks a right."],
  "comment/unreachable": [
    "No connection to the host of the merge request can be made, or it broke.",
    "Run the job again.",
  ],
  "github/no-token": ["There is no token for GitHub's API.", "Hand `github.token` to the Action."],
  "github/not-allowed": ["The token may not do this.", "Give the job the permission that the message names."],
  "github/rate-limit": ["GitHub allows no more requests for now.", "Try again later."],
  "github/refused": [
    "GitHub does not do this, whoever asks: a rule of the repository, or something that is gone, stands in the way.",
    "Read its message; the same request will be refused again.",
  ],
  "github/unreachable": ["No connection to GitHub can be made.", "Try again."],
  "reviewed/format": ["The plan that was reviewed cannot be read.", "Let the pull request's job make it again."],
  "reviewed/moved": [
    "The organization changed since the plan was reviewed: what would be done is not what was approved.",
    "Look at the new plan, and approve it.",
  ],
  "reviewed/not-approved": [
    "Nobody approved the merged commit after its plan was written.",
    "Plan again in a new pull request, and let somebody approve it after the plan is there.",
  ],
  "reviewed/none": [
    "No plan was reviewed for this commit.",
    "Let the pull request's job make one, or allow applying without.",
  ],
  "reviewed/other-base": [
    "The plan that was reviewed is of a pull request to another branch.",
    "Make a pull request to the branch that is applied.",
  ],
  "reviewed/other-commit": [
    "The plan that was reviewed is of another commit.",
    "Let the pull request's job run for this one.",
  ],
  "reviewed/other-file": ["The plan that was reviewed is of another file.", "Name the same file in both jobs."],
  "reviewed/other-realm": [
    "The plan that was reviewed is for another organization.",
    "Use the same credentials in both jobs.",
  ],
} as const satisfies Catalogue;
