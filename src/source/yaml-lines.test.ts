import { expect, test } from "vitest";
import { wordedDiagnostic } from "../report/words/diagnostics.ts";
import { parseYaml } from "./parse.ts";
import { SourceText } from "./text.ts";
import { PlaceTable } from "./tree.ts";

async function saidOf(text: string): Promise<readonly string[]> {
  const { diagnostics } = await parseYaml(new SourceText("realm.yaml", text), new PlaceTable());
  return diagnostics.map(wordedDiagnostic).map(({ message, at }) => `${at?.line}:${at?.column} ${message}`);
}

const SLASHES = "starts no comment in YAML or JSON";
const BLOCK = "the lines of a text below | or > are indented further than its key";
const INDENTED = "this line is indented, and the other sections are not";
const wide = (sign: string, name: string): string => `this ${sign} is a full-width character, not a ${name}`;

test.each<[text: string, ...said: string[]]>([
  ["channels:\n  a:\n    description: |\n    one\n    two\n  b: {}\n", `4:5 ${BLOCK}`],
  ["a:\n  b: >-\n  one\n  two\n  three\n", `3:3 ${BLOCK}`],
  ["  version: 1\nchannels:\n  a: {}\n", `1:3 ${INDENTED}`],
  ["# a file\n\n  version: 1\nchannels: {}\n", `3:3 ${INDENTED}`],
  ["version: 1\n// ours\nchannels: {}\n", `2:1 // ${SLASHES}`],
  ["version: 1\n/* ours */\nchannels: {}\n", `2:1 /* ${SLASHES}`],
  ["channels: {} // ours\n", `1:14 // ${SLASHES}`],
  ['{\n  // ours\n  "version": 1,\n  "channels": {}\n}\n', `2:3 // ${SLASHES}`],
  ['{\n  "version": 1, // ours\n  "channels": {}\n}\n', `2:17 // ${SLASHES}`],
  ["version: 1\n-- lobby\n", "2:1 -- starts neither an entry of a list nor a comment"],
  ["a: {b: x， c: y}\n", `1:9 ${wide("，", "comma")}`],
  ["a:\n  b：\n    c: d\n", `2:4 ${wide("：", "colon")}`],
  [
    "version: 1\n{% for c in channels %}\nchannels:\n  {{ c }}: {}\n{% endfor %}\n",
    "2:1 {% for c in channels %} is a template of another program: nothing replaces it here",
  ],
  // Nothing of this is wrong in texts.
  ["a: https://example.org/x // y\n"],
  ["a: |\n  // one\n  -- two： {% x %}\n"],
  ["a: '/* x */'\n-- : y\n"],
  ["a: 你好，世界：x\n"],
])("%j", async (text, ...said) => expect(await saidOf(text)).toEqual(said));
