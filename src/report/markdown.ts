import { defined } from "../model/defined.ts";
import type { Diagnostic, Span } from "../model/diagnostic.ts";
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
import { count, grouped } from "../model/words.ts";
import { alikeIn, causesFirst, diagnosticLikeness, gathered, sameFor } from "./alike.ts";
import { type Entry, entriesOf, MOST_OWN_TEXTS, variedOf } from "./entries.ts";
import { wayThrough } from "./guards.ts";
import {
  changeName,
  counted,
  isUndeclared,
  leftAloneText,
  pluralOf,
  realmName,
  sandboxText,
  shownName,
} from "./layout.ts";
import {
  type Block,
  codeText,
  diffBlock,
  fillBlocks,
  Links,
  nameText,
  proseText,
  sentenceText,
} from "./markdown-text.ts";
import { withNames } from "./named-text.ts";
import { leftAsideText } from "./object-names.ts";
import { callLines, sendsParts } from "./plan-cost.ts";
import {
  guardsAlike,
  risksAlike,
  risksOf,
  sameGuardFor,
  sameFor as sameRiskFor,
  unrefusedRisks,
} from "./plan-risks-and-guards.ts";
import { bounded, PLAIN } from "./style.ts";
import { kindTallies, removedWord, wholeTally } from "./tally.ts";
import { diffLines, fieldLines, nameList, shownFields, variedText } from "./values.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";
import { guardWords } from "./words/guards.ts";
import { newerText } from "./words/newer.ts";
import { comparedWith, partialParts, rehearsalParts } from "./words/rehearsal.ts";
import { riskText } from "./words/risks.ts";
import { unseenText } from "./words/unseen.ts";

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
  /** Whether names are hidden in it ({@link isRedacted}). */
  readonly hides?: boolean;
  /** What would show them; by default, the inputs of the Action. */
  readonly shownBy?: string;
}

/** What the parts of a comment need. */
interface Input extends PlanMarkdownInput {
  readonly links: Links;
}

const MARK = { create: "+", update: "~", remove: "−", reorder: "~" } as const satisfies Record<
  Change["action"],
  string
>;

/**
 * The plan as a comment on a pull request: risks, changes by their origin (this pull request, or different before), and unmanaged objects.
 * Its first lines have the sense, since a phone shows no others, and it reads well as it is, since forges mail it so.
 * Deterministic: equal plans have equal texts, so that a comment is not edited without a reason.
 */
export function renderPlanMarkdown(given: PlanMarkdownInput): string {
  const input = { ...given, links: new Links(given.link) };
  const { plan, origin, notCompared } = input;
  // Of no changes, nobody asks where they are from.
  const asIs = notCompared === undefined || plan.changes.length === 0 ? [] : [notCompared];
  const blocks: Block[] = [
    { fixed: headLine(input) },
    errorsBlock(input),
    { fixed: partialLine(plan) },
    ...guardBlocks(input),
    { fixed: paragraphs([...(input.notes ?? []), ...asIs]).join("\n") },
    risksBlock(input),
    detailsOf("This pull request", origin.mine, 0.7, input),
    detailsOf(notCompared === undefined ? "Already different on the server" : "Changes", origin.earlier, 0.7, input),
    detailsOf("Taken over from the server by this pull request (nothing to send)", origin.adopted, 0.7, input),
    { fixed: newerLine(input.plan) },
    warningsBlock(input),
    { fixed: plan.changes.length === 0 ? "" : callsLine(plan) },
    { fixed: rehearsalLine(plan) },
    ...(input.calls === true ? [callsBlock(input)] : []),
    unmanagedBlock(input),
    { fixed: hiddenLine(input) },
  ];
  return fillBlocks(blocks, input.budget, input.links);
}

function headLine({ plan, origin, notCompared }: Input): string {
  const { realm, changes } = plan;
  const copy = realm.sandbox_of === undefined ? "" : `, ${proseText(sandboxText(realm))}`;
  const name = `${codeText(realmName(realm.url))}${copy}`;
  const left = leftAloneText(plan);
  const errors = left === "" ? "" : `❌ **${left}** `;
  if (changes.length === 0) {
    const rest = left === "" ? `**nothing** in ${name}: it matches the file` : `**nothing else** in ${name}`;
    return `${errors}**realmctl** would change ${rest}.\n`;
  }
  const risks = risksOf(plan).length;
  const risky = risks === 0 ? "" : ` · **${count(risks, "risk")}**`;
  const { length: own } = origin.mine;
  const isShared = notCompared === undefined && own < changes.length;
  const mine = isShared ? ` · ${own === 0 ? "none" : grouped(own)} of them by this pull request` : "";
  return `${errors}**realmctl** would make **${count(changes.length, "change")}** in ${name}: ${wholeTally(changes)}${mine}${risky}.\n`;
}

/** What the plan is refused for, and what those who approve it accept. */
function guardBlocks(input: Input): readonly Block[] {
  const refusals = guardsAlike(
    input.plan.guards.filter(({ violated }) => violated),
    input.all ?? false,
  );
  return [
    {
      share: 0.3,
      items: refusals.map((group) => {
        const others =
          group.others.length === 0 ? "" : `; ${sentenceText(withNames(group, (alike) => sameGuardFor(PLAIN, alike)))}`;
        const { first } = group;
        return `🛑 **Refused by a guard rail:** ${sentenceText(withNames(first, guardWords))}${others}${input.links.place(first.at)}${wayText(first)}\n`;
      }),
      weights: refusals.map(({ others }) => others.length + 1),
      left: (number) => `🛑 … and ${count(number, "more guard rail")}, left out here: ${input.elsewhere}\n`,
    },
    {
      share: 0.3,
      items: askingGuards(input.plan).map(
        (guard) =>
          `✋ **By approving this, you accept:** ${sentenceText(withNames(guard, guardWords))}${input.links.place(guard.at)}\n`,
      ),
      left: (number) => `✋ … and ${grouped(number)} more to approve, left out here: ${input.elsewhere}\n`,
    },
  ];
}

function risksBlock(input: Input): Block {
  const ownership = ownershipIn(input);
  const groups = risksAlike(unrefusedRisks(input.plan), input.all ?? false, ownership);
  return {
    share: 0.3,
    items: groups.map((group) => {
      const { first } = group;
      const others =
        group.others.length === 0 ? "" : `; ${sentenceText(withNames(group, (alike) => sameRiskFor(PLAIN, alike)))}`;
      return `- ⚠️ ${sentenceText(withNames(first, riskText))}${others}${ownership(first)}${input.links.place(first.at)}`;
    }),
    weights: groups.map(({ others }) => others.length + 1),
    left: (number) => `- ⚠️ … and ${count(number, "more risk")}, left out here: ${input.elsewhere}`,
    after: "\n",
  };
}

/** Why a part of the file is not planned, and the job fails. */
const errorsBlock = (input: Input): Block => diagnosticsBlock(input, "❌ ", ({ severity }) => severity === "error");

const warningsBlock = (input: Input): Block => ({
  ...diagnosticsBlock(input, "", ({ severity }) => severity !== "error"),
  before: "**Warnings**\n\n",
});

/** Findings with their advice, those that differ only in their object as one. */
function diagnosticsBlock(input: Input, mark: string, isShown: (diagnostic: Diagnostic) => boolean) {
  const found = causesFirst(gathered(input.plan.warnings, false)).filter(isShown);
  const groups = alikeIn(found, input.all === true ? () => undefined : diagnosticLikeness);
  return {
    share: 0.3,
    items: groups.map((group) => {
      const { first } = group;
      const message = sentenceText(withNames(first, (one) => wordedDiagnostic(one).message));
      const others = sentenceText(withNames(group, (alike) => sameFor(PLAIN, alike)));
      const hint = sentenceText(withNames(first, (one) => wordedDiagnostic(one).hint ?? ""));
      const below = [others, hint].filter((line) => line !== "").map((line) => `\n  - ${line}`);
      return `- ${mark}${message}${input.links.place(first.at)}${below.join("")}`;
    }),
    weights: groups.map(({ others }) => others.length + 1),
    left: (number: number) => `- ${mark}… and ${grouped(number)} more, left out here: ${input.elsewhere}`,
    after: "\n",
  };
}

/** Separates lines by empty lines, since Markdown joins adjacent lines to one paragraph. */
const paragraphs = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => [line, ""]);

/** Risks of differences that existed before are marked: the pull request does not cause them. */
function ownershipIn({ origin, notCompared }: Input): (risk: Risk) => string {
  const mine = new Set(origin.mine.map(({ address }) => address));
  return ({ address }) => (notCompared !== undefined || mine.has(address) ? "" : " · *not from this pull request*");
}

function wayText(guard: Guard): string {
  const way = withNames(guard, (given, show) => wayThrough(given, "comment", show));
  return way.marked === "" ? "" : ` · ${sentenceText(way)}`;
}

/** A list that a reader opens. What is not a word of a sentence is left out of its title: there HTML has an effect, and Markdown has none. */
const folded = (title: string): { readonly before: string; readonly after: string } => ({
  before: `<details><summary>${title.replace(/[^\p{L}\p{M}\p{N} ,.:()]/gu, "")}</summary>\n\n`,
  after: "\n</details>\n\n",
});

function detailsOf(title: string, changes: readonly Change[], share: number, input: Input): Block {
  const entries = entriesOf(changes, input.all ?? false);
  const names = namesOf(entries, input);
  return {
    share,
    items: entries.map((entry) => entryText(entry, names.get(entry), input)),
    weights: entries.map((entry) => entry.changes.length),
    left: (number) => `- … and ${count(number, "more change", "more changes")}, left out here: ${input.elsewhere}`,
    ...folded(`${title}: ${grouped(changes.length)} (${kindTallies(changes).join(", ")})`),
  };
}

/** The shares of the room for names: those of removals may take more, and other things have to fit, too. */
const NAMES_OF_REMOVALS = 0.2;
const NAMES_OF_OTHERS = 0.1;
/** However little room is left, a group has this number of names. */
const FEWEST_NAMES = 8;

/** The names in each group of similar changes: as many as there is room for, those of what is removed first. */
function namesOf(entries: readonly Entry[], { budget, all = false, elsewhere }: Input): ReadonlyMap<Entry, string> {
  let used = 0;
  const lineOf = ({ changes, first }: Entry): string => {
    const most = budget * (isRemoval(first) ? NAMES_OF_REMOVALS : NAMES_OF_OTHERS);
    const names: string[] = [];
    for (const change of changes) {
      const name = nameText(change.name);
      if (!all && names.length >= FEWEST_NAMES && used + name.length > most) break;
      used += name.length + 2;
      names.push(name);
    }
    const left = changes.length - names.length;
    return `  - ${names.join(", ")}${left === 0 ? "" : ` … and ${grouped(left)} more, left out here: ${elsewhere}`}`;
  };
  const groups = entries.filter(({ changes }) => changes.length > 1);
  const removalsFirst = [true, false].flatMap((removed) => groups.filter(({ first }) => isRemoval(first) === removed));
  return new Map(removalsFirst.map((entry) => [entry, lineOf(entry)]));
}

/** @param names the line with the names of a group */
function entryText(entry: Entry, names: string | undefined, input: Input): string {
  const { first, changes } = entry;
  const isGroup = names !== undefined;
  const name = isGroup
    ? `${grouped(changes.length)} ${proseText(pluralOf(first.kind))} alike`
    : nameText(changeName(first));
  const was = !isGroup && first.was !== undefined && first.was !== first.name ? ` (was ${nameText(first.was)})` : "";
  const away = isRemoval(first) ? ` · ${removedWord([first])}` : "";
  const where = isGroup ? (changes.every(isUndeclared) ? NOT_IN_FILE : "") : whereOf(first, input);
  const lines = [`- **${MARK[first.action]}** ${name}${was}${away}${where}`];
  if (isGroup) lines.push(names);
  const fields = shownFields(first);
  const shown: string[] = [];
  let room = MOST_OF_FIELDS;
  let left = fields.length;
  for (const field of fields) {
    const own = diffOf(field, entry, input);
    room -= own.join().length;
    if (room < 0) break;
    shown.push(...own);
    left -= 1;
  }
  if (shown.length > 0) lines.push(...diffBlock(shown).map((line) => `  ${line}`));
  if (left > 0) lines.push(`  - … and ${count(left, "more field")}: ${input.elsewhere}`);
  return lines.join("\n");
}

/** The number of names of objects that the file does not name. */
const MOST_UNMANAGED = 5;
/** UTF-16 units for the fields of one object: a few long values leave room for every other object. */
const MOST_OF_FIELDS = 8000;
/** The maximum number of columns of one line of a value. */
const LONGEST_VALUE = 600;
/** The sign of a diff before a value, and a note behind it. */
const ROOM_OF_SIGNS = 40;

/** A field as lines of a `diff`. */
function diffOf(field: FieldChange, entry: Entry, { all = false }: Input): readonly string[] {
  const { first, varying, changes } = entry;
  const label = shownName(field.field);
  if (!varying.has(field.field)) return valueLines(label, field, first.action, all);
  if (changes.length > MOST_OWN_TEXTS)
    return [`  ${label}: ${variedText(PLAIN, variedOf(entry, field.field), 80, false)}`];
  return changes.flatMap((change) => {
    const own = change.fields.find((candidate) => candidate.field === field.field);
    return own === undefined ? [] : valueLines(`${shownName(change.name)}, ${label}`, own, change.action, false);
  });
}

function valueLines(label: string, field: FieldChange, action: Change["action"], all: boolean): readonly string[] {
  const sign = action === "remove" ? "- " : action === "create" ? "+ " : "";
  const lines = fieldLines(PLAIN, field, action, { columns: 80, all, most: 12 }, (style, change, columns, isAll) =>
    diffLines(style, change, columns, isAll, LONGEST_VALUE - ROOM_OF_SIGNS),
  );
  return lines.map((line) => {
    const [, mark = " ", value = ""] = /^(?:([-+]) )?(.*)$/.exec(bounded(PLAIN, sign + line, LONGEST_VALUE)) ?? [];
    return `${mark} ${label}: ${value}`;
  });
}

const NOT_IN_FILE = " · not in the file";

function whereOf(change: Change, { links }: Input): string {
  return `${isUndeclared(change) ? NOT_IN_FILE : ""}${links.place(change.at)}`;
}

function newerLine({ extra, server }: Plan): string {
  const text = newerText(extra?.newer ?? [], server.feature_level);
  return text === "" ? "" : `${proseText(text)}\n`;
}

/** What the file does not name and the plan leaves alone. A few names say what it is about. */
function unmanagedBlock({ plan, elsewhere }: Input): Block {
  const sections = plan.unmanaged.filter(({ names, policy }) => names.length > 0 && policy !== "absent");
  return {
    share: 0.3,
    items: sections.map((item) => {
      const { section, names, policy } = item;
      if (policy === "except") return `- ${leftAsideText(item)}`;
      return `- ${counted(section, names.length)} (${policy}): ${nameList(PLAIN, names.map(nameText), MOST_UNMANAGED)}`;
    }),
    left: (number) => `- … and ${count(number, "more section")}, left out here: ${elsewhere}`,
    before: "**Not managed, and left alone**\n\n",
    after: "\n",
  };
}

const callsLine = (plan: Plan): string =>
  `Applying sends ${sendsParts(plan, `least possible: ${plan.least_calls}`).join(" · ")}.\n`;

const partsOf = <Fact extends object>(fact: Fact, parts: (fact: Fact) => readonly string[]): string =>
  parts(fact)
    .map((_, index) => sentenceText(withNames(fact, (given) => parts(given)[index] ?? "")))
    .join(" · ");

function rehearsalLine(plan: Plan): string {
  const { extra } = plan;
  if (extra?.rehearsal === undefined) return "";
  const against = comparedWith(plan);
  return `Rehearsed: ${partsOf(extra.rehearsal, (rehearsal) => rehearsalParts(rehearsal, { against }))}.\n`;
}

function partialLine({ account, extra }: Plan): string {
  const { partial, unseen } = extra ?? {};
  const seen = { account, extra: defined({ unseen }) };
  return [
    partial === undefined ? "" : `**Partial:** ${partsOf(partial, partialParts)}.\n`,
    unseen === undefined ? "" : `**Not seen:** ${sentenceText(withNames(seen, unseenText))}\n`,
  ].join("");
}

function callsBlock({ plan, all, elsewhere }: Input): Block {
  return {
    share: 1,
    items: callLines(plan, all).map((line) => `- ${codeText(line)}`),
    left: (number) => `- … and ${count(number, "more call", "more calls")}, left out here: ${elsewhere}`,
    ...folded(`Every call: ${grouped(plan.calls.length)}`),
  };
}

/** Whether something of a plan is replaced in what is shown. No number: that of the whole organization changes while the plan is the same. */
export function isRedacted(plan: Plan, shown: Plan): boolean {
  const textOf = ({ changes, warnings, guards, unmanaged }: Plan): string =>
    JSON.stringify([changes, warnings, guards, unmanaged.filter(({ policy }) => policy !== "absent")]);
  return textOf(plan) !== textOf(shown);
}

function hiddenLine({ hides = false, shownBy = "inputs `show-private-names`, `show-invitations`" }: Input): string {
  if (!hides) return "";
  return `Some names and addresses are not shown here: of private channels, people and invitations (${shownBy}).\n`;
}
