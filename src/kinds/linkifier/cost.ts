import type { DecodeContext } from "../../model/decoding.ts";
import type { LinkifierFields } from "./fields.ts";
import { LONGEST_PATTERN } from "./pattern.ts";

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

const COUNT = /\{(\d{1,5})(?:,(\d{0,5}))?\}/y;

/** An estimate of the instructions that a pattern compiles to: its characters, with their repetitions. Each character is examined once. */
export function sizeOf(pattern: string): number {
  // The sizes of the open groups, and of the last item that can be repeated in each.
  const open = [{ size: 1, last: 0 }];
  let at = 0;
  while (at < pattern.length) {
    const top = open.at(-1) ?? { size: 1, last: 0 };
    const character = pattern[at];
    COUNT.lastIndex = at;
    const count = character === "{" ? COUNT.exec(pattern) : null;
    if (count !== null) {
      const times = Math.max(1, Number(count[1]), Number(count[2] ?? 0));
      top.size += top.last * (times - 1);
      top.last *= times;
      at += count[0].length;
      continue;
    }
    if (character === "(") open.push({ size: 1, last: 0 });
    else if (character === ")" && open.length > 1) {
      open.pop();
      const outer = open.at(-1);
      if (outer !== undefined) {
        outer.last = top.size + 1;
        outer.size += outer.last;
      }
    } else {
      top.last = 1;
      top.size += 1;
    }
    at += character === "\\" ? 2 : character === "[" ? Math.max(1, classLength(pattern, at)) : 1;
  }
  return open.reduce((total, { size }) => total + size, 0);
}

/** The size of `[…]` is one, whatever it contains. An unfinished one is a character, and RE2 refuses the pattern. */
function classLength(pattern: string, start: number): number {
  const end = /^\[\^?\]?(?:\\[\s\S]|\[:\^?[a-z]+:\]|[^\]\\])*\]/.exec(pattern.slice(start, start + LONGEST_CLASS));
  return end?.[0].length ?? 1;
}
const LONGEST_CLASS = 200;
