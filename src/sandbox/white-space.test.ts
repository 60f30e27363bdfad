import { expect, test } from "vitest";
import { stripped, strippedEnd, strippedParameter } from "./white-space.ts";

test.each([
  ["spaces, tabs, newlines", " \t\r\n\v\fa \t\r\n\v\f", "a", "a"],
  ["spaces of other widths", "\u00a0\u1680\u2003\u202f\u205f\u3000a\u2028\u2029", "a", "a"],
  ["the next-line control", "\u0085a\u0085", "a", "a"],
  ["the separators of old files", "\u001c\u001fa\u001d\u001e", "a", "\u001c\u001fa\u001d\u001e"],
  ["not the byte order mark", "\ufeffa\ufeff", "\ufeffa\ufeff", "\ufeffa\ufeff"],
  ["not characters without width", "\u200ba\u200b", "\u200ba\u200b", "\u200ba\u200b"],
  ["not white space inside", "a \n b", "a \n b", "a \n b"],
  ["nothing but spaces", " \n ", "", ""],
])("%s", (_fact, text, own, parameter) => {
  expect([stripped(text), strippedParameter(text)]).toEqual([own, parameter]);
  expect(strippedEnd(`a${text}`)).toBe(`a${strippedEnd(text)}`);
});
