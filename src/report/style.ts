import { clean, HALVES, replaceInvisible } from "../model/clean.ts";
import { grouped } from "../model/words.ts";

/** The style of a report. The command chooses it once, and passes it to every renderer. */
export interface Style {
  readonly colour: boolean;
  /** Columns of the terminal; 100 when the output is no terminal. */
  readonly width: number;
  /** Arrows, ticks and dots beyond ASCII. */
  readonly unicode: boolean;
  /** The only file of a report: on a narrow terminal, places are lines of it. */
  readonly file?: string;
  /** What advised commands need besides their own words, to be about the same files and account as the command that advises them. */
  readonly advised?: AdvisedWords;
}

export const PLAIN: Style = { colour: false, width: 100, unicode: true };

/** The parts of the process that decide about the style; tests pass their own. */
interface StyleSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTTY: boolean;
  readonly columns?: number | undefined;
}

const NARROWEST = 24;
const WIDEST = 140;

/**
 * Colour is only used on a terminal. `NO_COLOR` (if not empty) turns it off, and `FORCE_COLOR` (except `0`) turns it on elsewhere. `TERM=dumb|linux`
 * and locales that name another character set than UTF-8 get ASCII signs. Containers have `C`, which names none, and write to logs that show all signs.
 */
export function styleOf(source: StyleSource): Style {
  const { env } = source;
  const forbidden = (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb";
  const asked = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "" && env.FORCE_COLOR !== "0";
  const columns = source.isTTY ? source.columns : Number.parseInt(env.COLUMNS ?? "", 10);
  const width = columns === undefined || Number.isNaN(columns) || columns <= 0 ? PLAIN.width : columns;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  const otherCharset = locale.includes(".") && !/utf-?8/i.test(locale);
  return {
    colour: asked ? (env.NO_COLOR ?? "") === "" : source.isTTY && !forbidden && env.FORCE_COLOR !== "0",
    width: Math.max(NARROWEST, Math.min(WIDEST, width)),
    unicode: !(otherCharset || env.TERM === "linux" || env.TERM === "dumb"),
  };
}

const ESCAPE = "\u001b";
const CODES = {
  risk: "1;31",
  add: "32",
  change: "33",
  remove: "31",
  good: "32",
  bold: "1",
  dim: "2",
  added: "32;4",
  removed: "31;9",
} as const;
export type Paint = keyof typeof CODES;

/** Colour only repeats a sign; without colour the text is complete. */
export function paint(style: Style, how: Paint, text: string): string {
  return style.colour && text !== "" ? `${ESCAPE}[${CODES[how]}m${text}${ESCAPE}[0m` : text;
}

const SIGNS = {
  arrow: ["→", "->"],
  dot: ["·", "|"],
  more: ["…", "..."],
  done: ["✓", "ok"],
  failed: ["✗", "x"],
  skipped: ["–", "-"],
  running: ["▸", ">"],
} as const;

export function sign(style: Style, name: keyof typeof SIGNS): string {
  return SIGNS[name][style.unicode ? 0 : 1];
}

/** Replaces a space at which {@link wrap} must not break; {@link clean} leaves none in foreign text. */
const GLUE = "\u0000";
/** The maximum length of a part that is never broken. Longer ones would not fit on a line of a narrow terminal. */
const LONGEST_GLUED = 34;

/** Joins the parts of one line with the style's middle dot, to be wrapped between them; empty parts are left out. */
export function dotted(style: Style, parts: readonly string[]): string {
  return whole(parts).join(`${GLUE}${sign(style, "dot")} `);
}

/** The same with commas. */
export const listed = (parts: readonly string[]): string => whole(parts).join(", ");

const whole = (parts: readonly string[]): readonly string[] =>
  parts.filter((part) => part !== "").map((part) => (displayWidth(part) > LONGEST_GLUED ? part : glued(part)));

/** A text that {@link wrap} keeps on one line. */
export function glued(text: string): string {
  return text.replaceAll(" ", GLUE);
}

export function unglued(text: string): string {
  return text.replaceAll(GLUE, " ");
}

/** JSON text with the same characters escaped as JSON escapes them: still the same value. */
export function cleanJson(json: string): string {
  return replaceInvisible(json, escapedAsJson).replace(HALVES, escapedAsJson);
}

function escapedAsJson(character: string): string {
  if (character === "\n") return character;
  return Array.from({ length: character.length }, (_, unit) => {
    return `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`;
  }).join("");
}

/** Almost every line of a report: ASCII and {@link SIGNS}. */
const ONE_COLUMN_EACH = /^[ -~→·…✓✗–▸]*$/;
const ANSI = new RegExp(`${ESCAPE}\\[[0-9;]*m`, "gu");
const CODE_OR_CHARACTER = new RegExp(`${ESCAPE}\\[[0-9;]*m|.`, "gsu");
const ZERO_WIDTH = /^[\p{M}\p{Cf}]$/u;
const WIDE_EMOJI = /^\p{Emoji_Presentation}$/u;
/** East Asian wide and full-width characters, as pairs of first and last code point (Unicode TR 11). */
const WIDE = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
] as const;

/** Columns that a terminal needs for the text; colour codes need none. */
export function displayWidth(text: string): number {
  if (ONE_COLUMN_EACH.test(text)) return text.length;
  let width = 0;
  for (const character of text.replace(ANSI, "")) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (ZERO_WIDTH.test(character)) return 0;
  const code = character.codePointAt(0) ?? 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) || WIDE_EMOJI.test(character) ? 2 : 1;
}

export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** The text without colour codes, cut to the width with "…" at its end. */
export function shorten(style: Style, text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const more = sign(style, "more");
  if (ONE_COLUMN_EACH.test(text)) return `${text.slice(0, Math.max(0, width - more.length))}${more}`;
  let kept = "";
  let used = displayWidth(more);
  for (const character of text) {
    used += characterWidth(character);
    if (used > width) break;
    kept += character;
  }
  return kept + more;
}

/**
 * The beginning of a value or name that may be very long, and its length: `aaaa… (80,000 characters)`. A text of at most `most` columns stays as it
 * is.
 */
export function bounded(style: Style, text: string, most: number): string {
  // A text of this length is wide enough in any case, so the rest is not examined.
  const head = text.slice(0, most * 4 + 100);
  if (head.length === text.length && displayWidth(text) <= most) return text;
  const length = ` (${grouped(text.length)} characters)`;
  return `${shorten(style, head, most - length.length).replace(/(?:…|[.]{3})$/, "")}${sign(style, "more")}${length}`;
}

/** Breaks at spaces into lines of at most `width` columns; a longer word is broken if necessary. Takes linear time. */
export function wrap(text: string, width: number): readonly string[] {
  if (displayWidth(text) <= width) return [unglued(text)];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    const own = displayWidth(word);
    if (line === "" ? own <= width : used + 1 + own <= width) {
      used = line === "" ? own : used + 1 + own;
      line = line === "" ? word : `${line} ${word}`;
      continue;
    }
    if (line !== "") lines.push(line);
    const pieces = own <= width ? [word] : piecesOf(word, width);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? "";
    used = displayWidth(line);
  }
  if (line !== "") lines.push(line);
  return lines.map(unglued);
}

/** Behind these signs in its second half, a piece of a long name or address ends. */
const BREAKABLE = /[-_/.,:@&?=]/u;

/** The number of characters of a piece before the place where a reader expects it to break; all of them if there is none. */
function breakIn(piece: string): number {
  for (let at = piece.length; at > piece.length / 2; at -= 1) if (BREAKABLE.test(piece.charAt(at - 1))) return at;
  return piece.length;
}

/** A word cut into pieces that fit, of at least one character; a colour code is never broken, and takes no room. */
function piecesOf(word: string, width: number): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const [character] of word.matchAll(CODE_OR_CHARACTER)) {
    const own = character.startsWith(ESCAPE) ? 0 : characterWidth(character);
    if (used + own > width && piece !== "") {
      const end = breakIn(piece);
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end);
      used = displayWidth(piece);
    }
    piece += character;
    used += own;
  }
  return piece === "" ? pieces : [...pieces, piece];
}

/** Command → words that follow its name, each after a space; with {@link PART} behind it, those of one that says which part of the file it is about. */
export type AdvisedWords = { readonly [command: string]: string };

export const PART = "--only";

/** A sentence with advice, whose commands can be run as they are: with the file, the account and the guard rails of the command that gives it. */
export function runnable(text: string, words: AdvisedWords = {}): string {
  return text.replaceAll(
    /\brealmctl ([a-z]+)(?! \S+\.ya?ml)(?![\w-])(?=( --only| --except| --with-needs)?)/g,
    (whole, command: string, part: string | undefined) => {
      const own = part === undefined ? command : `${command} ${PART}`;
      return Object.hasOwn(words, own) ? `${whole}${words[own]}` : whole;
    },
  );
}
