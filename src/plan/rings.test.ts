import { describe, expect, test } from "vitest";
import type { DraftCall } from "../model/kind.ts";
import { withoutRings } from "./rings.ts";

type Tokens = readonly string[];
interface Draft {
  readonly needs?: Tokens;
  readonly wants?: Tokens;
  readonly provides?: Tokens;
  readonly rank?: number;
}

/** A call that says by its operation who it is. */
function draft(operation: string, tokens: Draft = {}, ...apart: readonly (readonly DraftCall[])[]): DraftCall {
  return { operation, path: {}, params: {}, for: [], ...tokens, ...(apart.length === 0 ? {} : { apart }) };
}

/** One that gives up a name and waits for something, and can do the one before the other. */
function both(name: string, { needs = [], provides = [] }: Draft): DraftCall {
  const first = draft(`${name}1`, { provides: [...provides, `${name}1`] });
  return draft(name, { needs, provides }, [first, draft(`${name}2`, { needs: [...needs, `${name}1`] })]);
}

describe("an order of requests in which none waits for itself", () => {
  const rows: readonly { name: string; drafts: readonly DraftCall[]; order: readonly string[]; cuts: number }[] = [
    {
      name: "what nothing links stays as drafted, later ranks last",
      drafts: [draft("a", { rank: 1 }), draft("b"), draft("c")],
      order: ["b", "c", "a"],
      cuts: 0,
    },
    {
      name: "a wish is followed",
      drafts: [draft("a", { wants: ["b"] }), draft("b", { provides: ["b"] })],
      order: ["b", "a"],
      cuts: 0,
    },
    {
      name: "a wish that closes a ring with a need is not",
      drafts: [draft("a", { wants: ["b"], provides: ["a"] }), draft("b", { needs: ["a"], provides: ["b"] })],
      order: ["a", "b"],
      cuts: 0,
    },
    {
      name: "of wishes that close a ring among them some are followed",
      drafts: [
        draft("a", { wants: ["b"], provides: ["a"] }),
        draft("b", { wants: ["c"], provides: ["b"] }),
        draft("c", { wants: ["a"], provides: ["c"], needs: ["d"] }),
        draft("d", { provides: ["d"] }),
      ],
      order: ["a", "b", "d", "c"],
      cuts: 0,
    },
    {
      name: "a call that can be cut is not, where it need not be",
      drafts: [both("a", { needs: ["b"], provides: ["a"] }), draft("b", { provides: ["b"] })],
      order: ["b", "a"],
      cuts: 0,
    },
    {
      name: "a ring is cut once",
      drafts: [both("a", { needs: ["b"], provides: ["a"] }), draft("b", { needs: ["a"], provides: ["b"] })],
      order: ["a1", "b", "a2"],
      cuts: 1,
    },
    {
      name: "two rings through one call are cut there",
      drafts: [
        both("a", { needs: ["x"], provides: ["a"] }),
        both("b", { needs: ["x"], provides: ["b"] }),
        both("x", { needs: ["a", "b"], provides: ["x"] }),
      ],
      order: ["x1", "a", "b", "x2"],
      cuts: 1,
    },
    {
      name: "rings that have nothing to do with each other are cut each",
      drafts: ["a", "b", "c", "d", "e", "f"].flatMap((name) => [
        both(name, { needs: [`${name}!`], provides: [name] }),
        draft(`${name}!`, { needs: [name], provides: [`${name}!`] }),
      ]),
      order: ["a", "b", "c", "d", "e", "f"].flatMap((name) => [`${name}1`, `${name}!`, `${name}2`]),
      cuts: 6,
    },
  ];

  test.each(rows)("$name", ({ drafts, order, cuts }) => {
    const found = withoutRings(drafts);
    if (!found.ok) throw new Error(found.ring.map(({ operation }) => operation).join());
    expect(found.order.map((index) => found.drafts[index]?.operation)).toEqual(order);
    expect(found.cuts).toBe(cuts);
  });

  test("a ring that no cut opens is told as it is", () => {
    const found = withoutRings([
      draft("a", { needs: ["b"], provides: ["a"] }),
      draft("b", { needs: ["c"], provides: ["b"] }),
      draft("c", { needs: ["a"], provides: ["c"] }),
      draft("d", { needs: ["a"] }),
    ]);
    expect(found.ok ? [] : found.ring.map(({ operation }) => operation)).toEqual(["a", "b", "c"]);
  });

  test("a knot that takes more cuts than are searched through is cut all the same", () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const found = withoutRings(
      names.map((name) => both(name, { needs: names.filter((other) => other !== name), provides: [name] })),
    );
    expect(found.ok && found.cuts).toBe(5);
  });

  test("a knot of long rings is searched through for a while, and then cut all the same", () => {
    const names = Array.from({ length: 120 }, (_, index) => `n${index}`);
    const found = withoutRings(
      names.map((name, index) => {
        const needs = [1, 11, 47].flatMap((step) => names[(index + step) % names.length] ?? []);
        return both(name, { needs, provides: [name] });
      }),
    );
    expect(found.ok && found.order.length).toBeGreaterThan(names.length + 3);
    // One cut is known not to do.
    expect(found.ok && found.cuts).toBe(2);
  });
});
