import { expect, test, vi } from "vitest";
import { smallRealm } from "../../test/invalid/small-realm.ts";
import { isSoak } from "../../test/support/sample.ts";
import { MOST_PATTERN_STEPS } from "../kinds/linkifier/schema.ts";
import { kinds } from "../kinds/registry.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Realm } from "../model/realm.ts";
import { didYouMean, MOST_COMPARED, Patience } from "../model/suggest.ts";
import { MOST_BYTES } from "../source/limits.ts";
import { MOST_WILDCARDS } from "./manage.ts";
import { DEEPEST_PROFILES } from "./profiles.ts";
import { readConfig } from "./read-config.ts";
import { Report } from "./report.ts";

/** The work that a stranger's file can cause is limited: these tests count work, never time. */
async function errorsIn(text: string, realm?: Realm): Promise<readonly Diagnostic[]> {
  const result = await readConfig({ file: "realm.yaml", readFile: async () => text, kinds, realm });
  return result.ok ? result.warnings : result.diagnostics;
}

const many = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

test("suggestions for thousands of unknown names cost no more than those for the first of them", () => {
  const candidates = Array.from({ length: 4000 }, (_, index) => `enginering-${index}-abcdefgh`);
  const patience = new Patience();
  const found = candidates.map((name) => didYouMean(`${name}x`, candidates, patience));
  expect(found[0]).toBe(candidates[0]);
  expect(found.at(-1)).toBeUndefined();
  // The last comparison may exceed the limit: two names of the maximum length.
  expect(patience.spent).toBeLessThan(MOST_COMPARED + 200 * 200 + 200);
});

test.each([
  { what: "a word that is too long", word: "x".repeat(201), candidates: [`${"x".repeat(200)}y`] },
  { what: "a candidate that is too long", word: "channel", candidates: [`channel${"s".repeat(300)}`] },
])("there are no suggestions for $what", ({ word, candidates }) => {
  const patience = new Patience();
  expect(didYouMean(word, candidates, patience)).toBeUndefined();
  expect(patience.spent).toBe(0);
});

/** Names that got a suggestion: each of them was compared with thousands of names, the others were not. */
const suggested = (found: readonly Diagnostic[]): number => found.filter(({ fact }) => "meant" in fact).length;

test("4,000 unknown groups are all reported, the first with suggestions", async () => {
  const groups = many(4000, (index) => `  engineering-${index}-team: {}`);
  const channels = many(
    4000,
    (index) => `  c${index}: {permissions: {can_send_message_group: enginering-${index}-teem}}`,
  );
  const text = `version: 1\nuser_groups:\n${groups}\nchannels:\n${channels}\n`;
  const found = (await errorsIn(text, smallRealm())).filter(({ code }) => code === "reference/unknown-group");
  expect(found).toHaveLength(4000);
  expect(suggested(found)).toBeGreaterThan(5);
  expect(suggested(found)).toBeLessThan(400);
});

test("4,000 unknown aliases are all reported", async () => {
  const anchors = many(4000, (index) => `  - &anchor-number-${index} x`);
  const aliases = many(4000, (index) => `  - *anchor-numbr-${index}`);
  const found = (await errorsIn(`version: 1\ndefault_channels:\n${anchors}\n${aliases}\n`)).filter(
    ({ code }) => code === "yaml/unknown-anchor",
  );
  expect(found).toHaveLength(4000);
  expect(suggested(found)).toBeGreaterThan(5);
  expect(suggested(found)).toBeLessThan(400);
});

test.each([
  { length: DEEPEST_PROFILES, codes: [] },
  { length: DEEPEST_PROFILES + 1, codes: ["profiles/too-deep"] },
  { length: 20_000, codes: ["profiles/too-deep"] },
])("a chain of $length profiles: $codes", async ({ length, codes }) => {
  const chain = many(length, (index) =>
    index === length - 1 ? `  p${index}: {privacy: public}` : `  p${index}: {profile: p${index + 1}}`,
  );
  const found = await errorsIn(`version: 1\nprofiles:\n${chain}\nchannels:\n  a: {profile: p0}\n`);
  expect([...new Set(found.map(({ code }) => code))]).toEqual(codes);
});

test("a pattern with thousands of openings is read once", async () => {
  const found = await errorsIn(
    `version: 1\nlinkifiers:\n  - {pattern: '${"(?P<".repeat(50_000)}', url_template: 'https://x.example/'}\n`,
  );
  expect(found.map(({ code, fact }) => [code, fact])).toEqual([
    ["linkifiers/pattern", { cause: "too-long", length: 200_000, limit: 10_000 }],
  ]);
});

test("includes stop when all files together are too large, and report it once", async () => {
  let read = 0;
  const large = `# ${"x".repeat(16 * 1024 * 1024)}\n`;
  const result = await readConfig({
    file: "realm.yaml",
    readFile: async (path) => {
      read += 1;
      return path === "realm.yaml" ? "version: 1\ninclude: [parts/*.yaml]\nchannels: {}\n" : large;
    },
    listFiles: async (directory) =>
      directory === "parts" ? Array.from({ length: 160 }, (_, index) => `p${index}.yaml`) : ["parts"],
    kinds,
  });
  expect(result.ok ? [] : result.diagnostics.filter(({ code }) => code === "include/too-large-together")).toHaveLength(
    1,
  );
  expect(read).toBeLessThanOrEqual(1 + MOST_BYTES / large.length + 1);
});

test("a pattern of an include that looks at very many files stops", async () => {
  let listed = 0;
  const result = await readConfig({
    file: "realm.yaml",
    readFile: async () => "version: 1\ninclude: ['**/*.yaml']\nchannels: {}\n",
    listFiles: async (directory) => {
      listed += 1;
      return directory === "." ? Array.from({ length: 50_000 }, (_, index) => `d${index}`) : [];
    },
    kinds,
  });
  expect(result.ok ? [] : result.diagnostics.map(({ code }) => code)).toContain("include/too-many");
  expect(listed).toBeLessThanOrEqual(10_000);
});

test("too many patterns with wildcards are one error", async () => {
  const protect = (count: number) =>
    `version: 1\npolicy:\n  protect:\n${many(count, (index) => `    - "channel:*c${index}*"`)}\n`;
  expect(await errorsIn(protect(MOST_WILDCARDS))).toEqual([]);
  expect((await errorsIn(protect(MOST_WILDCARDS + 1))).map(({ code }) => code)).toEqual(["policy/protect"]);
});

test.each([
  ["a pattern of 180 characters that is 20,000 long", ["a{0,1000}".repeat(20)], "a".repeat(300)],
  ["a pattern of 9 characters, searched in a long example", ["a{0,1000}"], "a".repeat(100_000)],
  ["fifty such patterns", Array.from({ length: 250 }, (_, index) => `b{1,1000}${index}`), undefined],
])(
  "%s: not compiled and not searched, because all patterns of a file share one budget",
  async (_, patterns, example) => {
    const items = patterns.map((pattern) => ({
      pattern: `X(?P<id>${pattern})Z`,
      url_template: "https://x.example/{id}",
      ...(example === undefined ? {} : { example_input: `X${example}Z` }),
    }));
    const found = await errorsIn(JSON.stringify({ version: 1, linkifiers: items }));
    expect(found.at(-1)?.fact).toEqual({ cause: "too-much", limit: MOST_PATTERN_STEPS });
  },
);

test("a thousand linkifiers of usual length are far below the limit", async () => {
  const items = Array.from({ length: 1000 }, (_, index) => ({
    pattern: `T${index}-(?P<id>[0-9a-f]{7,40})`,
    url_template: `https://x.example/${index}/{id}`,
    example_input: `T${index}-0123456789`,
  }));
  expect(await errorsIn(JSON.stringify({ version: 1, linkifiers: items }))).toEqual([]);
});

test("a channel that names thousands of profiles is one error", async () => {
  const profiles = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`p${index}`, { description: "d" }]));
  const naming = (count: number) =>
    JSON.stringify({ version: 1, profiles, channels: { a: { profile: Object.keys(profiles).slice(0, count) } } });
  const codes = async (count: number) => [...new Set((await errorsIn(naming(count))).map(({ code }) => code))];
  expect(await codes(DEEPEST_PROFILES)).toEqual(["profiles/unused"]);
  expect(await codes(DEEPEST_PROFILES + 1)).toContain("profiles/too-deep");
});

// If these patterns were searched from every character to the end, they would take minutes in `npm run soak`.
const MANY = isSoak ? 1_000_000 : 200_000;
test.each([
  { text: `realm: ${"/".repeat(MANY)}x\n` },
  { text: `invites:\n  ? ${"<".repeat(MANY)}\n  : {role: member}\n` },
  { text: `${" ".repeat(MANY)}\t\n- a\n` },
  { text: `channels: {a: {description: ${"x".repeat(MANY)}}}\n` },
  // Each comment could be taken in several ways by what looks for files of other programs.
  { text: `${"  # x\n \n".repeat(5_000)}a: [\n` },
  { text: `${"1 ".repeat(MANY / 2)}\n- a: [\n` },
  { text: `${"a,".repeat(MANY / 2)}\n- a: [\n` },
  { text: `${"\n".repeat(MANY)}- a: [\n` },
  { text: `a: ${"<%".repeat(MANY / 2)}\n  b\n` },
])("a row of very many characters, %#", async ({ text }) => {
  expect(await errorsIn(`${text.startsWith(" ") ? "" : "version: 1\n"}${text}`, smallRealm())).not.toEqual([]);
});

test("an error of an entry that stands for several objects is kept once, not once for each of them", async () => {
  const add = vi.spyOn(Report.prototype, "addFound");
  const emails = many(200, (index) => `a${index}@example.org,`).replaceAll("\n", "");
  const text = `version: 1\ninvites:\n  - {emails: [${emails}], channels: [genral, nwes], send_until: 2026-11-24}\nchannels: {general: {}}\n`;
  const found = await errorsIn(text, smallRealm());
  expect(found.map(({ code }) => code)).toEqual(["invites/unknown-channel", "invites/unknown-channel"]);
  expect(add).toHaveBeenCalledTimes(2);
  add.mockRestore();
});
