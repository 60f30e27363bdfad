import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonErrorAt, notJsonText, whyNotJson } from "./not-json.ts";

test.each([
  ["", "it is empty"],
  [" \n", "it is empty"],
  ["{", "it ends too early"],
  ['{"a": [1, 2', "it ends too early"],
  ["root:x:0:0:secret", "there is an error at line 1, column 1"],
  ['{"a": secret}', "there is an error at line 1, column 7"],
  ['{\n "a": 1,\n}', "there is an error at line 3, column 1"],
  ['{"a" 1}', "there is an error at line 1, column 6"],
  ["[1,,2]", "there is an error at line 1, column 4"],
  ["[1] 2", "there is an error at line 1, column 5"],
  ['["a\nb"]', "there is an error at line 1, column 2"],
  ["[}", "there is an error at line 1, column 2"],
  ["01", "there is an error at line 1, column 2"],
])("%j: %s", (text, why) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(notJsonText(whyNotJson(text))).toBe(why);
});

test("valid JSON has no error, and truncated JSON has it at its end", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, cut) => {
      expect(jsonErrorAt(json)).toBe(json.length);
      const part = json.slice(0, cut % json.length);
      expect(jsonErrorAt(part)).toBeLessThanOrEqual(part.length);
    }),
  );
});

test("a damaged text has its error inside it, and none of it is quoted", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ minLength: 6, maxLength: 9 }), (json, place, damage) => {
      const at = place % (json.length + 1);
      const text = json.slice(0, at) + damage + json.slice(at);
      try {
        JSON.parse(text);
      } catch {
        expect([
          { is: "empty" },
          { is: "cut-off" },
          { is: "error", line: expect.any(Number), column: expect.any(Number) },
        ]).toContainEqual(whyNotJson(text));
      }
    }),
  );
});
