import { CHANNEL } from "../access/scope.ts";
import { clean } from "../model/clean.ts";
import { defined } from "../model/defined.ts";
import { type Diagnostic, type FactDiagnostic, warning } from "../model/diagnostic.ts";
import type { GuardAbout, RiskFact } from "../model/facts.ts";
import { isObject } from "../model/json.ts";
import { addTo } from "../model/lazy.ts";
import { grouped } from "../model/words.ts";
import { below, diagnosticLines, type Line, placeText, shownMessage } from "./layout.ts";
import type { Style } from "./style.ts";
import { nameList } from "./values.ts";
import type { SaidDiagnostic } from "./words/diagnostics.ts";

/** A text that is equal for diagnostics that differ only in their object and place; undefined for one with notes, which has places of its own. */
export function diagnosticLikeness(diagnostic: Diagnostic | SaidDiagnostic): string | undefined {
  const { severity, code, notes = [] } = diagnostic;
  if (notes.length > 0) return undefined;
  if ("fact" in diagnostic) {
    const { fact, unresolved } = diagnostic;
    // Whoever sees no addresses gets the same for each of them, and the cause is not in the file.
    const now = "hidden" in fact && fact.hidden > 0 ? undefined : unresolved?.now;
    return JSON.stringify([severity, code, likenessOf(fact), now ?? null]);
  }
  return JSON.stringify([severity, code, diagnostic.message, diagnostic.hint, diagnostic.footnotes]);
}

/** The objects of the diagnostics that are like the first one, with their places. */
export function sameFor(style: Style, group: Alike<Diagnostic | SaidDiagnostic>): string {
  const nameOf = (one: Diagnostic | SaidDiagnostic): string | undefined =>
    "fact" in one ? subjectOf(one.fact) : undefined;
  const own = nameOf(group.first);
  return othersText(style, group, (one) => {
    const [name, place] = [nameOf(one), placeText(one.at)];
    // A word that is misspelt everywhere is written once.
    if (name === undefined || name === own) return place === "" ? undefined : place;
    return place === "" ? name : `${name} (${place})`;
  });
}

/** What is held comes last: the name that does not resolve is its cause, wherever both are in the file. */
export const causesFirst = <T extends { readonly code: string }>(diagnostics: readonly T[]): readonly T[] => {
  const isHeld = ({ code }: T): boolean => code === "reference/held";
  return [...diagnostics.filter((one) => !isHeld(one)), ...diagnostics.filter(isHeld)];
};

/** With more of one code than this, the others are counted. */
const MOST_OF_CODE = 10;

/** Diagnostics in short, each with those that are like it. @param all every one by itself */
export function shortLines(diagnostics: readonly Diagnostic[], style: Style, all: boolean): readonly Line[] {
  const groups = alikeIn(causesFirst(diagnostics), (one) => (all ? undefined : diagnosticLikeness(one)));
  const seen = new Map<string, number>();
  const left = new Map<string, number>();
  const lines = groups.flatMap((group) => {
    const { first, others } = group;
    const kind = `${first.severity}[${first.code}]`;
    const number = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, number);
    if (!all && number > MOST_OF_CODE) {
      left.set(kind, (left.get(kind) ?? 0) + 1 + others.length);
      return [];
    }
    return [...diagnosticLines(first, style), below(clean(sameFor(style, group)))];
  });
  return [...lines, ...[...left].map(([kind, number]) => `  ${kind}: ${grouped(number)} more (--all shows them)`)];
}

/** More warnings of the same code than this are shown as one. */
const MOST_APART = 3;

/** Warnings as a person reads them: private channels that leave somebody out are one warning if there are many. JSON and `all` have each. */
export function gathered(warnings: readonly Diagnostic[], all: boolean): readonly Diagnostic[] {
  return all ? warnings : gatheredOf("channels/unset-opening", gatheredOf("channels/unlisted", warnings));
}

/** Who reads a private channel, or can come to, and is not in its list. */
type Readers = FactDiagnostic<"channels/unlisted" | "channels/unset-opening">;

const isReaders = (one: Diagnostic): one is Readers =>
  one.code === "channels/unlisted" || one.code === "channels/unset-opening";

function gatheredOf(code: Readers["code"], warnings: readonly Diagnostic[]): readonly Diagnostic[] {
  const several = warnings.flatMap((one) =>
    isReaders(one) && one.code === code && "name" in one.fact ? [one.fact] : [],
  );
  if (several.length <= MOST_APART) return warnings;
  const fact = {
    names: several.map(({ name }) => name),
    people: union(several.map(({ people }) => people)),
    bots: union(several.map(({ bots }) => bots)),
  };
  const isAdditive = several.some((one) => "is_additive" in one);
  const together: Diagnostic =
    code === "channels/unlisted"
      ? warning(code, { ...fact, ...defined({ is_additive: isAdditive ? (true as const) : undefined }) })
      : warning("channels/unset-opening", fact);
  const first = warnings.findIndex((one) => one.code === code);
  return warnings.flatMap((one, index): readonly Diagnostic[] =>
    one.code !== code ? [one] : index === first ? [together] : [],
  );
}

/** Of a thousand lists with a thousand ids each, all ids once. */
function union(lists: readonly (readonly number[])[]): readonly number[] {
  const all = new Set<number>();
  for (const list of lists) for (const id of list) all.add(id);
  return [...all];
}

/** Findings that differ only in their object and place, as one: a single cause has one for each of many objects. */
export interface Alike<T> {
  readonly first: T;
  readonly others: readonly T[];
}

/** Fewer similar findings than this are shown one by one. */
const ALIKE_FROM = 4;
/** The number of objects that are named behind the first one. */
const MOST_NAMED = 8;

/** @param keyOf equal for similar findings; undefined for one that is shown by itself */
export function alikeIn<T>(items: readonly T[], keyOf: (item: T) => string | undefined): readonly Alike<T>[] {
  const groups = new Map<string, T[]>();
  const keys = items.map((item, index) => keyOf(item) ?? `alone ${index}`);
  for (const [index, item] of items.entries()) addTo(groups, keys[index] ?? "", item);
  return items.flatMap((item, index): readonly Alike<T>[] => {
    const group = groups.get(keys[index] ?? "") ?? [];
    if (group.length < ALIKE_FROM) return [{ first: item, others: [] }];
    return group[0] === item ? [{ first: item, others: group.slice(1) }] : [];
  });
}

/** "the same for 26 more: #a, #b, …"; without names "the same 26 more times"; empty if the finding is alone. */
export function othersText<T>(style: Style, { others }: Alike<T>, nameOf: (item: T) => string | undefined): string {
  if (others.length === 0) return "";
  const names = others.slice(0, MOST_NAMED + 2).map(nameOf);
  const known = names.filter((name) => name !== undefined);
  const number = grouped(others.length);
  if (known.length < names.length) return `the same ${number} more times`;
  const rest = Array.from({ length: others.length - known.length }, () => "");
  return `the same for ${number} more: ${nameList(style, [...known.map(shownMessage), ...rest], MOST_NAMED)}`;
}

/** The first name in a fact: the object that it is about. */
function subjectIn(fact: object): { readonly key: string; readonly name: string } | undefined {
  for (const [key, value] of Object.entries(fact)) {
    if (!isObject(value)) continue;
    const { quoted, of, address, name } = value;
    if (typeof quoted === "string") return { key, name: of === CHANNEL ? `#${quoted}` : JSON.stringify(quoted) };
    if (typeof address === "string" && typeof name === "string")
      return { key, name: `${address.startsWith(`${CHANNEL}:`) ? "#" : ""}${name}` };
  }
  return undefined;
}

/** What a finding is about, if its fact says so. */
export function subjectOf(fact: RiskFact | GuardAbout | Diagnostic["fact"]): string | undefined {
  return subjectIn(fact)?.name ?? ("right" in fact ? subjectIn(Object(fact.right))?.name : undefined);
}

/** A text that is equal for facts that differ only in what they are about. */
export function likenessOf(fact: RiskFact | GuardAbout | Diagnostic["fact"]): string {
  const own = subjectIn(fact);
  if (own !== undefined) return JSON.stringify({ ...fact, [own.key]: null });
  if (!("right" in fact)) return JSON.stringify(fact);
  const right: object = Object(fact.right);
  const nested = subjectIn(right);
  return JSON.stringify({ ...fact, right: nested === undefined ? right : { ...right, [nested.key]: null } });
}
