import { expect, test } from "vitest";
import { setOrder } from "./set-order.ts";

test.each([
  [
    [4, 5],
    [4, 5],
  ],
  [
    [6, 9],
    [9, 6],
  ],
  [
    [23, 24],
    [24, 23],
  ],
  [
    [8, 4],
    [8, 4],
  ],
  [[1, 1, 1], [1]],
  [[], []],
  [
    [-1, 5, 7],
    [5, -1, 7],
  ],
  [
    [99999, 5, -3],
    [-3, 5, 99999],
  ],
  // Two numbers for the same slot: the second goes where the server's hash table puts it.
  [
    [8, 16, 1],
    [8, 16, 1],
  ],
  [
    [1, 9, 2],
    [1, 2, 9],
  ],
])("the order of %j is %j", (ids, walked) => {
  expect(setOrder(ids)).toEqual(walked);
});
