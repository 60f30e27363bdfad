/** Halves of surrogate pairs; the table in src/model has all other characters that could make a terminal show a different text. */
export const HALVES = /\p{Cs}/gu;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const PRINTABLE_ASCII = /^[ -~]*$/;

/** Text of the server or of a file, safe to print on one line: `\n`, `\u001b`, `\u202e` (YAML's escapes) instead of their effects. */
export function clean(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : replaceInvisible(text, escaped).replace(HALVES, escaped);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return SHORT_ESCAPES[character] ?? (code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`);
}

/**
 * The one table of characters that are invisible, or that make other characters look different: controls and line ends, everything that Unicode
 * allows a program to hide (Default_Ignorable_Code_Point: soft hyphens, joiners, marks of direction, fillers, variation selectors, tags), and
 * characters that have a width and no visible form.
 */
const TABLE = new RegExp(
  [
    "[\\u{0}-\\u{1f}\\u{7f}-\\u{9f}",
    "\\p{Default_Ignorable_Code_Point}",
    // The Hangul fillers are in Unicode's list; the blank of Braille, separators and interlinear annotations are not.
    "\\u{2800}\\u{2028}\\u{2029}\\u{fff9}-\\u{fffb}]",
  ].join(""),
  "gu",
);
const SOME = new RegExp(TABLE.source, "u");

/** Scripts whose letters change their form when they are joined, or kept apart. */
const JOINING = [
  ...["Arabic", "Syriac", "Nko", "Mandaic", "Mongolian", "Phags_Pa", "Adlam", "Tibetan", "Khmer", "Myanmar", "Sinhala"],
  ...["Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Balinese"],
];
const JOINED = new RegExp(`^[${JOINING.map((script) => `\\p{Script=${script}}`).join("")}]$`, "u");
const MARK = /^\p{M}$/u;
const PICTURE = /^\p{Extended_Pictographic}$/u;
/** Characters that may be between a picture and the joiner after it. */
const OF_PICTURE = /^[\u{fe0f}\u{1f3fb}-\u{1f3ff}]$/u;
const HAN = /^\p{Script=Han}$/u;

const [NON_JOINER, JOINER] = [0x200c, 0x200d];

/**
 * Whether the character is part of normal writing. Persian and the languages of India need joiners, emoji consist of joiners and selectors, and
 * Japanese names have variants. Only between such letters do these characters have a visible effect.
 */
function isWriting(text: string, index: number, code: number, length: number): boolean {
  const before = characterBefore(text, index);
  const after = characterAt(text, index + length);
  if (code === JOINER && PICTURE.test(after)) {
    const base = OF_PICTURE.test(before) ? characterBefore(text, index - before.length) : before;
    if (PICTURE.test(base)) return true;
  }
  if (code === JOINER || code === NON_JOINER)
    return JOINED.test(after) ? joins(text, index, before) : MARK.test(before) && joins(text, index, before);
  if (code === 0xfe0f || code === 0xfe0e)
    return PICTURE.test(before) || (/^[0-9#*]$/.test(before) && after === "\u20e3");
  if ((code >= 0xfe00 && code <= 0xfe02) || (code >= 0xe0100 && code <= 0xe01ef)) return HAN.test(before);
  return false;
}

/** Whether a character joins the letters around it. A mark has no script of its own: the letter that it belongs to counts. */
function joins(text: string, index: number, before: string): boolean {
  if (JOINED.test(before)) return true;
  return MARK.test(before) && JOINED.test(characterBefore(text, index - before.length));
}

function characterBefore(text: string, index: number): string {
  if (index <= 0) return "";
  const low = text.charCodeAt(index - 1);
  return low >= 0xdc00 && low <= 0xdfff && index > 1 ? characterAt(text, index - 2) : text.charAt(index - 1);
}

function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** Every character of the table that is not part of normal writing, in the order of the text. */
export function* invisibleIn(text: string): Iterable<{ readonly character: string; readonly index: number }> {
  if (!SOME.test(text)) return;
  for (const { 0: character, index } of text.matchAll(TABLE))
    if (!isWriting(text, index, character.codePointAt(0) ?? 0, character.length)) yield { character, index };
}

export function hasInvisible(text: string): boolean {
  for (const _ of invisibleIn(text)) return true;
  return false;
}

/** The text with every such character replaced. */
export function replaceInvisible(text: string, replace: (character: string) => string): string {
  if (!SOME.test(text)) return text;
  return text.replace(TABLE, (character: string, index: number) =>
    isWriting(text, index, character.codePointAt(0) ?? 0, character.length) ? character : replace(character),
  );
}

/** Spaces that look like the plain one, and what no font shows: nobody is warned of them in a file, but they are written as escapes. */
const UNCERTAIN = /(?! )\p{Zs}|[\p{Cn}\p{Co}\p{Cs}]/gu;

/** Whether a text in a file has escapes: for what is invisible, and not part of normal writing, and what a reader would take for something else. */
export const needsEscapes = (text: string): boolean => hasInvisible(text) || text.search(UNCERTAIN) !== -1;

/** The text with these characters as escapes of YAML and JSON. */
export const withEscapes = (text: string): string => replaceInvisible(text, escapeOf).replace(UNCERTAIN, escapeOf);

function escapeOf(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");
}
