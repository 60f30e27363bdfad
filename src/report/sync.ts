import { kindOf } from "../model/address.ts";
import { cases } from "../model/cases.ts";
import { clean } from "../model/clean.ts";
import { defined } from "../model/defined.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { callText } from "../model/diagnostics/calls.ts";
import type { Named } from "../model/facts.ts";
import { groupedBy } from "../model/lazy.ts";
import {
  type HeldChange,
  type HeldSince,
  isHealthy,
  type SyncEvent,
  type SyncedList,
  type SyncHealth,
  type WaitingList,
} from "../model/sync.ts";
import { count, listNames } from "../model/words.ts";
import { wayThrough } from "./guards.ts";
import { elapsedText, objectName, placeText } from "./layout.ts";
import { cleanJson } from "./style.ts";
import { wordedDiagnostic } from "./words/diagnostics.ts";

/** At most this number of people is named in a line; JSON has all. */
const MOST_PEOPLE = 20;

const moment = (ms: number): string => new Date(ms).toISOString();

const nameOf = ({ address, name }: Named): string => objectName(kindOf(address), name);

/** One line for each thing that happened; empty for what is only counted. */
export function syncLines(event: SyncEvent, file: string, nowMs: number): string {
  return textsOf(event, clean(file), nowMs)
    .map((text) => `${moment(nowMs).slice(0, 19)}Z  ${text}\n`)
    .join("");
}

const textsOf = cases<SyncEvent, "event", readonly string[], [file: string, nowMs: number]>("event", {
  start: ({ lists, interval_ms, realm }, file) => {
    const every = interval_ms % 60_000 === 0 ? `${interval_ms / 60_000} min` : elapsedText(interval_ms);
    return [
      `Keeping ${count(lists, "list")} of ${clean(realm)} as ${file} has ${them(lists)}: on every event, and every ${every}.`,
    ];
  },
  continue: ({ journal }) => [`The run of ${journal} did not finish. What it left is done now.`],
  left: ({ waiting, findings }) => [
    ...waiting.map(waitingText),
    ...findings.map((finding) => `Left alone: ${diagnosticText(finding)}`),
    ...(waiting.length + findings.length === 0 ? ["Nothing is left alone any more."] : []),
  ],
  change: (event) => [changeText(event)],
  hold: ({ began }) => heldTexts(began),
  release: ({ released }, _, nowMs) =>
    released.map((one) => `Going on, after a pause of ${elapsedText(nowMs - one.since_ms)}: ${heldText(one)}`),
  pause: (event) => (event.isNew ? pauseTexts(event) : []),
  resume: ({ paused_ms }) => [`Going on, after a pause of ${elapsedText(paused_ms)}.`],
  hindered: ({ isNew, why, again_in_ms }) =>
    isNew
      ? why.map(
          (one) => `${diagnosticText(one)}. Trying again until it works, at first in ${elapsedText(again_in_ms)}.`,
        )
      : [],
  recovered: ["It works again."],
  end: ["Ended."],
  open: [],
  sent: [],
  done: [],
});

const them = (number: number): string => (number === 1 ? "it" : "them");

function waitingText({ object, field, for: other, mayBeUnseen }: WaitingList): string {
  const list = `Left alone: the ${clean(field)} of ${nameOf(object)}`;
  if (mayBeUnseen === true)
    return `${list}: this account sees no ${nameOf(object)}. Only administrators see everything.`;
  const missing = other === undefined ? nameOf(object) : `it names ${nameOf(other)}, which`;
  return `${list}: ${missing} is not there as the file has it: apply has to create, reactivate or rename it first, or somebody renamed it by hand. realmctl plan says which; with id, an entry follows a rename.`;
}

/** The guard rails once, and then every list that waits for them. */
function heldTexts(began: readonly HeldChange[]): readonly string[] {
  const byReason = groupedBy(began, ({ why }) => why.map(diagnosticText).join(". And: "));
  return [...byReason].flatMap(([why, held]) => [
    `Paused: ${why}. All other changes go on. What waits:`,
    ...held.map((one) => `  ${heldText(one)}`),
  ]);
}

const heldText = ({ list, part, names }: HeldChange): string =>
  changeText({ list, added: part === "additions" ? names : [], removed: part === "removals" ? names : [] });

function changeText({
  list,
  added,
  removed,
}: Pick<Extract<SyncEvent, { readonly event: "change" }>, "list" | "added" | "removed">): string {
  const people = (sign: string, names: readonly string[]): string =>
    names.length === 0 ? "" : `  ${sign} ${listNames(names.map(clean), MOST_PEOPLE)}`;
  return `${listName(list)}${people("+", added)}${people("-", removed)}`;
}

const listName = ({ object, field }: SyncedList): string => `${nameOf(object)} ${clean(field)}`;

function pauseTexts({ why, calls }: Extract<SyncEvent, { readonly event: "pause" }>): readonly string[] {
  const [first, ...others] = why.filter(({ severity }) => severity === "error");
  const reasons = calls.flatMap(({ n, fact }) =>
    fact === undefined ? [] : [`  call #${n}: ${clean(callText(fact))}`],
  );
  return [
    ...(first === undefined ? ["Paused."] : [`Paused: ${diagnosticText(first)}`]),
    ...others.map((one) => `  and: ${diagnosticText(one)}`),
    ...reasons,
  ];
}

/** Nobody answers a question of sync, and its --allow holds until its end: the way through a guard rail is an apply by hand. */
function worded(diagnostic: Diagnostic): ReturnType<typeof wordedDiagnostic> {
  if (diagnostic.code !== "guard/refused") return wordedDiagnostic(diagnostic);
  const { guard, fact, rule } = diagnostic.fact;
  const { asks: _, ...refusing } = fact;
  return {
    ...wordedDiagnostic({ ...diagnostic, fact: { ...diagnostic.fact, fact: refusing } }),
    hint: wayThrough({ name: guard.pattern, fact, rule }, "comment"),
  };
}

/** A diagnostic in one line. */
function diagnosticText(diagnostic: Diagnostic): string {
  const { code, message, hint, at } = worded(diagnostic);
  const place = placeText(at);
  return clean(`${message}${place === "" ? "" : ` (${place})`} [${code}]${hint === undefined ? "" : `: ${hint}`}`);
}

/** One thing that happened as a line of JSON; empty for what is only counted. */
export function syncEventJson(event: SyncEvent, nowMs: number): string {
  if (event.event === "open" || event.event === "sent" || event.event === "done") return "";
  if (event.event === "hold" && event.began.length === 0) return "";
  const { event: name, ...fields } = dataOf(event);
  const line = { format: "realmctl.sync-event", version: 1, at: moment(nowMs), event: name, ...fields };
  return `${cleanJson(JSON.stringify(line))}\n`;
}

function dataOf(event: Exclude<SyncEvent, { readonly event: "open" | "sent" | "done" }>): { readonly event: string } {
  switch (event.event) {
    case "left":
      return { ...event, ...{ waiting: event.waiting.map(listData), findings: event.findings.map(worded) } };
    case "change": {
      const { list, ...others } = event;
      return { ...others, ...listData(list) };
    }
    case "hold":
      return { event: event.event, ...{ began: event.began.map(heldData), held: event.held.map(heldData) } };
    case "release":
      return {
        event: event.event,
        ...{ released: event.released.map((one) => ({ ...heldData(one), since: moment(one.since_ms) })) },
      };
    case "pause": {
      const { isNew, isGuard, why, calls, event: name } = event;
      const reasons = calls.map(({ n, state, fact }) => ({ n, state, message: fact && callText(fact) }));
      return { event: name, ...{ is_new: isNew, is_guard: isGuard, why: why.map(worded), calls: reasons } };
    }
    case "hindered": {
      const { isNew, why, again_in_ms, event: name } = event;
      return { event: name, ...{ is_new: isNew, why: why.map(worded), again_in_ms } };
    }
    default:
      return event;
  }
}

const heldData = ({ list, part, names, why }: HeldChange) => ({
  ...listData(list),
  ...{ waits: part, names, why: why.map(worded) },
});

const listData = ({ object, field, for: other, mayBeUnseen }: WaitingList) => ({
  address: object.address,
  name: object.name,
  field,
  ...defined({ for: other?.address, may_be_unseen: mayBeUnseen }),
});

/** The state, for a file or `/healthz`. */
export function syncStatusJson(health: SyncHealth, nowMs: number): string {
  const {
    started_at_ms,
    done_at_ms,
    interval_ms,
    paused,
    hindered,
    held,
    left,
    findings,
    lists,
    open,
    meant,
    ...counts
  } = health;
  const because = (state: typeof paused) =>
    state === undefined ? null : { since: moment(state.since_ms), why: state.why.map(diagnosticText) };
  const status = {
    format: "realmctl.sync-status",
    version: 1,
    healthy: isHealthy(health, nowMs),
    at: moment(nowMs),
    started_at: moment(started_at_ms),
    last_reconcile_at: done_at_ms === undefined ? null : moment(done_at_ms),
    interval_seconds: interval_ms / 1000,
    paused: because(paused),
    hindered: because(hindered),
    held: held.map(heldStatus),
    open_lists: open,
    names: meant,
    left_alone: [...left.map(listData), ...findings.map((code) => ({ code }))],
    ...{ lists, waiting: left.length + findings.length },
    ...counts,
  };
  return `${cleanJson(JSON.stringify(status, undefined, 2))}\n`;
}

/** Without the people: whoever is on this machine can read it. */
const heldStatus = ({ list, part, names, why, since_ms }: HeldSince) => ({
  ...listData(list),
  ...{ waits: part, people: names.length, since: moment(since_ms), why: why.map(diagnosticText) },
});

/** The state in Prometheus's text format. */
export function syncMetrics(health: SyncHealth, nowMs: number): string {
  const { started_at_ms, done_at_ms, paused, hindered, held, left, findings, lists } = health;
  const seconds = (ms: number | undefined): number => (ms === undefined ? 0 : ms / 1000);
  const gauges: readonly (readonly [string, string, number])[] = [
    [
      "healthy",
      "1 if every list is kept, nothing waits or is paused, nothing hinders it, and the last reconcile is recent.",
      Number(isHealthy(health, nowMs)),
    ],
    ["paused", "1 while an error or a missing role prevents all changes.", Number(paused !== undefined)],
    ["paused_since_seconds", "Unix time at which the pause began; 0 if there is none.", seconds(paused?.since_ms)],
    ["hindered", "1 while the server does not answer, or another run is active.", Number(hindered !== undefined)],
    ["last_reconcile_seconds", "Unix time at which nothing was left to do; 0: not yet.", seconds(done_at_ms)],
    ["start_seconds", "Unix time at which the process began.", seconds(started_at_ms)],
    ["lists", "Lists that are kept.", lists],
    ["held_changes", "Changes of lists that wait for guard rails or rights; all others go on.", held.length],
    [
      "left_alone",
      "Lists that wait for apply, and names or patterns that mean nothing.",
      left.length + findings.length,
    ],
  ];
  const { reconciles, changes, requests, refusals, failures } = health;
  const counters: readonly (readonly [string, string, number])[] = [
    ["reconciles_total", "Readings after which nothing was left to do.", reconciles],
    ["changes_total", "Lists that were changed.", changes],
    ["requests_total", "Writing requests that were carried out.", requests],
    ["refusals_total", "Readings of which something waits for guard rails or rights.", refusals],
    ["failures_total", "Readings that could not be acted on for another reason.", failures],
  ];
  const text =
    (type: string) =>
    ([name, help, value]: readonly [string, string, number]) =>
      `# HELP realmctl_sync_${name} ${help}\n# TYPE realmctl_sync_${name} ${type}\nrealmctl_sync_${name} ${value}\n`;
  return [...gauges.map(text("gauge")), ...counters.map(text("counter")), heldMetric(held)].join("");
}

/** One row for each list, direction and reason. */
function heldMetric(held: readonly HeldChange[]): string {
  const rows = held.flatMap(({ list: { object, field }, part, why }) =>
    why.map((one) => [
      `list=${labelText(`${object.address} ${field}`)}`,
      `change=${labelText(part)}`,
      `why=${labelText(one.code === "guard/refused" ? one.fact.guard.pattern : one.code)}`,
    ]),
  );
  return [
    "# HELP realmctl_sync_held 1 for each change of a list that waits, and each reason.\n# TYPE realmctl_sync_held gauge\n",
    ...rows.map((row) => `realmctl_sync_held{${row.join()}} 1\n`),
  ].join("");
}

/** A value in quotation marks, as Prometheus escapes it. */
const labelText = (text: string): string => `"${clean(text).replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;

/** Where the state can be read. */
export const syncListens = (url: string): string => `State: ${url}/healthz, counts: ${url}/metrics\n`;
