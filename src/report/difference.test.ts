import { describe, expect, test } from "vitest";
import fc from "../../test/support/random.ts";
import { difference, type Work } from "./difference.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 30 });
const many = (number: number, text: (index: number) => string): readonly string[] =>
  Array.from({ length: number }, (_, index) => text(index));

test("the parts add up to both texts, whatever the texts are", () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const parts = difference(before, after);
      expect(parts.filter(({ state }) => state !== "added").flatMap(({ items }) => items)).toEqual(before);
      expect(parts.filter(({ state }) => state !== "removed").flatMap(({ items }) => items)).toEqual(after);
    }),
  );
});

describe("long texts", () => {
  const SIZE = 20_000;
  test.each([
    { about: "nothing in common", before: many(SIZE, (n) => `a${n}`), after: many(SIZE, (n) => `b${n}`) },
    { about: "reversed", before: many(SIZE, (n) => `${n}`), after: many(SIZE, (n) => `${SIZE - n}`) },
    {
      about: "every other line changes",
      before: many(SIZE, (n) => `${n}`),
      after: many(SIZE, (n) => `${n % 2 ? n : -n}`),
    },
    {
      about: "only two different words",
      before: many(SIZE, (n) => `${n % 2}`),
      after: many(SIZE, (n) => `${n % 3 === 0 ? 1 : 0}`),
    },
    { about: "one is much longer", before: many(SIZE, (n) => `${n % 7}`), after: many(100, (n) => `${n % 5}`) },
    { about: "all lines equal", before: many(SIZE, () => "x"), after: ["y", ...many(SIZE, () => "x"), "z"] },
  ])("$about: the number of comparisons is limited, and the result is correct", ({ before, after }) => {
    const work: Work = { compared: 0 };
    const parts = difference(before, after, work);
    expect(work.compared).toBeLessThan(25_000_000);
    expect(parts.filter(({ state }) => state !== "added").flatMap(({ items }) => items)).toEqual(before);
    expect(parts.filter(({ state }) => state !== "removed").flatMap(({ items }) => items)).toEqual(after);
  });

  test("ten times the length takes about ten times the work", () => {
    const compared = [2000, 20_000].map((size) => {
      const work: Work = { compared: 0 };
      difference(
        many(size, (n) => `a${n}`),
        many(size, (n) => `b${n}`),
        work,
      );
      return work.compared;
    });
    expect(compared[1] ?? 0).toBeLessThan(20 * (compared[0] ?? 0));
  });

  test("lines that occur once on both sides are found if everything else differs", () => {
    const before = many(SIZE, (n) => (n % 100 === 0 ? `kept ${n}` : `old ${n}`));
    const after = many(SIZE, (n) => (n % 100 === 0 ? `kept ${n}` : `new ${n}`));
    const same = difference(before, after).filter(({ state }) => state === "same");
    expect(same.flatMap(({ items }) => items)).toEqual(before.filter((line) => line.startsWith("kept")));
  });
});
