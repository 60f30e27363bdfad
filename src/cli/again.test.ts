import { expect, test } from "vitest";
import { connectionWords, ending, verifyWords } from "./again.ts";

test("a suggested command checks the saved plan with the same signature and checksum, and has the same time limits", () => {
  expect(ending(...verifyWords({ verifyWith: "plan.key", checksum: "abc" }))).toBe(
    " --checksum abc --verify-with plan.key",
  );
  expect(ending(...verifyWords({ verifyWith: "-" }))).toBe(" --verify-with ./-");
  expect(ending(...verifyWords({}))).toBe("");
  expect(ending(...connectionWords({ timeout: 300 }))).toBe(" --timeout 300");
});
