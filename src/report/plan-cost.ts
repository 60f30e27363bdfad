import { clean } from "../model/clean.ts";
import { isFileParam } from "../model/file-param.ts";
import { type Call, isIdOf, isMinutesUntil, isParams, type Param, type Plan, replacesUnseen } from "../model/plan.ts";
import { fileText } from "../model/value-text.ts";
import { count, grouped } from "../model/words.ts";
import { durationText, elapsedText } from "./layout.ts";
import { dotted, PLAIN, paint, type Style, shorten } from "./style.ts";
import { nameList } from "./values.ts";

/** The cost of reading: "4 requests, 0.3 s". */
export function costText({ requests, seconds }: { requests: number; seconds: number }): string {
  return `${count(requests, "request")}, ${elapsedText(seconds * 1000)}`;
}

/** This number of writes that replace a value unseen is sent in the two seconds for which a reading of two requests is valid (docs/applying.md). */
const WRITES_FOR_ONE_READING = 20;

/**
 * The duration of the writes and the readings between them, in seconds: the time of a request, the limits of 200 a minute and 2,000 an hour, and the
 * time to create many channels in one call (zulip-api.md §13.5, §15.5).
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

/** The remaining time after a number of calls have a result. */
export function secondsLeft(plan: Plan, settled: number): number {
  return Math.max(0, estimatedSeconds(plan) - estimatedSeconds({ ...plan, calls: plan.calls.slice(0, settled) }));
}

/** What applying sends, and whom it notifies, for readers who have no other place for it. @param least in how few writes it could be done */
export function sendsParts(plan: Plan, least: string): readonly string[] {
  const { emails, notices_in: notices, direct_messages: direct = 0 } = plan.side_effects;
  return [
    `${count(plan.calls.length, "write")} (${least})`,
    durationText(estimatedSeconds(plan)),
    notices.length === 0 ? "no public notices" : `public notices in ${count(notices.length, "channel")}`,
    ...(direct === 0 ? [] : [count(direct, "direct message")]),
    emails === 0 ? "no e-mails" : count(emails, "e-mail"),
  ];
}

/** A plan that takes at least this long says so. */
const LONG_SECONDS = 10;

/**
 * Who is notified, and how long the calls take if that is long.
 * @param all also how many calls there are, and who is not notified
 */
export function callsText(plan: Plan, style: Style, all: boolean): string {
  const writes = plan.calls.length;
  const { emails, notices_in: notices, direct_messages: direct = 0 } = plan.side_effects;
  const least =
    plan.least_calls === writes
      ? `${writes === 1 ? "" : `${grouped(writes)} is `}the least possible`
      : `the least possible: ${grouped(plan.least_calls)}`;
  const seconds = estimatedSeconds(plan);
  return dotted(style, [
    emails > 0 ? paint(style, "risk", count(emails, "e-mail")) : all ? "no e-mails" : "",
    notices.length > 0 || all ? noticesText(notices, style) : "",
    direct === 0 ? "" : count(direct, "direct message"),
    all ? `${count(writes, "write")} (${least})` : "",
    all || seconds >= LONG_SECONDS ? durationText(seconds) : "",
  ]);
}

/** Channels that are named; more are counted. */
const MOST_NAMED = 3;

function noticesText(notices: readonly string[], style: Style): string {
  if (notices.length === 0) return "no public notices";
  const names = notices.map((name) => `#${clean(name).replace(/^#/, "")}`);
  if (names.length > MOST_NAMED) return `public notices in ${names.length} channels`;
  return `${names.length === 1 ? "a public notice in" : "public notices in"} ${nameList(style, names, MOST_NAMED)}`;
}

/** The maximum number of shown characters of a value without `all`. */
const MOST_CHARACTERS = 300;

/**
 * One call in a line: its number, the operation and all parameters.
 * @param all values in full length
 */
function callLine({ n, operation, path, params }: Call, all = false): string {
  const values = [...Object.entries(path), ...Object.entries(params)].map(([name, value]) => {
    const text = JSON.stringify(shown(value));
    return `${name}=${all ? text : shorten(PLAIN, text, MOST_CHARACTERS)}`;
  });
  return clean([`${n}.`, operation, ...values].join(" "));
}

/** Every call of a plan, in the order in which they are sent. */
export function callLines({ calls }: Pick<Plan, "calls">, all = false): readonly string[] {
  return calls.map((call) => callLine(call, all));
}

/** An id that is not known yet is shown as the address of its object. */
function shown(value: Param): Param {
  if (isIdOf(value)) return `id of ${value.idOf}`;
  if (isMinutesUntil(value)) return `minutes until ${value.minutesUntil.slice(0, 16).replace("T", " ")} UTC`;
  if (isFileParam(value)) return fileText(value);
  if (isParams(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(item)]));
}
