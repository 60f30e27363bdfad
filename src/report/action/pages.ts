import { type Plan, unresolvedIn } from "../../model/plan.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { count } from "../../model/words.ts";
import { momentText, realmName } from "../layout.ts";
import { codeText, fenceOf, fillBlocks, proseText } from "../markdown-text.ts";
import type { SaidDiagnostic } from "../words/diagnostics.ts";
import { countErrors, diagnosticsMarkdown } from "./diagnostics.ts";

/** Markdown of the Action's comments, checks and job summaries, beside the plan itself. */

const shortCommit = (commit: string): string => codeText(commit.slice(0, 12));
const theRun = (runUrl: string): string => `[the run](${runUrl})`;

/** The reference to an artifact or a file with everything that is left out. */
export const whole = (file: string): string => `${file} has every one`;

export function nothingApplied(commit: string, diagnostics: readonly SaidDiagnostic[], runUrl: string): string {
  const list = diagnosticsMarkdown(diagnostics, 50_000);
  return `❌ **realmctl** applied **nothing** of ${shortCommit(commit)}.\n\n${list}\n${theRun(runUrl)}`;
}

/** The result of an apply. @param file the file of the artifact that has the whole result */
export function appliedPage(
  { commit, url, exitCode, runUrl }: { commit: string; url: string; exitCode: number; runUrl: string },
  text: string,
  file: string,
  budget: number,
): string {
  const good = exitCode === 0;
  const left = good ? "" : `: **not everything was done** (exit code ${exitCode})`;
  const head = `${good ? "✅" : "❌"} **realmctl** applied ${shortCommit(commit)} to ${codeText(realmName(url))}${left}.`;
  return `${head}\n\n${resultBlock(text, whole(file), budget)}\n${theRun(runUrl)}\n`;
}

/** Errors of a file that cannot be planned. @param hidden the snapshot may hide what the file names */
export function cannotPlan(
  file: string,
  diagnostics: readonly SaidDiagnostic[],
  hidden: boolean,
  list: string,
): string {
  const note = hidden
    ? `${proseText("The snapshot hides people and private channels that the default branch's file does not name. If one of them is meant here, plan with credentials, or with a snapshot made with redact-snapshot: false (in a private repository).")}\n\n`
    : "";
  return `❌ **realmctl** cannot plan ${codeText(file)}: ${countErrors(diagnostics)}.\n\n${note}${list}`;
}

export const NOTHING_PLANNED = "not planned";
/** The summary of a check of a plan that ended early. */
export const nothingPlannedCheck = (list: string, runUrl: string): string =>
  `Nothing was planned.\n\n${list}\n${theRun(runUrl)}`;
export const nothingPlanned = (list: string): string => `❌ **realmctl** planned nothing.\n\n${list}`;

export const newInBase = (file: string): string =>
  `The base has no ${codeText(file)}: all of it counts as this pull request's.`;

/** Why a plan does not say which differences existed before the pull request. */
export const NOT_COMPARED = {
  "no-pull-request": "Not a pull request: there is nothing to compare with.",
  "errors-in-base": "The base version has errors of its own, so it is not known which differences existed before.",
} as const;

export const inSummaryOrArtifact = (runUrl: string, file: string): string =>
  `the [job summary](${runUrl}) or ${inArtifact(file)}`;
export const inArtifact = (file: string): string => `\`${file}\` in the artifact`;

/** The address of the page with who may do what. */
export const pageLine = (page: string, artifact: string, runUrl: string): string =>
  `With who may do what, before and after: ${codeText(page)} in the artifact ${codeText(artifact)} of ${theRun(runUrl)}\n\n`;

export const tooLongForCheck = (runUrl: string): string => `See the comment, or ${runUrl}`;

export const checkTitle = (about: string, base: string | undefined): string =>
  `realmctl plan (${about} into ${base ?? "nothing"})`;

export function planTitle(
  plan: Pick<Plan, "changes" | "warnings">,
  { refused, rulesBroken, risks }: { readonly refused: boolean; readonly rulesBroken: number; readonly risks: number },
): string {
  const { changes } = plan;
  const errors = unresolvedIn(plan);
  const parts = errors.length === 0 ? [] : [countErrors(errors)];
  if (refused) parts.push("refused by a guard rail");
  else if (rulesBroken > 0) parts.push(`${count(rulesBroken, "rule does", "rules do")} not hold`);
  else if (changes.length > 0) parts.push(count(changes.length, "change"), count(risks, "risk"));
  return parts.length === 0 ? "No changes" : parts.join(", ");
}

/** A snapshot that a plan was made from. */
export interface StoredSnapshot {
  readonly digest: string;
  readonly takenAt: string;
  readonly ageHours: number;
  readonly hidden: boolean;
}

/** A note for reviewers: an old snapshot may not show the current state. */
export const stalePlan = (mostHours: number): string =>
  `🕑 **Planned from an old snapshot** (more than ${mostHours} h): the organization may have changed since. Run the snapshot job, then this one again.`;

/** One line at the end of a comment: the age of its data. */
export function storedLine(stored: StoredSnapshot | undefined): string {
  if (stored === undefined) return "";
  const hours = stored.ageHours;
  const age =
    hours < 1
      ? `${Math.max(0, Math.round(hours * 60))} min`
      : hours < 48
        ? `${Math.round(hours)} h`
        : `${Math.round(hours / 24)} days`;
  const hidden = stored.hidden
    ? " · people and private channels that the default branch's file does not name are hidden in it"
    : "";
  return `Planned from the snapshot of ${momentText(stored.takenAt)} (${age} old then), sha256 ${codeText(stored.digest.slice(0, 16))}${hidden}\n`;
}

export function snapshotPage({ realm, channels, user_groups, users }: Snapshot, digest: string): string {
  const counts = `${count(channels.length, "channel")}, ${count(user_groups.length, "group")}, ${count(users.length, "account")}`;
  return `Snapshot of ${codeText(realm.url)}: ${counts}. sha256 ${codeText(digest)}\n`;
}

export function validatedPage(
  files: readonly string[],
  isValid: boolean,
  diagnostics: readonly SaidDiagnostic[],
  budget: number,
): string {
  const names = files.map(codeText).join(" and ");
  const head = isValid
    ? `${names} ${files.length === 1 ? "is" : "are"} valid.`
    : `${names}: ${countErrors(diagnostics)}.`;
  return `${head}\n\n${diagnosticsMarkdown(diagnostics, budget)}`;
}

/**
 * The result as a terminal shows it. The last paragraph, which has the outcome, is never cut.
 * @param elsewhere the name of the file with the whole result
 */
export function resultBlock(text: string, elsewhere: string, budget: number): string {
  const shown = text.trimEnd();
  const end = shown.lastIndexOf("\n\n") + 1;
  const fence = fenceOf(shown);
  return fillBlocks(
    [
      { fixed: `${fence}text` },
      {
        share: 1,
        items: end === 0 ? [] : shown.slice(0, end).split("\n"),
        left: (number) => `… and ${count(number, "more line")}, left out here: ${elsewhere}\n`,
      },
      { fixed: shown.slice(end) },
      { fixed: fence },
    ],
    budget,
  );
}
