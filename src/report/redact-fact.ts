import type { Address } from "../model/plan.ts";
import { inShownOrder, LEFT_OUT, type PlanSide, type Redaction } from "./redaction.ts";

/**
 * A fact for other readers. Every name and text of people in a fact has its own form (`src/model/diagnostics/values.ts`), wherever it is in the fact;
 * numbers and all other texts are not secret and stay.
 * @param patterns the side of the plan whose names patterns match: the server, unless somebody chose a part of the file
 */
export function redactFact<F extends object>(
  fact: F,
  redaction: Redaction,
  patterns: PlanSide | undefined = "before",
): F {
  const copy = structuredClone(fact);
  replaceIn(copy, redaction, patterns);
  return copy;
}

interface Values {
  [key: string]: unknown;
}

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null;

function replaceIn(value: unknown, redaction: Redaction, patterns: PlanSide | undefined): void {
  if (Array.isArray(value)) replaceInList(value, redaction, patterns);
  else if (isValues(value)) {
    const pair = [value.name, value.other].filter(isValues);
    const before = pair.map(({ quoted }) => quoted);
    const { meant } = value;
    const guess = isValues(meant) ? meant.quoted : undefined;
    replaceValues(value, redaction, patterns);
    for (const item of Object.values(value)) replaceIn(item, redaction, patterns);
    // A name that looks like a hidden one shows it, and so does "did you mean" after the text of a file.
    if (isValues(meant) && typeof meant.of === "string" && meant.quoted !== guess) delete value.meant;
    // If both sides of a change are hidden, they would be the same text twice.
    const { addresses } = value;
    if (isValues(addresses) && JSON.stringify(addresses.before) === JSON.stringify(addresses.after))
      delete value.addresses;
    if (pair.length === 2 && pair.some(({ quoted }, index) => quoted !== before[index]))
      for (const [index, one] of pair.entries()) if (one.quoted === before[index]) one.quoted = LEFT_OUT;
  }
}

/** Names and people in a list are sets: the facts that have an order have more than a name. */
function replaceInList(list: unknown[], redaction: Redaction, patterns: PlanSide | undefined): void {
  const before = list.map(textOf);
  for (const item of list) replaceIn(item, redaction, patterns);
  const after = list.map(textOf);
  if (after.every((text, index) => text === undefined || text === before[index])) return;
  list.splice(0, list.length, ...inShownOrder(list, (item) => textOf(item) ?? ""));
}

/** The shown text of a name or a person; undefined for everything else. */
function textOf(item: unknown): string | undefined {
  if (!isValues(item)) return undefined;
  const { address, name, quoted, user_id, full_name } = item;
  if (typeof quoted === "string") return quoted;
  if (typeof user_id === "number") return `${full_name ?? ""} ${user_id}`;
  return typeof address === "string" && typeof name === "string" ? name : undefined;
}

function replaceValues(value: Values, redaction: Redaction, patterns: PlanSide | undefined): void {
  const { address, name, was, quoted, of, pattern, user_id, full_name, email } = value;
  if (typeof address === "string" && typeof name === "string") {
    const kind = address.slice(0, address.indexOf(":"));
    value.address = redactAddress(addressOf(kind, address.slice(kind.length + 1)), redaction);
    value.name = redaction.name(kind, name, "after");
    if (typeof was === "string") value.was = redaction.name(kind, was, "before");
  }
  if (typeof quoted === "string")
    value.quoted = typeof of === "string" ? redaction.name(of, quoted) : redaction.value(quoted);
  if (typeof pattern === "string") value.pattern = redactPattern(pattern, redaction, patterns);
  if (typeof user_id === "number") {
    if (full_name !== undefined && redaction.people) delete value.full_name;
    if (typeof email === "string") value.email = redaction.value(email);
  }
}

const addressOf = (kind: string, name: string): Address => `${kind}:${name}`;

/** `channel:board`, `protect:channel:board`: the protection of a private channel names it. Guard rails match names on the server. */
export function redactPattern(pattern: string, redaction: Redaction, moment: PlanSide | undefined = "before"): string {
  const [, start, name] = /^((?:protect:)?[a-z_]+:)(.*)$/s.exec(pattern) ?? [];
  if (start === undefined || name === undefined) return pattern;
  return start + redaction.pattern(start.replace(/^protect:/, "").slice(0, -1), name, moment);
}

export function redactAddress(address: Address, redaction: Redaction, id?: number): Address {
  const colon = address.indexOf(":");
  const kind = address.slice(0, colon);
  return `${kind}:${redaction.name(kind, address.slice(colon + 1), "after", id)}`;
}
