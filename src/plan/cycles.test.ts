import { describe, expect, test } from "vitest";
import { type DraftCall, exists } from "../model/draft-call.ts";
import { withoutCycles, withReferences } from "./cycles.ts";

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
  ];

  test.each(rows)("$name", ({ drafts, order, splits }) => {
    const found = withoutCycles(drafts);
    if (!found.ok) throw new Error(found.cycle.map(({ operation }) => operation).join());
    expect(found.order.map((index) => found.drafts[index]?.operation)).toEqual(order);
    expect(found.splits).toBe(splits);
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

test("a call needs the objects that it mentions, except those that it creates", () => {
  const made = { idOf: "thing:new" } as const;
  const call = draft("a", { needs: ["x"], provides: ["y"] });
  const { needs, provides } = withReferences({
    ...call,
    path: { id: { idOf: "thing:old" } },
    params: { deep: [{ made }], none: null },
    creates: ["thing:new"],
  });
  expect(needs).toEqual([exists("thing:x"), exists("thing:old")]);
  expect(provides).toEqual([exists("thing:y"), exists("thing:new")]);
});
