import { defined } from "../model/defined.ts";
import type { Json } from "../model/json.ts";
import type { Call, Change, Plan } from "../model/plan.ts";
import type { ApplyOutcome, ApplyResult, CallResult, CallState, Conflict, Progress } from "../model/result.ts";
import { INACTIVITY_FIELDS, type InactivityField, inactivityIn, isRemoval } from "../model/tally.ts";
import { shellWord } from "./command-line.ts";
import {
  changeName,
  diagnosticLines,
  durationText,
  elapsedText,
  headingOf,
  joinBlocks,
  objectName,
  placed,
  placeText,
  sandboxText,
  shownMessage,
  wrapped,
} from "./layout.ts";
import { clean, count, dotted, glued, grouped, padTo, paint, type Style, shorten, sign, wrap } from "./style.ts";
import { kindTallies, removedWord } from "./tally.ts";
import { secondsLeft } from "./text.ts";
import { nameList, valueText } from "./values.ts";
import { callText } from "./words/calls.ts";

export interface ResultTextOptions {
  readonly style: Style;
  /** The calls that went well too. */
  readonly all?: boolean;
  /** How the commands that are named end: ` teams.yaml`; empty, the default, when the file has its usual name. */
  readonly argument?: string;
  /** The flags of the command that keeps what others did: ` --file teams.yaml`. */
  readonly adoptWith?: string;
  /** The words of the command that undoes this run, before `--undo`. */
  readonly undoWith?: string;
  /** The words of the command that goes on with this run, where that is something else (a saved plan). */
  readonly goOnWith?: string;
  /** What the realm was held against: a saved plan and an undo have no file. */
  readonly matches?: "file" | "plan";
  /** The journal that the run was to undo: going on means undoing it, and no file is to be looked at. */
  readonly undoes?: string;
}

/** What apply did: conflicts three ways, the ledger of what was not done, and where the realm stands now. */
export function renderResult(
  result: ApplyResult,
  {
    style,
    all,
    argument = "",
    adoptWith = "",
    undoWith = "",
    goOnWith = argument,
    matches = "file",
    undoes,
  }: ResultTextOptions,
): string {
  return joinBlocks([
    result.conflicts.flatMap((conflict) => conflictLines(conflict, style)),
    // With --all every call says so itself.
    all === true ? [] : madeLines(result, style),
    ledgerLines(result, style, all ?? false),
    result.problems.flatMap((problem) => diagnosticLines(problem, style)),
    [
      ...wrap(headline(result, style, matches), style.width),
      ...copyLines(result, style),
      ...remainingLines(result, { style, argument, matches }),
      ...(matches === "plan" && undoes === undefined ? backLines(result, style, argument) : []),
      ...nextLines(result, style, {
        argument,
        adoptWith,
        undoWith,
        goOnWith,
        ...defined({ undoes }),
      }),
    ],
  ]);
}

/** `[4/7] ▸ #incidents: can_subscribe_group`, no wider than the terminal; from half a minute on, how long the rest takes. */
export function progressLine(progress: Progress, plan: Plan, style: Style): string {
  const { settled, total, state, call } = progress;
  const mark = state === "sending" ? sign(style, "running") : stateMark(state, style);
  const left = secondsLeft(plan, settled);
  const rest = left < WORTH_SAYING_S ? "" : ` (${durationText(left)} left)`;
  const text = `[${settled}/${total}]${rest} ${mark} ${describeCall(plan, call, style)}`;
  return shorten({ ...style, colour: false }, text, style.width - 1);
}

/** A shorter wait is over before it is read. */
const WORTH_SAYING_S = 30;

/** "120 of 700 calls, about 2 min left": a line of a log. */
export function progressLogLine({ settled, total }: Progress, plan: Plan): string {
  return `${settled} of ${count(total, "call")}, ${durationText(secondsLeft(plan, settled))} left`;
}

const STATE_SIGN = {
  done: "done",
  "already-so": "done",
  conflict: "failed",
  failed: "failed",
  skipped: "skipped",
  "not-attempted": "skipped",
} as const satisfies Record<CallState, "done" | "failed" | "skipped">;

const STATE_WORD = {
  done: "done",
  "already-so": "already so",
  conflict: "conflict",
  failed: "failed",
  skipped: "skipped",
  "not-attempted": "not sent",
} as const satisfies Record<CallState, string>;

function stateMark(state: CallState, style: Style): string {
  return sign(style, STATE_SIGN[state]);
}

/** What one request does, in the words of the plan: "create #a, #b", "archive #old", "#incidents: privacy, name". */
export function describeCall(plan: Plan, call: Call, style: Style): string {
  const changes = new Map<string, Change>(plan.changes.map((change) => [change.address, change]));
  const created = call.creates.map((address) => nameOf(address, changes.get(address)));
  if (created.length > 0) return `create ${nameList(style, created, 4)}`;
  const parts = call.for.map((purpose) => {
    const change = changes.get(purpose.address);
    const name = nameOf(purpose.address, change);
    if (change?.action === "remove") return `${removalVerb(change)} ${name}`;
    if (change?.action === "reorder") return `put ${clean(change.kind).replaceAll("_", " ")}s in order`;
    return purpose.fields.length === 0 ? name : `${name}: ${purpose.fields.map(clean).join(", ")}`;
  });
  return parts.length === 0 ? clean(call.operation) : nameList(style, parts, 3);
}

function nameOf(address: string, change: Change | undefined): string {
  if (change !== undefined) return changeName(change);
  const colon = address.indexOf(":");
  return objectName(address.slice(0, colon), address.slice(colon + 1));
}

function conflictLines(conflict: Conflict, style: Style): readonly string[] {
  const { field, planned, found, wanted } = conflict;
  const mark = `${paint(style, "risk", sign(style, "failed"))} `;
  const name = objectName(conflict.kind, conflict.name);
  if (field === "exists") {
    const text = found === true ? `${name} exists already: somebody made it` : `${name} is gone: somebody removed it`;
    return wrapped(style, `conflict: ${text} since the plan was made`, mark, 2);
  }
  const rows: readonly (readonly [string, Json | undefined])[] = [
    ["planned from", planned],
    ["found", found],
    ["wanted", wanted],
  ];
  return [
    ...wrapped(style, `conflict in ${name}: ${clean(field)} changed since the plan was made`, mark, 2),
    ...rows.flatMap(([label, value]) =>
      value === undefined ? [] : wrapped(style, valueText(value), `      ${padTo(label, 15)}`, 21),
    ),
  ];
}

const GOOD: ReadonlySet<CallState> = new Set(["done", "already-so"]);

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

/** Of these, the ones for which nothing had to be sent: of a saved plan that is applied a second time, all. */
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

/** What was done, by name: a line for each kind. */
function madeLines(result: ApplyResult, style: Style): readonly string[] {
  const made = changesMade(result);
  const found = changesFound(result);
  return [...new Set(made.map(({ kind }) => kind))].flatMap((kind) => {
    const own = made.filter((change) => change.kind === kind);
    const verbOf = (change: Change): string => (found.has(change) ? ALREADY_SO : doneVerb(change));
    const verbs = [...new Set(own.map(verbOf))].sort((a, b) => rankOf(b) - rankOf(a));
    const parts = verbs.map((verb) => {
      const names = own.filter((change) => verbOf(change) === verb).map(madeName);
      return verb === REORDERED ? verb : `${verb} ${nameList(style, names, MOST_MADE)}`;
    });
    const text = `${headingOf(kind, own)}: ${dotted(style, parts)}`;
    return wrapped(style, text, `  ${paint(style, "good", stateMark("done", style))} `, 4);
  });
}

const REORDERED = "put in order";
const ALREADY_SO = "already so:";
/** The last one comes first; what is not here comes after all of them. */
const VERBS_FIRST: readonly string[] = ["changed", "renamed", "created"];

const rankOf = (verb: string): number => (verb === ALREADY_SO ? -2 : VERBS_FIRST.indexOf(verb));

function doneVerb(change: Change): string {
  if (isRemoval(change)) return removedWord([change]);
  if (change.action === "create") return "created";
  return change.action === "reorder" ? REORDERED : change.was === undefined ? "changed" : "renamed";
}

/** "#general (description)": of an object that changed, which of its values. */
function madeName(change: Change): string {
  // The line begins with the kind.
  const noun = `${change.kind.replaceAll("_", " ")} `;
  const whole = changeName(change);
  const name = whole.startsWith(noun) ? whole.slice(noun.length) : whole;
  if (change.action !== "update" || isRemoval(change)) return name;
  const fields = change.fields.map(({ field }) => clean(field)).filter((field) => field !== "name");
  const shown = fields.slice(0, FEW_FIELDS).join(", ");
  const more = fields.length > FEW_FIELDS ? ` and ${fields.length - FEW_FIELDS} more` : "";
  const was = change.was === undefined ? "" : ` (was ${objectName(change.kind, change.was)})`;
  return `${name}${was}${fields.length === 0 ? "" : ` (${shown}${more})`}`;
}

/** Every call that did not go well, in the plan's order; with `all` the others too. */
function ledgerLines(result: ApplyResult, style: Style, all: boolean): readonly string[] {
  const shown = result.calls.filter((call) => all || !GOOD.has(call.state));
  // When nothing at all was sent, the conflicts above have said everything.
  const nothingSent = result.calls.every((call) => call.state === "conflict" || call.state === "not-attempted");
  if (!all && nothingSent && result.conflicts.length > 0) return [];
  const most = all ? Number.POSITIVE_INFINITY : 40;
  const lines = shown.slice(0, most).flatMap((call) => callLines(call, result.plan, style));
  if (shown.length > most)
    lines.push(`  ${sign(style, "more")} and ${shown.length - most} more (--all shows every one)`);
  return lines;
}

function callLines(result: CallResult, plan: Plan, style: Style): readonly string[] {
  const call = plan.calls.find(({ n }) => n === result.n);
  const what = call === undefined ? "" : describeCall(plan, call, style);
  const word = result.state === "skipped" && result.because !== undefined ? `because of #${result.because}` : "";
  const how = GOOD.has(result.state)
    ? "good"
    : result.state === "failed" || result.state === "conflict"
      ? "risk"
      : "dim";
  const lead = `  ${paint(style, how, stateMark(result.state, style))} ${padTo(`#${result.n}`, 5)}`;
  const indent = 4 + Math.max(5, `#${result.n}`.length);
  const text = `${STATE_WORD[result.state]}${word === "" ? "" : ` ${word}`}: ${what}`;
  const addresses = new Set<string>([...(call?.creates ?? []), ...(call?.for ?? []).map((purpose) => purpose.address)]);
  const at = plan.changes.find((change) => addresses.has(change.address))?.at;
  const lines = [...placed(style, lead, indent, text, GOOD.has(result.state) ? "" : placeText(at))];
  const code = result.code === undefined || result.code === "unknown" ? "" : ` (${clean(result.code)})`;
  if (result.fact !== undefined && result.state !== "skipped") {
    lines.push(...wrapped(style, `${clean(shownMessage(callText(result.fact)))}${code}`, " ".repeat(indent), indent));
  }
  for (const purpose of result.applied_parts ?? []) {
    const text = `the realm has of it: ${nameOf(purpose.address, undefined)} ${purpose.fields.map(clean).join(", ")}`;
    lines.push(...wrapped(style, text, " ".repeat(indent), indent));
  }
  return lines;
}

const OUTCOME = {
  applied: "Applied",
  "nothing-to-do": "Nothing to do",
  conflict: "Refused",
  "in-part": "Applied in part",
  differs: "Applied, but the realm is still not as the file says",
  stopped: "Stopped",
  declined: "Declined",
  "not-allowed": "Not allowed",
  unreachable: "The server went away",
} as const satisfies Record<ApplyOutcome, string>;

/** Who tries a file on a copy is told that the organization itself is as it was. */
function copyLines({ plan: { realm } }: ApplyResult, style: Style): readonly string[] {
  const copy = sandboxText(realm);
  return copy === "" ? [] : wrap(`This is ${copy}: nothing was sent to the organization itself.`, style.width);
}

function headline(result: ApplyResult, style: Style, matches: string): string {
  const number = (state: CallState): number => result.calls.filter((call) => call.state === state).length;
  const total = result.calls.length;
  const done = number("done");
  const already = number("already-so");
  const good = result.outcome === "applied" || result.outcome === "nothing-to-do";
  const word = paint(style, good ? "good" : "risk", OUTCOME[result.outcome]);
  if (result.outcome === "nothing-to-do") return `${word}: the realm matches the ${matches}.`;
  const also = already > 0 ? ` (${already} already so)` : "";
  if (good && done === 0) {
    const nothing = paint(style, "good", "Nothing was sent");
    return `${nothing}: ${grouped(already)} of ${count(total, "write was", "writes were")} already so.`;
  }
  const made = madeText(result, style, good);
  if (good)
    return `${word} ${done + already} of ${count(total, "write")}${also} in ${glued(elapsedText(result.elapsedMs))}${made === "" ? "" : `: ${made}`}.`;
  const safe = result.conflicts.length > 0 ? " Nothing of the others' work was overwritten." : "";
  if (done + already === 0 && number("failed") === 0) return `${word}: nothing was sent.${safe}`;
  const counts = dotted(style, [
    `done ${done}`,
    already > 0 ? `already so ${already}` : "",
    number("failed") > 0 ? `failed ${number("failed")}` : "",
    number("conflict") > 0 ? `conflicts ${number("conflict")}` : "",
    number("skipped") > 0 ? `skipped because of these ${number("skipped")}` : "",
    number("not-attempted") > 0 ? `not sent ${number("not-attempted")}` : "",
  ]);
  return `${word}: ${counts}, in ${glued(elapsedText(result.elapsedMs))}.${made === "" ? "" : ` Complete: ${made}.`}${safe}`;
}

/** What is as the plan wants it, counted as the plan counts: changes of which every call went well. @param sentOnly without what already was so */
function madeText(result: ApplyResult, style: Style, sentOnly: boolean): string {
  const left: ReadonlySet<Change> = sentOnly ? changesFound(result) : new Set();
  return dotted(style, kindTallies(changesMade(result).filter((change) => !left.has(change))));
}

/** Where the realm stands now, and why it is not as it should be where that is known. */
function remainingLines(
  { remaining, outcome, calls, came_back = [] }: ApplyResult,
  { style, argument, matches }: { readonly style: Style; readonly argument: string; readonly matches: string },
): readonly string[] {
  if (outcome === "nothing-to-do") return [];
  if (remaining === null) {
    const sent = calls.some(({ state }) => state === "done" || state === "failed");
    return sent
      ? wrap(`The realm was not read again: realmctl plan${argument} shows where it stands.`, style.width)
      : [];
  }
  if (remaining.length === 0) {
    return wrap(`Read again: ${paint(style, "good", `the realm matches the ${matches}`)}.`, style.width);
  }
  const names = remaining.map(changeName);
  const back = came_back.map(({ address, name }) => objectName(address.slice(0, address.indexOf(":")), name));
  const text = `Read again: ${count(remaining.length, "change is", "changes are")} still to be made: ${nameList(style, names, 6)}.`;
  return [
    ...wrap(paint(style, outcome === "applied" ? "risk" : "change", text), style.width),
    ...(back.length === 0
      ? []
      : wrap(
          `Back with memberships from before the deactivation, which no reading showed: ${nameList(style, back, 6)}. To end what the ${matches} does not name: realmctl apply${argument}`,
          style.width,
        )),
  ];
}

/** A saved plan, and a part of a file, is not held against the whole file again: what came back with an account stays unseen there. */
function backLines({ plan, calls, remaining }: ApplyResult, style: Style, argument: string): readonly string[] {
  const done = new Set(calls.filter(({ state }) => state === "done").map(({ n }) => n));
  const reactivates = plan.calls.some(({ n, operation }) => operation === "reactivate-user" && done.has(n));
  if (!reactivates || remaining === null || remaining.length > 0) return [];
  return wrap(
    `Reactivated accounts have their memberships from before again: realmctl plan${argument} shows those that the file does not name.`,
    style.width,
  );
}

type Ways = Required<Pick<ResultTextOptions, "argument" | "adoptWith" | "undoWith" | "goOnWith">> &
  Pick<ResultTextOptions, "undoes">;

function nextLines(
  result: ApplyResult,
  style: Style,
  { argument, adoptWith, undoWith, goOnWith, undoes }: Ways,
): readonly string[] {
  const lines: string[] = [];
  const goOn =
    undoes === undefined ? `realmctl apply${goOnWith}` : `realmctl apply${undoWith} --undo ${shellWord(undoes)}`;
  if (result.conflicts.length > 0) {
    const again =
      undoes !== undefined
        ? `Look again: ${goOn}`
        : `Look again: realmctl plan${argument}. Take theirs into the file: realmctl adopt${adoptWith}`;
    lines.push(...wrap(again, style.width));
  } else if (result.problems.some(({ code }) => code === "realm/other-realm")) {
    // The same command with the same credentials says the same again.
  } else if (result.outcome === "stopped" || result.outcome === "unreachable" || result.outcome === "in-part") {
    lines.push(...wrap(`Go on with what is left: ${goOn}`, style.width));
  }
  if (result.journal !== null) {
    // What the run did can be taken back, as far as nobody changed it since; without anything done it is only a record.
    const did = result.calls.some(({ state }) => state === "done");
    const text = did
      ? `Undo: realmctl apply${undoWith} --undo ${shellWord(result.journal)}`
      : `Journal: ${clean(result.journal)}`;
    lines.push(...wrap(paint(style, "dim", text), style.width));
  }
  return lines;
}

const VERBS: Readonly<Record<InactivityField, string>> = { archived: "archive", deactivated: "deactivate" };

function removalVerb(change: Change): string {
  const field = INACTIVITY_FIELDS.find((each) => each === inactivityIn(change)?.field);
  return field === undefined ? "remove" : VERBS[field];
}
