import { RE2JS } from "re2js";
import type { PatternCause } from "../../model/diagnostics/linkifiers.ts";
import { quote } from "../../model/diagnostics/values.ts";

/** The scripts of RE2, which knows no other property of Unicode: no binary ones (`Emoji`), and no short names (`Grek`). */
const SCRIPTS: ReadonlySet<string> = new Set(
  [
    "Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki",
    "Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee",
    "Chorasmian Common Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan",
    "Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi",
    "Gurmukhi Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited",
    "Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi",
    "Khitan_Small_Script Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani",
    "Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui",
    "Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari",
    "New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian",
    "Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong",
    "Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian",
    "Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le",
    "Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Toto Ugaritic Vai",
    "Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square",
  ].flatMap((line) => line.split(" ")),
);
const CATEGORY = /^(?:C[cfos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|Any)$/;

/** `\\Q…\\E`, a class by its name, or another escape. */
const ESCAPE = /\\Q[\s\S]*?(?:\\E|$)|\\[pP](?:\{\^?([^}]*)\}|([^{]))|\\[\s\S]/gu;

/** The first class of a pattern that RE2 does not know, as it is written. */
function unknownClass(pattern: string): string | undefined {
  for (const [written, long, short] of pattern.matchAll(ESCAPE)) {
    const name = long ?? short;
    if (name !== undefined && !CATEGORY.test(name) && !SCRIPTS.has(name)) return written;
  }
  return undefined;
}

/** Where a pattern was found in a text (UTF-16 positions, the end exclusive) and the values of its groups. */
interface Match {
  readonly start: number;
  readonly end: number;
  /** The values of groups by name; of several groups with one name, the first that took part in the match. */
  readonly groups: ReadonlyMap<string, string>;
}

export interface Pattern {
  /** Named groups in the order of the pattern, each once. */
  readonly groups: readonly string[];
  /** The first match anywhere in a text. */
  find(text: string): Match | undefined;
}

type Read = { readonly pattern: Pattern } | { readonly cause: PatternCause };

/** A run plans several times, and uses every pattern twice each time; most of the time was spent on compiling them. */
const known = new Map<string, Read>();
const MOST_KNOWN = 1000;

/** A regular expression of RE2 (zulip-api.md §6.3), or why it is not one. */
export function readPattern(source: string): Read {
  const read = known.get(source) ?? compile(source);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(source, read);
  return read;
}

function compile(source: string): Read {
  if (source.length > LONGEST_PATTERN)
    return { cause: { cause: "too-long", length: source.length, limit: LONGEST_PATTERN } };
  const unknown = unknownClass(source);
  if (unknown !== undefined) return syntax(`invalid character class range: ${unknown}`);
  if (sizeOf(source, leastSize) > LARGEST_PROGRAM) return syntax("pattern too large - compile failed");
  const readable = withoutBytes(source);
  const named = namedGroups(readable);
  // re2js accepts each name once and only ASCII names; RE2 accepts more, so every group gets a generated name.
  const renamed = renameGroups(readable, named);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(renamed);
  } catch (thrown) {
    return { cause: reasonOf(source, thrown) };
  }
  return {
    pattern: {
      groups: [...new Set(named.map(({ name }) => name))],
      find(text) {
        const matcher = compiled.matcher(text);
        if (!matcher.find()) return undefined;
        const groups = new Map<string, string>();
        named.forEach(({ name }, index) => {
          const value = matcher.group(ownName(index));
          if (value !== null && !groups.has(name)) groups.set(name, value);
        });
        for (const { name } of named) if (!groups.has(name)) groups.set(name, "");
        return { start: matcher.start(), end: matcher.end(), groups };
      },
    },
  };
}

const syntax = (reason: string): Read => ({ cause: { cause: "syntax", reason: quote(reason) } });

/**
 * The pattern as the server uses it in messages: only after white space, a quote or an opening bracket (or at the start), and not followed by a
 * letter or digit.
 */
export function readPatternInText(source: string): Pattern | undefined {
  const read = readPattern(`(?:^|[\\s'"(,:<])(?P<${WHOLE}>(?:${source}))(?:$|[^\\pL\\pN])`);
  return "pattern" in read ? read.pattern : undefined;
}
const WHOLE = "realmctl_whole";

/** Where such a pattern matches, without what has to stand around it. */
export function findInText(
  pattern: Pattern,
  text: string,
): { readonly start: number; readonly end: number } | undefined {
  const match = pattern.find(text);
  const whole = match?.groups.get(WHOLE);
  if (match === undefined || whole === undefined) return undefined;
  const start = text.indexOf(whole, match.start);
  return { start, end: start + whole.length };
}

interface NamedGroup {
  /** Position of `(`. */
  readonly start: number;
  /** Position behind `>`. */
  readonly end: number;
  readonly name: string;
}

/** Sticky, and no name contains a bracket: each opening is examined once, however many are never closed. */
const OPENING = /\(\?P?<([\p{L}\p{Mn}\p{Mc}\p{Nd}\p{Nl}\p{Pc}]+)>/uy;
const POSIX_CLASS = /\[:\^?[a-z]+:\]/y;

/** Nobody writes a longer name; its replacement below is as long as the pattern. */
export const LONGEST_PATTERN = 10_000;

/**
 * Openings of named groups outside of escapes, `\Q…\E` and character classes. Names that RE2 refuses are left out.
 * @param bytes gets the places of `\\C`
 */
function namedGroups(source: string, bytes: number[] = []): readonly NamedGroup[] {
  const found: NamedGroup[] = [];
  let at = 0;
  while (at < source.length) {
    if (source.startsWith("\\Q", at)) {
      const end = source.indexOf("\\E", at + 2);
      at = end === -1 ? source.length : end + 2;
    } else if (source[at] === "\\") {
      if (source[at + 1] === "C") bytes.push(at);
      at += 2;
    } else if (source[at] === "[") {
      at = classEnd(source, at);
    } else {
      OPENING.lastIndex = at;
      const opening = OPENING.exec(source);
      if (opening !== null) found.push({ start: at, end: at + opening[0].length, name: opening[1] ?? "" });
      at += 1;
    }
  }
  return found;
}

/** The position after the `]` of the class that starts at `start`; a `]` directly at its beginning is one of its characters. */
function classEnd(source: string, start: number): number {
  let at = start + 1;
  if (source[at] === "^") at += 1;
  if (source[at] === "]") at += 1;
  while (at < source.length && source[at] !== "]") {
    POSIX_CLASS.lastIndex = at;
    const posix = POSIX_CLASS.exec(source);
    at += posix !== null ? posix[0].length : source[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}

/** RE2 has `\\C` for one byte, and re2js does not: here it is one character. */
function withoutBytes(source: string): string {
  const bytes: number[] = [];
  namedGroups(source, bytes);
  const ends = [0, ...bytes.map((at) => at + 2)];
  return ends.map((from, index) => source.slice(from, bytes[index])).join("(?s:.)");
}

function renameGroups(source: string, named: readonly NamedGroup[]): string {
  let renamed = "";
  let copied = 0;
  named.forEach(({ start, end }, index) => {
    renamed += `${source.slice(copied, start)}(?P<${ownName(index)}>`;
    copied = end;
  });
  return renamed + source.slice(copied);
}

const ownName = (index: number): string => `g${index}`;

function reasonOf(source: string, thrown: unknown): PatternCause {
  if (/\(\?<?[=!]/.test(source)) return { cause: "look-around" };
  if (/\\[1-9]/.test(source)) return { cause: "back-reference" };
  if (/\(\?P=/.test(source)) return { cause: "named-back-reference" };
  const ownWords = messageOf(source);
  const message = ownWords === undefined || /group name|named capture/.test(ownWords) ? String(thrown) : ownWords;
  return { cause: "syntax", reason: quote(message.replace(/^.*error parsing regexp: /, "")) };
}

/** The message of re2js about the original pattern, with the original names of groups. */
function messageOf(source: string): string | undefined {
  try {
    RE2JS.compile(source);
    return undefined;
  } catch (thrown) {
    return String(thrown);
  }
}

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
