import { expect, test } from "vitest";
import { wordedDiagnostic } from "../report/words/diagnostics.ts";
import { parseYaml } from "./load.ts";
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

test.each<[text: string, hint: string]>([
  [
    "a:\n  eng: description: Talk\n",
    'if description is a field of eng, write "description: Talk" on a line of its own below, indented further; if the colon belongs to a text, put the value in quotes',
  ],
  ["a:\n  team: eng:\n    b: c\n", 'put the whole name in quotes: "team: eng":'],
  ["a:\n  b: c\nd:\n  e: f\na:\n  g: h\n", "move what is below this one to the end of the first, and delete this line"],
  ["a:\n  b: c\n  b: d\n", "keep one of the two"],
])("the way out of %j", async (text, hint) => {
  const { diagnostics } = await parseYaml(new SourceText("realm.yaml", text), new PlaceTable());
  expect(diagnostics.map((one) => wordedDiagnostic(one).hint)).toEqual([hint]);
});

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
  ["channels:\n  `eng`:\n    a: b\n", "2:3 a name cannot start with `: `eng` is marked up as in Markdown"],
  ["channels:\n  **eng**:\n    a: b\n", "2:3 a name cannot start with **: **eng** is marked up as in Markdown"],
  ["a: b\n>>>>>>> feature/x\nc: d\n", "2:1 a marker of a merge conflict was left here"],
  ["a:\n  b: c\n=======\n  d: e\n", "3:1 a marker of a merge conflict was left here"],
  ["a: |\n    one\n  two\n", "3:3 this line is indented less than the first line of its text"],
  ["a: b\n...\nc: d\n", '2:1 "..." ends the document, and there is more below it'],
  ["a:\n  b:\n \t  - c\n", "3:2 a tab cannot indent a line"],
  ["a:\n  - [ ] b\n", "2:5 an entry of a list starts with a check box, as in Markdown"],
  ["a: b\nC:\\zulip> type realm.yaml\n", "2:1 this line belongs to a command of a shell, not to the file"],
  ["a: b\n; ours\n", '2:1 "; ours" is neither a key with its value nor a comment'],
  ["a: b\n{# ours #}\n", "2:1 {# ours #} is a template of another program: nothing replaces it here"],
  [
    "\u001b[32meng\u001b[0m: {}\n",
    '1:1 this text has colours of a terminal, from which it was copied: U+001B with "[32m" behind it',
  ],
  // Nothing of this is wrong in texts.
  ["a: https://example.org/x // y\n"],
  ["a: |\n  // one\n  -- two： {% x %}\n"],
  ["a: '/* x */'\n-- : y\n"],
  ["a: 你好，世界：x\n"],
])("%j", async (text, ...said) => expect(await saidOf(text)).toEqual(said));
