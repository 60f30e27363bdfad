import { describe, expect, test } from "vitest";
import { type Diagnostic, error, type Span } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { cellsNear, diagnosticsGithub, diagnosticsJson, filesOf, renderDiagnostics } from "./diagnostics.ts";
import { displayWidth, PLAIN, type Style } from "./style.ts";
import type { SaidDiagnostic } from "./words/diagnostics.ts";

const span = (line: number, column: number, length: number, file = "realm.yaml"): Span => ({
  file,
  line,
  column,
  endLine: line,
  endColumn: column + length,
});
const said = (rest: Partial<SaidDiagnostic>): SaidDiagnostic => ({
  code: "field/value",
  severity: "error",
  message: "something is wrong",
  ...rest,
});
const show = (diagnostics: readonly SaidDiagnostic[], source: string, style: Style = PLAIN): string =>
  renderDiagnostics({ diagnostics, sources: new Map([["realm.yaml", source]]), style });

const ESCAPE = String.fromCharCode(27);
const withoutColour = (text: string): string =>
  text
    .split(ESCAPE)
    .map((part, at) => (at === 0 ? part : part.replace(/^\[[0-9;]*m/, "")))
    .join("");

test("no diagnostics give an empty text", () => expect(show([], "")).toBe(""));

test("an error shows its line, the offending text and advice; notes have their own frame", () => {
  const source = `${"\n".repeat(8)}    privacy: private_shared_history\n${"\n".repeat(2)}default_channels: [announce]\n`;
  const found = [
    said({
      code: "reference/unknown-group",
      message: 'there is no group "x" here',
      hint: 'did you mean "y"?',
      footnotes: ["groups of this realm: y"],
      at: span(9, 14, 22),
    }),
    said({
      code: "channels/default-private",
      message: "a default channel cannot be private",
      at: span(9, 14, 22),
      notes: [{ at: span(12, 20, 8), message: "made default here" }],
    }),
  ];
  expect(show(found, source)).toBe(`error[reference/unknown-group]: there is no group "x" here
  ┌─ realm.yaml:9:14
9 │     privacy: private_shared_history
  │              ^^^^^^^^^^^^^^^^^^^^^^ did you mean "y"?
  = groups of this realm: y

error[channels/default-private]: a default channel cannot be private
   ┌─ realm.yaml:9:14
 9 │     privacy: private_shared_history
   │              ^^^^^^^^^^^^^^^^^^^^^^
   ┌─ realm.yaml:12:20
12 │ default_channels: [announce]
   │                    -------- made default here

2 errors. Nothing was sent.
`);
});

test.each<{ name: string; source: string; at: Span; frame: string[] }>([
  {
    name: "tabs take the width of spaces",
    source: "a:\n\tb: 1",
    at: span(2, 1, 1),
    frame: ["2 │     b: 1", "  │ ^^^^"],
  },
  {
    name: "wide characters take two columns",
    source: "名前: x",
    at: span(1, 5, 1),
    frame: ["1 │ 名前: x", "  │       ^"],
  },
  {
    name: "wide characters get two carets",
    source: "a: 名前",
    at: span(1, 4, 2),
    frame: ["1 │ a: 名前", "  │    ^^^^"],
  },
  { name: "an emoji is two UTF-16 units", source: "a: 🎉b", at: span(1, 6, 1), frame: ["1 │ a: 🎉b", "  │      ^"] },
  {
    name: "escape sequences become visible",
    source: "a: \u001b[31mred",
    at: span(1, 4, 1),
    frame: ["1 │ a: \\u001b[31mred", "  │    ^^^^^^"],
  },
  {
    name: "marks that reorder text become visible",
    source: "a: \u202exyz",
    at: span(1, 5, 3),
    frame: ["1 │ a: \\u202exyz", "  │          ^^^"],
  },
  { name: "an empty span gets one caret", source: "a:", at: span(1, 3, 0), frame: ["1 │ a:", "  │   ^"] },
  {
    name: "a span of several lines is marked on its first",
    source: "a:\n  - b  \n  - c",
    at: { file: "realm.yaml", line: 2, column: 3, endLine: 3, endColumn: 6 },
    frame: ["2 │   - b", "  │   ^^^"],
  },
  {
    name: "carriage returns do not count",
    source: "a: b\r\nc: d\r\n",
    at: span(2, 4, 1),
    frame: ["2 │ c: d", "  │    ^"],
  },
  {
    name: "a byte order mark does not count",
    source: "\ufeffa: b",
    at: span(1, 4, 1),
    frame: ["1 │ a: b", "  │    ^"],
  },
])("$name", ({ source, at, frame }) => {
  const lines = show([said({ at })], source).split("\n");
  expect(lines.slice(2, 4)).toEqual(frame);
});

describe("long lines", () => {
  const source = `key: ${"abcdefghi ".repeat(40)}`;
  const style: Style = { ...PLAIN, width: 60 };
  test.each([0, 5, 100, 200, 390, 404])("are cut around column %i, and the carets stay below the text", (column) => {
    const [, , line = "", signs = ""] = show([said({ at: span(1, column + 1, 4) })], source, style).split("\n");
    expect(displayWidth(line)).toBeLessThanOrEqual(60);
    const start = signs.indexOf("^");
    const marked = line.slice(start, start + signs.lastIndexOf("^") - start + 1);
    expect(source.slice(column, column + 4).trimEnd()).toBe(marked.trimEnd());
  });

  test("a span longer than the terminal fills it", () => {
    const [, , line = "", signs = ""] = show([said({ at: span(1, 6, 300) })], source, style).split("\n");
    expect(displayWidth(line)).toBeLessThanOrEqual(60);
    expect(displayWidth(signs)).toBeLessThanOrEqual(60);
    expect(line).toMatch(/…$/);
  });
});

test("a hint with no room beside the carets goes below", () => {
  const style: Style = { ...PLAIN, width: 40 };
  const hint = "write it in the way that the documentation of the server recommends";
  expect(show([said({ at: span(1, 4, 5), hint })], "a: value", style)).toBe(`error[field/value]: something is wrong
  ┌─ realm.yaml:1:4
1 │ a: value
  │    ^^^^^
  = write it in the way that the
    documentation of the server
    recommends

1 error. Nothing was sent.
`);
});

test("without a place, without the file, or if the line is missing, only the message is shown", () => {
  expect(show([said({ hint: "do something" })], "")).toBe(
    "error[field/value]: something is wrong\n = do something\n\n1 error. Nothing was sent.\n",
  );
  expect(show([said({ hint: "do something", at: span(3, 1, 1, "other.yaml") })], "a: b")).toBe(
    "error[field/value]: something is wrong\n  ┌─ other.yaml:3:1\n  = do something\n\n1 error. Nothing was sent.\n",
  );
  expect(show([said({ at: span(30, 1, 1) })], "a: b")).toContain("┌─ realm.yaml:30:1\n\n");
});

test("a line that may contain a secret is never quoted", () => {
  const found = [
    said({ unquotable: true, hint: "h", at: span(1, 1, 3), notes: [{ at: span(1, 1, 3), message: "n" }] }),
  ];
  expect(show(found, "key=secret")).toBe(
    "error[field/value]: something is wrong\n  ┌─ realm.yaml:1:1\n  ┌─ realm.yaml:1:1\n  = n\n  = h\n\n1 error. Nothing was sent.\n",
  );
  expect(filesOf(found)).toEqual([]);
});

test("the last line can be replaced or left out", () => {
  const input = { diagnostics: [said({})], sources: new Map(), style: PLAIN };
  expect(renderDiagnostics({ ...input, ending: null })).toBe("error[field/value]: something is wrong\n");
  expect(renderDiagnostics({ ...input, ending: "Try again." })).toMatch(/\n1 error. Try again.\n$/);
});

test("warnings are counted separately and do not say that nothing was sent", () => {
  expect(show([said({ severity: "warning" })], "")).toBe("warning[field/value]: something is wrong\n\n1 warning.\n");
  expect(show([said({}), said({ severity: "warning" })], "")).toMatch(/1 error, 1 warning. Nothing was sent.\n$/);
});

test("colour is only ever added around the same text", () => {
  const source = "a: value";
  const found = [said({ at: span(1, 4, 5), hint: "do something", notes: [{ at: span(1, 1, 1), message: "there" }] })];
  const coloured = show(found, source, { ...PLAIN, colour: true });
  expect(coloured).not.toBe(show(found, source));
  expect(withoutColour(coloured)).toBe(show(found, source));
});

test("ASCII terminals get ASCII", () =>
  expect(show([said({ at: span(1, 4, 5) })], "a: value", { ...PLAIN, unicode: false })).toBe(
    "error[field/value]: something is wrong\n  --> realm.yaml:1:4\n1 | a: value\n  |    ^^^^^\n\n1 error. Nothing was sent.\n",
  ));

test("messages cannot add escape sequences or lines", () =>
  expect(show([said({ message: "a\u001b[2Jb\nc" })], "")).toContain("a\\u001b[2Jb\\nc"));

test("JSON has everything", () => {
  const found = said({
    at: span(1, 4, 5),
    hint: "h",
    footnotes: ["f"],
    notes: [{ at: span(2, 1, 1), message: "n" }],
  });
  expect(diagnosticsJson([found, said({ severity: "warning" })])).toEqual({
    format: "realmctl.diagnostics",
    version: 2,
    errors: 1,
    warnings: 1,
    diagnostics: [found, { code: "field/value", severity: "warning", message: "something is wrong" }],
  });
});

test.each([
  {
    name: "place, code and all texts",
    found: said({ at: span(3, 4, 5), hint: "do: this, 100%", notes: [{ at: span(9, 1, 1), message: "there" }] }),
    line: "::error file=realm.yaml,line=3,endLine=3,col=4,endColumn=8,title=field/value::something is wrong%0Ado: this, 100%25%0Arealm.yaml:9: there\n",
  },
  {
    name: "names of files cannot end a property",
    found: said({ severity: "warning", at: span(1, 1, 0, "a,b:c%.yaml") }),
    line: "::warning file=a%2Cb%3Ac%25.yaml,line=1,endLine=1,col=1,endColumn=1,title=field/value::something is wrong\n",
  },
  {
    name: "a message cannot start a command of its own",
    found: said({ message: "x\n::set-env name=A::b" }),
    line: "::error title=field/value::x\\n::set-env name=A::b\n",
  },
])("as annotations: $name", ({ found, line }) => expect(diagnosticsGithub([found])).toBe(line));

test("all files of the spans are requested once", () =>
  expect(
    filesOf([
      said({ at: span(1, 1, 1), notes: [{ at: span(1, 1, 1, "b.yaml"), message: "" }] }),
      said({ at: span(2, 1, 1) }),
    ]),
  ).toEqual(["realm.yaml", "b.yaml"]));

test("the work for a line does not grow with the line, and its frame stays the same", () => {
  const line = `${"[one, two, ".repeat(100_000)}here${", three, four".repeat(100_000)}`;
  const at = line.indexOf("here");
  expect(cellsNear(line, at, 80).length).toBeLessThan(2_200);
  const short = line.slice(at - 300, at + 300);
  const frameOf = (text: string, column: number): readonly string[] =>
    show([said({ at: span(1, column, 4) })], text)
      .split("\n")
      .slice(2, 4);
  const framed = frameOf(line, at + 1);
  expect(framed).toEqual(frameOf(short, 301));
  expect(framed[0]).toMatch(/^1 │ ….*here.*…$/);
});

test.each([999, 1_000, 1_001, 1_002])(
  "a character of two UTF-16 units at the edge of the visible part is not cut (%i)",
  (before) => {
    const cells = cellsNear("😀".repeat(1_500), before, 80);
    expect(cells.map(({ shown }) => shown).join("")).not.toMatch(
      /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/,
    );
  },
);

describe("many of one code", () => {
  const typo = (line: number, message: string): SaidDiagnostic => said({ message, at: span(line, 3, 4) });
  const source = Array.from({ length: 40 }, (_, at) => `  c${at}: {}`).join("\n");

  test("ten are shown with their lines; of eleven, five are, and the others once for each sentence", () => {
    const different = Array.from({ length: 10 }, (_, at) => typo(at + 1, `it is wrong ${at % 5} ${at < 5}`));
    expect(show(different, source)).not.toContain("more (");
    const folded = show([...different, typo(11, "it is odd")], source);
    expect(folded.match(/┌─/g)).toHaveLength(5);
    expect(folded).toContain(`
error[field/value], 6 more (--format json has all):
  realm.yaml:6:3: it is wrong 0 false
  realm.yaml:7:3: it is wrong 1 false
  realm.yaml:8:3: it is wrong 2 false
  realm.yaml:9:3: it is wrong 3 false
  realm.yaml:10:3: it is wrong 4 false
  realm.yaml:11:3: it is odd

11 errors. Nothing was sent.`);
  });

  test("three equal ones are shown one by one; four are one, with the places of the others", () => {
    const equal = Array.from({ length: 4 }, (_, at) => typo(at + 1, "it is wrong"));
    expect(show(equal.slice(1), source).match(/┌─/g)).toHaveLength(3);
    const folded = show(equal, source);
    expect(folded.match(/┌─/g)).toHaveLength(1);
    expect(folded).toContain("= the same for 3 more: realm.yaml:2, realm.yaml:3, realm.yaml:4\n");
    expect(folded).toContain("4 errors.");
  });

  test("findings that differ only in their object are one; of other facts, each has its own", () => {
    const found = (line: number): Diagnostic => {
      const fact = { noun: "channel", name: quote(`c${line}`, "channel"), removal: "archived" } as const;
      return error("plan/nothing-to-remove", fact, span(line, 3, 4));
    };
    const text = renderDiagnostics({
      diagnostics: [1, 2, 3, 4].map(found),
      sources: new Map([["realm.yaml", source]]),
      style: PLAIN,
    });
    expect(text).toContain("the same for 3 more: #c2 (realm.yaml:2), #c3 (realm.yaml:3), #c4 (realm.yaml:4)");
  });

  test("three thousand equal errors take as many lines as a few; another code between them is shown in full", () => {
    const equal = Array.from({ length: 3_000 }, (_, at) => typo((at % 40) + 1, "it is wrong"));
    const other = { ...typo(3, "something else"), code: "field/type" } as const;
    const text = show([...equal.slice(0, 100), other, ...equal.slice(100)], source);
    expect(text.split("\n").length).toBeLessThan(20);
    expect(text.replaceAll(/\s+/g, " ")).toContain("the same for 2,999 more: realm.yaml:2, ");
    expect(text).toContain("error[field/type]: something else\n  ┌─ realm.yaml:3:3");
    expect(text).toContain("3,001 errors.");
  });
});
