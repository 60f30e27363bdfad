import { describe, expect, test } from "vitest";
import { type DraftCall, exists } from "../model/draft-call.ts";
import { withoutCycles } from "./cycles.ts";

type Names = readonly string[];
interface Draft {
  readonly needs?: Names;
  readonly softNeeds?: Names;
  readonly provides?: Names;
  readonly rank?: number;
}

/** A call whose operation name identifies it. */
function draft(
  operation: string,
  { needs = [], softNeeds = [], provides = [], rank = 0 }: Draft = {},
  ...alternatives: readonly (readonly DraftCall[])[]
): DraftCall {
  const states = (names: Names) => names.map((name) => exists(`thing:${name}`));
  const dependencies = { needs: states(needs), softNeeds: states(softNeeds), provides: states(provides) };
  return { operation, path: {}, params: {}, for: [], rank, ...dependencies, alternatives };
}

/** A call that gives up a name and waits for something, and can be split so that the name is given up first. */
function both(name: string, { needs = [], provides = [] }: Draft): DraftCall {
  const first = draft(`${name}1`, { provides: [...provides, `${name}1`] });
  return draft(name, { needs, provides }, [first, draft(`${name}2`, { needs: [...needs, `${name}1`] })]);
}

describe("an order of requests without cycles", () => {
  const rows: readonly { name: string; drafts: readonly DraftCall[]; order: readonly string[]; splits: number }[] = [
    {
      name: "calls without dependencies stay in the drafted order; a later rank comes later",
      drafts: [draft("a", { rank: 1 }), draft("b"), draft("c")],
      order: ["b", "c", "a"],
      splits: 0,
    },
    {
      name: "a soft need is met",
      drafts: [draft("a", { softNeeds: ["b"] }), draft("b", { provides: ["b"] })],
      order: ["b", "a"],
      splits: 0,
    },
    {
      name: "a soft need is dropped if it closes a cycle with a need",
      drafts: [draft("a", { softNeeds: ["b"], provides: ["a"] }), draft("b", { needs: ["a"], provides: ["b"] })],
      order: ["a", "b"],
      splits: 0,
    },
    {
      name: "of soft needs that form a cycle, all but one are met",
      drafts: [
        draft("a", { softNeeds: ["b"], provides: ["a"] }),
        draft("b", { softNeeds: ["c"], provides: ["b"] }),
        draft("c", { softNeeds: ["a"], provides: ["c"], needs: ["d"] }),
        draft("d", { provides: ["d"] }),
      ],
      order: ["a", "d", "c", "b"],
      splits: 0,
    },
    {
      name: "soft needs outside the cycle are met",
      drafts: [
        draft("x", { softNeeds: ["y"] }),
        draft("a", { softNeeds: ["b"], provides: ["a"] }),
        draft("b", { softNeeds: ["a"], provides: ["b"] }),
        draft("y", { provides: ["y"] }),
      ],
      order: ["y", "x", "a", "b"],
      splits: 0,
    },
    {
      name: "a soft need that closes a cycle after a need is dropped",
      drafts: [
        draft("x", { softNeeds: ["y"] }),
        draft("a", { needs: ["b"], provides: ["a"] }),
        draft("b", { softNeeds: ["a"], provides: ["b"] }),
        draft("y", { provides: ["y"] }),
      ],
      order: ["y", "x", "b", "a"],
      splits: 0,
    },
    {
      name: "a call that can be split is not split without a cycle",
      drafts: [both("a", { needs: ["b"], provides: ["a"] }), draft("b", { provides: ["b"] })],
      order: ["b", "a"],
      splits: 0,
    },
    {
      name: "a cycle is split once",
      drafts: [both("a", { needs: ["b"], provides: ["a"] }), draft("b", { needs: ["a"], provides: ["b"] })],
      order: ["a1", "b", "a2"],
      splits: 1,
    },
    {
      name: "two cycles through one call are split there",
      drafts: [
        both("a", { needs: ["x"], provides: ["a"] }),
        both("b", { needs: ["x"], provides: ["b"] }),
        both("x", { needs: ["a", "b"], provides: ["x"] }),
      ],
      order: ["x1", "a", "b", "x2"],
      splits: 1,
    },
    {
      name: "each of several independent cycles is split",
      drafts: ["a", "b", "c", "d", "e", "f"].flatMap((name) => [
        both(name, { needs: [`${name}!`], provides: [name] }),
        draft(`${name}!`, { needs: [name], provides: [`${name}!`] }),
      ]),
      order: ["a", "b", "c", "d", "e", "f"].flatMap((name) => [`${name}1`, `${name}!`, `${name}2`]),
      splits: 6,
    },
    {
      name: "a call that needs its own effect is split",
      drafts: [both("a", { needs: ["a"], provides: ["a"] })],
      order: ["a1", "a2"],
      splits: 1,
    },
    {
      name: "a call that needs its own effect, and whose first alternative needs it too, is split by the second",
      drafts: ["a", "b", "c", "d", "e", "f"].map((name, index, names) => {
        const next = names[(index + 1) % names.length] ?? "";
        return draft(
          name,
          { needs: [name, next], provides: [name] },
          [draft(`${name}-`, { needs: [name], provides: [name] }, [draft(name)]), draft(`${name}+`, { needs: [next] })],
          [draft(`${name}1`, { provides: [name, `${name}1`] }), draft(`${name}2`, { needs: [next, `${name}1`] })],
        );
      }),
      order: ["a1", "b1", "a2", "c1", "b2", "d1", "c2", "e1", "d2", "f1", "e2", "f2"],
      splits: 6,
    },
    {
      name: "a call that needs its own effect, and can be split in two ways, is split by the one that breaks all cycles",
      drafts: [
        draft(
          "a",
          { needs: ["a", "b"], provides: ["a"] },
          [draft("a1", { needs: ["b"], provides: ["a"] }), draft("a2")],
          [draft("a3", { provides: ["a"] }), draft("a4", { needs: ["b"] })],
        ),
        draft("b", { needs: ["a"], provides: ["b"] }),
      ],
      order: ["a3", "b", "a4"],
      splits: 1,
    },
    {
      name: "a call that needs its own effect and cannot be split is a cycle",
      drafts: [draft("a", { needs: ["a"], provides: ["a"] })],
      order: ["a"],
      splits: 0,
    },
    {
      name: "the rest of a split is split again if necessary",
      drafts: [
        draft("abc", { needs: ["d", "e"], provides: ["a", "b"] }, [
          draft("a", { provides: ["a", "first"] }),
          draft("bc", { needs: ["d", "e", "first"], provides: ["b"] }, [
            draft("b", { needs: ["d", "first"], provides: ["b", "second"] }),
            draft("c", { needs: ["e", "second"] }),
          ]),
        ]),
        draft("d", { needs: ["a"], provides: ["d"] }),
        draft("e", { needs: ["b"], provides: ["e"] }),
      ],
      order: ["a", "d", "b", "e", "c"],
      splits: 2,
    },
    {
      name: "of the calls of a cycle, the first one in the drafts is split, wherever the cycle is found",
      drafts: [
        draft("x", { needs: ["b"] }),
        both("a", { needs: ["b"], provides: ["a"] }),
        both("b", { needs: ["a"], provides: ["b"] }),
      ],
      order: ["a1", "b", "x", "a2"],
      splits: 1,
    },
    {
      name: "a call that lost its place on a path looks at all of its needs again",
      drafts: [
        draft("u", { softNeeds: ["v"], provides: ["u"] }),
        draft("z", { needs: ["v"], provides: ["z"] }),
        draft("v", { needs: ["w"], softNeeds: ["z"], provides: ["v"] }),
        draft("w", { needs: ["u"], provides: ["w"] }),
      ],
      order: ["u", "w", "v", "z"],
      splits: 0,
    },
  ];

  test.each(rows)("$name", ({ drafts, order, splits }) => {
    const found = withoutCycles(drafts);
    if (!found.ok) throw new Error(found.cycle.map(({ operation }) => operation).join());
    expect(found.order.map((index) => found.drafts[index]?.operation)).toEqual(order);
    expect(found.splits).toBe(splits);
  });

  test("a cycle that no split breaks is returned as it is", () => {
    const found = withoutCycles([
      draft("a", { needs: ["b"], provides: ["a"] }),
      draft("b", { needs: ["c"], provides: ["b"] }),
      draft("c", { needs: ["a"], provides: ["c"] }),
      draft("d", { needs: ["a"] }),
    ]);
    expect(found.ok ? [] : found.cycle.map(({ operation }) => operation)).toEqual(["a", "b", "c"]);
  });

  test("of a call in a cycle that no split breaks, only the part that waits is returned", () => {
    const parts = [draft("a1", { provides: ["x"] }), draft("a2", { needs: ["b"], provides: ["a"] })];
    const found = withoutCycles([
      { ...draft("a", { needs: ["b"], provides: ["x", "a"] }), parts },
      draft("b", { needs: ["a"], provides: ["b"] }),
    ]);
    expect(found.ok ? [] : found.cycle.map(({ operation }) => operation)).toEqual(["a2", "b"]);
  });

  test("for a component that needs more splits than the search tries, the certain minimum is counted", () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const found = withoutCycles(
      names.map((name) => {
        const needs = names.filter((other) => other !== name);
        const whole = both(name, { needs, provides: [name] });
        const [parts = []] = whole.alternatives ?? [];
        return { ...whole, alternatives: [[...parts, draft(`${name}3`)]] };
      }),
    );
    expect(found.ok && [found.drafts.length, found.splits]).toEqual([names.length + 10, 5]);
  });

  test("a component that another one needs is searched by itself", () => {
    const all = (names: Names, more: Names): readonly DraftCall[] =>
      names.map((name) => {
        const needs = [...names.filter((other) => other !== name), ...more];
        const whole = both(name, { needs, provides: [name] });
        const [parts = []] = whole.alternatives ?? [];
        return { ...whole, alternatives: [[...parts, draft(`${name}3`)]] };
      });
    // Each of the two needs three splits, of two more requests each; together they would need more than the search tries.
    const found = withoutCycles([...all(["a", "b", "c", "d"], ["e"]), ...all(["e", "f", "g", "h"], [])]);
    expect(found.ok && found.splits).toBe(12);
  });

  test("a component that needs more splits than the search tries is still split", () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const found = withoutCycles(
      names.map((name) => both(name, { needs: names.filter((other) => other !== name), provides: [name] })),
    );
    expect(found.ok && found.splits).toBe(5);
  });

  test("the search in a component of long cycles is limited, and the component is then split", () => {
    const names = Array.from({ length: 120 }, (_, index) => `n${index}`);
    const found = withoutCycles(
      names.map((name, index) => {
        const needs = [1, 11, 47].flatMap((step) => names[(index + step) % names.length] ?? []);
        return both(name, { needs, provides: [name] });
      }),
    );
    expect(found.ok && found.order.length).toBeGreaterThan(names.length + 3);
    // One split is known not to be enough.
    expect(found.ok && found.splits).toBe(2);
  });
});
