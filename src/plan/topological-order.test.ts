import { expect, test } from "vitest";
import fc from "../../test/support/random.ts";
import { topologicalOrder } from "./cycles.ts";

/** Links that count how many of them were looked at. */
class Counted {
  private readonly own: Set<number>;
  private readonly count: () => void;
  constructor(own: Iterable<number>, count: () => void) {
    this.own = new Set(own);
    this.count = count;
  }
  delete(other: number): void {
    this.own.delete(other);
  }
  *[Symbol.iterator](): Generator<number> {
    for (const other of this.own) {
      this.count();
      yield other;
    }
  }
}

type Links = readonly (readonly number[])[];

function ordered(hard: Links, soft: Links) {
  let steps = 0;
  const links = hard.map(
    (own, index) =>
      new Counted([...own, ...(soft[index] ?? [])], () => {
        steps += 1;
      }),
  );
  const kept = hard.map((own) => new Set(own));
  const dropped: (readonly [number, number])[] = [];
  const found = topologicalOrder(
    hard.map(() => ({ rank: 0 })),
    links,
    {
      has: (from, to) => {
        steps += 1;
        return kept[from]?.has(to) === false;
      },
      drop: (from, to) => {
        dropped.push([from, to]);
        links[from]?.delete(to);
      },
    },
  );
  return { order: found.ok ? found.order : undefined, dropped, steps };
}

/** Calls 1 to `size`, each of which needs the next one; the last one needs call 0. */
const chain = (size: number): Links =>
  Array.from({ length: size + 1 }, (_, n) => (n === 0 ? [] : [(n + 1) % (size + 1)]));
const names = (size: number) => Array.from({ length: size }, (_, n) => n + 1);

test.each([
  { what: "from its start", of: (size: number) => names(size) },
  { what: "from its end", of: (size: number) => names(size).reverse() },
  { what: "in no order", of: (size: number) => names(size).sort((a, b) => ((a * 7919) % 1009) - ((b * 7919) % 1009)) },
])("a call that softly needs all of a chain that needs it takes steps in proportion to the chain, $what", ({ of }) => {
  for (const size of [100, 1000]) {
    const { order, dropped, steps } = ordered(chain(size), [of(size)]);
    expect(order?.[0], "needs nothing that has to be sent before it").toBe(0);
    expect(dropped).toHaveLength(size);
    expect(steps / size).toBeLessThan(10);
  }
});

test("so does the last call of a chain that softly needs all of it, where the search comes from its start", () => {
  for (const size of [100, 1000]) {
    const hard = Array.from({ length: size + 1 }, (_, n) => (n === size ? [] : [n + 1]));
    const { order, steps } = ordered(hard, [...hard.slice(1).map(() => []), names(size).map((n) => n - 1)]);
    expect(order?.[0]).toBe(size);
    expect(steps / size).toBeLessThan(10);
  }
});

test("whatever is dropped closes a cycle with needs and soft needs, and all other links are met", () => {
  const size = 9;
  const matrix = fc.array(fc.constantFrom<"" | "hard" | "soft">("", "", "", "hard", "soft"), {
    minLength: size * size,
    maxLength: size * size,
  });
  fc.assert(
    fc.property(matrix, fc.shuffledSubarray([...Array(size).keys()], { minLength: size }), (drawn, ranks) => {
      const at = (from: number, to: number) => drawn[from * size + to];
      const all = [...Array(size).keys()];
      // Needs only go down in a random order, so they alone close no cycle.
      const isDown = (from: number, to: number) => (ranks[from] ?? 0) > (ranks[to] ?? 0);
      const hard = all.map((from) => all.filter((to) => at(from, to) === "hard" && isDown(from, to)));
      const soft = all.map((from) => all.filter((to) => from !== to && at(from, to) === "soft"));
      const { order, dropped } = ordered(hard, soft);
      expect([...(order ?? [])].sort()).toEqual(all);
      const place = (n: number) => order?.indexOf(n) ?? -1;
      const isDropped = (from: number, to: number) => dropped.some(([a, b]) => a === from && b === to);
      for (const from of all) {
        for (const to of hard[from] ?? []) expect(place(to)).toBeLessThan(place(from));
        for (const to of soft[from] ?? []) if (!isDropped(from, to)) expect(place(to)).toBeLessThan(place(from));
      }
      dropped.forEach(([from, to], index) => {
        const gone = dropped.slice(0, index);
        const reached = new Set([to]);
        for (const each of reached)
          for (const other of [...(hard[each] ?? []), ...(soft[each] ?? [])])
            if (!gone.some(([a, b]) => a === each && b === other)) reached.add(other);
        expect(reached, `${from} to ${to} closed no cycle`).toContain(from);
      });
    }),
  );
});
