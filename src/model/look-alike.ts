import { replaceInvisible } from "./clean.ts";

/**
 * Letters of other scripts that look like a Latin letter in most fonts, after the compatibility form of Unicode (which knows wide, circled and styled
 * letters). A selection from Unicode's list of confusable characters (UTS #39): whole letters only, of scripts that people really mix by accident or
 * on purpose. Pairs such as rn and m are not in it: words have both.
 */
const LOOK_LIKE: { readonly [latin: string]: string } = {
  a: "аαɑᴀ",
  b: "ʙ",
  c: "сϲᴄ",
  d: "ԁᴅ",
  e: "еҽᴇ",
  f: "ꜰ",
  g: "ɡցɢ",
  h: "һհʜ",
  i: "іιıɪ",
  j: "јϳᴊ",
  k: "ᴋ",
  l: "ӏʟ",
  m: "ᴍ",
  n: "ոɴ",
  o: "оοօᴏ",
  p: "рρᴘ",
  q: "ԛզ",
  r: "ʀ",
  s: "ѕꜱ",
  t: "ᴛ",
  u: "υսᴜ",
  v: "ѵνᴠ",
  w: "ԝᴡ",
  x: "хχ",
  y: "уγʏ",
  z: "ᴢ",
  A: "АΑ",
  B: "ВΒ",
  C: "СϹ",
  E: "ЕΕ",
  H: "НΗ",
  I: "ІΙӀ",
  J: "Ј",
  K: "КΚ",
  M: "МΜ",
  N: "Ν",
  O: "ОΟՕ",
  P: "РΡ",
  Q: "Ԛ",
  S: "ЅՏ",
  T: "ТΤ",
  V: "Ѵ",
  W: "Ԝ",
  X: "ХΧ",
  Y: "ҮΥ",
  Z: "Ζ",
  "-": "‐‑‒–—−",
  "'": "’ʼ‘",
};
/** In ASCII. A warning needs two names that are equal otherwise: `payro11` beside `payroll`, `modem` beside `modern`. */
const LIKE_LETTERS: { readonly [character: string]: string } = { "0": "O", "1": "l", I: "l", "|": "l", rn: "m" };
const LATIN = new Map(Object.entries(LOOK_LIKE).flatMap(([latin, others]) => [...others].map((one) => [one, latin])));
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** What a name looks like: two names with the same look cannot be told apart. */
export function lookOf(name: string): string {
  const latin = ASCII.test(name)
    ? name
    : Array.from(
        replaceInvisible(name.normalize("NFKC"), () => ""),
        (letter) => LATIN.get(letter) ?? letter,
      ).join("");
  return latin.replace(/rn|[01I|]/g, (character) => LIKE_LETTERS[character] ?? character);
}
