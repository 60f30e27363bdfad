import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Population } from "./people.ts";

/** Small ids, some above a thousand, which are in no table, and some below zero. */
const IDS = fc.array(fc.oneof(fc.nat(200), fc.nat(3_000_000), fc.integer({ min: -3, max: -1 })), { maxLength: 300 });

test("sets of people behave like sets of numbers", () => {
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

test("an operation that changes nothing creates no set", () => {
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
  // An operation with an effect creates one, which is cached afterwards.
  all.minus(some);
  all.minus(some);
  expect(population.serial()).toBe(made + 3);
});

describe("sets of people by hand", () => {
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
  /** Places, and with them bits, are given in this order: small ids, ids that no table holds, and ids at the ends of the table. */
  const EVERYBODY = [...range(0, 1_100), -1, 1.5, 2 ** 20 - 1, 2 ** 20, 2 ** 31, 5_000, 2_047, 2_048];
  const LISTS: readonly (readonly number[])[] = [
    [],
    [0],
    [1, 31, 32],
    [1_023, 1_024, 1_025],
    [-1, 1.5],
    [2 ** 20 - 1, 2 ** 20, 2 ** 31],
    [0, 5_000, 2_047, 2_048],
    range(0, 100),
    range(20, 121),
    range(1_000, 1_100),
    range(0, 1_100),
    [...range(60, 70), 2 ** 31, ...range(30, 40), 60],
  ];
  const population = new Population(EVERYBODY);
  const sorted = (ids: Iterable<number>) => {
    const wanted = new Set(ids);
    return EVERYBODY.filter((id) => wanted.has(id));
  };

  test.each(LISTS.map((list) => ({ name: `${list.length} from ${list[0]}`, list })))("the set of $name", ({ list }) => {
    const set = population.of(list);
    const ids = new Set(list);
    expect([...set]).toEqual(sorted(list));
    expect([set.size, set.size]).toEqual([ids.size, ids.size]);
    for (const id of [...EVERYBODY.slice(0, 40), ...list, -2, 2.5, 2 ** 20 + 1, 7_777_777, 4_999, 300_000])
      expect({ id, is: set.has(id) }).toEqual({ id, is: ids.has(id) });
    for (const other of LISTS) {
      const [with_, both] = [population.of(other), list.filter((id) => other.includes(id))];
      const only = list.filter((id) => !other.includes(id));
      expect([...set.or(with_)]).toEqual(sorted([...list, ...other]));
      expect([...set.and(with_)]).toEqual(sorted(both));
      expect([...set.minus(with_)]).toEqual(sorted(only));
      expect([set.isWithin(with_), set.equals(with_)]).toEqual([
        only.length === 0,
        only.length === 0 && new Set(other).size === ids.size,
      ]);
      for (const third of LISTS.slice(0, 8))
        expect(set.sizeWithout(with_, population.of(third))).toBe(
          new Set(only.filter((id) => !third.includes(id))).size,
        );
    }
    expect([set.or(set), set.and(set)]).toEqual([set, set]);
    expect([set.minus(set).size, set.isWithin(set), set.equals(set)]).toEqual([0, true, true]);
  });

  test("people who are not in the population yet are added to it", () => {
    const few = new Population();
    expect([few.nobody.size, few.of([]) === few.nobody, few.placed(7), few.placed(-7)]).toEqual([
      0,
      true,
      undefined,
      undefined,
    ]);
    expect([...few.of(new Set([7, -7, 7, 3_000]))]).toEqual([7, -7, 3_000]);
    expect([few.placed(7), few.placed(-7), few.placed(3_000), few.at(2)]).toEqual([0, 1, 2, 3_000]);
    expect(() => few.at(3)).toThrow("nobody has place 3");
    expect([...few.of(range(0, 2_000))]).toHaveLength(2_000);
  });

  test("an id at the end of the table makes the table longer", () => {
    const few = new Population([1]);
    expect([few.of([1_024]).has(1_024), few.of([1_023]).has(1_023), few.of([2_048]).has(2_048)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("equal sets have the same digest, whatever created them, and different sets have different ones", () => {
    const [some, more] = [population.of([1, 40]), population.of([1, 40, 1_090])];
    expect(more.minus(population.of([1_090])).digest).toBe(some.digest);
    const lists = [[], [1], [40], [1, 40], [33, 8], [1, 1_090], [40, 1_090], [1, 40, 1_090], [65], [97]];
    expect(new Set(lists.map((list) => population.of(list).digest)).size).toBe(lists.length);
  });

  test("a set uses no more words than it needs, and a small set grows", () => {
    expect(population.of([0]).length).toBe(32);
    expect(population.of(range(0, 101)).length).toBe(35);
    expect(population.of([1_090]).length).toBe(64);
    expect(new Population([1, 2]).of([1]).length).toBe(1);
  });
});

test.each([
  [0, []],
  [2, [7, 8]],
  [3, [7, 8, 99]],
  [undefined, [7, 8, 99]],
])("the first %o of a set, in the order of the population", (most, ids) => {
  const population = new Population([7, ...Array.from({ length: 80 }, (_, n) => 200 + n), 8, 99]);
  expect(population.of([99, 8, 7]).ids(most)).toEqual(ids);
});

describe("the result of an operation on two sets", () => {
  const MOST_SERIAL = 2 ** 25;
  const worked = (a: { serial: number; length: number }, b: { serial: number; length: number }) => {
    const population = new Population([1]);
    let works = 0;
    const work = () => {
      works += 1;
      return population.of([works]);
    };
    for (const operation of [0, 1, 2, 0, 1, 2] as const) population.combined(operation, a, b, work);
    population.combined(0, b, a, work);
    return works;
  };

  test.each([
    { sets: "two large ones", a: { serial: 3, length: 32 }, b: { serial: 4, length: 32 }, works: 4 },
    { sets: "two small ones", a: { serial: 3, length: 32 }, b: { serial: 4, length: 31 }, works: 7 },
    {
      sets: "a set with a number too large to be exact",
      a: { serial: MOST_SERIAL + 1, length: 64 },
      b: { serial: 4, length: 64 },
      works: 7,
    },
    {
      sets: "another set with such a number",
      a: { serial: 4, length: 64 },
      b: { serial: MOST_SERIAL + 1, length: 64 },
      works: 7,
    },
    {
      sets: "the sets with the last exact numbers",
      a: { serial: MOST_SERIAL, length: 64 },
      b: { serial: MOST_SERIAL - 1, length: 64 },
      works: 4,
    },
  ])("is computed $works times in seven for $sets", ({ a, b, works }) => expect(worked(a, b)).toBe(works));

  test("belongs to exactly these sets and this operation", () => {
    const population = new Population(Array.from({ length: 4_000 }, (_, n) => n));
    const lists = Array.from({ length: 7 }, (_, n) => [n, n + 1, 2_000 + n, 3_999 - n]);
    const sets = lists.map((list) => population.of([...list, 3_900]));
    for (const [at, a] of sets.entries())
      for (const [by, b] of sets.entries()) {
        const [x, y] = [[...a], new Set(b)];
        expect({ at, by, ids: [...a.or(b)] }).toEqual({
          at,
          by,
          ids: [...new Set([...x, ...y])].sort((i, j) => i - j),
        });
        expect({ at, by, ids: [...a.and(b)] }).toEqual({ at, by, ids: x.filter((id) => y.has(id)) });
        expect({ at, by, ids: [...a.minus(b)] }).toEqual({ at, by, ids: x.filter((id) => !y.has(id)) });
      }
    expect((sets[0]?.length ?? 0) * 2).toBeGreaterThan(64);
  });

  test("is forgotten after many others", () => {
    const population = new Population([1]);
    let works = 0;
    const ask = (serial: number) =>
      population.combined(0, { serial, length: 64 }, { serial: 1, length: 64 }, () => {
        works += 1;
        return population.nobody;
      });
    for (let serial = 2; serial < 514; serial += 1) ask(serial);
    ask(2);
    expect(works).toBe(512);
    ask(600);
    ask(2);
    expect(works).toBe(514);
  });
});
