import { CHANNEL } from "../access/scope.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { GuardAbout, RiskFact } from "../model/facts.ts";
import { addTo } from "../model/indexed.ts";
import { isObject } from "../model/json.ts";
import { grouped } from "../model/words.ts";
import { shownMessage } from "./layout.ts";
import type { Style } from "./style.ts";
import { nameList } from "./values.ts";

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
