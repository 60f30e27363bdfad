import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import fc from "../../test/support/random.ts";
import type { Json } from "../model/json.ts";
import { parseYaml } from "./load.ts";
import { SourceText } from "./text.ts";
import { PlaceTable } from "./tree.ts";
import { entryLines, inlineYaml, scalar, writeYaml } from "./write.ts";

test.each([
  { value: "role:members", text: "role:members" },
  { value: "ada@example.org", text: "ada@example.org" },
  { value: "News, everybody should read", text: "News, everybody should read" },
  { value: "10d", text: "10d" },
  { value: "", text: '""' },
  { value: "no", text: '"no"' },
  { value: "0755", text: '"0755"' },
  { value: "1.5e3", text: '"1.5e3"' },
  { value: "2026-11-21", text: '"2026-11-21"' },
  { value: "#1234", text: '"#1234"' },
  { value: "a: b", text: '"a: b"' },
  { value: "#(?P<id>\\d+)", text: "'#(?P<id>\\d+)'" },
  { value: 'say "hi"', text: 'say "hi"' },
  { value: '"hi"', text: "'\"hi\"'" },
  { value: "two\nlines", text: '"two\\nlines"' },
  { value: "a\u200bb", text: '"a\\u200bb"' },
  { value: null, text: "null" },
  { value: 30, text: "30" },
])("$value is written as $text", ({ value, text }) => expect(scalar(value, false)).toBe(text));

test("short lists and groups are on one line, long ones on several lines", () => {
  expect(entryLines("can_x", { groups: ["role:owners"], users: [{ id: 7 }] }, "  ")).toEqual([
    "  can_x: {groups: [role:owners], users: [{id: 7}]}",
  ]);
  const people = Array.from({ length: 9 }, (_, n) => `person-number-${n}@example.org`);
  expect(entryLines("members", people, "")).toEqual(["members:", ...people.map((person) => `  - ${person}`)]);
});

test("every line knows its path", () => {
  const { text, paths } = writeYaml(
    { entries: [{ key: "a", comments: ["why"], value: { entries: [{ key: "b", value: { c: 1 } }] } }] },
    ["head"],
  );
  expect(text).toBe("# head\n# why\na:\n  b:\n    c: 1\n");
  expect([...paths]).toEqual([
    [3, ["a"]],
    [4, ["a", "b"]],
    [5, ["a", "b", "c"]],
  ]);
});

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }).filter((value) => !/[\p{Cs}\ufffd]/u.test(value)),
  fc.string({
    unit: fc.constantFrom(...":#-?,[]{}&*!|>'\"%@`~ \n\\=.0123456789eEnoyrl\u00e9\u200b\u2028🔧"),
    maxLength: 8,
  }),
  fc.constantFrom(
    "null",
    "~",
    "yes",
    "0x1f",
    "1_000",
    "12:30",
    "<<",
    "...",
    "---",
    ".inf",
    "- a",
    "key: value",
    "a #b",
  ),
);
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom<Json>(null, true, false, 0, -7, 30),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

describe("text that was written can be read again", () => {
  test("by realmctl and by the yaml library", async () => {
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const written = writeYaml({
          entries: [
            { key: "value", value },
            { key: "inline", value: 1 },
          ],
        }).text.replace("inline: 1", `inline: ${inlineYaml(value)}`);
        const read = await parseYaml(new SourceText("a.yaml", written), new PlaceTable());
        expect(read.diagnostics).toEqual([]);
        expect(read.value).toEqual({ value, inline: value });
        expect(parse(written, { merge: false })).toEqual({ value, inline: value });
      }),
      { numRuns: 1000 },
    );
  });
});
