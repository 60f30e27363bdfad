import { describe, expect, test } from "vitest";
import { draft as draftOf } from "../../test/support/changes.ts";
import { type DraftCall, exists, released, unlinked, written } from "../model/draft-call.ts";
import { askedBy, Queue } from "./exposure-queue.ts";
import { leavingLast, removingFirst, selfLast } from "./splits.ts";

const draft = (name: string, more: Partial<DraftCall> = {}) => draftOf("update-stream", `channel:${name}`, [], more);
const [a, b, c] = [draft("a"), draft("b"), draft("c")];
const invite = draft("invite", { operation: "send-invites" });

test("a request has hard and soft dependencies", () => {
  expect(askedBy(draft("a", { needs: [exists("channel:b")], softNeeds: [written("channel:c")] }))).toHaveLength(2);
  expect(askedBy(undefined)).toEqual([]);
});

describe("requests that remain", () => {
  test("must wait, if people join through them, until only such requests are left", () => {
    const queue = new Queue([invite, a, b, invite], [0, 1, 2, 3], [[], [], [], []]);
    expect([queue.isReady(0), queue.isTooEarly(invite), queue.isTooEarly(a), queue.isTooEarly(undefined)]).toEqual([
      false,
      true,
      false,
      false,
    ]);
    queue.send(1);
    expect(queue.isReady(0)).toBe(false);
    queue.send(1);
    expect(queue.isReady(0)).toBe(true);
    queue.send(0);
    expect(queue.isReady(3)).toBe(true);
  });

  test("must still wait, if people join through them, after one of them had to be sent early", () => {
    const queue = new Queue([invite, a, b, invite, c], [0, 1, 2, 3, 4], [[], [], [], [], []]);
    queue.send(0);
    for (const left of [3, 2, 1]) {
      expect([left, queue.isReady(3)]).toEqual([left, false]);
      queue.send(queue.remaining.findIndex((index) => index !== 3));
    }
    expect([queue.remaining, queue.isReady(3)]).toEqual([[3], true]);
  });

  test("know which of them provide the dependencies of a part of a request", () => {
    const queue = new Queue(
      [
        draft("a", { provides: [exists("channel:a"), written("channel:a")] }),
        b,
        draft("c", { provides: [written("channel:a")] }),
      ],
      [0, 1, 2],
      [[], [], []],
    );
    expect(queue.providersOf(draft("x", { needs: [written("channel:a")] }))).toEqual([0, 2]);
    expect(queue.providersOf(draft("x", { softNeeds: [exists("channel:a")] }))).toEqual([0]);
    expect(queue.providersOf(draft("x"))).toEqual([]);
  });
});

describe("a request that is split in two", () => {
  const [GROUP, CHILD, BOT] = ["user_group:crew", "user_group:night", "bot:b"] as const;
  const whole: DraftCall = {
    operation: "update-user-group-members",
    path: { user_group_id: 30 },
    params: { add: [1], add_subgroups: [40, { idOf: "user_group:new" }], delete: [2], delete_subgroups: [41] },
    for: [{ address: GROUP, fields: ["members", "subgroups"] }],
    provides: [written(GROUP), released(BOT), unlinked(GROUP, CHILD)],
  };
  const split = removingFirst(whole);
  if (split === undefined) throw new RangeError("no split");
  const reactivating = draft("wake", {
    operation: "update-user-group",
    path: { user_group_id: 40 },
    params: { deactivated: false },
  });

  /** The dependencies of each request once the request at 1 is split, with the second half at the end. */
  const waitsFor = (others: readonly DraftCall[]) => {
    const drafts = [a, whole, ...others];
    const queue = new Queue(
      drafts,
      drafts.map((_, index) => index),
      [[], [0], ...others.map(() => [0, 1])],
    );
    queue.split(1, 1, split, []);
    expect([queue.drafts[1], queue.drafts.at(-1), queue.splits]).toEqual([split.first, split.rest, 1]);
    expect(queue.remaining.slice(0, 3)).toEqual([0, 1, drafts.length]);
    expect([queue.prerequisites[1], queue.prerequisites.at(-1)]).toEqual([[], [0, 1]]);
    return others.map((_, n) => queue.prerequisites[n + 2]);
  };

  test.each<{ who: string; other: DraftCall; waits: readonly number[] }>([
    { who: "the whole request waits for both halves", other: draft("x"), waits: [0, 1, 3] },
    {
      who: "a group's removal and more waits for both",
      other: draft("x", { needs: [unlinked(GROUP, CHILD), written(GROUP)] }),
      waits: [0, 1, 3],
    },
  ])("a request that needs $who", ({ other, waits }) => expect(waitsFor([other])).toEqual([waits]));

  test.each([
    // New members are sent first. The group leaves with the other half, so that half decides when other requests may follow.
    { how: "removals in the second half", split: leavingLast(whole), waits: [2, 3] },
    // Both halves remove somebody, and the group leaves with the first.
    { how: "one account in the second half", split: selfLast(whole, 2), waits: [1, 2] },
  ])("a request that needs a group's removal waits for its half: $how", ({ split: halves, waits }) => {
    if (halves === undefined) throw new RangeError("no split");
    const other = draft("x", { needs: [unlinked(GROUP, CHILD)] });
    const queue = new Queue([other, whole, c], [0, 1, 2], [[1, 2], [], []]);
    queue.split(1, 1, halves, []);
    expect(queue.prerequisites[0]).toEqual(waits);
  });

  test("counts as one more request before people may join", () => {
    const queue = new Queue([whole, invite], [0, 1], [[], []]);
    queue.split(0, 0, split, []);
    queue.send(0);
    expect(queue.isReady(1)).toBe(false);
    queue.send(0);
    expect(queue.isReady(1)).toBe(true);
  });

  test("may let people join only through its second half", () => {
    const realm = draft("realm", { operation: "update-realm", params: { name: "x", invite_required: false } });
    const halves = {
      first: { ...realm, params: { name: "x" } },
      rest: { ...realm, params: { invite_required: false } },
    };
    const queue = new Queue([realm, a], [0, 1], [[], []]);
    expect(queue.isReady(0)).toBe(false);
    queue.split(0, 0, halves, []);
    expect([queue.isReady(0), queue.isReady(2)]).toEqual([true, false]);
    queue.send(0);
    expect(queue.isReady(2)).toBe(false);
    queue.send(1);
    expect([queue.remaining, queue.isReady(2)]).toEqual([[2], true]);
  });

  test.each<{ what: string; other: DraftCall; waits: boolean }>([
    { what: "a request that reactivates an added group", other: reactivating, waits: false },
    {
      what: "a request that changes another field of an added group",
      other: { ...reactivating, params: { deactivated: true } },
      waits: true,
    },
    {
      what: "a request that reactivates another group",
      other: { ...reactivating, path: { user_group_id: 99 } },
      waits: true,
    },
  ])("its removing half waits for $what: $waits", ({ other, waits }) => {
    const needs = [unlinked("user_group:x", GROUP)];
    const queue = new Queue([other, { ...whole, needs }], [0, 1], [[], [0]]);
    expect(queue.neededToRemove(1, split)).toEqual(waits ? [0] : []);
  });

  test("a half that adds no groups keeps all dependencies of the whole", () => {
    const { add_subgroups: _, ...params } = whole.params;
    const plain = removingFirst({ ...whole, params });
    const queue = new Queue([reactivating, { ...whole, params }], [0, 1], [[], [0]]);
    expect(plain === undefined ? [] : queue.neededToRemove(1, plain)).toEqual([0]);
  });
});
