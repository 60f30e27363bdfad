import { channelAddress } from "../access/scope.ts";
import { kindOf, nameIn } from "../model/address.ts";
import { clean } from "../model/clean.ts";
import { callText } from "../model/diagnostics/calls.ts";
import type { Call, Change, Plan } from "../model/plan.ts";
import { type MayBeRefused, mayBeRefused } from "../model/rehearsal.ts";
import type { ApplyResult, CallResult, CallState, Progress } from "../model/result.ts";
import { INACTIVITY_FIELDS, type InactivityField, inactivityIn } from "../model/tally.ts";
import { count } from "../model/words.ts";
import { below, changeName, durationText, type Line, objectName, placeText, shownMessage } from "./layout.ts";
import { secondsLeft } from "./plan-cost.ts";
import { padTo, paint, type Style, shorten, sign } from "./style.ts";
import { nameList } from "./values.ts";

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
  "already-so": "already in place",
  conflict: "conflict",
  failed: "failed",
  skipped: "skipped",
  "not-attempted": "not sent",
} as const satisfies Record<CallState, string>;

export function stateMark(state: CallState, style: Style): string {
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
    if (change?.action === "reorder") return `reorder ${clean(change.kind).replaceAll("_", " ")}s`;
    return purpose.fields.length === 0 ? name : `${name}: ${purpose.fields.map(clean).join(", ")}`;
  });
  return parts.length === 0 ? clean(call.operation) : nameList(style, parts, 3);
}

function nameOf(address: string, change: Change | undefined): string {
  return change === undefined ? objectName(kindOf(address), nameIn(address)) : changeName(change);
}

/** The states of calls after which the realm is as the call wanted it. */
export const GOOD: ReadonlySet<CallState> = new Set(["done", "already-so"]);

/** Every call that was not successful, in the plan's order; with `all` the others too. */
export function ledgerLines(result: ApplyResult, style: Style, all: boolean): readonly Line[] {
  const shown = result.calls.filter((call) => all || !GOOD.has(call.state));
  // If nothing at all was sent, the conflicts above have said everything.
  const nothingSent = result.calls.every((call) => call.state === "conflict" || call.state === "not-attempted");
  if (!all && nothingSent && result.conflicts.length > 0) return [];
  const most = all ? Number.POSITIVE_INFINITY : 40;
  const lines: Line[] = shown.slice(0, most).flatMap((call) => callLines(call, result.plan, style));
  if (shown.length > most)
    lines.push(`  ${sign(style, "more")} and ${shown.length - most} more (--all shows every one)`);
  return lines;
}

/** The text below a refusal that the plan warned of. */
const FORETOLD = {
  "unseen-names":
    "a channel that this account does not see may have the name: choose another one, or ask an administrator",
  topics:
    "messages of this channel have topics: take topics_policy out, or move these messages to the empty topic first",
} as const satisfies Record<MayBeRefused["why"], string>;

function callLines(result: CallResult, plan: Plan, style: Style): readonly Line[] {
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
  const lines: Line[] = [{ lead, indent, text, place: GOOD.has(result.state) ? "" : placeText(at) }];
  const code = result.code === undefined || result.code === "unknown" ? "" : ` (${clean(result.code)})`;
  if (result.fact !== undefined && result.state !== "skipped")
    lines.push(below(`${clean(shownMessage(callText(result.fact)))}${code}`, indent));
  if (result.fact?.kind === "refused")
    for (const { why, channels } of mayBeRefused(plan.warnings))
      if (channels.some((name) => addresses.has(channelAddress(name)))) lines.push(below(FORETOLD[why], indent));
  for (const purpose of result.applied_parts ?? []) {
    const text = `applied in part: ${nameOf(purpose.address, undefined)} ${purpose.fields.map(clean).join(", ")}`;
    lines.push(below(text, indent));
  }
  return lines;
}

const VERBS: Readonly<Record<InactivityField, string>> = { archived: "archive", deactivated: "deactivate" };

function removalVerb(change: Change): string {
  const field = INACTIVITY_FIELDS.find((each) => each === inactivityIn(change)?.field);
  return field === undefined ? "remove" : VERBS[field];
}

/** `[4/7] ▸ #incidents: can_subscribe_group`, no wider than the terminal; after half a minute, also the remaining time. */
export function progressLine(progress: Progress, plan: Plan, style: Style): string {
  const { settled, total, state, call } = progress;
  const mark = state === "sending" ? sign(style, "running") : stateMark(state, style);
  const left = secondsLeft(plan, settled);
  const rest = left < WORTH_SAYING_S ? "" : ` (${durationText(left)} left)`;
  const text = `[${settled}/${total}]${rest} ${mark} ${describeCall(plan, call, style)}`;
  return shorten({ ...style, colour: false }, text, style.width - 1);
}

/** For shorter waits, no remaining time is shown. */
const WORTH_SAYING_S = 30;

/** The progress as a line of a log: "120 of 700 calls, about 2 min left". */
export function progressLogLine({ settled, total }: Progress, plan: Plan): string {
  return `${settled} of ${count(total, "call")}, ${durationText(secondsLeft(plan, settled))} left`;
}
