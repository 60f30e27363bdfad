import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openConfig, readConfig } from "../src/config/read-config.ts";
import { kinds } from "../src/kinds/registry.ts";
import type { Diagnostic, Span } from "../src/model/diagnostic.ts";
import type { Realm } from "../src/model/realm.ts";
import { filesOf, renderDiagnostics } from "../src/report/diagnostics.ts";
import { PLAIN } from "../src/report/style.ts";
import { wordedDiagnostic } from "../src/report/words/diagnostics.ts";
import { smallRealm } from "./invalid/small-realm.ts";
import { INVALID, type InvalidCase, invalidCases } from "./support/invalid.ts";
import { lookAt } from "./support/pictures.ts";
import fc from "./support/random.ts";

/**
 * Files with errors, a folder for each code. The first lines of each file list its errors, `# expect: CODE LINE:COLUMN-LINE:COLUMN`, in the order of
 * the report; the text that people see is next to it. A folder with a realm.yaml is a file with includes.
 */
const cases = invalidCases();

async function diagnose({ directory, file }: InvalidCase, realm?: Realm): Promise<readonly Diagnostic[]> {
  const result = await readConfig({
    file,
    readFile: (path) => readFile(join(directory, path)),
    listFiles: async (path) => (await readdir(join(directory, path))).sort(),
    lookAt,
    kinds,
    realm,
  });
  return result.ok ? result.warnings : result.diagnostics;
}

const placeOf = (at: Span): string => `${at.line}:${at.column}-${at.endLine}:${at.endColumn}`;

test("there are at least three hundred cases", () => expect(cases.length).toBeGreaterThanOrEqual(300));

test("each case is in the folder of the first code that it expects", () => {
  const misplaced = cases.flatMap(({ name, code, text }) => {
    const expected = /^# expect: (\S+)/m.exec(text)?.[1];
    return code === expected ? [] : [`${name}: belongs into test/invalid/${expected}/`];
  });
  expect(misplaced).toEqual([]);
});

test("every text has a case", () => {
  const texts = readdirSync(INVALID, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".txt"));
  const wanted = cases.map(({ code, file }) => join(code, file.replace(/\.yaml$/, ".expected.txt")));
  expect(texts.sort()).toEqual(wanted.sort());
});

describe.each(cases)("$name", (each) => {
  const { directory, file, text } = each;
  const expected = [...text.matchAll(/^# expect: (.*)$/gm)].map((match) => match[1]);
  const realm = /^# against the realm/m.test(text) ? smallRealm() : undefined;

  test("codes and places", async () => {
    const found = await diagnose(each, realm);
    expect(
      found.map(({ code, at }) => `${code}${at ? ` ${at.file === file ? "" : `${at.file}:`}${placeOf(at)}` : ""}`),
    ).toEqual(expected);
    expect(found.some(({ severity }) => severity === "error")).toBe(true);
  });

  test("the shown text", async () => {
    const found = await diagnose(each, realm);
    const sources = new Map(filesOf(found).map((path) => [path, readFileSync(join(directory, path), "utf8")]));
    const shown = renderDiagnostics({ diagnostics: found, sources, style: PLAIN });
    // The list of sections grows with every kind.
    await expect(shown.replace(/(= |\^ )sections: .*(?:\n +[a-z_][a-z_, ]*$)*/m, "$1sections: …")).toMatchFileSnapshot(
      join(directory, file.replace(/\.yaml$/, ".expected.txt")),
    );
    expect(shown).not.toContain("undefined");
  });

  test("every error has a place inside the file", async () => {
    for (const { at, notes = [], hint, footnotes } of (await diagnose(each, realm)).map(wordedDiagnostic)) {
      for (const span of [...(at ? [at] : []), ...notes.map((note) => note.at)])
        expectInside(span, readFileSync(join(directory, span.file), "utf8"));
      expect(hint === undefined && footnotes !== undefined).toBe(false);
    }
  });
});

function expectInside(span: Span, text: string): void {
  const lines = text.replace(/^\ufeff/, "").split("\n");
  const about = `${placeOf(span)} in ${JSON.stringify(text)}`;
  expect(span.line, about).toBeGreaterThanOrEqual(1);
  expect(span.endLine, about).toBeLessThanOrEqual(lines.length);
  expect(span.column, about).toBeGreaterThanOrEqual(1);
  expect(span.column, about).toBeLessThanOrEqual((lines[span.line - 1] ?? "").length + 1);
  expect(span.endColumn, about).toBeLessThanOrEqual((lines[span.endLine - 1] ?? "").length + 1);
  expect(span.endLine * 1e6 + span.endColumn, about).toBeGreaterThanOrEqual(span.line * 1e6 + span.column);
}

describe("errors that no text file can cause", () => {
  const read = (content: string | Uint8Array) =>
    readConfig({ file: "realm.yaml", readFile: async () => content, kinds });
  const bytes = (...parts: readonly (string | number)[]) =>
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([part]))));
  test.each<{ name: string; content: string | Uint8Array; found: string[] }>([
    { name: "an empty file", content: "", found: ["yaml/empty 1:1-1:1"] },
    { name: "blank lines", content: "\n\n  \n", found: ["yaml/empty 1:1-1:1"] },
    {
      name: "a byte that is not UTF-8",
      content: bytes("version: 1\nchannels:\n  caf", 0xe9, ": {}\n"),
      found: ["yaml/encoding 3:6-3:7"],
    },
    { name: "UTF-16", content: bytes(0xff, 0xfe, "v", 0, "e", 0), found: ["yaml/encoding 1:1-1:1"] },
    {
      name: "a text that was decoded wrongly",
      content: "version: 1\nchannels:\n  caf\ufffd: {}\n",
      found: ["yaml/encoding 3:6-3:7"],
    },
    { name: "NUL", content: "version: 1\nchannels:\n  a\0b: {}\n", found: ["yaml/control-character 3:4-3:5"] },
    {
      name: "an escape sequence",
      content: "version: 1\nchannels: {a: {description: \u001b[31mred}}\n",
      found: ["yaml/control-character 2:29-2:34"],
    },
    {
      name: "old Macintosh line ends",
      content: "version: 1\rchannels: {}\r",
      found: ["yaml/control-character 1:11-1:12"],
    },
    {
      name: "half a surrogate pair",
      content: "version: 1\nchannels: {a: {description: \ud83d}}\n",
      found: ["yaml/control-character 2:29-2:30"],
    },
    {
      name: "a mark that reorders the line",
      content: "version: 1\nchannels: {a: {privacy: x\u202ey}}\n",
      found: ["field/value 2:25-2:28", "yaml/invisible-character 2:26-2:27"],
    },
    {
      name: "more bytes than any organization needs",
      content: new Uint8Array(33 * 1024 * 1024),
      found: ["yaml/too-large 1:1-1:1"],
    },
    {
      name: "a hundred thousand brackets",
      content: `version: 1\nchannels: ${"[".repeat(100_000)}`,
      found: ["yaml/too-deep 2:111-2:112"],
    },
    {
      name: "a hundred thousand braces",
      content: `version: 1\nchannels: ${"{a: ".repeat(100_000)}`,
      found: ["yaml/too-deep 2:411-2:412"],
    },
    {
      name: "nested maps, line by line",
      content: `version: 1\n${Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join("")}`,
      found: ["yaml/too-deep 103:102-103:103"],
    },
    {
      name: "thousands of tags",
      content: `version: 1\nx: ${"!a ".repeat(20_000)}\n`,
      found: ["yaml/tag 2:7-2:9"],
    },
    {
      name: "an alias bomb",
      content: `version: 1\na: &a [x, x, x, x, x, x, x, x, x]\n${[..."bcdefghi"]
        .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[at]}`).join(", ")}]\n`)
        .join("")}`,
      found: ["yaml/alias-bomb 8:8-8:10"],
    },
  ])("$name", async ({ content, found }) => {
    const result = await read(content);
    const diagnostics = result.ok ? result.warnings : result.diagnostics;
    expect(diagnostics.map(({ code, at }) => `${code} ${at ? placeOf(at) : "nowhere"}`)).toEqual(found);
    expect(result.ok).toBe(false);
  });

  test("a byte order mark and Windows line ends are not errors", async () => {
    const result = await read("\ufeffversion: 1\r\nchannels:\r\n  general: {privacy: open}\r\n");
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [{ code: "field/value", at: { line: 3, column: 22, endColumn: 26 } }],
    });
  });
});

const RUNS = Number(process.env.REALMCTL_FUZZ_RUNS ?? 60);

describe("any input", () => {
  const valid = [
    readFileSync(join(import.meta.dirname, "../fixtures/demo/realm.yaml"), "utf8"),
    "version: 1\nrealm: https://chat.example.org\nmanage: {channels: exact}\nprofiles:\n  p: &p {privacy: public}\nchannels:\n  a: {profile: [p], description: \"x\\ty\"}\n  b:\n    <<: *p\n    description: |\n      two\n      lines\n    permissions:\n      can_send_message_group: {groups: [staff], users: [ada@example.org, {id: 4}]}\n  'c d': {archived: true}\n",
    readFileSync(join(INVALID, "../support/every-kind.yaml"), "utf8"),
  ];
  const bits = [
    "${",
    "${v}",
    '"${lead}"',
    "$$",
    "}",
    "\t",
    "\n",
    " ",
    "  ",
    ":",
    ": ",
    "- ",
    "#",
    " #",
    "[",
    "]",
    "{",
    "}",
    ",",
    '"',
    "'",
    "&a",
    "*a",
    "<<: *p",
    "!x",
    "|",
    ">",
    "?",
    "%",
    "@",
    "\u0000",
    "\u00a0",
    "🎉",
    "---\n",
    "null",
    "~",
    "0x1f",
    "1e400",
    "yes",
    "\r\n",
    "include: [x]",
  ];
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.nat({ max: 12 }),
    insert: fc.constantFrom("", ...bits),
  });

  const realm = smallRealm();
  const check = async (text: string): Promise<void> => {
    const config = await openConfig({ file: "realm.yaml", readFile: async () => text, kinds });
    for (const result of [config.decode(), config.decode(realm)]) {
      const diagnostics = result.ok ? result.warnings : result.diagnostics;
      if (!result.ok) expect(diagnostics.some(({ severity }) => severity === "error")).toBe(true);
      for (const { at, notes = [] } of diagnostics)
        for (const span of [...(at ? [at] : []), ...notes.map((note) => note.at)])
          if (span.file === "realm.yaml") expectInside(span, text);
      renderDiagnostics({ diagnostics, sources: new Map([["realm.yaml", text]]), style: PLAIN });
    }
  };

  test("mutations of valid files never crash, and every span is inside the file", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...valid),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        async (text, edits) => {
          let mutated = text;
          for (const { at, remove, insert } of edits) {
            const from = Math.floor(at * mutated.length);
            mutated = mutated.slice(0, from) + insert + mutated.slice(from + remove);
          }
          await check(mutated);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("random text never crashes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.constantFrom(...bits, "version: 1\n", "channels:\n", "a"),
            fc.string({ unit: "grapheme", maxLength: 4 }),
          ),
        ),
        async (parts) => check(parts.join("")),
      ),
      { numRuns: RUNS },
    );
  });
});
