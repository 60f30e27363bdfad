import type { Diagnostic, Note } from "../model/diagnostic.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import type { Address, Call, Change, Param, Plan } from "../model/plan.ts";
import { isIdOf } from "../model/plan.ts";
import type { ApplyResult } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { AccessMatrix, Holders } from "./access.ts";

/** What outputs that many people read do not show, and what stands in its place. */
export interface Redaction {
  /** Any text, whole or with such names in it. */
  text(text: string): string;
  /** How many different names and addresses are hidden. */
  readonly size: number;
}

export const NO_REDACTION: Redaction = { text: (text) => text, size: 0 };

export interface RedactionOptions {
  /** Names of private channels, however they are private. */
  readonly privateNames: boolean;
  /** Addresses of people who were invited, or are to be. */
  readonly invitations: boolean;
}

/**
 * The names to hide, from a plan and the snapshot it was made from: what is private before or after counts as private.
 */
export function redactionOf(plans: readonly Plan[], snapshot: Snapshot, hide: RedactionOptions): Redaction {
  const names = new Map<string, string>();
  if (hide.privateNames) {
    for (const channel of snapshot.channels)
      if (channel.invite_only) names.set(channel.name, `private channel ${channel.stream_id}`);
    let made = 0;
    for (const change of plans.flatMap((plan) => plan.changes)) {
      if (change.kind !== "channel") continue;
      const isPrivate = change.fields.some(
        ({ field, before, after }) => field === "privacy" && [before, after].some(isPrivateWord),
      );
      const old = change.was === undefined ? undefined : names.get(change.was);
      if (!isPrivate && old === undefined) continue;
      if (names.has(change.name)) continue;
      made += 1;
      names.set(
        change.name,
        old ?? (change.id === undefined ? `new private channel ${made}` : `private channel ${change.id}`),
      );
      if (change.was !== undefined) names.set(change.was, names.get(change.name) ?? "private channel");
    }
  }
  const addresses = new Map<string, string>();
  if (hide.invitations) {
    const invited = [
      ...(snapshot.invites ?? []).flatMap(({ email }) => (email === null ? [] : [email])),
      ...plans.flatMap((plan) => [
        ...plan.changes
          .filter(({ kind }) => kind === "invite")
          .flatMap(({ name, was }) => [name, ...(was === undefined ? [] : [was])]),
        ...plan.unmanaged.filter(({ section }) => section === "invites").flatMap((item) => item.names),
      ]),
    ];
    for (const address of invited)
      if (address.includes("@") && !addresses.has(address.toLowerCase()))
        addresses.set(address.toLowerCase(), `invited address ${addresses.size + 1}`);
  }
  return redactionBy(names, addresses);
}

const isPrivateWord = (value: Json): boolean => typeof value === "string" && value.startsWith("private");

/** One letter of the names that are looked for, and what may follow it. */
interface Letter {
  readonly next: Map<string, Letter>;
  /** What to show instead when a name ends here. */
  shown?: string;
  isAddress?: boolean;
}

/**
 * Names inside of sentences have to begin and end where a word does; the shortest are looked for only after a sign that says that
 * a name begins, or every "it" would go. Addresses are found anywhere. Upper and lower case are the same.
 */
export function redactionBy(names: ReadonlyMap<string, string>, addresses: ReadonlyMap<string, string>): Redaction {
  if (names.size + addresses.size === 0) return NO_REDACTION;
  const top: Letter = { next: new Map() };
  const whole = new Map<string, string>();
  const add = (text: string, shown: string, isAddress: boolean): void => {
    whole.set(folded(text), shown);
    let letter = top;
    for (const character of folded(text)) {
      const known = letter.next.get(character) ?? { next: new Map() };
      letter.next.set(character, known);
      letter = known;
    }
    letter.shown = shown;
    letter.isAddress = isAddress;
  };
  for (const [name, shown] of names) if (name !== "") add(name, shown, false);
  for (const [address, shown] of addresses) if (address !== "") add(address, shown, true);
  return {
    size: names.size + addresses.size,
    text: (text) => whole.get(folded(text)) ?? withoutNames(text, top),
  };
}

const SHORTEST_WORD = 4;
const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);

function withoutNames(text: string, top: Letter): string {
  const letters = [...text];
  const small = letters.map(folded);
  let found = "";
  for (let at = 0; at < letters.length; ) {
    const hit = longestAt(small, at, top);
    found += hit === undefined ? (letters[at] ?? "") : hit.shown;
    at += hit?.length ?? 1;
  }
  return found;
}

function longestAt(
  text: readonly string[],
  from: number,
  top: Letter,
): { readonly length: number; readonly shown: string } | undefined {
  let best: { length: number; shown: string } | undefined;
  let letter: Letter | undefined = top;
  const before = text[from - 1];
  for (let at = from; letter !== undefined; at += 1) {
    const length = at - from;
    if (letter.shown !== undefined) {
      const signed = before === "#" || before === '"';
      const begins = length >= SHORTEST_WORD ? !isWord(before) : signed;
      if (letter.isAddress === true || (begins && !isWord(text[at]))) best = { length, shown: letter.shown };
    }
    const character = text[at];
    letter = character === undefined ? undefined : letter.next.get(character);
  }
  return best;
}

/** Letter by letter, so that positions stay what they are. */
function folded(text: string): string {
  return Array.from(text, (character) => {
    const small = character.toLowerCase();
    return small.length === character.length ? small : character;
  }).join("");
}

/** The same value with every hidden name replaced, keys of maps too. */
export function redactJson(value: Json, { text }: Redaction): Json {
  const walk = (item: Json): Json => {
    if (typeof item === "string") return text(item);
    if (isList(item)) return item.map(walk);
    if (isObject(item)) return Object.fromEntries(Object.entries(item).map(([key, inner]) => [text(key), walk(inner)]));
    return item;
  };
  return walk(value);
}

export function redactChange(change: Change, redaction: Redaction): Change {
  const { text } = redaction;
  return {
    ...change,
    address: redactAddress(change.address, redaction),
    name: text(change.name),
    ...(change.was === undefined ? {} : { was: text(change.was) }),
    fields: change.fields.map((field) => ({
      ...field,
      before: redactJson(field.before, redaction),
      after: redactJson(field.after, redaction),
    })),
    risks: change.risks.map((risk) => ({
      ...risk,
      message: text(risk.message),
      address: redactAddress(risk.address, redaction),
    })),
  };
}

function redactAddress(address: Address, { text }: Redaction): Address {
  const colon = address.indexOf(":");
  return `${address.slice(0, colon)}:${text(address.slice(colon + 1))}`;
}

export function redactDiagnostic(diagnostic: Diagnostic, { text }: Redaction): Diagnostic {
  return {
    ...diagnostic,
    message: text(diagnostic.message),
    ...(diagnostic.hint === undefined ? {} : { hint: text(diagnostic.hint) }),
    ...(diagnostic.footnotes === undefined ? {} : { footnotes: diagnostic.footnotes.map(text) }),
    ...(diagnostic.notes === undefined
      ? {}
      : { notes: diagnostic.notes.map((note): Note => ({ ...note, message: text(note.message) })) }),
  };
}

/** A plan for others to read. It is no longer one that can be carried out. */
export function redactPlan(plan: Plan, redaction: Redaction): Plan {
  const { text } = redaction;
  const redactCall = (call: Call): Call => ({
    ...call,
    path: Object.fromEntries(
      Object.entries(call.path).map(([key, value]) => [key, typeof value === "string" ? text(value) : value]),
    ),
    params: Object.fromEntries(Object.entries(call.params).map(([key, value]) => [key, redactParam(value, redaction)])),
    for: call.for.map((purpose) => ({ ...purpose, address: redactAddress(purpose.address, redaction) })),
    expects: call.expects.map((expectation) => ({
      ...expectation,
      address: redactAddress(expectation.address, redaction),
      value: redactJson(expectation.value, redaction),
    })),
    creates: call.creates.map((address) => redactAddress(address, redaction)),
  });
  return {
    ...plan,
    changes: plan.changes.map((change) => redactChange(change, redaction)),
    calls: plan.calls.map(redactCall),
    unmanaged: plan.unmanaged.map((item) => ({ ...item, names: item.names.map(text) })),
    guards: plan.guards.map((guard) => ({ ...guard, message: text(guard.message) })),
    warnings: plan.warnings.map((warning) => redactDiagnostic(warning, redaction)),
    side_effects: { ...plan.side_effects, notices_in: plan.side_effects.notices_in.map(text) },
  };
}

function redactParam(value: Param, redaction: Redaction): Param {
  if (typeof value === "string") return redaction.text(value);
  if (isIdOf(value)) return { idOf: redactAddress(value.idOf, redaction) };
  if (value === null || typeof value !== "object") return value;
  if (isParamList(value)) return value.map((item) => redactParam(item, redaction));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redaction.text(key), redactParam(item, redaction)]),
  );
}

function isParamList(value: Param): value is readonly Param[] {
  return Array.isArray(value);
}

/** The matrix for others to read: channels that do not change are no concern of theirs, and are only counted. */
export function redactAccess(access: AccessMatrix, redaction: Redaction): AccessMatrix {
  const { text } = redaction;
  const holders = (held: Holders | undefined): Holders | undefined =>
    held === undefined ? undefined : { ...held, value: redactJson(held.value, redaction) };
  const rows = access.rows.filter(({ isTouched }) => isTouched);
  return {
    ...access,
    rows: rows.map((row) => ({
      ...row,
      name: text(row.name),
      ...(row.was === undefined ? {} : { was: text(row.was) }),
      cells: row.cells.map((cell) => ({ ...cell, before: holders(cell.before), after: holders(cell.after) })),
    })),
    leftOut: access.rows.length - rows.length,
  };
}

/** What apply did, for others to read. */
export function redactResult(result: ApplyResult, redaction: Redaction): ApplyResult {
  const { text } = redaction;
  return {
    ...result,
    plan: redactPlan(result.plan, redaction),
    calls: result.calls.map((call) => ({
      ...call,
      ...(call.message === undefined ? {} : { message: text(call.message) }),
    })),
    conflicts: result.conflicts.map((conflict) => ({
      ...conflict,
      address: redactAddress(conflict.address, redaction),
      name: text(conflict.name),
      planned: redactJson(conflict.planned, redaction),
      found: redactJson(conflict.found, redaction),
      ...(conflict.wanted === undefined ? {} : { wanted: redactJson(conflict.wanted, redaction) }),
    })),
    remaining: result.remaining === null ? null : result.remaining.map((change) => redactChange(change, redaction)),
    problems: result.problems.map((problem) => redactDiagnostic(problem, redaction)),
  };
}
