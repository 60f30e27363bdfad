import { expect, test } from "vitest";
import { LONGEST_ANSWER_S, LONGEST_RUN_S, secondsIn } from "./duration.ts";

test.each<[string, number | undefined]>([
  ["90", 90],
  ["90s", 90],
  ["0.5", 0.5],
  ["1.5m", 90],
  ["10m", 600],
  ["2h", 7200],
  [" 10m ", 600],
  ["24h", LONGEST_RUN_S],
  ["86400", LONGEST_RUN_S],
  ["86401", undefined],
  ["25h", undefined],
  ["0", undefined],
  ["0s", undefined],
  ["-1", undefined],
  ["", undefined],
  ["m", undefined],
  ["10 m", undefined],
  ["10M", undefined],
  ["10min", undefined],
  ["1d", undefined],
  ["1e3", undefined],
  ["0x10", undefined],
  ["１０", undefined],
  ["9".repeat(400), undefined],
])("%j is %s seconds", (written, seconds) => expect(secondsIn(written, LONGEST_RUN_S)).toBe(seconds));

test("an answer may take at most an hour", () => {
  expect(secondsIn("1h", LONGEST_ANSWER_S)).toBe(3600);
  expect(secondsIn("61m", LONGEST_ANSWER_S)).toBeUndefined();
});
