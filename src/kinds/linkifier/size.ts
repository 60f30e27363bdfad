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
  /^\\[pP](?:\{\^?\w{1,40}\}|\w)/.exec(pattern.slice(start, start + 50))?.[0].length ?? 2;
const LONGEST_CLASS = 200;

/** The most instructions that RE2 compiles a pattern to. */
export const LARGEST_PROGRAM = 699_000;

/** The least instructions that one character or class has in RE2, which matches bytes: those of the largest Unicode class in it. */
export const leastSize = (element: string): number => 0.97 * Math.max(plainSize(element), ...classSizes(element));
/** The most that it has: classes in brackets share some. */
export const mostSize = (element: string): number =>
  1.05 * classSizes(element).reduce((sum, size) => sum + size, plainSize(element));

const plainSize = (element: string): number => (/^(?:\.|\[\^|\\[DSW]$)/.test(element) ? ANY_SIZE : 1);

function classSizes(element: string): readonly number[] {
  const isNegated = element.startsWith("[^");
  return [...element.matchAll(/\\([pP])\{?(\^?)(\w+)/g)].map(([, letter, caret, name = ""]) => {
    const [own, others] = CLASS_SIZES[name] ?? [SMALL_CLASS_SIZE, SMALL_CLASS_SIZE];
    return [letter === "P", caret === "^", isNegated].filter(Boolean).length % 2 === 1 ? others : own;
  });
}

const ANY_SIZE = 12;
const SMALL_CLASS_SIZE = 30;
/**
 * For a class, and for what is not in it: the limit divided by the number that google-re2 (1.1.20251105, Unicode 15) compiles one after the other, to within
 * three percent. Estimated from the size of compiled programs: Ps, Pe, Sm, and what is in Mn, M, So, Common, P, Po, Mc, No, Lm, Arabic, Latin, Inherited.
 */
const CLASS_SIZES: { readonly [name: string]: readonly [own: number, others: number] } = {
  L: [1578, 1513],
  Lo: [1255, 1316],
  Ll: [931, 1046],
  Lu: [890, 997],
  Mn: [750, 1046],
  M: [725, 980],
  S: [627, 787],
  So: [528, 640],
  Common: [510, 580],
  P: [482, 787],
  Po: [460, 749],
  Mc: [400, 590],
  N: [355, 637],
  No: [230, 384],
  Lm: [180, 374],
  Ps: [180, 230],
  Pe: [170, 225],
  Sm: [160, 240],
  Nd: [146, 349],
  Arabic: [140, 176],
  Han: [125, 125],
  Latin: [110, 176],
  C: [103, 165],
  Inherited: [95, 183],
};
