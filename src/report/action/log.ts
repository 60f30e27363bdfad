import { clean } from "../../model/clean.ts";
import { type Change, type Guard, type Plan, unresolvedIn } from "../../model/plan.ts";
import { count } from "../../model/words.ts";
import { changeName, realmName } from "../layout.ts";
import type { SaidDiagnostic } from "../words/diagnostics.ts";
import { guardText } from "../words/guards.ts";
import { countErrors } from "./diagnostics.ts";

/** Lines of the Action's log. */

export const sending = (writes: number, changes: number): string =>
  `Sending ${count(writes, "write")} for ${count(changes, "change")}.`;

export const noMergedPull = (commit: string, waitMs: number): string =>
  `GitHub knows of no merged pull request of ${commit}: asking again in ${waitMs / 1000} s.`;

/** The advice in a workflow if a file cannot be read. */
export const CHECK_OUT = "check the repository out first (actions/checkout), and name the file with the input `file`";

/** The replacement for names that are hidden before the organization is read. */
export const HIDDEN_ACCOUNT = "the job's account";
export const HIDDEN_INVITED = "an invited address";
export const hiddenObject = (noun: string): string => `a private ${noun}`;

export const INTERNAL_ERROR = "realmctl: internal error";

export const NO_REVIEWED_PLAN = "There is no reviewed plan: applying the file as it is.";

export const unknownRunBefore = ({ message, hint = "" }: Pick<SaidDiagnostic, "message" | "hint">): string =>
  `The previous run is not known: ${message}. ${hint}`;

/** Why a request to GitHub waits. */
export type WaitCause = "asked-too-often" | "no-answer";
const WAIT_CAUSES = {
  "asked-too-often": "GitHub was asked too often",
  "no-answer": "GitHub did not answer",
} as const satisfies Record<WaitCause, string>;

export const waitingForGitHub = (cause: WaitCause, waitMs: number): string =>
  `${WAIT_CAUSES[cause]}: waiting ${Math.ceil(waitMs / 1000)} s.`;

/** Why a run stops early. */
type StopCause = "deadline" | "cancelled";
const STOP_CAUSES = {
  deadline: "The step reached its time limit (input deadline)",
  cancelled: "Cancelled",
} as const satisfies Record<StopCause, string>;

export const stoppingFor = (cause: StopCause): string => `${STOP_CAUSES[cause]}: stopping after the call in progress.`;

export const commandEnded = (command: string, exitCode: number): string => `realmctl ${command}: exit code ${exitCode}`;

export const commentKept = (pull: number, fate: string): string => `The comment on #${pull}: ${fate}`;

export const guardRefuses = (guard: Omit<Guard, "violated">): string => `Refused by a guard rail: ${guardText(guard)}`;

export const ruleDoesNotHold = (message: string): string => `A rule does not hold: ${message}`;

export function planLine(plan: Plan, risks: number): string {
  const errors = unresolvedIn(plan);
  const wrong = errors.length === 0 ? "" : `${countErrors(errors)}, `;
  return `${realmName(plan.realm.url)}: ${wrong}${count(plan.changes.length, "change")}, ${count(risks, "risk")}`;
}

export const snapshotLine = (url: string, digest: string): string => `Snapshot of ${url}, sha256 ${digest}`;

/** What could not be written to GitHub. */
export type Publication = "comment" | "check" | "issue" | "pull-request";
const PUBLICATIONS = {
  comment: "the comment",
  check: "the check",
  issue: "the issue",
  "pull-request": "the pull request",
} as const satisfies Record<Publication, string>;

/** @param why `fork`: a pull request from a fork, whose token may not write; undefined: not known */
export function notWritten(what: Publication, why: SaidDiagnostic | "fork" | undefined): string {
  if (why === "fork")
    return `${PUBLICATIONS[what]} was not written: a pull request from a fork has a token that only reads. The plan is in the job summary.`;
  return `${PUBLICATIONS[what]}: ${why?.message ?? "not written"}. ${why?.hint ?? ""}`;
}

/** Texts of annotations at the lines of a file. */

const nameOf = (change: Change): string => clean(changeName(change));

export const deletedHere = (change: Change, oldLine: number): string =>
  `${nameOf(change)} is removed: line ${oldLine} of the base version had it, and was deleted here`;

export const fieldChanges = (change: Change, field: string): string => `${nameOf(change)}: ${clean(field)} changes`;

const WORD = { create: "created", remove: "removed", reorder: "reordered" } as const;

export const objectChanges = (change: Change & { readonly action: keyof typeof WORD }): string =>
  `${nameOf(change)}: ${WORD[change.action]}`;

/** The effects of one line, at a readable length. */
export function annotationText(texts: readonly string[]): string {
  const shown = texts.slice(0, 20).map((text) => (text.length > 400 ? `${text.slice(0, 399)}…` : text));
  return [
    ...shown,
    ...(texts.length > 20 ? [`and ${count(texts.length - 20, "more change", "more changes")}`] : []),
  ].join("\n");
}
