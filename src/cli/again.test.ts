import { expect, test } from "vitest";
import { connectionWords, ending, verifyWords } from "./again.ts";

test("what is to be typed again holds the saved plan to the same signature and checksum, and waits as long", () => {
  expect(ending(...verifyWords({ verifyWith: "plan.key", checksum: "abc" }))).toBe(
    " --checksum abc --verify-with plan.key",
  );
  expect(ending(...verifyWords({ verifyWith: "-" }))).toBe(" --verify-with ./-");
  expect(ending(...verifyWords({}))).toBe("");
  expect(ending(...connectionWords({ timeout: 300 }))).toBe(" --timeout 300");
});
