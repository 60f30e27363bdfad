import { describe, expect, test } from "vitest";
import { SourceText } from "./text.ts";
import { isTree, PlaceTable, type Tree } from "./tree.ts";
import { parseFully } from "./yaml.ts";

function parse(text: string) {
  const places = new PlaceTable();
  const { value, diagnostics } = parseFully(new SourceText("realm.yaml", text), places);
  return { value, diagnostics, places };
}

describe("values are YAML 1.2", () => {
  test.each<{ text: string; value: unknown }>([
    { text: "a: yes", value: { a: "yes" } },
    { text: "a: NO", value: { a: "NO" } },
    { text: "a: on", value: { a: "on" } },
    { text: "a: true", value: { a: true } },
    { text: "a: False", value: { a: false } },
    { text: "a:", value: { a: null } },
    { text: "a: ~", value: { a: null } },
    { text: "a: 'null'", value: { a: "null" } },
    { text: "a: 2026-11-21", value: { a: "2026-11-21" } },
    { text: "a: 12:30", value: { a: "12:30" } },
    { text: "a: 10d", value: { a: "10d" } },
    { text: "a: 1_000", value: { a: "1_000" } },
    { text: "a: 0x1F", value: { a: 31 } },
    { text: "a: 1.5e3", value: { a: 1500 } },
    { text: "a: !!str 2024", value: { a: "2024" } },
    { text: 'a: "tab\\t\\u263a"', value: { a: "tab\t☺" } },
    { text: "a: 'it''s'", value: { a: "it's" } },
    { text: "a: |\n  two\n  lines\n", value: { a: "two\nlines\n" } },
    { text: "a: >-\n  one\n  line\n", value: { a: "one line" } },
    { text: "a: one\n  line", value: { a: "one line" } },
    { text: "a: x # comment", value: { a: "x" } },
    { text: "a: x#y", value: { a: "x#y" } },
    { text: "{a: [1, {b: 2}], c}", value: { a: [1, { b: 2 }], c: null } },
    { text: "- - 1\n  - 2\n- a: 1\n  b: 2", value: [[1, 2], { a: 1, b: 2 }] },
    { text: "? a\n: b", value: { a: "b" } },
    { text: "---\na: b\n...\n", value: { a: "b" } },
    { text: "# only\n", value: null },
    { text: "a: &x [1]\nb: *x", value: { a: [1], b: [1] } },
    { text: "a: &x 1\nb: &x 2\nc: *x", value: { a: 1, b: 2, c: 2 } },
    { text: "&k a: 1\nb: *k", value: { a: 1, b: "a" } },
    { text: "x: &x {a: 1, b: 2}\ny:\n  b: 3\n  <<: *x", value: { x: { a: 1, b: 2 }, y: { b: 3, a: 1 } } },
    {
      text: "x: &x {a: 1}\ny: &y {a: 2, b: 2}\nz: {<<: [*x, *y]}",
      value: { x: { a: 1 }, y: { a: 2, b: 2 }, z: { a: 1, b: 2 } },
    },
    { text: "x: {'<<': 1}", value: { x: { "<<": 1 } } },
    { text: "toString: 1\nconstructor: 2", value: { toString: 1, constructor: 2 } },
  ])("$text", ({ text, value }) => {
    const result = parse(text);
    expect(result.diagnostics).toEqual([]);
    expect(result.value).toEqual(value);
  });

  test("a key called __proto__ is a key", () => {
    const { value } = parse("a: 1\n__proto__: {b: 2}");
    expect(isTree(value) && Object.keys(value)).toEqual(["a", "__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe("places", () => {
  const text = [
    "version: 1",
    "channels:",
    '  "2024": {privacy: public}',
    "  b:",
    "    permissions: &p",
    "      x: [one, {id: 7}]",
    "    description: |",
    "      two",
    "      lines",
    "",
    "  c: *nothing",
  ]
    .join("\n")
    .replace("*nothing", "{<<: *base, a: 1}")
    .replace("version: 1", "base: &base {q: 9}");
  const { value, places } = parse(text);
  const root: Tree = isTree(value) ? value : {};
  const lines = text.split("\n");
  const shown = (span: ReturnType<PlaceTable["valueSpan"]>): string | undefined =>
    span &&
    (span.line === span.endLine
      ? lines[span.line - 1]?.slice(span.column - 1, span.endColumn - 1)
      : `${span.line}:${span.column}-${span.endLine}:${span.endColumn}`);

  test.each<{ path: (string | number)[]; key: string; value: string }>([
    { path: ["channels", "2024"], key: '"2024"', value: "{privacy: public}" },
    { path: ["channels", "2024", "privacy"], key: "privacy", value: "public" },
    { path: ["channels", "b"], key: "b", value: "5:5-9:12" },
    { path: ["channels", "b", "permissions", "x", 0], key: "one", value: "one" },
    { path: ["channels", "b", "permissions", "x", 1], key: "{id: 7}", value: "{id: 7}" },
    { path: ["channels", "b", "permissions", "x", 1, "id"], key: "id", value: "7" },
    { path: ["channels", "b", "description"], key: "description", value: "7:18-9:12" },
    // The place of a merged field is where it was written.
    { path: ["channels", "c", "q"], key: "q", value: "9" },
    // A missing value: the key of the nearest existing ancestor.
    { path: ["channels", "b", "privacy"], key: "b", value: "b" },
    { path: ["channels", "zzz", "privacy"], key: "channels", value: "channels" },
    { path: ["channels", "b", "permissions", "x", 5], key: "x", value: "x" },
  ])("$path", ({ path, key, value: expected }) => {
    expect(shown(places.keySpan(root, path))).toBe(key);
    expect(shown(places.valueSpan(root, path))).toBe(expected);
  });

  test("no part of the path exists", () => {
    expect(places.valueSpan(root, ["zzz"])).toBeUndefined();
    expect(places.valueSpan(root, ["toString"])).toBeUndefined();
  });

  test("entries keep the order of the file, although JavaScript objects reorder numeric keys", () => {
    const { value: map, places: table } = parse('b: 1\n"7": 2\na: 3\n"1": 4');
    expect(isTree(map) && table.entries(map).map(({ key }) => key)).toEqual(["b", "7", "a", "1"]);
  });

  test("a value that is left out has the place of its key", () => {
    const { value: map, places: table } = parse("a:\nb: 1");
    expect(isTree(map) && table.valueSpan(map, ["a"])).toMatchObject({ line: 1, column: 1, endColumn: 2 });
  });
});
