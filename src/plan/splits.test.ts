import { describe, expect, test } from "vitest";
import { type DraftCall, exists, membersWritten, released, unlinked, written } from "../model/draft-call.ts";
import { isSeparable, leavingLast, removingFirst, type Split, selfLast, separable, splitsOf } from "./splits.ts";

const GROUP = "user_group:crew";
const ME = 6;
const expects = [{ address: GROUP, id: 1, field: "members", value: [] }] as const;
const needs = [exists("user_group:x")];
const provides = [membersWritten(GROUP), released("bot:b"), unlinked(GROUP, "child")];
const [MEMBERS_WRITTEN, RELEASED, UNLINKED] = provides;

const members = (params: DraftCall["params"], more: Partial<DraftCall> = {}): DraftCall => ({
  operation: "update-user-group-members",
  path: { user_group_id: 1 },
  params,
  for: [{ address: GROUP, fields: ["members", "subgroups"] }],
  expects,
  needs,
  provides,
  ...more,
});
const other = { operation: "update-user-group" } as const;

/** The properties that a split changes: what the first part provides, and what the second part still does of the whole request. */
const partsOf = (split: Split | undefined) =>
  split && {
    first: [split.first.params, split.first.for.flatMap(({ fields }) => fields), split.first.provides],
    rest: [split.rest.params, split.rest.for.flatMap(({ fields }) => fields), split.rest.provides],
    before: [split.first.expects, split.first.needs],
    after: [split.rest.expects, split.rest.needs],
  };
const BOTH = ["members", "subgroups"];
const unchanged = { before: [expects, needs], after: [[], []] };

describe("a request split into two", () => {
  const mixed = members({ add: [1], add_subgroups: [2], delete: [3, ME], delete_subgroups: [4] });
  const added = { add: [1], add_subgroups: [2] };
  const removed = { delete: [3, ME], delete_subgroups: [4] };

  test("removals first", () => {
    expect(partsOf(removingFirst(mixed))).toEqual({
      first: [removed, BOTH, [RELEASED]],
      rest: [added, BOTH, [MEMBERS_WRITTEN, UNLINKED]],
      ...unchanged,
    });
    const bare: DraftCall = { operation: mixed.operation, path: {}, params: mixed.params, for: mixed.for };
    expect([removingFirst(bare)?.first.provides, removingFirst(bare)?.rest.provides]).toEqual([[], []]);
    for (const params of [added, removed, {}]) expect(removingFirst(members(params))).toBeUndefined();
    expect(removingFirst({ ...mixed, ...other })).toBeUndefined();
  });

  test("additions first", () => {
    expect(partsOf(leavingLast(mixed))).toEqual({
      first: [added, BOTH, []],
      rest: [removed, BOTH, provides],
      ...unchanged,
    });
    expect(partsOf(leavingLast(members(removed)))).toEqual({
      first: [{ delete_subgroups: [4] }, ["subgroups"], []],
      rest: [{ delete: [3, ME] }, ["members"], provides],
      ...unchanged,
    });
    for (const params of [added, { delete: [3] }, { delete_subgroups: [4] }])
      expect(leavingLast(members(params))).toBeUndefined();
  });

  test("the removal of the account last", () => {
    expect(partsOf(selfLast(mixed, ME))).toEqual({
      first: [{ ...added, delete: [3], delete_subgroups: [4] }, BOTH, [RELEASED, UNLINKED]],
      rest: [{ delete: [ME] }, ["members"], [MEMBERS_WRITTEN]],
      ...unchanged,
    });
    expect(selfLast(members({ delete: [ME], add: [1] }), ME)?.first.params).toEqual({ add: [1] });
    expect(selfLast(members({ delete: [ME, 3], add: [1] }), ME)?.first.params).toEqual({ delete: [3], add: [1] });
    const bare: DraftCall = { operation: mixed.operation, path: {}, params: mixed.params, for: mixed.for };
    expect([selfLast(bare, ME)?.first.provides, selfLast(bare, ME)?.rest.provides]).toEqual([[], []]);
    // If the account leaves alone, does not leave, or is named by another kind of request, there is nothing to split.
    for (const params of [{ delete: [ME] }, { delete: [3] }, { add: [ME] }])
      expect(selfLast(members(params), ME)).toBeUndefined();
    expect(selfLast({ ...mixed, ...other }, ME)).toBeUndefined();
  });
});

describe("the parts that a request may send separately", () => {
  const FIELDS = { address: "channel:hall", fields: ["topic"] } as const;
  const part = (name: string, more: Partial<DraftCall> = {}): DraftCall => ({
    operation: "update-stream",
    path: { stream_id: 1 },
    params: { [name]: name },
    for: [{ address: "channel:hall", fields: [name] }],
    expects: [],
    needs: [exists(`thing:${name}`)],
    provides: [written(`thing:${name}`)],
    ...more,
  });
  const [a, b, c] = [part("a"), part("b"), part("c")];
  const whole = part("whole", {
    params: { a: "a", b: "b", c: "c" },
    for: [{ address: "channel:hall", fields: ["a", "b", "c"] }],
    provides: [written("thing:a"), written("thing:b"), written("thing:c"), exists("channel:hall")],
    parts: [a, b, c],
  });
  const riderExpects = { address: "channel:hall", id: 1, field: "topic", value: "x" } as const;
  const rider: DraftCall = {
    ...part("topic"),
    for: [FIELDS],
    expects: [riderExpects],
    needs: [exists("thing:r")],
    softNeeds: [exists("thing:soft")],
    provides: [written("thing:r")],
    mergeInto: { address: "channel:hall", params: { topic: "topic" } },
  };
  const second: DraftCall = {
    ...part("colour"),
    mergeInto: { address: "channel:hall", params: { colour: "colour" } },
  };
  const carrying = part("own", {
    params: { own: "own", topic: "topic", colour: "colour" },
    for: [{ address: "channel:hall", fields: ["own"] }, FIELDS, ...second.for],
    expects: [riderExpects, { ...riderExpects, field: "own" }],
    needs: [exists("thing:own"), exists("thing:r"), exists("thing:colour")],
    softNeeds: [exists("thing:soft"), exists("thing:other")],
    provides: [written("thing:own"), written("thing:r"), written("thing:colour")],
    riders: [rider, second],
  });

  test("each part, and each merged call, separately", () => {
    const names = (draft: DraftCall) => separable(draft).map(({ params }) => Object.keys(params));
    expect(names(whole)).toEqual([["a"], ["b"], ["c"]]);
    expect(names({ ...whole, parts: [a] })).toEqual([]);
    expect(names(carrying)).toEqual([["topic"], ["colour"]]);
    expect(names(part("plain"))).toEqual([]);
    expect([whole, carrying, { ...whole, parts: [a] }, part("plain")].map(isSeparable)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const making = { ...a, params: { id: { idOf: "thing:new" } } } as const;
    expect(separable({ ...whole, parts: [making, b] })[0]?.needs).toEqual([exists("thing:a"), exists("thing:new")]);
  });

  test("several parts as one request", () => {
    const [split, ...more] = splitsOf(whole, separable(whole).slice(0, 2));
    expect(more).toEqual([]);
    expect(split?.first).toMatchObject({
      params: { a: "a", b: "b" },
      for: [{ address: "channel:hall", fields: ["a", "b"] }],
      needs: [exists("thing:a"), exists("thing:b")],
      provides: [written("thing:a"), written("thing:b")],
    });
    expect(split?.first.parts).toEqual([a, b]);
    expect(split?.rest).toMatchObject({ params: { c: "c" }, for: [{ address: "channel:hall", fields: ["c"] }] });
    expect(split?.rest.provides).toEqual([exists("channel:hall"), written("thing:c")]);
    expect(split?.rest.parts).toBeUndefined();
  });

  test("what merged calls do stays with the rest, and so do the rights that it uses", () => {
    const using: DraftCall = { ...c, uses: ["can_create_groups"], reads: ["channel:hall"] };
    const [split] = splitsOf({ ...carrying, parts: [a, b, using] }, [a]);
    expect(split?.first).toMatchObject({ params: { a: "a" }, for: [{ fields: ["a"] }] });
    expect([split?.first.riders, split?.first.uses, split?.first.reads]).toEqual([undefined, [], []]);
    expect(split?.rest).toMatchObject({
      params: { b: "b", c: "c", topic: "topic", colour: "colour" },
      expects: [riderExpects],
      riders: [rider, second],
      uses: ["can_create_groups"],
      reads: ["channel:hall"],
    });
    expect(split?.rest.for.flatMap(({ fields }) => fields)).toEqual(["b", "c", "topic", "colour"]);
    expect(split?.rest.provides).toEqual(expect.arrayContaining([written("thing:r"), written("thing:colour")]));
  });

  test("parts of several objects keep their purpose for each object", () => {
    const elsewhere = part("d", { for: [{ address: "channel:yard", fields: ["d"] }] });
    const [split] = splitsOf({ ...whole, parts: [a, elsewhere, b, c] }, [a, elsewhere, b]);
    expect(split?.first.for).toEqual([
      { address: "channel:hall", fields: ["a", "b"] },
      { address: "channel:yard", fields: ["d"] },
    ]);
  });

  test("a request is not split if nothing would be left, or nothing is separated", () => {
    expect(splitsOf(whole, separable(whole))).toEqual([]);
    expect(splitsOf(whole, [])).toEqual([]);
    expect(splitsOf(whole, [part("stranger")])).toEqual([]);
  });

  test("a merged call that relies on nothing leaves what the rest relies on", () => {
    const { expects: _, ...bare } = second;
    const [split] = splitsOf({ ...carrying, riders: [rider, bare] }, [bare]);
    expect(split?.rest.expects).toEqual(carrying.expects);
  });

  test("merged calls are separated one by one, each from the rest that the previous split left", () => {
    const splits = splitsOf(carrying, separable(carrying));
    expect(splits.map(({ first }) => [first.params, first.mergeInto])).toEqual([
      [{ topic: "topic" }, undefined],
      [{ colour: "colour" }, undefined],
    ]);
    expect(splits.map(({ rest }) => rest.params)).toEqual([{ own: "own", colour: "colour" }, { own: "own" }]);
    const [one, two] = splits;
    expect(one?.rest).toMatchObject({
      for: [{ address: "channel:hall", fields: ["own"] }, { fields: ["colour"] }],
      expects: [{ ...riderExpects, field: "own" }],
      needs: [exists("thing:own"), exists("thing:colour")],
      softNeeds: [exists("thing:other")],
      provides: [written("thing:own"), written("thing:colour")],
      riders: [second],
    });
    expect(two?.rest.riders).toEqual([]);
    expect(two?.rest.for).toEqual([{ address: "channel:hall", fields: ["own"] }]);
  });

  test("separating one of two merged calls leaves the other", () => {
    const [, colour] = separable(carrying);
    const splits = splitsOf(carrying, colour === undefined ? [] : [colour]);
    expect(splits.map(({ rest }) => [rest.params, rest.riders])).toEqual([[{ own: "own", topic: "topic" }, [rider]]]);
  });
});
