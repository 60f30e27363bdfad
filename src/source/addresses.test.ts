import fc from "fast-check";
import { expect, test } from "vitest";
import { hasDomain, replaceAddresses } from "./known-texts.ts";

const marked = (address: string): string => `<${address}>`;

test.each([
  { text: "ada@example.org", is: "<ada@example.org>" },
  { text: "ask ada@example.org, or ben@example.org.", is: "ask <ada@example.org>, or <ben@example.org.>" },
  { text: "a@b.c@d.e", is: "<a@b.c>@d.e" },
  { text: "a@b@c.d", is: "a@<b@c.d>" },
  { text: "@all a@ @b a@@b.c", is: "@all a@ @b a@@b.c" },
  { text: "a@.org a@org. a@..org", is: "a@.org a@org. <a@..org>" },
  { text: "mailto:ada@example.org", is: "mailto:<ada@example.org>" },
])("$text", ({ text, is }) => expect(replaceAddresses(text, marked, { isHost: hasDomain })).toBe(is));

test("finds the same addresses as a search with a pattern", () => {
  const pattern = /[^\s@<>"'(),;:[\]]+@[^\s@<>"'(),;:[\]]+\.[^\s@<>"'(),;:[\]]+/gu;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "b", "@", ".", " ", ":", "(", "{", "\n", "é", "😀")).map((all) => all.join("")),
      (text) => {
        expect(replaceAddresses(text, marked, { isHost: hasDomain })).toBe(text.replace(pattern, marked));
      },
    ),
  );
});

// If the work grew with the square of the length, none of these would end.
test.each([
  "x".repeat(1_000_000),
  `${"x".repeat(1_000_000)} @`,
  "@".repeat(1_000_000),
  "a@".repeat(400_000),
  `a@${".".repeat(1_000_000)}`,
])("takes work that is proportional to the length (%#)", (text) => {
  expect(replaceAddresses(text, (address) => address, { isHost: hasDomain })).toHaveLength(text.length);
});
