import { isList } from "../model/json.ts";
import type { Address } from "../model/plan.ts";
import type { Redaction } from "./redaction.ts";

/**
 * A fact for other readers. Every name and text of people in a fact has its own form (`src/model/diagnostics/values.ts`), wherever it is in the fact;
 * numbers and all other texts are not secret and stay.
 */
export function redactFact<F extends object>(fact: F, redaction: Redaction): F {
  const copy = structuredClone(fact);
  replaceIn(copy, redaction);
  return copy;
}

interface Values {
  [key: string]: unknown;
}

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null;

function replaceIn(value: unknown, redaction: Redaction): void {
  if (isList(value)) for (const item of value) replaceIn(item, redaction);
  else if (isValues(value)) {
    replaceValues(value, redaction);
    for (const item of Object.values(value)) replaceIn(item, redaction);
  }
}

function replaceValues(value: Values, redaction: Redaction): void {
  const { address, name, was, quoted, of, pattern, user_id, full_name, email } = value;
  if (typeof address === "string" && typeof name === "string") {
    const kind = address.slice(0, address.indexOf(":"));
    value.address = redactAddress(addressOf(kind, address.slice(kind.length + 1)), redaction);
    value.name = redaction.name(kind, name);
    if (typeof was === "string") value.was = redaction.name(kind, was);
  }
  if (typeof quoted === "string")
    value.quoted = typeof of === "string" ? redaction.name(of, quoted) : redaction.value(quoted);
  if (typeof pattern === "string") value.pattern = redactPattern(pattern, redaction);
  if (typeof user_id === "number") {
    if (full_name !== undefined && redaction.people) delete value.full_name;
    if (typeof email === "string") value.email = redaction.value(email);
  }
}

const addressOf = (kind: string, name: string): Address => `${kind}:${name}`;

/** `channel:board`, `protect:channel:board`: the protection of a private channel names it. */
export function redactPattern(pattern: string, redaction: Redaction): string {
  const [, start, name] = /^((?:protect:)?[a-z_]+:)(.*)$/s.exec(pattern) ?? [];
  if (start === undefined || name === undefined) return pattern;
  return start + redaction.pattern(start.replace(/^protect:/, "").slice(0, -1), name);
}

export function redactAddress(address: Address, redaction: Redaction): Address {
  const colon = address.indexOf(":");
  const kind = address.slice(0, colon);
  return `${kind}:${redaction.name(kind, address.slice(colon + 1))}`;
}
