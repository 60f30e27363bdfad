import { describe, expect, test } from "vitest";
import { draft as draftOf } from "../../test/support/changes.ts";
import { type DraftCall, exists } from "../model/draft-call.ts";
import type { Address } from "../model/plan.ts";
import { batched, merged } from "./merge.ts";

const address: Address = "thing:host";
const draft = (operation: string, more: Partial<DraftCall> = {}) =>
  draftOf(operation, `thing:${operation}`, [operation], more);
/** Every member that a call can have, with values that contain the call's name. */
const everything = (name: string) => ({
  expects: [{ address, field: name, value: name }],
  needs: [exists(`thing:needs-${name}`)],
  softNeeds: [exists(`thing:soft-${name}`)],
  provides: [exists(`thing:provides-${name}`)],
  creates: [`thing:creates-${name}`] as Address[],
  uses: [`can_${name}`, "can_both"],
  reads: [`channel:${name}`, "channel:both"] as Address[],
});
const nothing = { expects: [], needs: [], softNeeds: [], provides: [], creates: [], uses: [], reads: [] };

describe("calls that are merged into another one", () => {
  const target = { address, params: ["a", "b"] };
  const host = draft("host", { params: { own: 1 }, mergeTarget: target });
  const guest = (name: string, more: Partial<DraftCall> = {}) =>
    draft(name, { mergeInto: { address, params: { [name]: 1 } }, ...more });
  const operations = (drafts: readonly DraftCall[]) => merged(drafts).map(({ operation }) => operation);

  test("pass on their purpose, expectations, dependencies, effects and needed rights", () => {
    expect(merged([{ ...host, ...everything("host") }, guest("a", everything("a"))])).toEqual([
      {
        ...host,
        params: { own: 1, a: 1 },
        for: [...host.for, ...guest("a").for],
        expects: [...everything("host").expects, ...everything("a").expects],
        needs: [...everything("host").needs, ...everything("a").needs],
        softNeeds: [...everything("host").softNeeds, ...everything("a").softNeeds],
        provides: [...everything("host").provides, ...everything("a").provides],
        creates: [...everything("host").creates, ...everything("a").creates],
        uses: ["can_host", "can_both", "can_a"],
        reads: ["channel:host", "channel:both", "channel:a"],
        riders: [guest("a", everything("a"))],
      },
    ]);
  });

  test("are not merged with themselves", () =>
    expect(merged([guest("a", { mergeTarget: target })])).toEqual([guest("a", { mergeTarget: target })]));

  test("are not merged with a call that is itself merged into another", () => {
    const middle = guest("a", { mergeTarget: { address: "thing:a", params: ["deep"] } });
    const last = draft("last", { mergeInto: { address: "thing:a", params: { deep: 1 } } });
    expect(operations([host, middle, last])).toEqual(["host", "last"]);
  });
});

describe("calls that differ only in one list", () => {
  const batch = { list: "names", limit: 3 };
  const element = (names: readonly string[], more: Partial<DraftCall> = {}) =>
    draft("make", { params: { colour: "red", names: [...names] }, batch, ...more });
  const names = (drafts: readonly DraftCall[]) => batched(drafts).map(({ params }) => params.names);

  test("become one call with the purpose, expectations, dependencies, effects and needed rights of all", () => {
    expect(batched([element(["a"], everything("a")), element(["b"], { ...everything("b"), rank: 2 })])).toEqual([
      {
        ...element(["a", "b"]),
        for: [...element([]).for, ...element([]).for],
        expects: [...everything("a").expects, ...everything("b").expects],
        needs: [...everything("a").needs, ...everything("b").needs],
        softNeeds: [...everything("a").softNeeds, ...everything("b").softNeeds],
        provides: [...everything("a").provides, ...everything("b").provides],
        creates: [...everything("a").creates, ...everything("b").creates],
        uses: ["can_a", "can_both", "can_b"],
        reads: ["channel:a", "channel:both", "channel:b"],
        rank: 2,
      },
    ]);
  });

  test("add nothing if they have nothing", () =>
    expect(batched([element(["a"])])).toEqual([{ ...element(["a"]), ...nothing, rank: 0 }]));

  test.each([
    { about: "as many elements as the limit", given: [["a"], ["b"], ["c"]], expected: [["a", "b", "c"]] },
    { about: "one more than the limit", given: [["a"], ["b", "c"], ["d"]], expected: [["a", "b", "c"], ["d"]] },
    {
      about: "a separate count for each call",
      given: [["a", "b"], ["c", "d"], ["e"], ["f"]],
      expected: [["a", "b"], ["c", "d", "e"], ["f"]],
    },
    { about: "a call that alone exceeds the limit", given: [["a", "b", "c", "d"]], expected: [["a", "b", "c", "d"]] },
    {
      about: "a call that exceeds the limit, after another one",
      given: [["a"], ["b", "c", "d", "e"], ["f"]],
      expected: [["a"], ["b", "c", "d", "e"], ["f"]],
    },
  ])("$about", ({ given, expected }) => expect(names(given.map((each) => element(each)))).toEqual(expected));

  test.each([
    { what: "limit", other: { batch: { list: "names", limit: 4 } } },
    { what: "other parameter", other: { params: { colour: "blue", names: ["b"] } } },
  ])("are not combined if they differ in $what", ({ other }) =>
    expect(batched([element(["a"]), element(["b"], other)])).toHaveLength(2),
  );

  test("a call keeps the calls that joined it, unless it is combined with others", () => {
    const host = element(["a"], { riders: [draft("rider")] });
    expect(batched([host])[0]?.riders).toEqual([draft("rider")]);
    const [combined] = batched([host, element(["b"])]);
    expect(combined !== undefined && "riders" in combined).toBe(false);
  });

  test("a call without its list is an error of a kind", () =>
    expect(() => batched([element([], { params: { names: "a" } })])).toThrow("make: names is no list"));
});
