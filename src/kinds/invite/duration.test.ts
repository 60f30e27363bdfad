import { expect, test } from "vitest";
import { parseDuration } from "./schema.ts";

test.each<[string, number | null | undefined]>([
  ["10d", 14_400],
  ["36h", 2160],
  ["90m", 90],
  ["2w", 20_160],
  ["never", null],
  ["3650d", 5_256_000],
  ["3651d", undefined],
  ["0d", undefined],
  ["-1d", undefined],
  ["10", undefined],
  ["10 d", undefined],
  ["1.5h", undefined],
  ["10D", undefined],
  ["forever", undefined],
  ["", undefined],
  ["1constructor", undefined],
])("%j is %s minutes", (text, minutes) => expect(parseDuration(text)).toBe(minutes));
