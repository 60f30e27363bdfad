import { clean } from "../../model/clean.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Plan } from "../../model/plan.ts";
import { count } from "../../model/words.ts";
import { uncomparedText } from "../drift.ts";
import { counted, momentText, realmName } from "../layout.ts";
import { type Block, codeText, fillBlocks, proseText } from "../markdown-text.ts";
import { wordedDiagnostic } from "../words/diagnostics.ts";
import { watchText } from "../words/newer.ts";
import { unseenText } from "../words/unseen.ts";

/** The effect of a difference, the worst first. */
export const DRIFT_CLASSES = [
  "deletes",
  "widens",
  "narrows",
  "missing",
  "uncompared",
  "cosmetic",
  "unmanaged",
] as const;
export type DriftClass = (typeof DRIFT_CLASSES)[number];

export const CLASS_WORD = {
  deletes: "⚠️ deletes messages",
  widens: "⚠️ widens access",
  narrows: "takes access away",
  missing: "created or removed",
  uncompared: "not reverted by apply",
  cosmetic: "cosmetic",
  unmanaged: "not in the file",
} as const satisfies Record<DriftClass, string>;

/** What a heading says more than the word. */
const HEADING: { readonly [name in DriftClass]?: string } = {
  uncompared: "changed on the server, not reverted by apply",
  unmanaged: "not in the file (left alone)",
};

const byClass = (items: readonly ShownDrift[]) =>
  DRIFT_CLASSES.map((name) => ({ name, own: items.filter((item) => item.class === name) }));

/** A difference, as issues and summaries show it. */
export interface ShownDrift {
  readonly class: DriftClass;
  readonly title: string;
  readonly lines: readonly string[];
  /** ISO 8601: the first run that saw it. */
  readonly since: string;
}

type Shown = Pick<Plan, "realm" | "server" | "account" | "extra">;

const WHAT_TO_DO = `### What to do

- **Keep it:** write it into the file.
- **Put it back:** run \`realmctl apply\`, or merge a pull request that changes the file; its plan shows all of this. What apply does not revert can only be kept, or changed on the server by hand.

This issue is kept up to date, and closes by itself.`;

/** A difference as an item of a list: a single value is on the line of its object, several are below it. */
function itemText({ title, lines, since }: ShownDrift): string {
  const [only] = lines;
  const rest = ` · since ${momentText(since)}`;
  if (lines.length < 2) return `- ${codeText(title)}${only === undefined ? "" : ` ${codeText(only)}`}${rest}`;
  return [`- ${codeText(title)}${rest}`, ...lines.map((line) => `  - ${codeText(line)}`)].join("\n");
}

/** What is compared, and what the account does not see. */
const watchedText = (plan: Shown): string =>
  [watchText(plan), unseenText(plan)].filter((text) => text !== "").join(" ");

export const issueTitle = ({ realm }: Shown): string => `Drift in ${plainTitle(realmName(realm.url))}`;

/** The text of the issue. @param rules the results of rules, in Markdown */
export function issueBody(plan: Shown, items: readonly ShownDrift[], rules: string, budget: number): string {
  const differing = items.filter((item) => item.class !== "unmanaged").length;
  const state =
    differing === 0
      ? "as the file says"
      : `not as the file says: ${count(differing, "object differs", "objects differ")}`;
  const blocks = byClass(items).map(({ name, own }): Block => {
    const heading = (HEADING[name] ?? CLASS_WORD[name]).replace(/[a-z]/, (letter) => letter.toUpperCase());
    return {
      share: 0.8,
      before: `### ${heading}: ${own.length}\n\n`,
      after: "\n",
      items: own.map(itemText),
      left: (number) => `- … and ${number} more, left out here: \`realmctl drift --all\` names each`,
    };
  });
  return fillBlocks(
    [
      { fixed: `${codeText(realmName(plan.realm.url))} is ${state}. ${proseText(watchedText(plan))}\n` },
      { fixed: rules },
      ...blocks,
      { fixed: WHAT_TO_DO },
    ],
    budget,
  );
}

/** The drift for the job summary. @param unmanagedNew undefined: the previous run is not known */
export function driftSummary(
  plan: Plan,
  items: readonly ShownDrift[],
  unmanagedNew: number | undefined,
  budget: number,
): string {
  const fresh = unmanagedNew === undefined || unmanagedNew === 0 ? "" : ` (${unmanagedNew} new since the previous run)`;
  const counts = byClass(items)
    .filter(({ own }) => own.length > 0)
    .map(({ name, own }) => `| ${CLASS_WORD[name]} | ${own.length}${name === "unmanaged" ? fresh : ""} |`);
  const matches = Object.entries(plan.matches).map(([section, number]) => counted(section, number));
  return fillBlocks(
    [
      { fixed: `### Drift of ${codeText(realmName(plan.realm.url))}\n` },
      {
        fixed:
          counts.length === 0
            ? `No drift. ${proseText(matches.join(", "))} match. ${proseText(watchedText(plan))}`
            : ["| | |", "| --- | --- |", ...counts, "", proseText(watchedText(plan)), ""].join("\n"),
      },
      {
        share: 1,
        items: items.map(
          (item) =>
            `- ${CLASS_WORD[item.class]}: ${codeText(item.title)} ${item.lines.map(codeText).join(" · ")} since ${momentText(item.since)}`,
        ),
        left: (number) => `- … and ${number} more`,
      },
    ],
    budget,
  );
}

/** How many objects differ, and how many of them with wider access; how many changes apply does not revert. */
interface Counts {
  readonly differing: number;
  readonly widening: number;
  readonly uncompared: number;
}

/** One line of the log. */
export function driftLine(url: string, { differing, widening, uncompared }: Counts): string {
  const wider = widening > 0 ? `, ${widening} with wider access than the file says` : "";
  const left = uncompared > 0 ? `, ${uncomparedText(uncompared)}` : "";
  return `${realmName(url)}: ${count(differing, "object differs", "objects differ")}${wider}${left}.`;
}

/** A change that apply does not revert, with the advice. */
export function shownUncompared(diagnostic: Diagnostic): Pick<ShownDrift, "title" | "lines"> {
  const { message, hint, footnotes = [] } = wordedDiagnostic(diagnostic);
  return { title: message, lines: [...(hint === undefined ? [] : [hint]), ...footnotes] };
}

/** The comment that closes the issue. */
export const asTheFileAgain = (url: string, runUrl: string): string =>
  `${codeText(realmName(url))} matches the file again ([the run](${runUrl})).`;

export const closedAsNotPlanned = (issue: number): string =>
  `Somebody closed #${issue} as not planned, and the drift is still the same: it is not opened again.`;

/** Titles on GitHub are not Markdown, but they must not notify anybody. */
export const plainTitle = (text: string): string => clean(text).replaceAll("@", "(at)");
