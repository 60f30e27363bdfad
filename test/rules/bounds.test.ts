import { expect, test } from "vitest";
import { checkRules } from "../../src/rules/check.ts";
import { readRules } from "../../src/rules/read.ts";
import { MOST_RULE_WORK, RuleWork } from "../../src/rules/work.ts";
import { groundOf } from "../../src/workflow/rules.ts";

const file = (name: string, text: string) => ({
  file: name,
  readFile: async () => text,
  listFiles: async () => [],
});
const realm = (channels: number): string =>
  `version: 1\nuser_groups: {staff: {members: [ada@acme.example]}}\nchannels:\n${Array.from({ length: channels }, (_, n) => `  c${n}: {privacy: private_shared_history}\n`).join("")}`;

/** Checks the rules against a file with this many channels: their cost, and their results. */
async function held(tests: readonly string[], channels: number, most = MOST_RULE_WORK) {
  const text = `version: 1\ntests:\n${tests.map((line, n) => `  - {name: rule ${n}, ${line}}\n`).join("")}`;
  const read = await readRules(file("realm.test.yaml", text));
  if (!read.ok) throw new Error(JSON.stringify(read.diagnostics));
  const config = file("realm.yaml", realm(channels));
  const grounded = await groundOf({ what: "file", config }, read.value.rules);
  if (!grounded.ok) throw new Error(JSON.stringify(grounded.diagnostics));
  const work = new RuleWork(most);
  const outcomes = checkRules(read.value, grounded.value.ground, work);
  const codes = read.value.report.sorted().map(({ code, at }) => `${code}:${at?.line}`);
  return { codes, outcomes: outcomes.length, spent: work.spent };
}

const each = (count: number, line: string): readonly string[] => Array.from({ length: count }, () => line);

test.each([
  ["who × channels", "who: guest, cannot: {read: '*'}"],
  ["objects × rights × people", "objects: '*', rights: {post: {only: staff, deny: guest}, read: {at_most: 9}}"],
  ["fields × values", "objects: '*', fields: {description: {is: ['a*', '*b', 'c?']}}"],
  ["names that match nothing", "who: guest, cannot: {read: ['*'], post: ['nothing-*', '?']}, except: ['c*1']"],
])("%s: the work grows with rules times channels, and ends at the limit", async (_, line) => {
  const [small, large] = [await held(each(10, line), 10), await held(each(20, line), 20)];
  expect(large.spent / small.spent).toBeGreaterThan(3);
  expect(large.spent / small.spent).toBeLessThan(6);
  const cut = await held(each(20, line), 20, large.spent / 2);
  expect(cut.codes.at(-1)).toMatch(/^rules\/too-much:([6-9]|1[0-4])$/);
});

test("the cost of a pattern with thousands of stars is its length times the length of each name", async () => {
  const { codes, outcomes } = await held([`who: guest, cannot: {read: '${"*c".repeat(15_000)}'}`], 3, 100_000);
  expect(codes).toEqual(["rules/too-much:3"]);
  expect(outcomes).toBe(0);
});

test("thousands of unknown names share one budget of suggestions", async () => {
  const names = Array.from({ length: 400 }, (_, n) => `grups-of-a-long-name-${n}`).join(", ");
  const { codes } = await held([`objects: '*', rights: {read: {only: [${names}]}}`], 2);
  expect(new Set(codes.map((code) => code.split(":")[0]))).toEqual(new Set(["rules/unknown-name"]));
});

test("a list of thousands of people is stored once, not once for each of thousands of objects", async () => {
  const people = Array.from({ length: 1_000 }, (_, n) => `person${n}@acme.example`).join(", ");
  const objects = Array.from({ length: 30_000 }, (_, n) => `c${n}`).join(", ");
  const text = `version: 1\ntests:\n  - {name: a, who: [${people}], can: {read: [${objects}]}, cannot: {post: [${objects}]}}\n`;
  // A key for each object, each containing all these people: 2 GB.
  const before = process.memoryUsage().rss;
  expect((await readRules(file("realm.test.yaml", text))).ok).toBe(true);
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(900);
});
