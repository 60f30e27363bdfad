import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Population } from "./people.ts";

/** Small ids, some above a thousand, which are in no table, and some below zero. */
const IDS = fc.array(fc.oneof(fc.nat(200), fc.nat(3_000_000), fc.integer({ min: -3, max: -1 })), { maxLength: 300 });

test("sets of people are as sets of numbers", () => {
  fc.assert(
    fc.property(IDS, IDS, IDS, (one, two, three) => {
      const population = new Population(one.slice(0, 5));
      const [a, b, c] = [population.of(one), population.of(two), population.of(three)];
      const [x, y, z] = [new Set(one), new Set(two), new Set(three)];
      const both = [...x].filter((id) => y.has(id));
      const only = [...x].filter((id) => !y.has(id));
      expect(new Set(a.or(b))).toEqual(new Set([...x, ...y]));
      expect(new Set(a.and(b))).toEqual(new Set(both));
      expect(new Set(a.minus(b))).toEqual(new Set(only));
      expect(a.sizeWithout(b, c)).toBe(only.filter((id) => !z.has(id)).length);
      expect([a.size, a.isWithin(b), a.equals(b)]).toEqual([x.size, only.length === 0, a.isWithin(b) && b.isWithin(a)]);
    }),
  );
});

test("what changes nothing makes no set", () => {
  const population = new Population(Array.from({ length: 5_000 }, (_, n) => n));
  const all = population.of(Array.from({ length: 5_000 }, (_, n) => n));
  const some = population.of([1, 2, 4_000]);
  const others = population.of([3, 4_001]);
  expect([all.or(some), some.or(all), some.and(all), all.and(some), some.minus(others)]).toEqual([
    all,
    all,
    some,
    some,
    some,
  ]);
  const made = population.serial();
  for (let n = 0; n < 10; n += 1) all.or(some).and(some).minus(others).sizeWithout(others, all);
  expect(population.serial()).toBe(made + 1);
  // What does change something makes one, and then is known.
  all.minus(some);
  all.minus(some);
  expect(population.serial()).toBe(made + 3);
});
