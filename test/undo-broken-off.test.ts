import { describe, expect, test } from "vitest";
import { fieldOf, LiveObjects } from "../src/apply/goals.ts";
import type { Journal } from "../src/apply/journal.ts";
import { kinds } from "../src/kinds/registry.ts";
import type { JournalEntry } from "../src/model/journal.ts";
import type { Plan } from "../src/model/plan.ts";
import type { UndoNote } from "../src/model/run-facts.ts";
import type { Snapshot } from "../src/model/snapshot.ts";
import { undoText } from "../src/report/undo-notes.ts";
import { wordedDiagnostic } from "../src/report/words/diagnostics.ts";
import { planUndo } from "../src/workflow/undo.ts";
import { planRealm } from "../src/workflow/workflow.ts";
import { options, TIMEOUT_MS } from "./properties/begin.ts";
import { handedOn } from "./properties/handed-on.ts";
import { rotations } from "./properties/rotations.ts";
import { swappedLists } from "./properties/swapped-lists.ts";
import { together } from "./properties/together.ts";
import { journalText } from "./support/apply/journals.ts";
import { casesOf } from "./support/cases.ts";
import { MIXED_PLANS } from "./support/mixed-plans.ts";
import { lookAt } from "./support/pictures.ts";
import fc from "./support/random.ts";
import { realmOf } from "./support/realm.ts";
import { isSoak } from "./support/sample.ts";
import { World } from "./support/world.ts";

/*
 * An interrupted run leaves values that are neither the earlier ones nor the plan's (the temporary name in a swap, an invitation that is revoked and
 * not sent again). They are the run's own: an undo restores the earlier values, and never reports that somebody else changed them.
 */

/** Errors that only somebody else's change can cause. */
const SOMEBODY_ELSE: readonly string[] = [
  "changed",
  "created-and-changed",
  "order-changed",
  "deleted",
  "not-found",
  "alike",
];

async function planned(live: Snapshot, yaml: string): Promise<{ world: World; plan: Plan } | undefined> {
  const world = new World(live);
  const { reader } = world.as(live.account.email);
  const found = await planRealm({ file: "realm.yaml", readFile: async () => yaml, lookAt, reader, allow: ["lockout"] });
  return found.ok ? { world, plan: found.value.plan } : undefined;
}

/** Applies the first calls of a plan, and undoes them. */
async function undone(world: World, plan: Plan, yaml: string, live: Snapshot, number: number) {
  const entries: JournalEntry[] = [];
  const journal: Journal = { path: "x.jsonl", write: (entry) => entries.push(entry), close: () => {} };
  const answers = () => entries.filter(({ entry }) => entry === "answer").length;
  const stop = {
    get requested() {
      return answers() >= number;
    },
    signal: new AbortController().signal,
  };
  await world.apply(plan, yaml, undefined, undefined, { openJournal: () => journal, stop });
  const undoing = await planUndo(journalText(entries), "x.jsonl", {
    ...world.as(live.account.email),
    isForeignAllowed: true,
  });
  if (!undoing.ok) {
    // An account that never had a right, or gave it away during the run, cannot undo what needs it: test/undo-in-part.test.ts.
    const others = undoing.diagnostics.filter(({ code }) => !code.endsWith("/not-allowed"));
    return { refused: others.map(wordedDiagnostic).map(({ message }) => message) };
  }
  const { notes, plan: undo, planAgain } = undoing.value;
  const result = await world.apply(undo, yaml, undefined, undefined, { replan: planAgain });
  const failed = result.calls.filter(({ state }) => state !== "done");
  return { notes, failed, remaining: result.remaining, after: await world.read() };
}

/** Everything that the plan changes, that no note names, and that is not as before. */
function differences(plan: Plan, notes: readonly UndoNote[], live: Snapshot, after: Snapshot): readonly string[] {
  const [old, now] = [new LiveObjects(kinds, live), new LiveObjects(kinds, after)];
  const isNoted = (kind: string, name: string) => notes.some((note) => note.kind === kind && note.name === name);
  // An object without a name of its own (a default channel) has the earlier name of the object that the plan renames.
  const names = new Map(plan.changes.flatMap(({ name, was }) => (was === undefined ? [] : [[name, was] as const])));
  return plan.changes.flatMap(({ action, address, kind, name, was, id, fields }) => {
    if (action === "reorder" || isNoted(kind, name) || (was !== undefined && isNoted(kind, was))) return [];
    const there = now.find(`${kind}:${was ?? name}`, id) ?? now.find(`${kind}:${names.get(name)}`, id);
    if (action === "create") {
      const isOld = there !== undefined && old.find(`${kind}:${name}`)?.id === there.id;
      return there === undefined || there.inactive || isOld ? [] : [`${address} is there`];
    }
    const before = old.find(`${kind}:${was ?? name}`, id) ?? old.find(`${kind}:${names.get(name)}`, id);
    if (before === undefined || there === undefined) return [`${address} no longer exists`];
    return fields.flatMap(({ field }) => {
      const [had, has] = [before, there].map((object) => JSON.stringify(fieldOf(object, field)));
      return had === has ? [] : [`${address} ${field}: ${has}, not ${had}`];
    });
  });
}

/** Bots that are in use, or that differ from before, although the plan does not mention them and their owners are as before. */
function botsTurned({ changes }: Plan, notes: readonly UndoNote[], live: Snapshot, after: Snapshot): readonly string[] {
  const known = new Set(changes.map(({ id }) => id));
  const received = new Set(changes.filter(({ name }) => notes.some((note) => note.name === name)).map(({ id }) => id));
  return after.users.flatMap(({ user_id, full_name, is_active, bot_owner_id }) => {
    const before = live.users.find((user) => user.user_id === user_id);
    if (before === undefined || before.is_active === is_active || known.has(user_id)) return [];
    if (bot_owner_id !== null && received.has(bot_owner_id)) return [];
    return notes.some(({ name }) => full_name.startsWith(name))
      ? []
      : [`${full_name} is ${is_active ? "" : "not "}in use`];
  });
}

async function check(
  world: World,
  plan: Plan,
  yaml: string,
  live: Snapshot,
  number: number,
): Promise<readonly string[]> {
  world.restart();
  const found = await undone(world, plan, yaml, live, number);
  if (found.refused !== undefined) return found.refused;
  const received = found.notes
    .filter(({ fact }) => SOMEBODY_ELSE.includes(fact.why))
    .map(({ kind, name, fact }) => `${kind} ${name} ${undoText(fact)}`);
  const failed = found.failed.map(({ n, state }) => `call ${n} of the undo: ${state}`);
  const remaining = (found.remaining ?? []).map(({ address }) => `${address} remains`);
  return [
    ...received,
    ...failed,
    ...remaining,
    ...differences(plan, found.notes, live, found.after),
    ...botsTurned(plan, found.notes, live, found.after),
  ];
}

test.each(MIXED_PLANS)("$name, interrupted after a call, is undone", async ({ yaml, live }) => {
  const { world, plan } = (await planned(live, yaml)) ?? {};
  if (world === undefined || plan === undefined) throw new RangeError("no plan");
  const wrong: string[] = [];
  for (let number = 1; number <= plan.calls.length; number += 1) {
    if (!isSoak && number % 12 !== plan.calls.length % 12) continue;
    for (const what of await check(world, plan, yaml, live, number)) wrong.push(`${number}: ${what}`);
  }
  expect(wrong).toEqual([]);
});

test("a bot that was deactivated by a separate request is reactivated if the run ended before its owner was deactivated", async () => {
  const item = casesOf().find(({ name }) => name === "person/unnamed-bots-leave-before-their-owner");
  if (item === undefined) throw new RangeError("no such case");
  const { world, plan } = (await planned(item.live, item.yaml)) ?? {};
  if (world === undefined || plan === undefined) throw new RangeError("no plan");
  expect(plan.calls.map(({ operation }) => operation)).toEqual([
    "deactivate-bot",
    "deactivate-bot",
    "update-realm",
    "deactivate-user",
  ]);
  const wrong: string[] = [];
  for (const { n } of plan.calls)
    for (const what of await check(world, plan, item.yaml, item.live, n)) wrong.push(`${n}: ${what}`);
  expect(wrong).toEqual([]);
});

describe.each([
  { of: "all kinds", scenarios: together, options: { numRuns: Math.ceil(options.numRuns / 5) } },
  { of: "names that rotate", scenarios: rotations, options: { numRuns: Math.ceil(options.numRuns / 5) } },
  { of: "names that pass on", scenarios: handedOn, options: { numRuns: Math.ceil(options.numRuns / 10) } },
  { of: "lists that exchange names", scenarios: swappedLists, options },
])("random realms and files of $of", ({ scenarios, options }) => {
  test(
    "interrupted after any call, a run is undone",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenarios, fc.nat(), async ({ overlay, yaml }, seed) => {
          const live = realmOf(overlay);
          const { world, plan } = (await planned(live, yaml)) ?? {};
          // No request puts a channel into an archived folder, so none can move it back there.
          const archived = new Set(live.channel_folders?.filter((folder) => folder.is_archived).map(({ id }) => id));
          fc.pre(live.channels.every(({ folder_id }) => !archived.has(folder_id ?? -1)));
          fc.pre(world !== undefined && plan !== undefined && plan.calls.length > 1);
          if (world === undefined || plan === undefined) return;
          const number = 1 + (seed % (plan.calls.length - 1));
          expect(await check(world, plan, yaml, live, number)).toEqual([]);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );
});
