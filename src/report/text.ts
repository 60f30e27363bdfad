import type { Span } from "../model/diagnostic.ts";
import { isList } from "../model/json.ts";
import {
  askingGuards,
  type Change,
  type FieldChange,
  type Guard,
  type Plan,
  type Risk,
  type Unmanaged,
} from "../model/plan.ts";
import { replacesUnseen } from "../model/replaces.ts";
import { INACTIVITY_FIELDS, isRemoval } from "../model/tally.ts";
import { callLines } from "./calls.ts";
import { shellWord } from "./command-line.ts";
import { type Entry, entriesOf } from "./entries.ts";
import { wayThrough } from "./guards.ts";
import {
  changeName,
  counted,
  diagnosticLines,
  durationText,
  elapsedText,
  fieldColumns,
  fieldRows,
  headingOf,
  isUndeclared,
  joinBlocks,
  labelled,
  matchText,
  momentText,
  nounOf,
  placed,
  placeText,
  realmName,
  roleName,
  sandboxText,
  shownMessage,
  shownName,
  undeclaredText,
  wrapped,
} from "./layout.ts";
import { clean, count, displayWidth, dotted, grouped, padTo, paint, type Style, shorten, sign, wrap } from "./style.ts";
import { kindTallies, removedWord } from "./tally.ts";
import { changeLines, fieldValue, nameList, newValueText, orderLines, valueText, wholeValueText } from "./values.ts";
import { guardText } from "./words/guards.ts";
import { partialParts } from "./words/partial.ts";
import { rehearsalParts } from "./words/rehearsal.ts";
import { riskText } from "./words/risks.ts";

export interface PlanTextOptions {
  readonly style: Style;
  /** Every change, risk and name instead of groups of alike ones. */
  readonly all?: boolean;
  /** The command that carries out this plan; default `realmctl apply`, empty where it is just being carried out. */
  readonly applyWith?: string;
  /** Every call, as it is sent: what a review of a saved plan looks at. */
  readonly calls?: boolean;
  /** Who it is that a risk is about, where it is about people; goes below the risk. */
  readonly who?: (risk: Risk) => string;
  /** The plan undoes a run: there is no file that could say more. */
  readonly undoes?: boolean;
  /** What reading cost, for the last line: requests sent and seconds taken. */
  readonly cost?: { readonly requests: number; readonly seconds: number };
}

/** Without `all`: how many entries (a change or a group of alike ones) and risks are shown. */
const MOST_ENTRIES = 60;
const MOST_RISKS = 12;
/** Of at most so many alike changes, the texts that differ are shown. */
const MOST_OWN_TEXTS = 8;

const NOTHING_TO_UNDO = "Nothing of that run is left to undo.";

const MARK = { create: "+", update: "~", remove: "-", reorder: "~" } as const satisfies Record<
  Change["action"],
  string
>;
const MARK_PAINT = { create: "add", update: "change", remove: "remove", reorder: "change" } as const;
const RISK_ORDER = [
  "lockout",
  "irreversible",
  "widens",
  "removes",
  "narrows",
  "noisy",
] as const satisfies readonly Risk["kind"][];
const RISK_COUNTED = {
  lockout: "may lock somebody out",
  irreversible: "cannot be undone",
  widens: "widen access",
  removes: "remove something",
  narrows: "take access away",
  noisy: "notify people",
} as const satisfies Record<Risk["kind"], string>;

/** The plan as a person reads it: risks, summary, objects with the place that asked for them, cost, guards, how to apply. */
export function renderPlan(given: Plan, options: PlanTextOptions): string {
  const { style } = options;
  const plan = options.undoes === true ? withoutPlaces(given) : given;
  const all = options.all ?? false;
  if (plan.changes.length === 0) return renderEmpty(plan, options);
  const text = joinBlocks([
    [headLine(plan, style), ...partialLines(plan, style)],
    [
      ...riskLines(plan, options),
      ...wrapped(style, dotted(style, kindTallies(plan.changes)), `  ${paint(style, "change", "~")} `, 4),
    ],
    ...sectionBlocks(plan, style, all),
    plan.warnings.flatMap((warning) => diagnosticLines(warning, style)),
    [
      ...labelled(style, "Calls", callsText(plan, style)),
      ...rehearsalLines(plan, options),
      ...guardLines(plan.guards, style),
      ...labelled(style, "Not managed", unmanagedText(plan.unmanaged, options)),
    ],
    options.calls === true ? callBlock(plan, style, all) : [],
    closing(plan, options),
  ]);
  // An empty line, so that what becomes of it stands by itself.
  return options.applyWith === "" ? `${text}\n` : text;
}

/** A place that is in no file, and not shown. */
const NOWHERE: Span = { file: "", line: 1, column: 1, endLine: 1, endColumn: 1 };

/** What an undo changes was asked for by no line of a file: the journal has one line for all of it. */
function withoutPlaces(plan: Plan): Plan {
  const bare = <T extends { readonly at?: Span }>(item: T): T => ({ ...item, at: NOWHERE });
  return {
    ...plan,
    changes: plan.changes.map((change) => ({ ...bare(change), risks: change.risks.map(bare) })),
    guards: plan.guards.map(bare),
    warnings: plan.warnings.map(bare),
  };
}

function renderEmpty(plan: Plan, options: PlanTextOptions): string {
  const { style, cost, undoes } = options;
  const matching = Object.keys(plan.matches);
  const unmanaged = unmanagedText(plan.unmanaged, options);
  const sentences = [
    paint(style, "good", "No changes."),
    matching.length > 0 ? matchText(plan.matches) : nothingText(plan, undoes === true),
    unmanaged === "" ? "" : `Not managed: ${unmanaged}.`,
    cost === undefined ? "" : ` (${costText(cost)})`,
  ];
  const text = sentences.filter((sentence) => sentence !== "").join(" ");
  return joinBlocks([
    plan.warnings.flatMap((warning) => diagnosticLines(warning, style)),
    [
      ...partialLines(plan, style),
      ...wrap(text, style.width),
      ...guardLines(
        plan.guards.filter((guard) => guard.violated),
        style,
      ),
    ],
  ]);
}

function nothingText({ extra }: Plan, undoes: boolean): string {
  if (undoes) return NOTHING_TO_UNDO;
  return extra?.partial === undefined ? "The file manages nothing yet." : "Nothing of the file is left to look at.";
}

function costText({ requests, seconds }: { requests: number; seconds: number }): string {
  return `${count(requests, "request")}, ${elapsedText(seconds * 1000)}`;
}

function headLine(plan: Plan, style: Style): string {
  const { account } = plan;
  const who = `as ${clean(account.full_name)} (${account.is_bot ? "bot, " : ""}${roleName(account.role)})`;
  const parts = [
    paint(style, "bold", realmName(plan.realm.url)),
    sandboxText(plan.realm),
    who,
    `level ${plan.server.feature_level}`,
    `read ${momentText(plan.snapshot_taken_at)}`,
  ];
  return wrap(dotted(style, parts), style.width).join("\n");
}

/** Every risk of the plan, the worst first, then in the order of the changes. */
export function risksOf(plan: Plan): readonly Risk[] {
  const risks = plan.changes.flatMap((change) => change.risks);
  return RISK_ORDER.flatMap((kind) => risks.filter((risk) => risk.kind === kind));
}

/** At least three of each kind, so that many alike ones never hide a single worse or other one; the worst fill what is left. */
function someOfEachKind(risks: readonly Risk[]): readonly Risk[] {
  const first = new Set(RISK_ORDER.flatMap((kind) => risks.filter((risk) => risk.kind === kind).slice(0, 3)));
  for (const risk of risks) if (first.size < MOST_RISKS) first.add(risk);
  return risks.filter((risk) => first.has(risk));
}

function riskLines(plan: Plan, { style, all = false, who = () => "" }: PlanTextOptions): readonly string[] {
  const risks = risksOf(plan);
  const shown = all || risks.length <= MOST_RISKS + 1 ? risks : someOfEachKind(risks);
  const mark = `  ${paint(style, "risk", "!")} `;
  const lines = shown.flatMap((risk) => {
    const names = who(risk);
    return [
      ...placed(style, mark, 4, clean(shownMessage(riskText(risk))), placeText(risk.at)),
      ...(names === "" ? [] : wrapped(style, paint(style, "dim", names), "      ", 6)),
    ];
  });
  const left = risks.filter((risk) => !shown.includes(risk));
  if (left.length === 0) return lines;
  const kinds = RISK_ORDER.flatMap((kind) => {
    const number = left.filter((risk) => risk.kind === kind).length;
    return number === 0 ? [] : [`${number} ${RISK_COUNTED[kind]}`];
  });
  const text = `${left.length} more: ${kinds.join(", ")} (--all names each)`;
  return [...lines, ...wrapped(style, text, mark, 4)];
}

function sectionBlocks(plan: Plan, style: Style, all: boolean): readonly (readonly string[])[] {
  const kinds = [...new Set(plan.changes.map((change) => change.kind))];
  let left = all ? Number.POSITIVE_INFINITY : MOST_ENTRIES;
  return kinds.map((kind) => {
    const entries = entriesOf(
      plan.changes.filter((change) => change.kind === kind),
      all,
    );
    const shown = entries.slice(0, Math.max(left, 3));
    left -= shown.length;
    const hidden = entries.slice(shown.length).reduce((sum, entry) => sum + entry.changes.length, 0);
    const lines = [
      paint(style, "bold", headingOf(kind, entries[0]?.changes ?? [])),
      ...shown.flatMap((entry) => entryLines(entry, style, all)),
    ];
    if (hidden > 0) lines.push(`    ${sign(style, "more")} and ${hidden} more (--all shows every one)`);
    return lines;
  });
}

function entryLines(entry: Entry, style: Style, all: boolean): readonly string[] {
  const { first } = entry;
  const risky = entry.changes.some((change) => change.risks.length > 0);
  const lead = `${risky ? paint(style, "risk", "!") : " "} ${paint(style, MARK_PAINT[first.action], MARK[first.action])} `;
  const lines = [...placed(style, lead, 4, entryTitle(entry, style), entryPlace(entry, style))];
  // Where every object has a text of its own, it is shown with its name.
  const named = entry.varying.size > 0 && entry.changes.length <= MOST_OWN_TEXTS;
  if (entry.changes.length > 1 && !named) {
    const names = entry.changes.map((change) => shownName(change.name));
    lines.push(...wrapped(style, nameList(style, names, MOST_OWN_TEXTS), "      ", 6));
  }
  const fields = first.fields.filter(
    (field) => !isInTitle(field.field, first.action) && fieldValue(field, first.action) !== null,
  );
  const columns = fieldColumns(
    style,
    fields.map(({ field }) => field),
  );
  for (const field of fields) {
    const values = fieldValues(field, first.action, entry, columns.value, style, all);
    lines.push(...fieldRows(style, field.field, values, columns));
  }
  return lines;
}

/** Fields of a new object that read well on its own line. */
const INLINE = new Set(["privacy", "folder", "name", "archived"]);

function isInTitle(field: string, action: Change["action"]): boolean {
  return action === "create"
    ? INLINE.has(field)
    : action === "remove" && INACTIVITY_FIELDS.some((known) => known === field);
}

function entryTitle({ first, changes }: Entry, style: Style): string {
  const name =
    changes.length > 1
      ? paint(style, "bold", `${nounOf(first.kind, changes.length)} alike`)
      : paint(
          style,
          "bold",
          first.action === "reorder" ? "order" : first.singleton === true ? changeName(first) : shownName(first.name),
        );
  const notes: string[] = [];
  if (changes.length === 1 && first.was !== undefined && first.was !== first.name)
    notes.push(`(was: ${shownName(first.was)})`);
  if (first.action === "create") {
    for (const { field, after } of first.fields) {
      if (after === null || (field === "name" && after === first.name) || !INLINE.has(field)) continue;
      notes.push(field === "privacy" ? clean(String(after)) : `${field} ${newValueText(style, after, 40, false)}`);
    }
  }
  if (isRemoval(first)) notes.push(removedWord([first]));
  return notes.length === 0 ? name : `${name}  ${dotted(style, notes)}`;
}

function entryPlace({ first, changes }: Entry, style: Style): string {
  if (changes.length === 1) return isUndeclared(first) ? undeclaredText(first.at) : placeText(first.at);
  if (changes.every(isUndeclared)) return undeclaredText(first.at);
  const lines = changes.flatMap((change) => (change.at === undefined ? [] : [change.at.line]));
  const file = first.at?.file;
  if (lines.length < changes.length || file === undefined || file === "") return "";
  if (changes.some((change) => change.at?.file !== file)) return `${placeText(first.at)} ${sign(style, "more")}`;
  const [from, to] = [Math.min(...lines), Math.max(...lines)];
  return `${clean(file)}:${from}${from === to ? "" : `${sign(style, "more")}${to}`}`;
}

function fieldValues(
  field: FieldChange,
  action: Change["action"],
  entry: Entry,
  columns: number,
  style: Style,
  all: boolean,
): readonly string[] {
  if (entry.varying.has(field.field)) return ownValues(field.field, entry, columns, style);
  const own = fieldValue(field, action);
  if (own !== undefined) return [wholeValueText(style, field, own, columns, all)];
  if (action === "reorder" && isList(field.before) && isList(field.after)) {
    return orderLines(style, field.before, field.after, all ? Number.POSITIVE_INFINITY : 12);
  }
  return changeLines(style, field, columns, all);
}

/** The values of a field that is different in each of many alike changes. */
function ownValues(field: string, { changes }: Entry, columns: number, style: Style): readonly string[] {
  if (changes.length > MOST_OWN_TEXTS) return [paint(style, "dim", "each its own (--all shows them)")];
  const width = Math.max(...changes.map(({ name }) => displayWidth(shownName(name)))) + 2;
  return changes.flatMap((change) => {
    const own = change.fields.find((candidate) => candidate.field === field);
    if (own === undefined) return [];
    const only = fieldValue(own, change.action);
    const value =
      only === undefined ? `${valueText(own.before)} ${sign(style, "arrow")} ${valueText(own.after)}` : valueText(only);
    return [shorten(style, `${padTo(shownName(change.name), width)}${value}`, columns * 3)];
  });
}

/** So many writes that replace a value unseen go out in the two seconds that a reading of two requests serves them (docs/applying.md). */
const WRITES_FOR_ONE_READING = 20;

/**
 * Seconds that the writes and the readings between them take: what a request costs, the rules of 200 a minute and 2,000 an hour, and
 * what creating many channels in one call costs (zulip-api.md §13.5, §15.5).
 */
export function estimatedSeconds(plan: Plan): number {
  const readings = Math.floor(plan.calls.filter(replacesUnseen).length / WRITES_FOR_ONE_READING);
  const requests = plan.calls.length + readings * 2;
  const hours = Math.max(0, Math.ceil(requests / 2000) - 1);
  const rest = requests - hours * 2000;
  const minutes = Math.max(0, Math.ceil(rest / 200) - 1);
  const created = plan.calls.reduce((sum, call) => sum + Math.max(0, call.creates.length - 1), 0);
  return hours * 3600 + minutes * 60 + (rest - minutes * 200) * 0.1 + created * 0.015;
}

/** What is left of that once so many of its calls have a result. */
export function secondsLeft(plan: Plan, settled: number): number {
  return Math.max(0, estimatedSeconds(plan) - estimatedSeconds({ ...plan, calls: plan.calls.slice(0, settled) }));
}

function callsText(plan: Plan, style: Style): string {
  const writes = plan.calls.length;
  const { emails, notices_in: notices, direct_messages: direct = 0 } = plan.side_effects;
  const least =
    plan.least_calls === writes
      ? `${writes === 1 ? "" : `${grouped(writes)} is `}the least possible`
      : `the least possible: ${grouped(plan.least_calls)}`;
  return dotted(style, [
    `${count(writes, "write")} (${least})`,
    durationText(estimatedSeconds(plan)),
    noticesText(notices, style),
    ...(direct === 0 ? [] : [count(direct, "direct message")]),
    emails === 0 ? "no e-mails" : paint(style, "risk", count(emails, "e-mail")),
  ]);
}

function rehearsalLines({ extra }: Plan, { style, all = false, undoes = false }: PlanTextOptions): readonly string[] {
  if (extra?.rehearsal === undefined) return [];
  const parts = rehearsalParts(extra.rehearsal, { all, against: undoes || extra.partial ? "plan" : "file" });
  const shown = parts.map((part) => clean(shownMessage(part)));
  return labelled(style, "Rehearsed", dotted(style, shown));
}

/** Above everything else: whoever reads on knows that this is not all. */
export function partialLines({ extra }: Pick<Plan, "extra">, style: Style): readonly string[] {
  if (extra?.partial === undefined) return [];
  const shown = partialParts(extra.partial).map((part) => clean(shownMessage(part)));
  return labelled(style, "Partial", dotted(style, shown));
}

function callBlock(plan: Plan, style: Style, all: boolean): readonly string[] {
  return [paint(style, "bold", "Every call, in order:"), ...callLines(plan, all).map((line) => `  ${line}`)];
}

function noticesText(notices: readonly string[], style: Style): string {
  if (notices.length === 0) return "no public notices";
  const names = notices.map((name) => `#${clean(name).replace(/^#/, "")}`);
  if (names.length > 6) return `public notices in ${names.length} channels`;
  return `${names.length === 1 ? "a public notice in" : "public notices in"} ${nameList(style, names, 6)}`;
}

function guardLines(guards: readonly Guard[], style: Style): readonly string[] {
  const violated = guards.filter((guard) => guard.violated);
  const asking = askingGuards({ guards });
  const quiet = guards
    .filter((guard) => !guard.violated && !asking.includes(guard))
    .map((guard) => clean(shownMessage(guardText(guard))));
  const refused = violated.flatMap((guard) => {
    const text = `refused by a guard: ${clean(shownMessage(guardText(guard)))}`;
    const way = clean(wayThrough(guard));
    return [
      ...placed(style, `${paint(style, "risk", sign(style, "failed"))} `, 2, text, placeText(guard.at)),
      ...(way === "" ? [] : wrapped(style, way, "    ", 4)),
    ];
  });
  const asked = asking.flatMap((guard) =>
    placed(style, `${paint(style, "risk", "!")} `, 2, clean(shownMessage(guardText(guard))), placeText(guard.at)),
  );
  return [...labelled(style, "Guards", dotted(style, quiet)), ...asked, ...refused];
}

/** "12 channels, 4 user groups (additive: left alone)"; with `all`, their names. */
function unmanagedText(unmanaged: readonly Unmanaged[], { style, all = false, undoes }: PlanTextOptions): string {
  const reasons = {
    additive: "additive: left alone",
    ignore: "ignored",
    absent: undoes ? "not of that run" : "no such section in the file",
    exact: "exact",
  } as const satisfies Record<Unmanaged["policy"], string>;
  const texts = (Object.keys(reasons) as readonly Unmanaged["policy"][]).flatMap((policy) => {
    const own = unmanaged.filter((item) => item.policy === policy && item.names.length > 0);
    if (own.length === 0) return [];
    const items = own.map((item) => {
      const names = all ? `: ${item.names.map(clean).join(", ")}` : "";
      return `${counted(item.section, item.names.length)}${names}`;
    });
    return [`${items.join(all ? "; " : ", ")} (${reasons[policy]})`];
  });
  return dotted(style, texts);
}

function closing(plan: Plan, { style, applyWith, cost }: PlanTextOptions): readonly string[] {
  const read = cost === undefined ? "" : paint(style, "dim", `  (${costText(cost)})`);
  if (plan.guards.some((guard) => guard.violated)) {
    return wrap(
      `${paint(style, "risk", "Nothing can be applied")} until the guard is satisfied or changed.${read}`,
      style.width,
    );
  }
  if (applyWith === "") return [];
  const asked = [...new Set(askingGuards(plan).map(({ name }) => name))];
  const unattended = asked.length === 0 ? "" : ` (with --yes: --allow ${asked.map(shellWord).join(" --allow ")})`;
  return wrap(`Apply with: ${paint(style, "bold", applyWith ?? "realmctl apply")}${unattended}${read}`, style.width);
}
