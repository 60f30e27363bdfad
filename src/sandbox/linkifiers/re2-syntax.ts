/**
 * Returns the error in a pattern, in the words of Google's RE2, or its named groups. This parser decides which texts are patterns, and why others are
 * not; `re2js`, whose messages differ, does the matching.
 */
type PatternSyntax = PatternGroups | { readonly reason: string };
export interface PatternGroups {
  readonly groups: readonly string[];
  /** The pattern with the names `g0`, `g1`, …: re2js accepts neither duplicate names nor names that begin with a digit. */
  readonly renamed: string;
  /** The new name of each group; among several with one name, the first counts. */
  readonly newNames: ReadonlyMap<string, string>;
}

/** Reads a pattern, as zulip-api.md §6.3 describes it. */
export function readPattern(pattern: string): PatternSyntax {
  const parser = new PatternParser(pattern);
  try {
    parser.run();
  } catch (thrown) {
    if (thrown instanceof SyntaxProblem) return { reason: thrown.message };
    throw thrown;
  }
  return parser.found();
}

class SyntaxProblem extends Error {
  constructor(what: string, where = "") {
    super(where === "" ? what : `${what}: ${where}`);
  }
}

/** The maximum number of instructions of a compiled pattern. */
const MAX_SIZE = 699_000;
/** The maximum count of a repetition, and the maximum product of nested counts. */
const MAX_REPEAT = 1000;
const POSIX_CLASSES = new Set(
  ["alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word"]
    .concat("xdigit")
    .flatMap((name) => [`[:${name}:]`, `[:^${name}:]`]),
);
const C_ESCAPES = "nrtafv";
const isOctal = (char: string | undefined): boolean => char !== undefined && char >= "0" && char <= "7";
const isHex = (char: string | undefined): boolean => char !== undefined && /^[0-9A-Fa-f]$/.test(char);
const GROUP_NAME = /^[\p{L}\p{Mn}\p{Mc}\p{Nd}\p{Nl}\p{Pc}]+$/u;

/** A parenthesis that is still open, or the whole pattern. */
interface Level {
  /** The product of nested repetition counts of the element to which an operator would now apply. */
  last: number | undefined;
  /** The largest product so far at this level. */
  largest: number;
  /** The number of instructions to which this level compiles, and how many of them belong to the last element. */
  size: number;
  lastSize: number;
}
const emptyLevel = (): Level => ({ last: undefined, largest: 1, size: 0, lastSize: 0 });

class PatternParser {
  private readonly names: { readonly name: string; readonly at: number }[] = [];
  private readonly text: string;
  private at = 0;
  private levels: Level[] = [emptyLevel()];
  /** The instructions for the Unicode classes in the current element. */
  private classSize = 0;

  constructor(text: string) {
    this.text = text;
  }

  run(): void {
    /** Where the repetition that was just read begins: a second one directly after it is refused. */
    let lastRepeat: number | undefined;
    while (this.at < this.text.length) {
      const begin = this.at;
      const isRepeat = this.step(lastRepeat);
      lastRepeat = isRepeat ? begin : undefined;
    }
    if (this.levels.length > 1) throw new SyntaxProblem("missing )", this.text);
    if (this.level.size > MAX_SIZE) throw new SyntaxProblem("pattern too large - compile failed");
  }

  found(): PatternGroups {
    const newNames = new Map<string, string>();
    let renamed = "";
    let rest = 0;
    for (const [index, { name, at }] of this.names.entries()) {
      if (!newNames.has(name)) newNames.set(name, `g${index}`);
      renamed += `${this.text.slice(rest, at)}g${index}`;
      rest = at + name.length;
    }
    return { groups: [...newNames.keys()], renamed: renamed + this.text.slice(rest), newNames };
  }

  /** Reads one construct. @returns whether it was a repetition operator */
  private step(lastRepeat: number | undefined): boolean {
    switch (this.text[this.at]) {
      case "(":
        this.open();
        return false;
      case ")":
        this.close();
        return false;
      case "|":
        this.at += 1;
        this.level.last = undefined;
        return false;
      case "[":
        this.characterClass();
        this.element(1);
        return false;
      case "\\":
        this.escape();
        return false;
      case "*":
      case "+":
      case "?":
        this.repeat({ length: 1, min: 0, max: 0 }, lastRepeat);
        return true;
      case "{": {
        const counts = this.counts();
        if (counts === undefined) break;
        this.repeat(counts, lastRepeat);
        return true;
      }
    }
    this.skipCharacter();
    this.element(1);
    return false;
  }

  private get level(): Level {
    const level = this.levels.at(-1);
    if (level === undefined) throw new Error("a pattern always has its own level");
    return level;
  }
  private element(product: number, size = Math.max(this.classSize, 1)): void {
    const { level } = this;
    level.last = product;
    level.largest = Math.max(level.largest, product);
    level.lastSize = size;
    level.size += size;
    this.classSize = 0;
  }
  private skipCharacter(): string {
    const point = this.text.codePointAt(this.at);
    const char = point === undefined ? "" : String.fromCodePoint(point);
    this.at += char.length;
    return char;
  }
  private rest(from = this.at): string {
    return this.text.slice(from);
  }

  // ---- repetitions

  /** `{n}`, `{n,}` or `{n,m}`; anything else is literal text. */
  private counts(): Counts | undefined {
    const match = /^\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}/.exec(this.rest());
    if (match === null) return undefined;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === undefined ? -1 : Number(match[3]);
    if (min >= TOO_LARGE_TO_BE_A_COUNT || max >= TOO_LARGE_TO_BE_A_COUNT) return undefined;
    return { length: match[0].length, min, max };
  }

  private repeat(counts: Counts, lastRepeat: number | undefined): void {
    const begin = this.at;
    this.at += counts.length;
    if (this.text[this.at] === "?") this.at += 1;
    const operator = this.text.slice(begin, this.at);
    if (lastRepeat !== undefined)
      throw new SyntaxProblem("bad repetition operator", this.text.slice(lastRepeat, this.at));
    const { min, max } = counts;
    if ((max !== -1 && max < min) || min > MAX_REPEAT || max > MAX_REPEAT)
      throw new SyntaxProblem("invalid repetition size", operator);
    const { last } = this.level;
    if (last === undefined) throw new SyntaxProblem("no argument for repetition operator", operator);
    const factor = max === -1 ? min : max;
    const product = last * Math.max(factor, 1);
    if ((min >= 2 || max >= 2) && product > MAX_REPEAT) throw new SyntaxProblem("invalid repetition size", operator);
    // The compiled pattern contains as many copies as may be needed.
    const { lastSize } = this.level;
    this.level.size -= lastSize;
    this.element(product, max === -1 ? lastSize * Math.max(min, 1) + 1 : lastSize * max + (max - min));
  }

  // ---- groups

  private open(): void {
    const rest = this.rest();
    if (!rest.startsWith("(?")) {
      this.at += 1;
      this.push();
      return;
    }
    // A look-around at the very end is not recognized as such.
    const around = /^\(\?<?[=!](?=.)/s.exec(rest);
    if (around !== null) throw new SyntaxProblem("invalid perl operator", around[0]);
    if (/^\(\?P?<./s.test(rest)) this.openNamed(rest);
    else this.flags(rest);
  }

  private openNamed(rest: string): void {
    const end = rest.indexOf(">", 2);
    if (end === -1) throw new SyntaxProblem("invalid named capture group", rest);
    const name = rest.slice(rest.indexOf("<") + 1, end);
    if (!GROUP_NAME.test(name)) throw new SyntaxProblem("invalid named capture group", rest.slice(0, end + 1));
    this.names.push({ name, at: this.at + end - name.length });
    this.at += end + 1;
    this.push();
  }

  /** `(?i)`, `(?i-s:` and so on. */
  private flags(rest: string): void {
    this.at += 2;
    let negated = false;
    let sawFlag = false;
    for (;;) {
      const char = this.at < this.text.length ? this.skipCharacter() : undefined;
      const read = () => rest.slice(0, rest.length - this.rest().length);
      if (char !== undefined && "imsU".includes(char)) {
        sawFlag = true;
      } else if (char === "-" && !negated) {
        negated = true;
        sawFlag = false;
      } else if ((char === ":" || char === ")") && (sawFlag || !negated)) {
        if (char === ":") this.push();
        return;
      } else {
        throw new SyntaxProblem("invalid perl operator", read());
      }
    }
  }

  private push(): void {
    this.levels.push(emptyLevel());
  }
  private close(): void {
    this.at += 1;
    if (this.levels.length === 1) throw new SyntaxProblem("unexpected )", this.text);
    const closed = this.levels.pop();
    this.element(closed?.largest ?? 1, (closed?.size ?? 0) + CAPTURE_SIZE);
  }

  // ---- escapes

  private escape(): void {
    const next = this.text[this.at + 1];
    if (next === "Q") {
      this.at += 2;
      const end = this.text.indexOf("\\E", this.at);
      const stop = end === -1 ? this.text.length : end;
      if (stop > this.at) this.element(1);
      this.at = end === -1 ? stop : stop + 2;
      return;
    }
    if (next !== undefined && "bBAzC".includes(next)) this.at += 2;
    else this.escapedCharacter();
    this.element(1);
  }

  /** `\p{Greek}`, `\d`, or an escape for one character, also inside a class. @returns the character, if it is one */
  private escapedCharacter(inClass = false): number | undefined {
    const next = this.text[this.at + 1];
    if ((next === "p" || next === "P") && !(inClass && this.rest().length <= 2)) {
      this.unicodeClass();
      return undefined;
    }
    if (next !== undefined && "dDsSwW".includes(next)) {
      this.at += 2;
      return undefined;
    }
    return this.escapedRune();
  }

  private unicodeClass(): void {
    const begin = this.at;
    this.at += 2;
    const first = this.skipCharacter();
    let name = first;
    if (first === "{") {
      const end = this.text.indexOf("}", this.at);
      if (end === -1) throw new SyntaxProblem("invalid character class range", this.rest(begin));
      name = this.text.slice(this.at, end);
      this.at = end + 1;
    }
    const known = name.replace(/^\^/, "");
    this.classSize += UNICODE_CLASS_SIZE[known] ?? SMALL_CLASS_SIZE;
    if (!isUnicodeClass(known))
      throw new SyntaxProblem("invalid character class range", this.text.slice(begin, this.at));
  }

  private escapedRune(): number {
    const begin = this.at;
    const bad = () => new SyntaxProblem("invalid escape sequence", this.text.slice(begin, this.at));
    this.at += 1;
    if (this.at >= this.text.length) throw new SyntaxProblem("trailing \\");
    const char = this.skipCharacter();
    if (isOctal(char)) {
      // A single digit other than 0 would be a back-reference.
      if (char !== "0" && !isOctal(this.text[this.at])) throw bad();
      let digits = char;
      while (digits.length < 3 && isOctal(this.text[this.at])) digits += this.skipCharacter();
      return Number.parseInt(digits, 8);
    }
    if (char === "x") return this.hexRune(bad);
    if (C_ESCAPES.includes(char)) return { n: 10, r: 13, t: 9, a: 7, f: 12, v: 11 }[char] ?? 0;
    if (/^[\0-\x7f]$/.test(char) && !/^[0-9A-Za-z]$/.test(char)) return char.codePointAt(0) ?? 0;
    throw bad();
  }

  private hexRune(bad: () => SyntaxProblem): number {
    const read = (): string => {
      if (this.at >= this.text.length) throw bad();
      return this.skipCharacter();
    };
    const first = read();
    if (first !== "{") {
      const second = read();
      if (!isHex(first) || !isHex(second)) throw bad();
      return Number.parseInt(first + second, 16);
    }
    let code = 0;
    let char = read();
    let digits = 0;
    while (isHex(char)) {
      digits += 1;
      code = code * 16 + Number.parseInt(char, 16);
      if (code > 0x10ffff) throw bad();
      char = read();
    }
    if (char !== "}" || digits === 0) throw bad();
    return code;
  }

  // ---- character classes

  private characterClass(): void {
    const begin = this.at;
    const missing = () => new SyntaxProblem("missing ]", this.rest(begin));
    this.at += 1;
    if (this.text[this.at] === "^") this.at += 1;
    for (let first = true; first || this.text[this.at] !== "]"; first = false) {
      if (this.at >= this.text.length) throw missing();
      const rest = this.rest();
      const posix = rest.length > 2 ? /^\[:.*?:\]/s.exec(rest)?.[0] : undefined;
      if (posix !== undefined) {
        if (!POSIX_CLASSES.has(posix)) throw new SyntaxProblem("invalid character class range", posix);
        this.at += posix.length;
        continue;
      }
      this.classRange(missing);
    }
    this.at += 1;
  }

  private classRange(missing: () => SyntaxProblem): void {
    const begin = this.at;
    const low = this.text[this.at] === "\\" ? this.escapedCharacter(true) : this.skipCharacter().codePointAt(0);
    if (low === undefined || this.text[this.at] !== "-") return;
    // "[a-]" means "a" or the hyphen.
    if (this.at + 1 >= this.text.length || this.text[this.at + 1] === "]") return;
    this.at += 1;
    if (this.at >= this.text.length) throw missing();
    const high = this.text[this.at] === "\\" ? this.escapedRune() : (this.skipCharacter().codePointAt(0) ?? 0);
    if (high < low) throw new SyntaxProblem("invalid character class range", this.text.slice(begin, this.at));
  }
}

interface Counts {
  readonly length: number;
  readonly min: number;
  /** The largest number of repetitions; -1: no end. */
  readonly max: number;
}
/** The largest number that RE2 reads; longer ones are literal text. */
const TOO_LARGE_TO_BE_A_COUNT = 100_000_000;

const CAPTURE_SIZE = 2;
/** Measured: the instructions for large Unicode classes or for their complements, whichever are fewer. */
const UNICODE_CLASS_SIZE: { readonly [name: string]: number } = {
  L: 1540,
  Lu: 940,
  Ll: 980,
  Lo: 1270,
  Lm: 374,
  M: 725,
  Mn: 750,
  Mc: 388,
  N: 353,
  Nd: 342,
  P: 482,
  S: 626,
  So: 528,
  Common: 510,
};
const SMALL_CLASS_SIZE = 60;

/** Whether the name is `Any`, a general category or the long name of a script; RE2 has Unicode 15, and no other properties. */
function isUnicodeClass(name: string): boolean {
  if (/^(?:Any|C[cfos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/.test(name)) return true;
  if (!/^[A-Z][A-Za-z_]+$/.test(name) || NO_SCRIPTS.test(name) || (name.length === 4 && !FOUR_LETTERS.test(name)))
    return false;
  try {
    return new RegExp(`\\p{Script=${name}}`, "u").source !== "";
  } catch {
    return false;
  }
}
/** Scripts whose own name has four letters; all other names of four letters are short ones. */
const FOUR_LETTERS = /^(?:Ahom|Cham|Kawi|Lisu|Miao|Modi|Newa|Thai|Toto)$/;
/** Scripts of later versions of Unicode, and what is none. */
const NO_SCRIPTS =
  /^(?:Beria_Erfe|Garay|Gurung_Khema|Kirat_Rai|Ol_Onal|Sidetic|Sunuwar|Tai_Yo|Todhri|Tolong_Siki|Tulu_Tigalari|Unknown|Katakana_Or_Hiragana)$/;
