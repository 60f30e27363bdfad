import { count } from "../../model/words.ts";
import type { RuleOutcome } from "../../rules/check.ts";
import type { RulesResult } from "../../rules/result.ts";
import { type Block, codeText, fillBlocks, proseText } from "../markdown-text.ts";
import { withNames } from "../named-text.ts";
import type { Redaction } from "../redaction.ts";
import type { SaidDiagnostic } from "../words/diagnostics.ts";
import { brokenRule, unknownFact } from "./facts.ts";
import { reasonText, unknownTexts, violationText } from "./words.ts";

/** Rules that were checked against one plan or reading. */
interface ShownRules {
  readonly file: string;
  /** Whether these are the base's rules, which differ from those of the pull request. */
  readonly ofBase: boolean;
  /** Undefined if they could not be checked. */
  readonly result: RulesResult | undefined;
  /** The reasons why the rules could not be checked. */
  readonly diagnostics: readonly SaidDiagnostic[];
}

/** The results of rules, for a comment or a summary; empty without rules. @param budget UTF-16 units */
export function rulesMarkdown(all: readonly ShownRules[], redaction: Redaction, budget: number): string {
  if (all.length === 0) return "";
  const room = Math.floor(budget / all.length);
  return all.map((one) => oneMarkdown(one, redaction, room)).join("\n");
}

function oneMarkdown({ file, ofBase, result, diagnostics }: ShownRules, redaction: Redaction, budget: number): string {
  const name = `${codeText(file)}${ofBase ? " of the base" : ""}`;
  const way = ofBase
    ? "\nA pull request cannot change rules and what they forbid at the same time: first change the rules in a separate pull request.\n"
    : "";
  if (result === undefined)
    return fillBlocks(
      [
        { fixed: `### ❌ The rules ${name} cannot be checked against this\n${way}` },
        list(
          diagnostics.map((diagnostic) => `- ${proseText(diagnostic.named?.message ?? diagnostic.message)}`),
          "error",
        ),
      ],
      budget,
    );
  const broken = result.outcomes.filter(({ violations }) => violations.length > 0);
  const undecided = result.outcomes.reduce((sum, outcome) => sum + outcome.undecided, 0);
  const note =
    undecided === 0
      ? ""
      : ` ${count(undecided, "right or field", "rights and fields")} could not be checked: the reading does not hold them.`;
  if (broken.length === 0) {
    const open = result.outcomes.filter(({ verdict }) => verdict === "undecided");
    const number = count(result.outcomes.length, "rule");
    if (open.length === 0)
      return `✅ ${number} of ${name} ${result.outcomes.length === 1 ? "holds" : "hold"}.${note}\n`;
    const items = open.map(openItem);
    const head = `### ⚪ ${open.length} of ${number} of ${name} cannot be checked; none is broken\n${note === "" ? "" : `${note.trim()}\n`}`;
    return fillBlocks([{ fixed: head }, list(items, "rule")], budget);
  }
  const items = broken.map(({ name: rule, at, violations, more }) =>
    [
      `- **${proseText(rule)}** (${codeText(`${at.file}:${at.line}`)})`,
      ...violations.slice(0, MOST_VIOLATIONS).map((violation) => {
        const granted =
          "granted" in violation && violation.granted !== undefined
            ? ` ${codeText(`${violation.granted.file}:${violation.granted.line}`)}`
            : "";
        const fact = brokenRule({ name: rule }, violation, result.ground, redaction).violation;
        const reason = reasonText(fact) === "" ? "" : `: ${proseText(withNames(fact, reasonText))}`;
        return `  - ${proseText(withNames(fact, violationText))}${reason}${granted}`;
      }),
      ...(violations.length + more > MOST_VIOLATIONS
        ? [`  - … and ${violations.length + more - MOST_VIOLATIONS} more`]
        : []),
    ].join("\n"),
  );
  return fillBlocks(
    [
      {
        fixed: `### ❌ ${broken.length} of ${count(result.outcomes.length, "rule")} of ${name} ${broken.length === 1 ? "does" : "do"} not hold\n${way}${note}`,
      },
      list(items, "rule"),
    ],
    budget,
  );
}

function openItem({ name, at, reasons }: RuleOutcome): string {
  const why = unknownTexts(reasons.map(unknownFact)).join("; ");
  return `- ${proseText(name)} (${codeText(`${at.file}:${at.line}`)})${why === "" ? "" : `: ${proseText(why)}`}`;
}

/** The maximum number of shown violations of one rule in a comment. */
const MOST_VIOLATIONS = 5;

const list = (items: readonly string[], what: string): Block => ({
  share: 1,
  items,
  after: "\n",
  left: (number) => `- … and ${count(number, `more ${what}`)}`,
});
