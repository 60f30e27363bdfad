import { replaceInvisible } from "./invisible.ts";

/**
 * Letters of other scripts that look like a Latin letter in most fonts, after the compatibility form of Unicode (which knows wide, circled and styled
 * letters). A selection from Unicode's list of confusable characters (UTS #39): whole letters only, of scripts that people really mix by accident or
 * on purpose. Zero and O, one and l are not in it: names have both.
 */
const LOOK_LIKE: { readonly [latin: string]: string } = {
  a: "аαɑ",
  c: "сϲᴄ",
  d: "ԁ",
  e: "еҽ",
  g: "ɡց",
  h: "һհ",
  i: "іιı",
  j: "јϳ",
  l: "ӏ",
  n: "ո",
  o: "оοօᴏ",
  p: "рρ",
  q: "ԛզ",
  s: "ѕ",
  u: "υս",
  v: "ѵν",
  w: "ԝ",
  x: "хχ",
  y: "уγ",
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
const LATIN = new Map(Object.entries(LOOK_LIKE).flatMap(([latin, others]) => [...others].map((one) => [one, latin])));
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** What a name looks like: two names with the same look cannot be told apart. A name in ASCII is its own look. */
export function lookOf(name: string): string {
  if (ASCII.test(name)) return name;
  return Array.from(
    replaceInvisible(name.normalize("NFKC"), () => ""),
    (letter) => LATIN.get(letter) ?? letter,
  ).join("");
}
