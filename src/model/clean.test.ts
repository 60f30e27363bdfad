import { describe, expect, test } from "vitest";
import { hasInvisible, invisibleIn, replaceInvisible } from "./clean.ts";

const codes = (text: string): readonly string[] =>
  [...invisibleIn(text)].map(({ character, index }) => `${(character.codePointAt(0) ?? 0).toString(16)}@${index}`);

/** First and last code points of invisible characters, and of those that change the direction: from Unicode's own lists, written out. */
const RANGES: readonly (readonly [string, number, number])[] = [
  ["controls", 0x0, 0x1f],
  ["delete and the controls of Latin-1", 0x7f, 0x9f],
  ["soft hyphen", 0xad, 0xad],
  ["combining grapheme joiner", 0x34f, 0x34f],
  ["Arabic letter mark", 0x61c, 0x61c],
  ["Hangul fillers", 0x115f, 0x1160],
  ["Khmer vowels that are not visible", 0x17b4, 0x17b5],
  ["Mongolian selectors", 0x180b, 0x180f],
  ["zero width space, joiners, direction marks", 0x200b, 0x200f],
  ["line and paragraph separators", 0x2028, 0x2029],
  ["embeddings and overrides of direction", 0x202a, 0x202e],
  ["word joiner, invisible operators, isolates", 0x2060, 0x206f],
  ["Braille blank", 0x2800, 0x2800],
  ["Hangul filler", 0x3164, 0x3164],
  ["variation selectors", 0xfe00, 0xfe0f],
  ["byte order mark", 0xfeff, 0xfeff],
  ["halfwidth Hangul filler", 0xffa0, 0xffa0],
  ["specials", 0xfff0, 0xfffb],
  ["shorthand format controls", 0x1bca0, 0x1bca3],
  ["musical controls", 0x1d173, 0x1d17a],
  ["tags and further selectors", 0xe0000, 0xe0fff],
];

describe("the table", () => {
  test.each(RANGES)("%s", (_, first, last) => {
    for (let code = first; code <= last; code += 1) {
      const character = String.fromCodePoint(code);
      expect({ code, found: codes(`ge${character}neral`) }).toEqual({ code, found: [`${code.toString(16)}@2`] });
      expect(replaceInvisible(`ge${character}neral`, () => "?")).toBe("ge?neral");
    }
  });

  test("does not have other characters", () => {
    const listed = (code: number): boolean => RANGES.some(([, first, last]) => code >= first && code <= last);
    for (let code = 0; code <= 0x10ffff; code += 1) {
      if (listed(code) || (code >= 0xd800 && code <= 0xdfff)) continue;
      if (hasInvisible(String.fromCodePoint(code))) throw new Error(`U+${code.toString(16)} is in the table`);
    }
  });
});

describe("characters that people use in writing stay", () => {
  test.each([
    ["Persian", "می\u200cخواهم"],
    ["Hindi, joined", "क्\u200dष"],
    ["Hindi, not joined", "क्\u200cष"],
    ["Malayalam at the end of a word", "അവന്\u200d"],
    ["Sinhala", "ශ්\u200dරී"],
    ["a family", "👩\u200d👩\u200d👧"],
    ["a worker with a skin tone", "👩🏽\u200d🚀"],
    ["a rainbow flag", "🏳\ufe0f\u200d🌈"],
    ["a warning in colour", "⚠\ufe0f alerts"],
    ["a warning as text", "☎\ufe0e"],
    ["a telephone keypad key", "1\ufe0f\u20e3"],
    ["a Japanese name", "葛\u{e0100}城"],
    ["a Han character in an older form", "神\ufe00"],
    ["ordinary text", "Straße, 東京, Ελλάδα, e\u0301, 🇵🇹"],
  ])("%s", (_, text) => {
    expect(codes(text)).toEqual([]);
    expect(replaceInvisible(text, () => "?")).toBe(text);
  });

  test.each([
    ["a joiner between Latin letters", "ge\u200dneral", ["200d@2"]],
    ["a non-joiner at the end", "می\u200c", ["200c@2"]],
    ["a joiner before an emoji", "a\u200d🚀", ["200d@1"]],
    ["a joiner after an emoji", "🚀\u200da", ["200d@2"]],
    ["two joiners", "👩\u200d\u200d👧", ["200d@2", "200d@3"]],
    ["a selector after a letter", "a\ufe0f", ["fe0f@1"]],
    ["a selector after a digit", "1\ufe0f", ["fe0f@1"]],
    ["a variation selector after a character that is not Han", "a\u{e0100}", ["e0100@1"]],
    ["words hidden in tags", "🏴\u{e0067}\u{e007f}", ["e0067@2", "e007f@4"]],
  ])("%s is invisible", (_, text, found) => {
    expect(codes(text)).toEqual(found);
  });
});
