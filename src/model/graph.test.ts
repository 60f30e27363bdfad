import fc from "fast-check";
import { expect, test } from "vitest";
import { componentsOf, type Links } from "./graph.ts";

const graphs = fc
  .integer({ min: 1, max: 8 })
  .chain((size) =>
    fc.array(fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 3 }), { minLength: size, maxLength: size }),
  );

/** Everything that can be reached by one link or more. */
function reachedFrom(start: number, links: Links): ReadonlySet<number> {
  const found = new Set(links[start]);
  for (const at of found) for (const other of links[at] ?? []) found.add(other);
  return found;
}

test("components follow from reachability", () => {
  fc.assert(
    fc.property(graphs, (links) => {
      const reach = links.map((_, at) => reachedFrom(at, links));
      const components = componentsOf(links);
      for (const a of links.keys())
        for (const b of links.keys())
          expect(components[a] === components[b]).toBe(
            a === b || (reach[a]?.has(b) === true && reach[b]?.has(a) === true),
          );
    }),
    { numRuns: 300 },
  );
});

test("a chain of 50,000 visits every link a few times, and not every pair", () => {
  let looked = 0;
  const counting = (links: readonly number[]): readonly number[] =>
    new Proxy(links, {
      get: (target, key, receiver) => {
        looked += 1;
        return Reflect.get(target, key, receiver);
      },
    });
  const row = Array.from({ length: 50_000 }, (_, at) => counting(at === 0 ? [] : [at - 1]));
  expect(new Set(componentsOf(row)).size).toBe(row.length);
  expect(looked).toBeLessThan(50 * row.length);
});
