import { expect, test } from "vitest";
import { withoutTrailingSlashes } from "./texts.ts";

test.each([
  { text: "https://chat.example.org", is: "https://chat.example.org" },
  { text: "https://chat.example.org///", is: "https://chat.example.org" },
  { text: "/a//b/", is: "/a//b" },
  { text: "///", is: "" },
  { text: "", is: "" },
])("$text", ({ text, is }) => expect(withoutTrailingSlashes(text)).toBe(is));

// If the work grew with the square of the length, the test would not end.
test("many slashes that are not at the end of the text", () => {
  const text = `${"/".repeat(5_000_000)}x`;
  expect(withoutTrailingSlashes(text)).toBe(text);
});
