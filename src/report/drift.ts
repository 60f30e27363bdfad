import { clean } from "../model/clean.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { DriftMomentJson } from "../model/output-schemas.ts";
import {
  type Change,
  countUncompared,
  isAboutTheAccount,
  looksRenamed,
  type Unmanaged,
  violatedGuards,
  warningsOfDrift,
} from "../model/plan.ts";
import type { Drift, Moment } from "../model/result.ts";
import { count } from "../model/words.ts";
import { gathered, shortLines } from "./alike.ts";
import {
  changedByText,
  driftChange,
  driftDifference,
  driftView,
  hasLessAccess,
  hasWiderAccess,
  saidGuard,
  stateText,
} from "./drift-view.ts";
import { wayThrough } from "./guards.ts";
import {
  below,
  changeName,
  counted,
  diagnosticLines,
  fieldColumns,
  fieldRows,
  fileNames,
  type Line,
  matchText,
  momentText,
  placeText,
  printText,
  sandboxText,
  shownMessage,
  shownName,
} from "./layout.ts";
import { leftAsideText } from "./object-names.ts";
import { cleanJson, dotted, paint, type Style, sign, wrap } from "./style.ts";
import { partialLines } from "./text.ts";
import { changeLines, nameList } from "./values.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";
import { guardText } from "./words/guards.ts";
import { watchText } from "./words/newer.ts";

export interface DriftTextOptions {
  readonly style: Style;
  /** Every object and name. */
  readonly all?: boolean;
  /** The arguments of the suggested command: ` teams.yaml`; empty, the default, if the file has its usual name. */
  readonly argument?: string;
  /** The same for another account: without the credentials of this one. */
  readonly applyAsOther?: string;
  /** The options of the command that keeps the server's state: ` --file teams.yaml`. */
  readonly adoptWith?: string;
}

/** The maximum number of objects that are shown without `all`. */
const MOST_OBJECTS = 60;

/** Objects that no longer match the file. Values are shown from the file to the realm. */
export function renderDrift(
  drift: Drift,
  { style, all, argument = "", applyAsOther = "", adoptWith = "" }: DriftTextOptions,
): string {
  const most = all ? Number.POSITIVE_INFINITY : MOST_OBJECTS;
  const { differences, uncompared } = drift;
  const unmanaged = drift.unmanaged.flatMap((item) => unmanagedLines(item, style, all ?? false));
  if (differences.length + uncompared.length === 0) {
    const copy = sandboxText(drift.plan.realm);
    const where = copy === "" ? "" : ` (${copy})`;
    const text = `${paint(style, "good", "No drift.")} ${matchText(drift.plan.matches)}${where}`;
    const lines = [...partialLines(drift.plan, style), { text }, ...watchLines(drift, style)];
    return printText(style, [lines, unmanaged, warningLines(drift, style, all ?? false)]);
  }
  const hidden = differences.length - most;
  // A name that means nothing on the server is a matter of the file: there is nothing to take.
  const isOfNames = uncompared.every(({ unresolved }) => unresolved !== undefined && unresolved.isGone !== true);
  const adopt = `Keep theirs: ${paint(style, "bold", `realmctl adopt${adoptWith}`)}.`;
  const keep = differences.length === 0 && isOfNames ? "Correct the names in the file." : adopt;
  const mayNot = drift.plan.warnings.some(isAboutTheAccount);
  const back = mayNot ? "Put it back with an account that may" : "Put it back";
  const ways = `${back}: ${paint(style, "bold", `realmctl apply${mayNot ? applyAsOther : argument}`)}. ${keep}`;
  return printText(style, [
    [headLine(drift, style), ...partialLines(drift.plan, style), ...watchLines(drift, style)],
    [
      ...differences
        .slice(0, most)
        .flatMap((change) => objectLines(change, style, all ?? false, drift.plan.snapshot_taken_at)),
      ...(hidden > 0 ? [`  ${sign(style, "more")} and ${hidden} more (--all shows every one)`] : []),
    ],
    unmanaged,
    renameLines(drift, style),
    foldedLines(uncompared, style, all ?? false),
    warningLines(drift, style, all ?? false),
    refusalLines(drift, style),
    [{ text: differences.length === 0 ? keep : ways }],
  ]);
}

export const uncomparedText = (number: number): string =>
  count(number, "change on the server that apply does not revert", "changes on the server that apply does not revert");

/** How many objects do not match the file, in words; empty if all do. */
export function driftCounts({ differences, uncompared }: Pick<Drift, "differences" | "uncompared">): readonly string[] {
  // Nobody knows whether the object of such a name is renamed, or the name is misspelt.
  const isUnknown = ({ unresolved }: Diagnostic): boolean => unresolved !== undefined && unresolved.isGone !== true;
  // Of these, it is the file that is wrong, or the server that does not allow it.
  const isError = ({ severity }: Diagnostic): boolean => severity === "error";
  const errors = countUncompared(uncompared.filter(isError));
  const unknown = countUncompared(uncompared.filter((one) => isUnknown(one) && !isError(one)));
  const changed = countUncompared(uncompared.filter((one) => !isUnknown(one) && !isError(one)));
  return [
    ...(differences.length === 0 ? [] : [count(differences.length, "object differs", "objects differ")]),
    ...(changed === 0 ? [] : [uncomparedText(changed)]),
    ...(errors === 0 ? [] : [count(errors, "error")]),
    ...(unknown === 0 ? [] : [count(unknown, "name does not resolve", "names do not resolve")]),
  ];
}

/** Objects that look renamed: neither reverting nor keeping the change is right. */
function renameLines({ plan }: Drift, style: Style): readonly Line[] {
  return looksRenamed(plan).flatMap((warning) => diagnosticLines(warning, style));
}

/** Differences that this account could not put back. */
const warningLines = ({ plan }: Drift, style: Style, all: boolean): readonly Line[] =>
  foldedLines(warningsOfDrift(plan), style, all);

/** Like ones once: the same person can be in thirty lists. */
const foldedLines = (found: readonly Diagnostic[], style: Style, all: boolean): readonly Line[] =>
  shortLines(gathered(found, all), style, all);

/** Guard rails that would prevent an apply. The drift is the same without them. */
function refusalLines({ plan }: Drift, style: Style): readonly Line[] {
  return violatedGuards(plan).flatMap((guard) => [
    {
      lead: `${paint(style, "risk", sign(style, "failed"))} `,
      text: `apply would be refused by a guard: ${clean(shownMessage(guardText(guard)))}`,
      place: placeText(guard.at),
    },
    below(clean(wayThrough(guard))),
  ]);
}

/** How much is watched. Fields that are not in the file cannot differ from it, so readers of "No drift" must know this. */
function watchLines({ plan }: Drift, style: Style): readonly string[] {
  const text = watchText(plan);
  return text === "" ? [] : wrap(text, style.width).map((line) => paint(style, "dim", line));
}

function headLine(drift: Drift, style: Style): Line {
  const { differences, uncompared, unmanaged } = drift;
  const files = fileNames(differences);
  const [differing = ""] = driftCounts({ differences, uncompared: [] });
  const changed = driftCounts({ differences: [], uncompared });
  const number = unmanaged.reduce((sum, item) => sum + item.names.length, 0);
  const text = dotted(style, [
    sandboxText(drift.plan.realm),
    differing === "" ? "" : `${differing} from ${files.length === 1 ? files[0] : "the file"}`,
    ...changed,
    number === 0 ? "" : `${number} not in it`,
  ]);
  return { text: paint(style, "bold", text), place: `exit code ${drift.exitCode}` };
}

/** The effect of a shorter retention on existing messages. */
export const DELETES = "deletes messages that the file keeps";

/** One object that differs from the file. */
function objectLines(change: Change, style: Style, all: boolean, readAt = ""): readonly Line[] {
  const view = driftView(change);
  const widened = hasWiderAccess(view);
  const notes = [
    stateText(change),
    view.deletes_messages ? paint(style, "risk", DELETES) : "",
    widened ? paint(style, "risk", "widens access") : "",
    hasLessAccess(view) ? "takes access away" : "",
  ];
  const title = paint(style, "bold", changeName(change));
  const lead = `  ${widened || view.deletes_messages ? paint(style, "risk", "!") : " "} `;
  const head = dotted(style, notes);
  const lines: Line[] = [{ lead, text: head === "" ? title : `${title}  ${head}`, place: placeText(change.at) }];
  if (change.action !== "update") return lines;
  const columns = fieldColumns(style, change.fields);
  for (const field of view.fields)
    lines.push(...fieldRows(style, field.field, changeLines(style, driftChange(field), columns.value, all), columns));
  for (const by of change.changed_by ?? [])
    lines.push(below(paint(style, "dim", clean(shownMessage(changedByText(by, readAt)))), 6));
  return lines;
}

/** Objects of one section that the file does not mention. */
function unmanagedLines(item: Unmanaged, style: Style, all: boolean): readonly Line[] {
  const { section, policy, names } = item;
  if (names.length === 0 || policy === "absent" || policy === "ignore") return [];
  const list = nameList(style, names.map(shownName), all ? Number.POSITIVE_INFINITY : 8);
  const text = `${counted(section, names.length)} not in the file (${policy}: left alone): ${list}`;
  return [{ lead: "  ? ", text: policy === "except" ? leftAsideText(item, list) : text }];
}

/** The new and the resolved differences of the drift, as they happen. */
export function renderDriftMoment(moment: Moment, style: Style, all: boolean): string {
  const { drift, appeared, ended, unmanagedNew, unmanagedGone, renamed, uncomparedNew, uncomparedGone } = moment;
  const found = driftCounts(drift);
  const state = found.length === 0 ? "no drift" : dotted(style, found);
  // Guard rails are only shown for new differences.
  const refusals = appeared.length === 0 ? [] : refusalLines(drift, style);
  const tick = paint(style, "good", sign(style, "done"));
  return printText(style, [
    [
      paint(style, "bold", dotted(style, [momentText(drift.plan.snapshot_taken_at), state])),
      ...appeared.flatMap((change) => objectLines(change, style, all)),
      ...ended.map((change) => `  ${tick} ${changeName(change)}  matches the file again`),
      ...unmanagedNew.flatMap((item) => unmanagedLines(item, style, all)),
      ...unmanagedGone.flatMap(({ section, names }) =>
        names.map((name) => `  ${tick} ${clean(section)}: ${shownName(name)}  deleted, or in the file now`),
      ),
      ...[...renamed, ...gathered(uncomparedNew, all)].flatMap((warning) => diagnosticLines(warning, style)),
      ...uncomparedGone.map(
        (warning) => `  ${tick} no longer true: ${clean(shownMessage(wordedDiagnostic(warning).message))}`,
      ),
      ...refusals,
    ],
  ]);
}

/** The first reading, or a change since the last one, as one line of JSON. Objects have the form of the JSON of a drift. */
export function driftMomentJson(event: "start" | "change", moment: Moment): string {
  const { drift, appeared, ended, unmanagedNew, unmanagedGone } = moment;
  const line: DriftMomentJson = {
    format: "realmctl.drift-moment",
    version: 2,
    event,
    at: drift.plan.snapshot_taken_at,
    realm: drift.plan.realm.url,
    appeared: appeared.map(driftDifference),
    ended: ended.map(({ kind, address, name }) => ({ kind, address, name })),
    unmanaged_new: unmanagedNew,
    unmanaged_gone: unmanagedGone,
    looks_renamed: moment.renamed.map(wordedDiagnostic),
    uncompared_new: moment.uncomparedNew.map(wordedDiagnostic),
    uncompared_gone: moment.uncomparedGone.map(wordedDiagnostic),
    differences: drift.differences.length,
    refused_by: violatedGuards(drift.plan).map(saidGuard),
    exit_code: drift.exitCode,
  };
  return `${cleanJson(JSON.stringify(line))}\n`;
}
