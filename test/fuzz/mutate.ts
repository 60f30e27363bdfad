import { isList, isObject, type Json } from "../../src/model/json.ts";

/** Pseudo-random numbers, the same for the same seed. */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 up to, but not including, `most`. */
  below(most: number): number {
    // mulberry32
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, most);
  }

  one<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0];
  }
}

/** Values that have broken programs before: control characters, marks, halves of surrogate pairs, markup, very large and very odd numbers. */
export const NASTY: readonly [string, ...string[]] = [
  "\u001b[31m",
  "\u0000",
  "\u009b2J",
  "\u202e",
  "\u2066",
  "\ud800",
  "\r\n::error::x",
  "<script>",
  "`](x)",
  "{{x}}",
  "${v}",
  "__proto__",
  "constructor",
  "a".repeat(3000),
  "[".repeat(300),
  "&a",
  "*a",
  "? ",
  "'",
  '"',
  "\\",
  "@",
  "#",
  "-1",
  "1e999",
  "9007199254740993",
  "null",
  "~",
];

/** A text with a few bytes, words or lines cut, doubled, moved or replaced. */
export function mutateText(text: string, dice: Dice): string {
  let edited = text;
  for (let times = 1 + dice.below(3); times > 0; times -= 1) {
    const at = dice.below(edited.length);
    const length = dice.below(12);
    const piece = edited.slice(at, at + length);
    const put = [dice.one(NASTY), "", piece + piece, String.fromCharCode(dice.below(256)), piece.toUpperCase()];
    edited = edited.slice(0, at) + (put[dice.below(put.length)] ?? "") + edited.slice(at + length);
  }
  return edited;
}

/** A value with one part of it, at any depth, replaced by another type, doubled or left out. */
export function mutateJson(value: Json, dice: Dice): Json {
  if ((isList(value) || isObject(value)) && dice.below(12) > 0) {
    const entries: readonly (readonly [string, Json])[] = Object.entries(value);
    const chosen = dice.below(entries.length);
    const edited = entries.flatMap(([key, item], index): (readonly [string, Json])[] => {
      if (index !== chosen) return [[key, item]];
      if (dice.below(14) === 0)
        return dice.below(2) === 0
          ? []
          : [
              [key, item],
              [`${key}${dice.one(NASTY)}`, item],
            ];
      return [[key, mutateJson(item, dice)]];
    });
    return isList(value) ? edited.map(([, item]) => item) : Object.fromEntries(edited);
  }
  const others: readonly [Json, ...Json[]] = [
    null,
    0,
    -1,
    2 ** 53,
    true,
    "",
    [],
    {},
    [[null]],
    { idOf: "channel:x" },
    dice.one(NASTY),
  ];
  if (typeof value === "string" && dice.below(2) === 0) return mutateText(value, dice);
  if (typeof value === "number" && dice.below(2) === 0) return value + dice.below(5) - 2;
  return dice.one(others);
}
