import { kindOf } from "../model/address.ts";
import { clean } from "../model/clean.ts";
import { shellWord } from "../model/command-line.ts";
import { defined } from "../model/defined.ts";
import type { Json } from "../model/json.ts";
import { type Change, unresolvedIn } from "../model/plan.ts";
import type { ApplyOutcome, ApplyResult, CallResult, CallState, Conflict } from "../model/result.ts";
import { isReactivatedBy, isReactivation, isRemoval } from "../model/tally.ts";
import { valueText } from "../model/value-text.ts";
import { count, grouped } from "../model/words.ts";
import { shortLines } from "./alike.ts";
import {
  changeName,
  elapsedText,
  headingOf,
  type Line,
  objectName,
  placeText,
  printText,
  sandboxText,
} from "./layout.ts";
import { GOOD, ledgerLines, stateMark } from "./result-calls.ts";
import { dotted, glued, padTo, paint, type Style, sign } from "./style.ts";
import { kindTallies, removedWord } from "./tally.ts";
import { nameList } from "./values.ts";

export interface ResultTextOptions {
  readonly style: Style;
  /** Whether successful calls are shown, too. */
  readonly all?: boolean;
  /** The arguments of the suggested commands: ` teams.yaml`; empty, the default, if the file has its usual name. */
  readonly argument?: string;
  /** The options of the command that keeps the changes of others: ` --file teams.yaml`. */
  readonly adoptWith?: string;
  /** The words of the command that undoes this run, before `--undo`. */
  readonly undoWith?: string;
  /** The command that continues this run, if it is a different one (a saved plan). */
  readonly goOnWith?: string;
  /** The arguments of the suggested commands for the whole file, if this run is for a part of it. */
  readonly wholeArgument?: string;
  /** What the realm was compared with: a saved plan and an undo have no file. */
  readonly matches?: "file" | "plan";
  /** The journal of the run that this one undoes: to continue means to undo it, without a file. */
  readonly undoes?: string;
}

/** The result of apply: conflicts three ways, the calls that were not done, and the state of the realm. */
export function renderResult(
  result: ApplyResult,
  {
    style,
    all,
    argument = "",
    adoptWith = "",
    undoWith = "",
    goOnWith = argument,
    wholeArgument = argument,
    matches = "file",
    undoes,
  }: ResultTextOptions,
): string {
  const isWhole = unresolvedIn(result.plan).length === 0;
  const compared = isWhole ? matches : `rest of the ${matches}`;
  return printText(style, [
    result.conflicts.flatMap((conflict) => conflictLines(conflict, style)),
    // With `--all`, each call is listed with its result.
    all === true ? [] : madeLines(result, style),
    ledgerLines(result, style, all ?? false),
    shortLines(result.diagnostics, style, all ?? false),
    [
      headline(result, style, compared),
      copyText(result),
      ...remainingTexts(result, { style, argument, wholeArgument, matches: compared }),
      leftOutText(result, style),
      matches === "plan" && undoes === undefined ? backText(result, argument) : "",
      nextText(result, { argument, adoptWith, undoWith, goOnWith, ...defined({ undoes }) }),
      paint(style, "dim", journalText(result, undoWith)),
    ].map((text) => ({ text })),
  ]);
}

function conflictLines(conflict: Conflict, style: Style): readonly Line[] {
  const { field, planned, found, wanted, hidden } = conflict;
  const lead = `${paint(style, "risk", sign(style, "failed"))} `;
  const name = objectName(conflict.kind, conflict.name);
  if (field === "exists") {
    const text =
      found === true ? `${name} exists already: somebody created it` : `${name} no longer exists: somebody removed it`;
    return [{ lead, text: `conflict: ${text} since the plan was made` }];
  }
  const values: readonly (readonly [string, Json | undefined])[] = [
    ["planned from", planned],
    ["found", found],
    ["wanted", wanted],
  ];
  const rows = hidden === true ? [] : values;
  const text = `conflict in ${name}: ${clean(field)} changed since the plan was made${hidden === true ? "; the values are hidden" : ""}`;
  return [
    { lead, text },
    ...rows.map(([label, value]) => ({
      lead: `      ${padTo(label, 15)}`,
      text: value === undefined ? "" : valueText(value),
    })),
  ];
}

const OUTCOME = {
  applied: "Applied",
  "nothing-to-do": "Nothing to do",
  conflict: "Refused",
  "in-part": "Applied in part",
  differs: "Applied, but the organization still does not match the file",
  stopped: "Stopped",
  declined: "Declined",
  "not-allowed": "Not allowed",
  unreachable: "The server became unreachable",
} as const satisfies Record<ApplyOutcome, string>;

/** A note that the organization itself did not change, if the run was on a copy. */
function copyText({ plan: { realm } }: ApplyResult): string {
  const copy = sandboxText(realm);
  return copy === "" ? "" : `This is ${copy}: nothing was sent to the organization itself.`;
}

function headline(result: ApplyResult, style: Style, matches: string): string {
  const number = (state: CallState): number => result.calls.filter((call) => call.state === state).length;
  const total = result.calls.length;
  const done = number("done");
  const already = number("already-so");
  const good = result.outcome === "applied" || result.outcome === "nothing-to-do";
  const mayHaveActed = ({ state, code, applied_parts = [] }: CallResult): boolean =>
    state === "done" || state === "already-so" || code === "unknown" || applied_parts.length > 0;
  const isNothing = result.outcome === "in-part" && (!result.calls.some(mayHaveActed) || isUntouched(result));
  const word = paint(style, good ? "good" : "risk", isNothing ? "Nothing was applied" : OUTCOME[result.outcome]);
  if (result.outcome === "nothing-to-do") return `${word}: the organization matches the ${matches}.`;
  const also = already > 0 ? ` (${already} already in place)` : "";
  if (good && done === 0) {
    const nothing = paint(style, "good", "Nothing was sent");
    return `${nothing}: ${grouped(already)} of ${count(total, "write was", "writes were")} already in place.`;
  }
  const made = madeText(result, style, good);
  if (good)
    return `${word} ${done + already} of ${count(total, "write")}${also} in ${glued(elapsedText(result.elapsedMs))}${made === "" ? "" : `: ${made}`}.`;
  const safe = result.conflicts.length > 0 ? " No changes by others were overwritten." : "";
  if (done + already === 0 && number("failed") === 0) return `${word}: nothing was sent.${safe}`;
  const counts = dotted(style, [
    `done ${done}`,
    already > 0 ? `already in place ${already}` : "",
    number("failed") > 0 ? `failed ${number("failed")}` : "",
    number("conflict") > 0 ? `conflicts ${number("conflict")}` : "",
    number("skipped") > 0 ? `skipped because of these ${number("skipped")}` : "",
    number("not-attempted") > 0 ? `not sent ${number("not-attempted")}` : "",
  ]);
  return `${word}: ${counts}, in ${glued(elapsedText(result.elapsedMs))}.${made === "" ? "" : ` Complete: ${made}.`}${safe}`;
}

/** Whether the reading afterwards shows that nothing took effect, also of calls without a clear answer. */
function isUntouched({ plan, calls, remaining }: ApplyResult): boolean {
  if (remaining === null || calls.some(({ state }) => state === "done" || state === "already-so")) return false;
  const left = new Map(remaining.map(({ address, fields }) => [address, fields.length]));
  return plan.changes.every(({ address, fields }) => left.get(address) === fields.length);
}

/** What no run of the plan does. */
function leftOutText({ plan }: ApplyResult, style: Style): string {
  const found = unresolvedIn(plan);
  if (found.length === 0) return "";
  const [one] = found;
  const others = found.length === 1 ? "" : ` and ${count(found.length - 1, "other place")}`;
  const what = found.some(({ unresolved }) => unresolved?.isHeld === true)
    ? "What an error is about"
    : "What needs a name that does not resolve";
  const text = `${what} was left as it is: ${placeText(one?.at)}${others}. Mend the file, and apply again.`;
  return paint(style, "risk", text);
}

const BACK = "Reactivated with their previous memberships, which were not visible before";
const OUT_AGAIN = "They were removed again from what the file lists without them.";

/** The state of the realm, and (if known) why it does not match the file. */
function remainingTexts(
  { remaining, outcome, calls, came_back = [] }: ApplyResult,
  {
    style,
    argument,
    wholeArgument,
    matches,
  }: { readonly style: Style; readonly argument: string; readonly wholeArgument: string; readonly matches: string },
): readonly string[] {
  if (outcome === "nothing-to-do") return [];
  if (remaining === null) {
    const sent = calls.some(({ state }) => state === "done" || state === "failed");
    return sent ? [`The organization was not read again: realmctl plan${argument} shows its state.`] : [];
  }
  const back = came_back.map(({ address, name }) => objectName(kindOf(address), name));
  const backText = back.length === 0 ? "" : `${BACK}: ${nameList(style, back, 6)}.`;
  if (remaining.length === 0) {
    const text = `Read again: ${paint(style, "good", `the organization matches the ${matches}`)}.`;
    return [text, backText === "" ? "" : `${backText} ${OUT_AGAIN}`];
  }
  const names = remaining.map(changeName);
  const text = `Read again: ${count(remaining.length, "change is", "changes are")} still to be made: ${nameList(style, names, 6)}.`;
  const remove = `To remove those that the file does not name: realmctl apply${wholeArgument}`;
  return [
    paint(style, outcome === "applied" ? "risk" : "change", text),
    backText === "" ? "" : `${backText} ${remove}`,
  ];
}

/** A saved plan, and a part of a file, is not compared with the whole file again: old memberships of a reactivated account are not seen there. */
function backText({ plan, calls, remaining, came_back }: ApplyResult, argument: string): string {
  const done = new Set(calls.filter(({ state }) => state === "done").map(({ n }) => n));
  const reactivates = plan.calls.some(({ n, operation }) => operation === "reactivate-user" && done.has(n));
  if (!reactivates || came_back !== undefined || remaining === null || remaining.length > 0) return "";
  return `Reactivated accounts have their previous memberships again: realmctl plan${argument} shows those that the file does not name.`;
}

type Ways = Required<Pick<ResultTextOptions, "argument" | "adoptWith" | "undoWith" | "goOnWith">> &
  Pick<ResultTextOptions, "undoes">;

/** Codes of refusals before the first request that the same command would get again. */
const REFUSED_AGAIN: ReadonlySet<string> = new Set([
  "realm/other-realm",
  "guard/refused",
  "guard/others",
  "plan/other-account",
  "plan/other-server",
  "plan/other-names",
  "plan/changed-since",
]);

/** Whether the server refused every call that is not done, or that call's part in another one: trying again has no other result. */
function isRefusedForGood({ calls }: ApplyResult): boolean {
  const refused = new Set(calls.filter(({ fact }) => fact?.kind === "refused").map(({ n }) => n));
  const open = calls.filter(({ state }) => !GOOD.has(state));
  return (
    refused.size > 0 &&
    open.every(
      ({ n, state, because }) =>
        refused.has(n) || (state === "skipped" && because !== undefined && refused.has(because)),
    )
  );
}

function nextText(result: ApplyResult, { argument, adoptWith, undoWith, goOnWith, undoes }: Ways): string {
  const goOn =
    undoes === undefined ? `realmctl apply${goOnWith}` : `realmctl apply${undoWith} --undo ${shellWord(undoes)}`;
  if (result.conflicts.length > 0) {
    return undoes !== undefined
      ? `Plan again: ${goOn}`
      : `Plan again: realmctl plan${argument}. Adopt their changes: realmctl adopt${adoptWith}`;
  }
  // The same command would have the same result, so only the diagnostic gives advice.
  if (result.diagnostics.some(({ code }) => REFUSED_AGAIN.has(code))) return "";
  // Everything that can be done is done: the same command would send nothing.
  if (result.remaining?.length === 0) return "";
  if (isRefusedForGood(result)) return `The server would refuse the same again. When the cause is mended: ${goOn}`;
  const isUnfinished = ["stopped", "unreachable", "in-part"].includes(result.outcome);
  return isUnfinished ? `Continue with the rest: ${goOn}` : "";
}

/** The run can be undone, unless somebody changed its values since; if nothing was done, the journal is only a record. */
function journalText({ journal, calls }: ApplyResult, undoWith: string): string {
  if (journal === null) return "";
  const did = calls.some(({ state }) => state === "done");
  return did ? `Undo: realmctl apply${undoWith} --undo ${shellWord(journal)}` : `Journal: ${clean(journal)}`;
}

/** Changes of the plan that are carried out in full. */
export function changesMade({ plan, calls }: ApplyResult): readonly Change[] {
  const good = new Set(calls.filter(({ state }) => GOOD.has(state)).map(({ n }) => n));
  const left = new Set<string>();
  const begun = new Set<string>();
  for (const call of plan.calls) {
    for (const address of [...call.creates, ...call.for.map((purpose) => purpose.address)]) {
      begun.add(address);
      if (!good.has(call.n)) left.add(address);
    }
  }
  return plan.changes.filter(({ address }) => begun.has(address) && !left.has(address));
}

/** The carried-out changes for which nothing had to be sent: all, if a saved plan is applied a second time. */
function changesFound(result: ApplyResult): ReadonlySet<Change> {
  const states = new Map(result.calls.map(({ n, state }) => [n, state]));
  const sent = new Set(
    result.plan.calls.flatMap(({ n, creates, for: purposes }) =>
      states.get(n) === "already-so" ? [] : [...creates, ...purposes.map(({ address }) => address)],
    ),
  );
  return new Set(changesMade(result).filter(({ address }) => !sent.has(address)));
}

/** Names of one kind that are shown; the others are counted. */
const MOST_MADE = 8;

const FEW_FIELDS = 3;

/** The carried-out changes by name, with a line for each kind. */
function madeLines(result: ApplyResult, style: Style): readonly Line[] {
  const made = changesMade(result);
  const found = changesFound(result);
  return [...new Set(made.map(({ kind }) => kind))].map((kind) => {
    const own = made.filter((change) => change.kind === kind);
    const verbOf = (change: Change): string => (found.has(change) ? ALREADY_SO : doneVerb(change));
    const verbs = [...new Set(own.map(verbOf))].sort((a, b) => rankOf(b) - rankOf(a));
    const parts = verbs.map((verb) => {
      const names = own.filter((change) => verbOf(change) === verb).map(madeName);
      return verb === REORDERED ? verb : `${verb} ${nameList(style, names, MOST_MADE)}`;
    });
    const text = `${headingOf(kind, own)}: ${dotted(style, parts)}`;
    return { lead: `  ${paint(style, "good", stateMark("done", style))} `, indent: 4, text };
  });
}

const REORDERED = "reordered";

const ALREADY_SO = "already in place:";

/** The order of the verbs: the last one comes first, and others come after all of these. */
const VERBS_FIRST: readonly string[] = ["reactivated", "changed", "renamed", "created"];

const rankOf = (verb: string): number => (verb === ALREADY_SO ? -2 : VERBS_FIRST.indexOf(verb));

function doneVerb(change: Change): string {
  if (isRemoval(change)) return removedWord([change]);
  if (change.action === "create") return "created";
  if (change.action === "reorder") return REORDERED;
  if (change.was !== undefined) return "renamed";
  return isReactivation(change) ? "reactivated" : "changed";
}

/** The name of a changed object with its changed fields: "#general (description)". */
function madeName(change: Change): string {
  // The line begins with the kind.
  const noun = `${change.kind.replaceAll("_", " ")} `;
  const whole = changeName(change);
  const name = whole.startsWith(noun) ? whole.slice(noun.length) : whole;
  if (change.action !== "update" || isRemoval(change)) return name;
  // The field "(archived)" would say the opposite of what happened.
  const isVerb = change.was === undefined;
  const fields = change.fields
    .filter((field) => field.field !== "name" && !(isVerb && isReactivatedBy(field)))
    .map((field) => (isReactivatedBy(field) ? "reactivated" : clean(field.field)));
  const shown = fields.slice(0, FEW_FIELDS).join(", ");
  const more = fields.length > FEW_FIELDS ? ` and ${fields.length - FEW_FIELDS} more` : "";
  const was =
    change.was === undefined || change.was === change.name ? "" : ` (was ${objectName(change.kind, change.was)})`;
  return `${name}${was}${fields.length === 0 ? "" : ` (${shown}${more})`}`;
}

/** Changes whose calls were all successful, counted in the same way as in the plan. @param sentOnly without those whose effect was there already */
function madeText(result: ApplyResult, style: Style, sentOnly: boolean): string {
  const left: ReadonlySet<Change> = sentOnly ? changesFound(result) : new Set();
  return dotted(style, kindTallies(changesMade(result).filter((change) => !left.has(change))));
}
