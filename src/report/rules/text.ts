import { clean } from "../../model/clean.ts";
import type { Span } from "../../model/diagnostic.ts";
import { count, grouped, listNames } from "../../model/words.ts";
import type { RuleOutcome } from "../../rules/check.ts";
import type { RulesResult } from "../../rules/result.ts";
import { below, type Line, momentText, placeText, printText, realmName } from "../layout.ts";
import { dotted, paint, type Style, sign } from "../style.ts";
import { brokenRule, unknownFact } from "./facts.ts";
import { reasonText, unknownTexts, violationText } from "./words.ts";

interface RulesTextOptions {
  readonly style: Style;
  /** Whether rules that hold are listed by name. */
  readonly all: boolean;
  /** The name of the file. */
  readonly file: string;
  /** The places of names that do not resolve: what needs them is left as it is on the server. */
  readonly open?: readonly Span[];
}

/** Broken rules first, each with the person, the right, its source, and the line of the file; then the number of rules that hold. */
export function renderRules(result: RulesResult, { style, all, file, open: left = [] }: RulesTextOptions): string {
  const [broken, open, holding] = (["broken", "undecided", "holds"] as const).map((wanted) =>
    result.outcomes.filter(({ verdict }) => verdict === wanted),
  );
  if (broken === undefined || open === undefined || holding === undefined) return "";
  const blocks = broken.map((outcome) => brokenLines(outcome, result, style));
  const good = paint(style, "good", sign(style, "done"));
  const named = holding.map(({ name, at }) => ({
    lead: `${good} `,
    indent: 2,
    text: clean(name),
    place: placeText(at),
  }));
  const undecided = result.outcomes.reduce((sum, outcome) => sum + outcome.undecided, 0);
  const checked = result.outcomes.reduce((sum, outcome) => sum + outcome.checked, 0);
  const skipped = sign(style, "skipped");
  const shownOpen = open.flatMap(({ name, at, reasons }) => [
    { lead: `${skipped} `, text: `${clean(name)}: cannot be checked`, place: placeText(at) },
    ...unknownTexts(reasons.map(unknownFact)).map((why) => ({
      lead: "    ",
      text: paint(style, "dim", clean(why)),
      indent: 6,
    })),
  ]);
  const summary = dotted(style, [
    broken.length === 0
      ? holdingText(holding.length, result.outcomes.length)
      : `${grouped(broken.length)} of ${count(result.outcomes.length, "rule")} ${broken.length === 1 ? "does" : "do"} not hold`,
    open.length === 0 ? "" : `${count(open.length, "rule")} cannot be checked`,
    `${count(checked, "right or setting", "rights and settings")} checked`,
    ...againstText(result, file),
  ]);
  const mark = broken.length === 0 ? (open.length === 0 ? good : skipped) : paint(style, "risk", sign(style, "failed"));
  return printText(style, [
    ...blocks,
    shownOpen,
    all ? named : [],
    [
      { lead: `${mark} `, text: summary, indent: 2 },
      below(undecided === 0 ? "" : undecidedText(undecided, result), 2),
      below(left.length === 0 ? "" : leftText(left), 2),
    ],
  ]);
}

/** "3 rules hold", "1 of 3 rules holds", "0 of 1 rule holds" */
function holdingText(holding: number, all: number): string {
  const verb = holding === 1 || all === 1 ? "holds" : "hold";
  return holding === all ? `${count(all, "rule")} ${verb}` : `${grouped(holding)} of ${count(all, "rule")} ${verb}`;
}

function undecidedText(undecided: number, { against }: RulesResult): string {
  const why =
    against === "file"
      ? "the file alone does not say. Write these fields (or unset: default below manage:), the whole lists of subscribers, members of groups, owners of bots and people's roles (below people:), or add --snapshot FILE or --live"
      : "the reading does not hold them (subscribers of private channels, private channels that the account does not see, fields of new objects, rights that this server does not have)";
  return `${grouped(undecided)} of the rights and settings could not be checked: ${why}`;
}

/** `apply` leaves these fields alone, so that is what they are after it; but it is not what the file says. */
function leftText(left: readonly Span[]): string {
  const places = listNames([...new Set(left.map(placeText))].map(clean), MOST_PLACES);
  return `Judged as it is on the server, and not as the file says, since a name there does not resolve: ${places}`;
}
const MOST_PLACES = 6;

function againstText({ against, snapshot }: RulesResult, file: string): readonly string[] {
  if (snapshot === undefined) return [`${clean(file)} alone, invented people of each role and group`];
  const read = `${realmName(snapshot.realm.url)}, read ${momentText(snapshot.taken_at)}`;
  return against === "plan" ? [`once ${clean(file)} is applied to ${read}`] : [`${read}, as it is`];
}

function brokenLines(outcome: RuleOutcome, { ground }: RulesResult, style: Style): readonly Line[] {
  const lead = `${paint(style, "risk", sign(style, "failed"))} `;
  const lines: Line[] = [{ lead, text: paint(style, "bold", clean(outcome.name)), place: placeText(outcome.at) }];
  for (const violation of outcome.violations) {
    const granted = "granted" in violation ? violation.granted : undefined;
    const fact = brokenRule(outcome, violation, ground).violation;
    lines.push({ lead: "    ", text: clean(violationText(fact)), place: placeText(granted) });
    lines.push(below(paint(style, "dim", clean(reasonText(fact))), 6));
  }
  if (outcome.more > 0) lines.push(`    ${sign(style, "more")} and ${grouped(outcome.more)} more`);
  return lines;
}
