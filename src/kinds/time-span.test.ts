import { expect, test } from "vitest";
import { formatTimeSpan, parseTimeSpan } from "./property.ts";

test.each<[string, number | undefined]>([
  ["90s", 90],
  ["10m", 600],
  ["36h", 129_600],
  ["7d", 604_800],
  ["2w", 1_209_600],
  ["0m", undefined],
  ["-1d", undefined],
  ["10", undefined],
  ["10 m", undefined],
  ["1.5h", undefined],
  ["10M", undefined],
  ["unlimited", undefined],
  ["1constructor", undefined],
  ["", undefined],
])("%j is %s seconds", (text, seconds) => expect(parseTimeSpan(text)).toBe(seconds));

test.each([
  [90, "90s"],
  [600, "10m"],
  [3600, "1h"],
  [604_800, "7d"],
  [129_600, "36h"],
])("%s seconds are written as %s", (seconds, text) => expect(formatTimeSpan(seconds)).toBe(text));
