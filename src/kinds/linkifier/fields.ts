import type { DecodeContext } from "../../model/decoding.ts";
import { isList, type Json } from "../../model/json.ts";
import type { Pair } from "../../model/objects.ts";
import { LONGEST_PATTERN } from "./pattern.ts";
import { sizeOf } from "./size.ts";

/** A linkifier in canonical form: fields that are left out are null or the empty list. */
export interface LinkifierFields {
  readonly pattern: string;
  readonly url_template: string | null;
  readonly example_input: string | null;
  readonly reverse_template: string | null;
  readonly alternative_url_templates: readonly string[];
}

/** The fields of an item or an object; `pattern` is its name. */
export function fieldsOf(pattern: string, fields: { readonly [field: string]: Json }): LinkifierFields {
  const { alternative_url_templates: alternatives = null } = fields;
  return {
    pattern,
    url_template: textOf(fields.url_template),
    example_input: textOf(fields.example_input),
    reverse_template: textOf(fields.reverse_template),
    alternative_url_templates: isList(alternatives) ? alternatives.map(String) : [],
  };
}

const textOf = (value: Json | undefined): string | null => (typeof value === "string" ? value : null);

/** A linkifier once the plan is applied; undefined if the plan removes it. */
export function fieldsAfter({ declared, live, change }: Pair): LinkifierFields | undefined {
  if (change?.action === "remove") return undefined;
  const pattern = change?.name ?? live?.name;
  if (pattern === undefined) return undefined;
  return fieldsOf(pattern, { ...live?.fields, ...declared?.fields });
}

/**
 * The limit for the cost of all patterns of a file and their examples, in steps of a search. A pattern of a few characters (`a{0,1000}`) compiles to
 * thousands of instructions, and each of them is tried at each character of an example.
 */
export const MOST_PATTERN_STEPS = 50_000_000;
/** The number of steps that compiling an instruction takes, and the number of searches of an example in a run. */
const COMPILING = 250;
const SEARCHES = 10;

const spent = new WeakMap<object, number>();

/** Whether this linkifier still fits into the budget of the file. Its cost is counted in either case. */
export function isAffordable({ pattern, example_input }: LinkifierFields, context: DecodeContext): boolean {
  // A pattern that is too long is refused before it is compiled.
  if (pattern.length > LONGEST_PATTERN) return true;
  const owner = context.patience ?? context;
  const size = sizeOf(pattern);
  const cost = size * (COMPILING + SEARCHES * (example_input?.length ?? 0));
  const total = (spent.get(owner) ?? 0) + cost;
  spent.set(owner, total);
  return total <= MOST_PATTERN_STEPS;
}
