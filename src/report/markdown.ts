import type { Span } from "../model/diagnostic.ts";
import { gathered } from "../model/diagnostics/gathered.ts";
import { isList } from "../model/json.ts";
import {
  askingGuards,
  type Change,
  type ChangesByOrigin,
  type FieldChange,
  type Guard,
  type Plan,
  type Risk,
} from "../model/plan.ts";
import { isRemoval } from "../model/tally.ts";
import { worstFirst } from "./action/diagnostics.ts";
import { callLines } from "./calls.ts";
import { causesFirst } from "./diagnostics-alike.ts";
import { type Entry, entriesOf, MOST_OWN_TEXTS, variedOf } from "./entries.ts";
import { wayThrough } from "./guards.ts";
import {
  changeName,
  counted,
  durationText,
  headingOf,
  isUndeclared,
  pluralOf,
  realmName,
  sandboxText,
} from "./layout.ts";
import { type Block, fillBlocks } from "./markdown-budget.ts";
import { codeText, nameText, proseText, sentenceText } from "./markdown-text.ts";
import { estimatedSeconds } from "./plan-cost.ts";
import { risksAlike, risksOf, sameFor } from "./plan-risks.ts";
import { bounded, count, grouped, PLAIN } from "./style.ts";
import { removedWord, signTally } from "./tally.ts";
import {
  changeLines,
  fieldValue,
  orderLines,
  ownValueText,
  shownFields,
  variedText,
  wholeValueText,
} from "./values.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";
import { guardText } from "./words/guards.ts";
import { newerText } from "./words/newer.ts";
import { partialParts } from "./words/partial.ts";
import { rehearsalParts } from "./words/rehearsal.ts";
import { riskText } from "./words/risks.ts";

export interface PlanMarkdownInput {
  readonly plan: Plan;
  readonly origin: ChangesByOrigin;
  /** The reason why the origin of changes is unknown; absent if it is known. */
  readonly notCompared?: string;
  /** Notes above the plan, in Markdown of our own, one on each line. */
  readonly notes?: readonly string[];
  /** The maximum length in UTF-16 units. The text says how much does not fit. */
  readonly budget: number;
  /** Where to find everything, in Markdown of our own: "the job summary", "the artifact realmctl-plan". */
  readonly elsewhere: string;
  /** The URL of a place in the file, if there is one. */
  readonly link?: (at: Span) => string | undefined;
  /** Every change separately instead of groups of similar ones. */
  readonly all?: boolean;
  /** Every call as it is sent, for the review of a saved plan. */
  readonly calls?: boolean;
  /** How many names are hidden, and how to show them. */
  readonly hidden?: number;
}

const MARK = { create: "+", update: "~", remove: "−", reorder: "~" } as const satisfies Record<
  Change["action"],
  string
>;

/**
 * The plan as a comment on a pull request: risks, changes by their origin (this pull request, or different before), and unmanaged objects.
 * Deterministic: equal plans have equal texts, so that a comment is not edited without a reason.
 */
export function renderPlanMarkdown(input: PlanMarkdownInput): string {
  const { plan, origin } = input;
  const total = plan.changes.length;
  const blocks: Block[] = [
    { fixed: headLine(plan) },
    { fixed: partialLine(plan) },
    ...guardBlocks(input),
    { fixed: paragraphs(input.notes ?? []).join("\n") },
    risksBlock(input),
    { fixed: total + origin.adopted.length === 0 ? "" : tableOf(input) },
    detailsOf("This pull request", origin.mine, 0.7, input),
    detailsOf(
      input.notCompared === undefined ? "Already different on the server" : "Changes",
      origin.earlier,
      0.7,
      input,
    ),
    detailsOf("Taken over from the server by this pull request (nothing to send)", origin.adopted, 0.7, input),
    ...unmanagedBlocks(input),
    { fixed: newerLine(input.plan) },
    warningsBlock(input),
    { fixed: total === 0 ? "" : callsLine(plan) },
    { fixed: rehearsalLine(plan) },
    ...(input.calls === true ? [callsBlock(input)] : []),
    { fixed: hiddenLine(input.hidden ?? 0) },
  ];
  return fillBlocks(blocks, input.budget);
}

function headLine({ realm, changes }: Plan): string {
  const total = changes.length;
  const copy = realm.sandbox_of === undefined ? "" : `, ${proseText(sandboxText(realm))}`;
  const name = `${codeText(realmName(realm.url))}${copy}`;
  return total === 0
    ? `**realmctl** would change **nothing** in ${name}: it matches the file.\n`
    : `**realmctl** would make **${grouped(total)} ${total === 1 ? "change" : "changes"}** in ${name}.\n`;
}

/** What the plan is refused for, and what those who approve it accept. */
function guardBlocks(input: PlanMarkdownInput): readonly Block[] {
  return [
    {
      share: 0.3,
      items: input.plan.guards
        .filter(({ violated }) => violated)
        .map(
          (guard) =>
            `🛑 **Refused by a guard rail:** ${sentenceText(guardText(guard))}${place(guard.at, input)}${wayText(guard)}\n`,
        ),
      left: (number) => `🛑 … and ${grouped(number)} more guard rails, left out here: ${input.elsewhere}\n`,
    },
    {
      share: 0.3,
      items: askingGuards(input.plan).map(
        (guard) => `✋ **By approving this, you accept:** ${sentenceText(guardText(guard))}${place(guard.at, input)}\n`,
      ),
      left: (number) => `✋ … and ${grouped(number)} more to approve, left out here: ${input.elsewhere}\n`,
    },
  ];
}

function risksBlock(input: PlanMarkdownInput): Block {
  const ownership = ownershipIn(input);
  const groups = risksAlike(risksOf(input.plan), input.all ?? false, ownership);
  return {
    share: 0.3,
    items: groups.map((group) => {
      const { first } = group;
      const others = group.others.length === 0 ? "" : `; ${sentenceText(sameFor(PLAIN, group))}`;
      return `- ⚠️ ${sentenceText(riskText(first))}${others}${ownership(first)}${place(first.at, input)}`;
    }),
    weights: groups.map(({ others }) => others.length + 1),
    left: (number) => `- ⚠️ … and ${grouped(number)} more risks, left out here: ${input.elsewhere}`,
    after: "\n",
  };
}

/** Errors, because of which a part of the file is not planned, come first and are marked: they are why the job fails. */
function warningsBlock(input: PlanMarkdownInput): Block {
  const items = worstFirst(causesFirst(gathered(input.plan.warnings, false)).map(wordedDiagnostic));
  return {
    share: 0.5,
    items: items.map(({ severity, message, at }) => {
      return `- ${severity === "error" ? "**error** " : ""}${sentenceText(message)}${place(at, input)}`;
    }),
    left: (number) => `- … and ${grouped(number)} more, left out here: ${input.elsewhere}`,
    before: items.some(({ severity }) => severity === "error") ? "**Errors and warnings**\n\n" : "**Warnings**\n\n",
    after: "\n",
  };
}

/** Separates lines by empty lines, since Markdown joins adjacent lines to one paragraph. */
const paragraphs = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => [line, ""]);

/** Risks of differences that existed before are marked: the pull request does not cause them. */
function ownershipIn({ origin, notCompared }: PlanMarkdownInput): (risk: Risk) => string {
  const mine = new Set(origin.mine.map(({ address }) => address));
  return ({ address }) => (notCompared !== undefined || mine.has(address) ? "" : " · *not from this pull request*");
}

function wayText(guard: Guard): string {
  const way = wayThrough(guard, "comment");
  return way === "" ? "" : ` · ${sentenceText(way)}`;
}

function place(at: Span | undefined, { link }: PlanMarkdownInput): string {
  if (at === undefined) return "";
  const label = codeText(`${at.file}:${at.line}`);
  const url = link?.(at);
  return url === undefined ? ` · ${label}` : ` · <a href="${url}">${label}</a>`;
}

function tableOf({ origin, notCompared }: PlanMarkdownInput): string {
  const { mine, earlier, adopted } = origin;
  const changes = [...mine, ...earlier, ...adopted];
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  const heading = (kind: string): string =>
    headingOf(
      kind,
      changes.filter((change) => change.kind === kind),
    );
  if (notCompared !== undefined) {
    const rows = kinds.map((kind) => `| ${proseText(heading(kind))} | ${tally(earlier, kind)} |`);
    return [`> ${notCompared}`, "", "| | changes |", "| --- | --- |", ...rows, ""].join("\n");
  }
  const rows = kinds.map((kind) => {
    const taken = adopted.filter((change) => change.kind === kind).length;
    const own = `${tally(mine, kind)}${taken > 0 ? ` (${taken} taken over)` : ""}`;
    return `| ${proseText(heading(kind))} | ${own} | ${tally(earlier, kind)} |`;
  });
  return ["| | this pull request | already different on the server |", "| --- | --- | --- |", ...rows, ""].join("\n");
}

const SIGNS = { update: "\\~", create: "\\+", remove: "−" } as const;

function tally(changes: readonly Change[], kind: string): string {
  return signTally(
    changes.filter((change) => change.kind === kind),
    SIGNS,
  );
}

function detailsOf(title: string, changes: readonly Change[], share: number, input: PlanMarkdownInput): Block {
  const entries = entriesOf(changes, input.all ?? false);
  return {
    share,
    items: entries.map((entry) => entryText(entry, input)),
    weights: entries.map((entry) => entry.changes.length),
    left: (number) => `- … and ${count(number, "more change", "more changes")}, left out here: ${input.elsewhere}`,
    before: `<details><summary>${title}: ${grouped(changes.length)}</summary>\n\n`,
    after: "\n</details>\n",
  };
}

function entryText(entry: Entry, input: PlanMarkdownInput): string {
  const { first, changes } = entry;
  const isGroup = changes.length > 1;
  const name = isGroup
    ? `${grouped(changes.length)} ${proseText(pluralOf(first.kind))} alike`
    : nameText(changeName(first));
  const was = !isGroup && first.was !== undefined && first.was !== first.name ? ` (was ${nameText(first.was)})` : "";
  const away = isRemoval(first) ? ` · ${removedWord([first])}` : "";
  const lines = [`- **${MARK[first.action]}** ${name}${was}${away}${isGroup ? "" : whereOf(first, input)}`];
  if (isGroup) {
    const most = input.all ? changes.length : 8;
    const names = changes.slice(0, most).map((change) => nameText(change.name));
    const more = changes.length > most ? ` … and ${grouped(changes.length - most)} more` : "";
    lines.push(`  - ${names.join(", ")}${more}`);
  }
  let room = MOST_OF_FIELDS;
  const fields = shownFields(first);
  for (const [index, field] of fields.entries()) {
    const text = `  - ${fieldText(field, entry, input)}`;
    room -= text.length;
    if (room < 0) {
      lines.push(`  - … and ${count(fields.length - index, "more field")}: ${input.elsewhere}`);
      break;
    }
    lines.push(text);
  }
  return lines.join("\n");
}

/** UTF-16 units of Markdown for the fields of one object: a few long values leave room for every other object. */
const MOST_OF_FIELDS = 8000;
/** The maximum number of columns of one line of a value. */
const LONGEST_VALUE = 600;

function fieldText(field: FieldChange, entry: Entry, { all = false }: PlanMarkdownInput): string {
  const { first, varying } = entry;
  const label = nameText(field.field);
  const code = (value: string): string => codeText(bounded(PLAIN, value, LONGEST_VALUE));
  if (varying.has(field.field)) return `${label}: ${variedValues(field.field, entry, code)}`;
  const { before, after } = field;
  const own = fieldValue(field, first.action);
  const values =
    own !== undefined
      ? [wholeValueText(PLAIN, field, own, 80, all)]
      : first.action === "reorder" && isList(before) && isList(after)
        ? orderLines(PLAIN, before, after, 12)
        : changeLines(PLAIN, field, 80, all);
  return `${label}: ${values.map(code).join("<br>")}`;
}

/** The values of a field that differs in each of several similar changes: all of them if there are few. */
function variedValues(field: string, entry: Entry, code: (value: string) => string): string {
  const { changes } = entry;
  if (changes.length > MOST_OWN_TEXTS) return code(variedText(PLAIN, variedOf(entry, field), 80, false));
  const lines = changes.flatMap((change) => {
    const value = ownValueText(PLAIN, change, field);
    return value === undefined ? [] : [`${nameText(change.name)}: ${code(value)}`];
  });
  return lines.map((line) => `<br>${line}`).join("");
}

function whereOf(change: Change, input: PlanMarkdownInput): string {
  const where = change.at === undefined ? "" : place(change.at, input);
  return isUndeclared(change) ? ` · not in the file${where}` : where;
}

function newerLine({ extra, server }: Plan): string {
  const text = newerText(extra?.newer ?? [], server.feature_level);
  return text === "" ? "" : `${proseText(text)}\n`;
}

function unmanagedBlocks(input: PlanMarkdownInput): readonly Block[] {
  return input.plan.unmanaged
    .filter(({ names, policy }) => names.length > 0 && policy !== "absent")
    .map(({ section, names, policy }): Block => {
      return {
        share: 0.3,
        items: names.map((name) => `- ${nameText(name)}`),
        left: (number) => `- … and ${grouped(number)} more, left out here: ${input.elsewhere}`,
        before: `<details><summary>Not managed: ${counted(section, names.length)} (${policy}: left alone)</summary>\n\n`,
        after: "\n</details>\n",
      };
    });
}

function callsLine(plan: Plan): string {
  const { emails, notices_in: notices, direct_messages: direct = 0 } = plan.side_effects;
  const parts = [
    `${count(plan.calls.length, "write")} (least possible: ${plan.least_calls})`,
    durationText(estimatedSeconds(plan)),
    notices.length === 0 ? "no public notices" : `public notices in ${count(notices.length, "channel")}`,
    ...(direct === 0 ? [] : [count(direct, "direct message")]),
    emails === 0 ? "no e-mails" : count(emails, "e-mail"),
  ];
  return `Applying sends ${parts.join(" · ")}.\n`;
}

function rehearsalLine({ extra }: Plan): string {
  if (extra?.rehearsal === undefined) return "";
  return `Rehearsed: ${rehearsalParts(extra.rehearsal).map(sentenceText).join(" · ")}.\n`;
}

function partialLine({ extra }: Plan): string {
  if (extra?.partial === undefined) return "";
  return `**Partial:** ${partialParts(extra.partial).map(sentenceText).join(" · ")}.\n`;
}

function callsBlock({ plan, all, elsewhere }: PlanMarkdownInput): Block {
  return {
    share: 1,
    items: callLines(plan, all).map((line) => `- ${codeText(line)}`),
    left: (number) => `- … and ${count(number, "more call", "more calls")}, left out here: ${elsewhere}`,
    before: `<details><summary>Every call: ${grouped(plan.calls.length)}</summary>\n\n`,
    after: "\n</details>\n",
  };
}

function hiddenLine(hidden: number): string {
  if (hidden === 0) return "";
  const what = count(hidden, "name or address is", "names and addresses are");
  return `<sub>${what} not shown here: private channels and invitations (inputs \`show-private-names\`, \`show-invitations\`).</sub>\n`;
}
