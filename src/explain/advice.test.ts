import { expect, test } from "vitest";
import { readConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import EXAMPLES from "./examples.json" with { type: "json" };

const SECTIONS = kinds.map(({ section }) => section);
const KEYS = ["realm", "vars", "values", "manage", "policy", "profiles", "defaults", "include", ...SECTIONS];

/** The value in brackets that a text starts with. */
function inBrackets(text: string): string {
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(/[[\]{}]/g)) {
    depth += "[{".includes(sign) ? 1 : -1;
    if (depth === 0) return text.slice(0, index + 1);
  }
  return text;
}

/** What the advice of the examples tells people to write at the top of a file: `write manage: {channels: exact}`. */
const SNIPPETS = Object.entries(EXAMPLES).flatMap(([code, { output }]) => {
  const text = output.replaceAll(/\n\s+(?=[^\s│┌=])/g, " ");
  return [...text.matchAll(/\bwrite ([a-z_]+): (?=[{[])/g)].flatMap(({ 0: lead, 1: key = "", index }) => {
    const value = inBrackets(text.slice(index + lead.length));
    return KEYS.includes(key) && !value.includes("…") ? [{ code, snippet: `${key}: ${value}` }] : [];
  });
});

test("there are such examples", () => expect(SNIPPETS.length).toBeGreaterThan(4));

/** Errors about what is not in the snippet: other files, sections, values and uses. */
const ABOUT_THE_REST =
  /^(?:include\/(?:cannot-read|no-match)|config\/exact-without-section|policy\/cannot-read|vars\/no-value)$/;

test.each(SNIPPETS)("$code: $snippet is accepted", async ({ snippet }) => {
  const read = await readConfig({
    file: "realm.yaml",
    readFile: async (path) => (path === "realm.yaml" ? `version: 1\n${snippet}\n` : "version: 1\n"),
    kinds,
  });
  const found = read.ok ? [] : read.diagnostics.filter(({ severity }) => severity === "error");
  expect(found.filter(({ code }) => !ABOUT_THE_REST.test(code))).toEqual([]);
});
