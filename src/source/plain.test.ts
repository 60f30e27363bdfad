import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileOf } from "../../bench/support/file.mjs";
import fc from "../../test/support/random.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { EntryParser } from "./entry-parser.ts";
import { readPlain } from "./plain.ts";
import { checkCharacters, SourceText } from "./text.ts";
import { PlaceTable } from "./tree.ts";
import { parseFully, pieceParser } from "./yaml.ts";

/** A value with the order of its keys and every place, as text. */
function described(value: unknown, places: PlaceTable): unknown {
  if (typeof value !== "object" || value === null) return value;
  return places.entries(value).map(({ key, value: inner }) => {
    const spans = [places.keySpan(value, [key]), places.valueSpan(value, [key])];
    return [
      key,
      ...spans.map((span) => span && `${span.line}:${span.column}-${span.endLine}:${span.endColumn}`),
      described(inner, places),
    ];
  });
}

/** Says whether the plain reader accepted the text; fails if its result differs from that of the full parser. */
function takes(text: string): boolean {
  const source = new SourceText("realm.yaml", text);
  if (checkCharacters(source).some(({ severity }) => severity === "error")) return false;
  inPieces(source);
  const places = new PlaceTable();
  const plain = readPlain(source, places);
  if (plain === undefined) return false;
  const fullPlaces = new PlaceTable();
  const full = parseFully(source, fullPlaces);
  const shown = JSON.stringify(text);
  expect(full.diagnostics, shown).toEqual(plain.diagnostics);
  expect(plain.value, shown).toEqual(full.value);
  expect(described(plain.value, places), shown).toEqual(described(full.value, fullPlaces));
  return true;
}

/** Says whether the plain reader accepted the text with the full parser's help; fails if the result differs from that of the full parser alone. */
function inPieces(source: SourceText): boolean {
  const places = new PlaceTable();
  const pieces = readPlain(source, places, pieceParser());
  if (pieces === undefined) return false;
  const fullPlaces = new PlaceTable();
  const full = parseFully(source, fullPlaces);
  const shown = JSON.stringify(source.text);
  // After one syntax error the full parser also reports errors in correct lines, so the pieces have fewer diagnostics.
  if (full.value === undefined) {
    expect(
      pieces.diagnostics.map(({ severity }) => severity),
      shown,
    ).toContain("error");
    return true;
  }
  expect(pieces.diagnostics, shown).toEqual(full.diagnostics);
  expect(pieces.value, shown).toEqual(full.value);
  expect(described(pieces.value, places), shown).toEqual(described(full.value, fullPlaces));
  return true;
}

const root = join(import.meta.dirname, "../..");
/** Every file for realmctl that people see as an example: Docker reads compose.yaml. */
const OURS = ["examples", "fixtures"].flatMap((directory) =>
  readdirSync(join(root, directory), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml") && basename(name) !== "compose.yaml")
    .map((name) => ({ file: join(directory, name), text: readFileSync(join(root, directory, name), "utf8") })),
);

describe("accepts, and reads like the full parser", () => {
  test.each([
    "a: 1",
    "a: 1\n",
    "---\na: 1\n",
    "# comment\n\na: 1 # more\n# end",
    // A pattern that tries every way to divide these empty lines would not end.
    `${"\n".repeat(60)}# comment\n${"\n \n".repeat(60)}---\na: 1\n`,
    "a:\nb:\n",
    "a:\n\n  b: 1\n\n  # in between\n  c: 2\nd: 3\n",
    "a:\n  b:\n    c:\n      d: 1\n  e: 2\n",
    "a:\n- 1\n- 2\nb: 3\n",
    "a:\n  - 1\n  -\n  - x: 1\n    y: 2\n  - - 1\n    - 2\n",
    "- a: 1\n- b\n-\n- c:\n    d: 1\n  e: 2\n",
    "a: [1, two, 'three', \"four\", [5], {six: 7}]  # x\n",
    "a: {b: 1, c: [], d: {}, 'e f': g h, \"i\": role:members}\n",
    "a: { b : 1 , c : 2 }\n",
    "'a b': 'it''s'\n\"c\\n\": \"d\\\\\\\"\"\n",
    "a: true\nb: False\nc: ~\nd: null\ne: 007x\nf: -5\ng: 0\nh: 2026-11-21\ni: 12:30\nj: 1.2.3\nk: .x\nl: +\n",
    "a: yes\nb: no\nc: on\nd: .\ne: tru\n",
    "a b c: d e f\n",
    "a: b:c\nd: x#y\ne: http://example.org/#z\n",
    "a: |\n  one\n\n    two\n  three\nb: |-\n  x\n\n",
    "a:\n  b: |\n    text\n    # no comment\n  # comment\n  c: 1\n",
    "a: ünïcode 名前 🎉\n名前: x\n",
    "__proto__: 1\ntoString: 2\n",
    "a: x [y] {z} 'q' \"r\" &s *t !u |v >w %p @q `r\n",
    "a: x, y\nb: (z)\nc: $d\ne: ^f\ng: /h\ni: <j>\nk: =l\nm: ;n\n",
    "  a: 1\n  b: 2\n",
    "a: ${b}\nc: x ${d} $${e} ${\nf: [\"${g}\", $h]\ni: {j: '${k}'}\n${l}: m\n",
    "a: 1\r\n# x\r\n\r\nb:\r\n  - [c]\r\n  - 'd' # y\r\ne:\r\n  f: g",
    "a: 1   \nb:   \n  c: 2  \n",
    "a:    \n  - x   \n",
    "a: &x 1\nb: *x\n",
    "a: &x  # one\n  b: {c: d}\ne: *x # two\nf:\n  - *x\n  - g\n",
    "a: &x [1, 2]\nb: &y 'z'\nc: &l |\n  text\nd: *l\ne: *y\nf: *x\n",
    "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n  e: 4\nf:\n  g: 1\n  <<: *x # all\n",
    "a: &x {b: 1}\nc: &x {d: 2}\ne: *x\nf: {b: 1}\n",
    "a: &x {b: 1}\n'<<': *x\n",
    "a: &x {}\nc:\n  <<: *x\nd: 1\n",
    "a: &x-1_B {b: 1}\nl:\n  - <<: *x-1_B\n    c: 1\n",
    "a: &x {b: &y 1}\nc: *y\n",
    "a: &x\n  b: &y 1\n  c: *y\nd: *x\n",
    "a: &x {b: &x 1, c: *x}\nd: *x\n",
    "a: &x 1\nb: &y [*x, {c: *x }]\nd: [ *y, *x ] # e\n",
    "a: [&x b, &y {c: 1}, &z [2]]\nd: [*x, *y, *z]\n",
    "a: &x {b: 1, c: 2}\nd: {<<: *x, b: 3}\ne: {f: 1, << : *x}\n",
    "a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne:\n  <<: [*x, *y]\n  f: 1\ng: {<<: [*y, *x]}\n",
    "a: &x\n  <<: []\n  b: 1\nc: &y\n  <<: *x\n  d: 2\ne: {<<: *y, b: 0}\n",
    "a: &x {b: 1}\nc:\n  <<: *x\n  d: &x {b: 2}\ne: *x\n",
    "- &x {a: 1}\n- *x\n- &y\n  b: 1\n  c: *x\n- <<: *y\n- &z\n  - 1\n- *z\n- &w 'v'\n- &t >-\n    text\n",
    "a: >\n  folded\n",
    "a: >-\n  one\n  two\n\n  three\n\n\n  four\n",
    "a: >\n\n  one\n    in\n  two\n\n    in\n\n    more\n\n  three\n   in\n\n",
    "a: >-  # note\n  one \n  two  \n  # text\nb: 1\n",
    "a: |\r\n  b\r\n\r\n  c\r\nd: >-\r\n  e\r\n\r\n  f\r\n  g\r\n\r\nh: 1\r\n",
    "a: [1,\n  2]\n",
    "a: [1, ]\nb: {c: d,}\n",
    "a: [ # one\n  b, # two\n\n  # three\n  'c' ,\n      {d: e,\n f: [\n 1]}\n] # four\ng: {\n  }\n",
    "a:\n  - [b,\n    c\n    ]\n  - {d: e,\r\n   f: g\r\n  }\r\n",
    "a: &x {\n  b: 1\n}\nc: [\n  *x\n  , *x,\n]\nd:\n  e: {<<: *x,\n   f: 2}\n",
    'a: "one\n  two"\nb: 1\n',
    "a: 'one  \n   it''s  \n\n\n  two ' # note\nb: 'x\n \n y'\n",
    'a: "\n  two"\nb: "one\n  "\nc:\n  - "one\n    two"\n  - \'x\n   y\'\n',
    'a: "one\n  # no comment\n  b: c\n  - d"\n',
    "a: one\n  two\n\n\n  three four  \n\nb: 1\n",
    "a: true\n  false\nb: 1\n  2\nc:\n  - one\n    two\n  - three\n\n    four\n# end\n",
    "a: one\n  - two\n  'three'\n  {four}\nb:\n- x\n  y\n",
    "a: one\r\n  two\r\n\r\n  three\r\nb: 'x\r\n  y'\r\n",
    "a: &x one\n  two\nb: *x\nc: &y 'q\n  r'\nd: *y\n",
    "a: one\n\n\n",
    "a: one\n  # note\nb: 1\n",
    "a: !!str 1\nb: !!str  true # note\nc:\n  - !!str ~\n  - !!str text of\n    two lines\n  - &x !!str 5\n  - *x\nd: !!str x y\n",
    "a: !!str 'x'\nb: !!str \"y\\n\"\nc: [!!str 1, !!int 2, {d: !!bool true, e: !!null ~, f: !!str 'g'}]\nh: !!int -5 # note\n",
    "a: !!map {b: 1}\nc: !!seq [1]\nd: !!map\n  e: 1\nf: !!seq # note\n  - 1\ng: &x !!map\n  h: 1\ni: *x\nj: !!str |\n  k\nl: !!str 'm\n  n'\n",
    "- !!map {a: b}\n- !!seq\n  - !!null null\n",
    "a: !mine x\nb: !mine 5\nc: !mine {d: !other [e], f: !mine true}\ng: !mine\n  h: !mine 'i'\nj:\n  - !mine k\n  - !mine\n    l: !mine |\n      m\n",
    "a: 1\na: !mine 2\nb: !mine {c: 1}\nb:\n  d: !mine e\n  d: !mine f\n",
    "a: 1\na: 2\n",
    "a: 1\nb:\n  c: 1\n  'c': {d: 2}\n  c:\n    - e\n    - f: 1\n      f: 2\na:\nb: 3\n",
    "a: &x {b: 1}\nc:\n  <<: *x\n  d: 1\n  b: 2\n  d: 3\na: *x\ne: *x\n",
    "a:\n  - >\n    one\n    two\n  - >-\n   three\nb: &x >-\n  y\nc: *x\n",
  ])("%j", (text) => expect(takes(text)).toBe(true));

  test.each(OURS)("$file", ({ text }) => expect(takes(text)).toBe(true));

  test("a large file, for which speed matters (bench/yaml.mjs)", () => expect(takes(fileOf(300))).toBe(true));
});

describe("leaves single entries to the full parser", () => {
  /** Reads in pieces, and says which. */
  function piecesOf(text: string): {
    readonly pieces: readonly string[];
    readonly codes: readonly string[] | undefined;
  } {
    const pieces: string[] = [];
    const parser = pieceParser();
    const recording: EntryParser = {
      ...parser,
      read(source, places, piece) {
        pieces.push(source.text.slice(piece.start, piece.end));
        return parser.read(source, places, piece);
      },
    };
    const read = readPlain(new SourceText("realm.yaml", text), new PlaceTable(), recording);
    return { pieces, codes: read?.diagnostics.map(({ code }) => code) };
  }

  test.each<{ entry: string; codes?: readonly string[] }>([
    { entry: "tagged: !!float 1" },
    { entry: "tagged: !!strange x", codes: ["yaml/tag"] },
    { entry: "number: 1.5" },
    { entry: "number: 007", codes: ["yaml/leading-zero"] },
    { entry: "2024: a year", codes: ["yaml/key-not-text"] },
    { entry: 'text: "one\\n\n      two"' },
    { entry: "text: 'no end", codes: ["yaml/syntax"] },
    { entry: "text: a: b", codes: ["yaml/syntax"] },
    { entry: "no colon", codes: ["yaml/syntax"] },
    { entry: "list: [1, , 2]", codes: ["yaml/syntax"] },
    { entry: "list: [1,\n      2\n    ]x", codes: ["yaml/syntax"] },
    { entry: "twice: {a: 1, a: 2}", codes: ["yaml/duplicate-key"] },
    { entry: "list:\n    - !!int 0x1\n    - 2" },
    { entry: "block: |+\n      one\n\n" },
    { entry: "text: one # note\n      two", codes: ["yaml/syntax"] },
  ])("$entry", ({ entry, codes = [] }) => {
    const clean = fileOf(20);
    const before = "  team-9:\n";
    const text = clean.replace(
      `${before}    description: 'Team 9:`,
      `${before}    first: 1\n    ${entry}\n    description: 'Team 9:`,
    );
    const found = piecesOf(text);
    expect(found).toEqual({ pieces: [`    ${entry}\n`.replace(/^ +/, "")], codes });
    expect(inPieces(new SourceText("realm.yaml", text))).toBe(true);
  });

  test("only the entry with an error is reported, whatever the full parser reports after it", () => {
    const source = new SourceText("realm.yaml", fileOf(50).replace("  team-9:\n", "  team-9\n"));
    const lines = (diagnostics: readonly Diagnostic[] = []) => new Set(diagnostics.map(({ at }) => at?.line));
    const pieces = lines(readPlain(source, new PlaceTable(), pieceParser())?.diagnostics);
    const first = source.text.split("\n").indexOf("  team-9") + 1;
    expect([...pieces].filter((line = 0) => line < first || line > first + 7)).toEqual([]);
    expect(lines(parseFully(source, new PlaceTable()).diagnostics).size).toBeGreaterThanOrEqual(pieces.size);
  });

  test("nested entries are not read again and again", () => {
    let text = "";
    for (let depth = 0; depth < 40; depth++) text += `${" ".repeat(depth)}a:\n`;
    for (let depth = 39; depth >= 0; depth--) text += `${" ".repeat(depth)}? x\n`;
    const { pieces } = piecesOf(text);
    expect(pieces.join("").length).toBeLessThan(4 * text.length);
  });

  test.each([
    "a: &x !!int 0x1\nb: *x\n",
    "a: &x 1\nb: !!strange {c: *x}\n",
    "a: 1\n<<: {b: 2}\n",
    "a:\n  b: !!strange\n# note\n    c: 1\n",
  ])("values that depend on the rest are read with it, %j", (text) => expect(piecesOf(text).codes).toBeUndefined());
});

describe("leaves to the full parser", () => {
  test.each([
    "",
    "[1, 2]\n",
    "{a: 1}\n",
    "# only\n",
    "a",
    "a: &x\n  b: 1\n  c: *x\n",
    "a: *x\n",
    "a: &x\nb: *x\n",
    "a: &x\n- 1\nb: *x\n",
    "a: &x, 1\nb: *x,\n",
    "a: &x 1\nb: *x y\n",
    "a: &x *x\n",
    "a: &x 1\nb: &x [*x]\n",
    "a: &x 1\nb: &y *x\n",
    "a: [&x &y 1]\n",
    "a: [&x , 1]\n",
    "a: [&x]\n",
    "a: {&x b: 1}\n",
    "a: &x 1\nb: {*x : 1}\n",
    "a: &x 1\nb: [*x: 1]\n",
    "a: &x 1\nb: [*x : 1]\n",
    "a: &x 1\nb: [*x#y]\n",
    "a: &x 1\nb: [*é]\n",
    "a: &x {b: 1}\nc: {<<: *x, <<: *x}\n",
    "a: &x {b: 1}\nc:\n  <<: [*x, 1]\n",
    "a: {<<: {b: 1}}\n",
    "- &x\n- 1\n",
    "a: >2\n   x\n",
    "a: >+\n  x\n\n",
    "a: >\nb: 1\n",
    "a: >-\n   x\n  y\n",
    "a: >-\n    \n  x\n",
    "a: >-\n  x\n   ",
    "a: &x 1\n*x : y\n",
    "&x a: 1\n",
    "- &x a: 1\n- *x\n",
    "a: &x 1\nb:\n  <<: *x\n",
    "a: &x {b: 1}\nc:\n  <<: *x\n  <<: *x\n",
    "a: &x {b: 1}\n'<<': 1\n<<: 2\n",
    "a: !!str\n",
    "a: !!str 1.5\n",
    "a: !!strange x\n",
    "a: !!int x\n",
    "a: !!int '1'\n",
    "a: !!int 1\n  2\n",
    "a: !!bool 1\n",
    "a: !!null x\n",
    "a: !!null\n",
    "a: !!map [1]\n",
    "a: !!map x\n",
    "a: !!seq {b: 1}\n",
    "a: !!str {b: 1}\n",
    "a: !!str\n  b: 1\n",
    "a: !!seq\n- 1\n",
    "a: !!map b: 1\n",
    "- !!map a: 1\n",
    "- !!seq - 1\n",
    "a: !mine # not this!\n  b: 1\n",
    "a: !mine\nb: 1\n",
    "a: !!str &x 1\n",
    "a: &x 1\nb: !!str *x\n",
    "a: !!str !!str 1\n",
    "a: ! x\n",
    "a: !<tag:yaml.org,2002:str> x\n",
    "a: !e!x y\n",
    "a: !mi%21ne x\n",
    "a: [!mine, 1]\n",
    "a: [!!str]\n",
    "a: {!!str b: 1}\n",
    "!!str a: 1\n",
    "!!map\na: 1\n",
    "a: !!float 5\n",
    "a: !!set {b: null}\n",
    "a: !!binary aGVsbG8=\n",
    "a: {b: 1, b: 2}\n",
    "a: |2\n   x\n",
    "a: |+\n  x\n\n",
    "a: one\n  b: two\n",
    "a: one # note\n  two\n",
    "a: 'one\ntwo'\n",
    'a: "one\\n\n  two"\n',
    "a: 'one\n  two': b\n",
    "a: 'one\n  two\n",
    "a: [1,\n2]\n",
    "a: [1\n  2]\n",
    "a: [b\n  c]\n",
    "a: [1,\n",
    "a: [1,\n  # open\n",
    "a: [1,#c\n  2]\n",
    "a: [[1,\n]]\n",
    "a: {b:\n  1}\n",
    "a: {b\n  : 1}\n",
    "a:\n  b: [1,\n  2]\n",
    "a: ['b\n  c']\n",
    "a: [1, , 2]\n",
    "a: [,]\n",
    "a: [1,\n---\n]\n",
    "? a\n: b\n",
    "a: 1\n---\nb: 2\n",
    `${"\n".repeat(60)}a: 1\n${"\n".repeat(60)}---\nb: 2\n`,
    "%YAML 1.2\n---\na: 1\n",
    "a: 1\n...\n",
    "a: 0x1f\n",
    "a: 1.5\n",
    "a: 007\n",
    "a: 12345678901234567\n",
    "1: a\n",
    "true: a\n",
    "<<: {a: 1}\n",
    "a:\tb\n",
    "a: @x\n",
    "a: b: c\n",
    "a: [b: c]\n",
    "a: {b}\n",
    "a: {b: }\n",
    'a: "\\x41"\n',
    "a:\n    b: 1\n  c: 2\n",
    "a: 1\n  b: 2\n",
    "a: 1\n- b\n",
    "- a\nb: 1\n",
    'a: "x" y\n',
    'a: "x"#y\n',
    "a: [1] x\n",
  ])("%j", (text) => expect(takes(text)).toBe(false));
});

const RUNS = Number(process.env.REALMCTL_FUZZ_RUNS ?? 150);

describe("never disagrees with the full parser", () => {
  const bits = fc.constantFrom(
    ..."a b 1 - : # , [ ] { } ' \" | > & * ! % @ ~ . + 0 x e".split(" "),
    ...[
      " ",
      "  ",
      "\n",
      "\n  ",
      "\r\n",
      "\r\n  ",
      "\n- ",
      "- ",
      ": ",
      ":\n",
      " #",
      "#c\n",
      "true",
      "null",
      "[]",
      "{}",
      "a: ",
      "b: ",
      "'x'",
      '"y"',
      '"\\n"',
      "|\n",
      "|-\n  ",
      "---\n",
      "...\n",
      "role:x",
      "é",
      "名",
      "🎉",
      "\u00a0",
      "\u3000",
      "<<: ",
      "?",
      "? ",
      "!!str ",
      "!!int ",
      "!!map ",
      "!mine ",
    ],
  );
  test("on random text", () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 24 }), (parts) => {
        if (takes(parts.join(""))) taken++;
      }),
      { numRuns: RUNS * 4 },
    );
    expect(taken).toBeGreaterThan(0);
  });

  /** Files as people write them, in every style that the reader knows. */
  const word = fc.oneof(
    fc.constantFrom(
      "a",
      "b c",
      "role:members",
      "ada@example.org",
      "2024",
      "-3",
      "true",
      "~",
      "x-y",
      "é",
      "0",
      "it's",
      "#z",
    ),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }).filter((text) => !/[\n\r]/.test(text)),
  );
  const scalar = fc.oneof(
    word,
    word.map((text) => `'${text.replaceAll("'", "''")}'`),
    word.map((text) => JSON.stringify(text)),
  );
  const comment = fc.constantFrom("", "", "", " # note", "   ");
  /** The text after the bracket, around the commas and before the last bracket: usually nothing. */
  const gap = fc.constantFrom("", "", "", "", "", " ", "\n", "\n    ", " # note\n      ", "\n\n  # note\n ", ",\n");
  const gaps = fc.oneof(
    { weight: 3, arbitrary: fc.constant(["", "", " ", ""]) },
    fc.array(gap, { minLength: 4, maxLength: 4 }),
  );
  const between = ([open = "", close = ""]: string, items: readonly string[], [a, b, c, d]: readonly string[]) =>
    `${open}${a}${items.join(`${b},${c}`)}${d}${close}`;
  /** Before a value: usually nothing. */
  const tag = fc.oneof(
    { weight: 12, arbitrary: fc.constant("") },
    fc.constantFrom(
      "!!str ",
      "!!int ",
      "!!bool ",
      "!!null ",
      "!!map ",
      "!!seq ",
      "!mine ",
      "!m-2  ",
      "!!float ",
      "!!set ",
    ),
    fc.constantFrom("! ", "!!strange ", "!<x> ", "!mine, ", "!!str", "!mine\n  "),
  );
  const flow = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      scalar,
      fc.tuple(tag, scalar).map((parts) => parts.join("")),
      fc.tuple(tag, tie("value")).map((parts) => parts.join("")),
      fc.tuple(fc.array(tie("value"), { maxLength: 3 }), gaps).map(([items, gap]) => between("[]", items, gap)),
      fc.tuple(fc.array(fc.tuple(scalar, tie("value")), { maxLength: 3 }), gaps).map(([pairs, gap]) =>
        between(
          "{}",
          pairs.map((pair) => pair.join(": ")),
          gap,
        ),
      ),
    ),
  })).value;
  const indented = (text: string, by: number): string => text.replaceAll(/^(?=.)/gm, " ".repeat(by));
  const blockText = fc
    .tuple(
      fc.constantFrom("|", "|-", ">", ">-", "> # note", ">-  "),
      fc.array(
        fc.oneof(
          word.map((text) => `    ${text}`),
          word.map((text) => `      ${text} `),
          fc.constantFrom("", "", " ", "    ", "     "),
        ),
        { minLength: 1, maxLength: 6 },
      ),
    )
    .map(([header, lines]) => `${header}\n${lines.join("\n")}\n`);
  const block = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc
        .array(
          fc.tuple(
            scalar,
            fc.oneof(
              fc.tuple(flow, comment).map(([value, after]) => ` ${value}${after}\n`),
              fc.constant("\n"),
              fc.tuple(tag, blockText).map((parts) => ` ${parts.join("")}`),
              fc
                .tuple(tie("node"), fc.constantFrom(0, 1, 2, 4), comment, tag)
                .map(([inner, by, after, of]) => ` ${of}${after}\n${indented(inner, by)}`),
            ),
          ),
          { minLength: 1, maxLength: 4 },
        )
        .map((entries) => entries.map(([key, value]) => `${key}:${value}`).join("")),
      fc
        .array(
          fc.oneof(
            fc.tuple(flow, comment).map((parts) => `- ${parts.join("")}\n`),
            tie("node").map((inner) => `- ${indented(inner, 2).slice(2)}`),
            fc.tuple(tag, blockText).map((parts) => `- ${parts.join("")}`),
            fc.tuple(tag, tie("node")).map(([of, inner]) => `- ${of}\n${indented(inner, 2)}`),
          ),
          { minLength: 1, maxLength: 3 },
        )
        .map((items) => items.join("")),
    ),
  })).node;
  /** The same with anchors and aliases, below values that have an anchor. */
  const name = fc.constantFrom("x", "y");
  const named = fc.tuple(name, flow).map((parts) => `&${parts.join(" ")}`);
  const alias = name.map((text) => `*${text}`);
  const inner = fc.oneof(flow, named, alias);
  const nested = fc.oneof(
    fc.array(inner, { minLength: 1, maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    fc
      .array(
        fc.oneof(
          fc.tuple(scalar, inner).map((pair) => pair.join(": ")),
          alias.map((text) => `<<: ${text}`),
          fc.tuple(alias, alias).map((texts) => `<<: [${texts.join(", ")}]`),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((pairs) => `{ ${pairs.join(" , ")} }`),
  );
  const anchored = fc
    .tuple(
      fc.array(
        fc.tuple(
          name,
          fc.oneof(
            flow,
            nested,
            blockText,
            block.map((text) => `\n${indented(text, 2)}`),
            fc.tuple(name, flow).map(([again, value]) => `\n  k: &${again} ${value}\n  l: *${again}\n`),
          ),
        ),
        { minLength: 1, maxLength: 3 },
      ),
      fc.array(
        fc.oneof(
          fc.tuple(name, comment).map(([alias, after]) => `: *${alias}${after}\n`),
          fc.tuple(name, comment).map(([alias, after]) => `:\n  - *${alias}${after}\n  - z\n`),
          fc.tuple(name, scalar).map(([alias, key]) => `:\n  <<: *${alias}\n  ${key}: own\n`),
          fc.tuple(name, flow).map(([alias, value]) => `:\n  b c: ${value}\n  <<: *${alias}\n`),
          fc.tuple(name, flow).map(([again, value]) => `: &${again} ${value}\n`),
          fc.tuple(nested, comment).map((parts) => `: ${parts.join("")}\n`),
          fc.tuple(name, flow, name).map(([one, value, two]) => `:\n  - &${one} ${value}\n  - *${two}\n`),
          fc.tuple(name, name).map((names) => `:\n  <<: [${names.map((each) => `*${each}`).join(", ")}]\n`),
        ),
        { minLength: 1, maxLength: 4 },
      ),
    )
    .map(([bases, uses]) =>
      [
        ...bases.map(([base, value], index) => `base ${index}: &${base} ${value}${value.endsWith("\n") ? "" : "\n"}`),
        ...uses.map((use, index) => `use ${index}${use}`),
      ].join(""),
    );
  test("on files with anchors", () => {
    let taken = 0;
    fc.assert(
      fc.property(anchored, (text) => {
        if (takes(text)) taken++;
      }),
      { numRuns: RUNS },
    );
    expect(taken).toBeGreaterThan(RUNS / 20);
  });

  test("on files as people write them", () => {
    let taken = 0;
    fc.assert(
      fc.property(block, fc.boolean(), (text, isFromWindows) => {
        if (takes(isFromWindows ? text.replaceAll("\n", "\r\n") : text)) taken++;
      }),
      { numRuns: RUNS },
    );
    expect(taken).toBeGreaterThan(RUNS / 10);
  });

  const seed =
    "version: 1\nprofiles:\n  p: {permissions: {x: [a, b]}}\n\nchannels:\n  # note\n  a:\n    profile: p\n    text: \"x\\ny\" # c\n    block: |\n      one\n      two\n\n  b c: {d: 'e', f: 30}\n  list:\n  - x\n  - y: 1\n    z:\n      - 2\nbase: &base {k: 1, m: [2]}\nuses:\n  k: &own\n    n: 1\n  o: *base\n  r: [*base, &s t, *s]\n  u: {<<: *base, v: *own}\n  w: >-\n    one\n    two\n\n    three\n  p:\n    <<: *own\n    q: 1\n";
  const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), remove: fc.nat(4), insert: bits });
  test.each([{ file: "a file of every style", text: seed }, ...OURS])("on mutations of $file", ({ text: original }) => {
    let taken = 0;
    const runs = original === seed ? RUNS * 2 : Math.ceil(RUNS / 5);
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), fc.boolean(), (edits, deletes) => {
        let text = original;
        for (const { at, remove, insert } of edits) {
          const from = Math.floor(at * text.length);
          text = text.slice(0, from) + (deletes ? "" : insert) + text.slice(from + remove);
        }
        if (takes(text)) taken++;
      }),
      { numRuns: runs },
    );
    // In a file of a few lines nearly every mutation is an error: some are enough.
    expect(taken).toBeGreaterThan(original === seed ? runs / 20 : 0);
  });
});
