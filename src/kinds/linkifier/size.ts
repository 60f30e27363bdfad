const COUNT = /\{(\d{1,5})(?:,(\d{0,5}))?\}/y;

/**
 * An estimate of the instructions that a pattern compiles to: its characters, with their repetitions. Each character is examined once.
 * @param elementSize the instructions for one character, escape or class
 */
export function sizeOf(pattern: string, elementSize: (element: string) => number = () => 1): number {
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
    }
    const length = character === "\\" ? escapeLength(pattern, at) : character === "[" ? classLength(pattern, at) : 1;
    if (!/[(){]/.test(character ?? "")) {
      top.last = elementSize(pattern.slice(at, at + length));
      top.size += top.last;
    }
    at += length;
  }
  return open.reduce((total, { size }) => total + size, 0);
}

/** The size of `[…]` is one, whatever it contains. An unfinished one is a character, and RE2 refuses the pattern. */
function classLength(pattern: string, start: number): number {
  const end = /^\[\^?\]?(?:\\[\s\S]|\[:\^?[a-z]+:\]|[^\]\\])*\]/.exec(pattern.slice(start, start + LONGEST_CLASS));
  return end?.[0].length ?? 1;
}

const escapeLength = (pattern: string, start: number): number =>
  /^\\[pP]\{\w{1,40}\}/.exec(pattern.slice(start, start + 50))?.[0].length ?? 2;
const LONGEST_CLASS = 200;

/** The most instructions that RE2 compiles a pattern to. */
export const LARGEST_PROGRAM = 699_000;

/** The instructions of one character or class in RE2, which matches bytes. Measured; the complement of a class is about as large. */
export function re2Size(element: string): number {
  if (element === "." || element.startsWith("[^")) return ANY_SIZE;
  let size = 0;
  for (const [, name = ""] of element.matchAll(/\\[pP]\{?\^?(\w+)/g)) size += CLASS_SIZES[name] ?? SMALL_CLASS_SIZE;
  return Math.max(size, 1);
}
const ANY_SIZE = 12;
const SMALL_CLASS_SIZE = 20;
const CLASS_SIZES: { readonly [name: string]: number } = {
  L: 1567,
  Lo: 1290,
  Ll: 1030,
  Lu: 990,
  Mn: 750,
  M: 725,
  S: 626,
  So: 528,
  Common: 510,
  P: 482,
  Po: 460,
  Mc: 400,
  N: 353,
  No: 230,
  Lm: 374,
  Ps: 180,
  Pe: 170,
  Sm: 160,
  Arabic: 140,
  Nd: 342,
  Latin: 110,
  C: 100,
  Inherited: 95,
};
