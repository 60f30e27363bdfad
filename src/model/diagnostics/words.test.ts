import { expect, test } from "vitest";
import { quote } from "./values.ts";
import { q } from "./words.ts";

test.each([
  { text: "lobby", said: '"lobby"' },
  { text: "x".repeat(300), said: `"${"x".repeat(300)}"` },
  { text: "x".repeat(301), said: `"${"x".repeat(300)}…" (301 characters)` },
  { text: "x".repeat(40_000), said: `"${"x".repeat(300)}…" (40,000 characters)` },
  // A character is never cut in half.
  { text: `${"x".repeat(299)}${"😀".repeat(2)}`, said: `"${"x".repeat(299)}…" (303 characters)` },
])("a quoted text of $text.length characters is short enough for a sentence", ({ text, said }) => {
  expect(q(quote(text))).toBe(said);
});
