import { afterAll, expect, test } from "vitest";
import type { Journal } from "../src/apply/journal.ts";
import { resumedFrom } from "../src/apply/whole-run.ts";
import { EXIT } from "../src/model/diagnostic.ts";
import type { JournalEntry } from "../src/model/journal.ts";
import { type Plan, unresolvedIn } from "../src/model/plan.ts";
import { findOperation } from "../src/zulip/operations.ts";
import { plannedCases } from "./support/cases.ts";
import { callsTried, MIXED_PLANS } from "./support/mixed-plans.ts";
import { isSoak, oneIn } from "./support/sample.ts";
import { must, World } from "./support/world.ts";

/** The journal of a run that was killed after `number` calls. */
async function brokenOff(world: World, plan: Plan, yaml: string, number: number): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  const journal: Journal = { path: "x.jsonl", write: (entry) => entries.push(entry), close: () => {} };
  const done = () => entries.filter(({ entry }) => entry === "answer").length;
  const stop = {
    get requested() {
      return done() >= number;
    },
    signal: new AbortController().signal,
  };
  await world.apply(plan, yaml, undefined, undefined, { openJournal: () => journal, stop });
  return entries.filter(({ entry }) => entry !== "end");
}

/** Continues with a saved plan after somebody undid the first run's changes. */
async function goOn(world: World, plan: Plan, yaml: string, entries: readonly JournalEntry[]) {
  const resumed = resumedFrom({ name: "x.jsonl", entries, torn: false }, plan);
  if (resumed === undefined) throw new RangeError("other calls");
  return { resumed, result: await world.apply(plan, yaml, undefined, undefined, { resumed }) };
}

const isMail = (operation: string): boolean => findOperation(operation)?.repeat === "unsafe";

const cases = (await plannedCases()).flatMap((item) =>
  item.plan.ok && item.plan.value.calls.length > 0 ? [{ ...item, plan: item.plan.value }] : [],
);
const mixed = await Promise.all(
  MIXED_PLANS.map(async ({ name, yaml, live }) => ({ name, yaml, live, plan: must(await new World(live).plan(yaml)) })),
);

const refused: string[] = [];
const UNKNOWN_RIGHTS = ["channel/content-access-unknown", "default-channel/made-public"];
const some = [...new Set([...oneIn(13, cases), ...cases.filter(({ name }) => UNKNOWN_RIGHTS.includes(name))])];
afterAll(() => expect(refused.toSorted()).toEqual(UNKNOWN_RIGHTS));

test.each(some)("if all of $name was undone, all of it is done again", async ({ name, yaml, live, plan }) => {
  const world = new World(live);
  const entries = await brokenOff(world, plan, yaml, plan.calls.length);
  world.restart();
  const { resumed, result } = await goOn(world, plan, yaml, entries);
  // These cases are about rights that no reading shows: the server also refuses them the first time.
  if (resumed.done.size < plan.calls.length) {
    refused.push(name);
    return;
  }
  expect(result.calls.filter(({ state }) => state === "failed" || state === "skipped")).toEqual([]);
  if (plan.calls.some(({ operation }) => isMail(operation))) return;
  const isWhole = unresolvedIn(plan).length === 0;
  expect([result.exitCode, result.remaining]).toEqual([isWhole ? EXIT.done : EXIT.appliedInPart, []]);
});

test.each(mixed)("$name, interrupted after a call and undone", async ({ yaml, live, plan }) => {
  const world = new World(live);
  for (let number = 1; number <= plan.calls.length; number += 1) {
    if (!isSoak && number % 13 !== plan.calls.length % 13) continue;
    world.restart();
    const entries = await brokenOff(world, plan, yaml, number);
    world.restart();
    const { resumed, result } = await goOn(world, plan, yaml, entries);
    expect(result.calls.filter(({ state }) => state === "failed" || state === "skipped")).toEqual([]);
    // Nobody gets a second e-mail unasked: a missing invitation was accepted or revoked.
    const mailed = plan.calls.filter(({ n, operation }) => resumed.done.has(n) && isMail(operation));
    for (const { n } of mailed) expect(result.calls[n - 1]?.state).toBe("already-so");
    if (mailed.length === 0) expect([number, result.exitCode]).toEqual([number, EXIT.done]);
  }
});

test.each(mixed)("$name, interrupted after a call and left alone", async ({ plan, ...each }) => {
  const { yaml, live } = each;
  const world = new World(live);
  for (const { n: number } of oneIn(9, callsTried(plan, { ...each, oneIn: 1 }))) {
    world.restart();
    const entries = await brokenOff(world, plan, yaml, number);
    const before = world.writes;
    const { resumed, result } = await goOn(world, plan, yaml, entries);
    expect([number, result.exitCode]).toEqual([number, EXIT.done]);
    const twice = result.calls.filter(({ n, state }) => resumed.done.has(n) && state !== "already-so");
    expect(twice.map(({ n }) => plan.calls[n - 1])).toEqual([]);
    // Nothing is sent twice.
    expect(world.writes - before).toBe(plan.calls.length - resumed.done.size);
  }
});
