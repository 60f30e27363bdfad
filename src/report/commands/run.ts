import { cases } from "../../model/cases.ts";
import { clean } from "../../model/clean.ts";
import type { Guard } from "../../model/plan.ts";
import { count, listNames } from "../../model/words.ts";
import { momentText } from "../layout.ts";
import { guardText } from "../words/guards.ts";

/** Messages of commands while they run, and when they stop. */

export const NOTHING_SENT = "Nothing was sent.\n";
export const NOTHING_MORE_SENT = "Nothing more was sent.\n";
export const PLANNING_AGAIN = "\nPlanning again, from the current state:\n\n";
export const RULES_NOT_CHECKED = "The rules could not be checked against the organization.\n";

export const INTERRUPTED = "\nStopping after the call in progress. Interrupt again to stop now.\n";
export const TIME_IS_OVER = "\nThe run reached its time limit (--deadline). Stopping after the call in progress.\n";

export const watching = (name: string): string => `Watching ${name}. Ctrl-C ends it.\n`;
/** `drift --who` that found nothing: without it, a reader takes silence for an answer. */
export const NOBODY_TOLD =
  "Who changed it is not known: the “channel events” of these channels do not tell it, are turned off or in another language, or this account does not read them.\n";
export const ANSWERS_AGAIN = "The server answers again.\n";

/** A previous run that did not reach its end. */
interface Unfinished {
  readonly journal: string;
  readonly startedAt: string;
  /** The numbers of calls that are done (`done`), that are not (`left`), and whose result is unknown (`open`). */
  readonly done: number;
  readonly left: number;
  readonly open: number;
}

/** @param isSaved a saved plan is not planned again */
export function unfinishedRun({ journal, startedAt, done, open, left }: Unfinished, isSaved: boolean): string {
  const now = isSaved ? "is read again" : "was read again; this plan starts from what is there";
  const fate = open === 0 ? "" : `, ${open} of them without a known answer`;
  return [
    `The run of ${momentText(startedAt)} did not finish (${journal}):`,
    `${count(done, "call")} known to be done, ${left} not${fate}. The organization ${now}:\n\n`,
  ].join(" ");
}

/** @param command undoes the run before, too */
export const runBeforeLeft = (command: string): string =>
  `Not undone: the previous run, which this one continued. To undo it too, run afterwards: ${command}\n`;

/** A journal of another machine that stops in the middle. */
export const journalWithoutEnd = (journal: string, sent: number, calls: number): string =>
  `${journal} has no end: the run was interrupted, or lines are missing. It says that ${sent} of ${count(calls, "request")} ${sent === 1 ? "was" : "were"} sent; if the run did more, that is not undone.\n`;

export const guardRailsOfUndo = (files: readonly string[]): string =>
  files.length === 0
    ? "No policy found: the default limits apply to this undo.\n"
    : `The guard rails of ${files.join(" and ")} apply to this undo.\n`;

/** The number of changes that are named. */
const MOST_NAMED = 6;

/** Guard rails that count more than when the plan was shown. */
export const countedToday = (guards: readonly Guard[]): string =>
  guards.map((guard) => `More than the plan shows: ${guardText(guard)}\n`).join("");

/** With `--yes`, what a saved plan allows itself does not count. @param names empty: nothing of it mattered */
export const notAllowed = (file: string, names: readonly string[]): string =>
  names.length === 0
    ? ""
    : `${file} was saved with --allow ${names.join(",")}. With --yes, this counts if the command repeats it, or names the plan with --checksum or --verify-with.\n`;

/** With `--yes`, the limits of a saved plan's own policy answer nothing. @param names what they answered; empty: nothing */
export const notAnswered = (file: string, names: readonly string[]): string =>
  names.length === 0
    ? ""
    : `${file} has limits of its own for ${names.join(", ")}. With --yes, these count if the same file in this directory or --policy has them, or the command names the plan with --checksum or --verify-with.\n`;

/** After an undo. @param names what the file still asks for; empty: nothing @param lines `file:line` of each field that does */
export const fileAsksAgain = (file: string, names: readonly string[], lines: readonly string[]): string =>
  names.length === 0
    ? ""
    : `${file} still asks for ${listNames(names, MOST_NAMED)}: correct it too, or the next apply makes ${names.length === 1 ? "this change" : "these changes"} again.\n${linesAsking([...new Set(lines)])}`;

const linesAsking = (lines: readonly string[]): string =>
  lines.length === 0 ? "" : `  The lines: ${listNames(lines.map(clean), MOST_NAMED)}\n`;

/** @param role undefined: not known */
export const linkOnce = (role: string | undefined, link: string): string =>
  `Invitation link${role === undefined ? "" : ` for the role ${role}`}, shown only this once: ${link}\n`;

/** The question before an apply. @param risks how many lines of the plan are marked */
export function applyQuestion(name: string, changes: number, risks: number): string {
  const what = `Apply ${changes === 1 ? "this change" : `these ${changes} changes`} to ${name}?`;
  return risks === 0
    ? `${what} Type yes to apply, anything else to cancel`
    : `${what} ${marked(risks)}. To apply, type the organization's address (${name})`;
}

const marked = (risks: number): string => `${count(risks, "line is", "lines are")} marked with !`;

/** The address that {@link applyQuestion} asks for; undefined: it asks for a yes. */
export const nameAskedFor = (question: string): string | undefined =>
  /type the organization's address \((.+)\)$/.exec(question)?.[1];

/** Why an answer does not start the apply. */
type NotApplied =
  | { readonly why: "nobody-answered" | "empty" | "not-yes" }
  | {
      readonly why: "other-name";
      readonly given: string;
      readonly name: string;
      readonly isYes: boolean;
      readonly risks: number;
    };

/** The following text says that nothing was sent. */
export const notApplied = (fact: NotApplied): string => `Not applied: ${reasonText(fact)}.\n`;

const reasonText = cases<NotApplied, "why">("why", {
  "nobody-answered": "nobody answered",
  empty: "the answer was empty",
  "not-yes": "the answer was not yes",
  "other-name": ({ isYes, risks, given, name }) => {
    const hint = isYes ? `, since ${marked(risks)}` : "";
    return `the answer was ${JSON.stringify(clean(given))}, not ${name}${hint}`;
  },
});
