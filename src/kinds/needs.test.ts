import { expect, test } from "vitest";
import { casesOf } from "../../test/support/cases.ts";
import { MIXED_PLANS } from "../../test/support/mixed-plans.ts";
import { realmOf } from "../../test/support/realm.ts";
import { desiredOf, must, planAgainst } from "../../test/support/world.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { planChanges } from "../plan/plan.ts";
import { kinds } from "./registry.ts";

/** What the requests of a plan need and provide, by the words before the names: `free:user_group:staff` → `free:user_group`. */
async function wordsOf(
  yaml: string,
  live: Snapshot,
): Promise<readonly (readonly [needs: string[], provides: string[]])[]> {
  const found: [string[], string[]][] = [];
  const watched = kinds.map(
    (kind): ResourceKind => ({
      ...kind,
      calls: (changes, context) => {
        const drafts = kind.calls(changes, context);
        for (const { needs = [], provides = [] } of drafts) found.push([needs.map(wordOf), provides.map(wordOf)]);
        return drafts;
      },
    }),
  );
  const desired = await desiredOf(yaml, live);
  if (desired.ok) planChanges({ desired: desired.value, snapshot: live, kinds: watched, toolVersion: "0" });
  return found;
}

const NAMES = new Set(kinds.map(({ name }) => name));

/** The state that a token speaks of, without the object: a number of a step is no part of it. */
function wordOf(token: string): string {
  const parts = token.split(":");
  const named = parts.findIndex((part) => NAMES.has(part));
  const words = named === -1 ? parts.slice(0, 1) : parts.slice(0, named + 1);
  return words.filter((part) => !/^\d+$/.test(part)).join(":");
}

test("every state that a request waits for is one that some request brings about: a typo would drop the order silently", async () => {
  const needed = new Set<string>();
  const provided = new Set<string>();
  const cases = casesOf().map(({ yaml, live }) => ({ yaml, live }));
  for (const { yaml, live } of [...MIXED_PLANS, ...cases])
    for (const [needs, provides] of await wordsOf(yaml, live)) {
      for (const word of needs) needed.add(word);
      for (const word of provides) provided.add(word);
    }
  expect(needed.size).toBeGreaterThan(5);
  expect([...needed].filter((word) => !provided.has(word))).toEqual([]);
});

test.each([
  {
    about: "a subgroup is created before the group that has it",
    yaml: "user_groups:\n  a: {subgroups: [b]}\n  b: {subgroups: [c]}\n  c: {description: Last}\n",
    order: ["c", "b", "a"],
  },
  {
    about: "a group is created before the one whose setting names it",
    yaml: "user_groups:\n  a: {permissions: {can_manage_group: z}}\n  z: {description: Last}\n",
    order: ["z", "a"],
  },
])("$about", async ({ yaml, order }) => {
  const plan = must(await planAgainst(`version: 1\n${yaml}`, realmOf({ feature_level: 482 })));
  const creating = plan.calls.filter(({ operation, creates }) => creates.length > 0 && /group/.test(operation));
  expect(creating.flatMap(({ creates }) => creates)).toEqual(order.map((name) => `user_group:${name}`));
  // Not by luck of the order alone: each waits for the one before.
  for (const [index, call] of creating.entries()) if (index > 0) expect(call.after).toContain(creating[index - 1]?.n);
});
