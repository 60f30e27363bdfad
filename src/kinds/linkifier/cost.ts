import type { DecodeContext } from "../../model/decoding.ts";
import type { LinkifierFields } from "./fields.ts";
import { LONGEST_PATTERN } from "./pattern.ts";
import { sizeOf } from "./size.ts";

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
