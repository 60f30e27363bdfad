import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { displayWidth, PLAIN } from "../../src/report/style.ts";
import { renderPlan } from "../../src/report/text.ts";
import { planOf, TEN } from "./ten.ts";

const cost = { requests: 2, seconds: 0.4 };

/** The lines that a terminal of this width shows. */
const linesAt = (text: string, width: number): number =>
  text
    .trimEnd()
    .split("\n")
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / width)), 0);

const shownAt = async (yaml: string, width: number): Promise<string> =>
  renderPlan(await planOf(yaml), { style: { ...PLAIN, width }, cost });

test.each(["terraform", "dnscontrol", "deck", "octodns"])(
  "ten changes at 80 columns take no more lines than with %s",
  async (tool) => {
    const other = readFileSync(join(import.meta.dirname, `${tool}.txt`), "utf8");
    const text = await shownAt(TEN, 80);
    expect(linesAt(text, 80), text).toBeLessThanOrEqual(linesAt(other, 80));
  },
);

test("ten changes fit one screen of a phone, and no line is wider", async () => {
  const text = await shownAt(TEN, 44);
  expect(linesAt(text, 44), text).toBeLessThanOrEqual(40);
  for (const line of text.split("\n")) expect(displayWidth(line), line).toBeLessThanOrEqual(44);
});

test("the totals come first, and name what goes away", async () => {
  const [first = ""] = (await shownAt(TEN, 100)).split("\n");
  expect(first).toBe("Plan: 4 to create, 4 to change, 1 to archive (#sandbox), 1 to remove (domain partner.example)");
});

test.each([80, 100])("one creation takes at most ten lines at %i columns", async (width) => {
  const yaml = `version: 1
channels:
  incidents: {description: One topic for each accident or near miss, folder: Company, topics_policy: disable_empty_topic, permissions: {can_send_message_group: role:moderators}}
`;
  const text = await shownAt(yaml, width);
  expect(linesAt(text, width), text).toBeLessThanOrEqual(10);
});

test("a creation with a description takes at most ten lines on a phone", async () => {
  const text = await shownAt("version: 1\nchannels:\n  incidents: {description: One topic for each accident}\n", 44);
  expect(linesAt(text, 44), text).toBeLessThanOrEqual(10);
});

test.each([
  { what: "alike", of: (_: number): string => "Team" },
  { what: "each in another way", of: (at: number): string => `Team, message_retention_days: ${at + 1}` },
])("200 creations, $what, take at most 60 lines", async ({ of }) => {
  const entries = Array.from({ length: 200 }, (_, at) => `  team-${at}: {description: ${of(at)}}`);
  const text = await shownAt(`version: 1\nchannels:\n${entries.join("\n")}\n`, 80);
  expect(linesAt(text, 80), text).toBeLessThanOrEqual(60);
  expect(text).toMatch(/^Plan: 200 to create$/m);
});

test("changes are in the order of the file, whatever the order of the requests", async () => {
  const text = await shownAt(TEN, 200);
  const places = [...text.matchAll(/^[! ] [-+~] .*realm\.yaml:(\d+)$/gm)].map(([, line]) => Number(line));
  expect(places).toHaveLength(10);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});
