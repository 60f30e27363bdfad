import { expect, test } from "vitest";
import { RUNS } from "../../test/properties/arbitrary.ts";
import { startOf } from "../../test/support/apply/journals.ts";
import { change, field, planOf } from "../../test/support/apply/toy.ts";
import fc from "../../test/support/random.ts";
import { realmOf } from "../../test/support/realm.ts";
import { kinds } from "../kinds/registry.ts";
import type { Change, Plan } from "../model/plan.ts";
import { LiveObjects } from "./goals.ts";
import type { FoundJournal } from "./journal.ts";
import { idsOfNames, renamedSince } from "./renamed-since.ts";

const NAMES = ["alpha", "beta", "gamma", "delta"];
/** Objects of a test realm get consecutive ids. */
const [FIRST_GROUP, FIRST_CHANNEL] = [30, 101];

const realmWith = (groups: readonly string[], sender: number) =>
  realmOf({
    user_groups: groups.map((name) => ({ name })),
    channels: [{ name: "hall", can_send_message_group: FIRST_GROUP + sender }],
  });

function changeOf(before: string, after: string): Change {
  const { risks, ...rest } = change("hall", FIRST_CHANNEL, field("can_send_message_group", before, after));
  return { ...rest, kind: "channel", address: "channel:hall", risks };
}

function journalOf(plan: Plan, groups: readonly string[]): FoundJournal {
  const names = idsOfNames(plan, kinds, new LiveObjects(kinds, realmWith(groups, 0)));
  const start = startOf(plan);
  return { name: "x.jsonl", entries: [start.entry === "start" ? { ...start, names } : start], torn: false };
}

const moves = fc.record({
  groups: fc.shuffledSubarray(NAMES, { minLength: 3, maxLength: 3 }),
  since: fc.shuffledSubarray([...NAMES, "omega"], { minLength: 3, maxLength: 3 }),
  wanted: fc.nat({ max: 2 }),
  sender: fc.nat({ max: 2 }),
});

test("whatever groups are called since a run, a value has the name in the plan if, and only if, it means the same group", () =>
  fc.assert(
    fc.property(moves, ({ groups, since, wanted, sender }) => {
      const name = groups[wanted] ?? "";
      const plan = planOf([changeOf("role:moderators", name)], []);
      const snapshot = realmWith(since, sender);
      const moved = renamedSince(plan, [journalOf(plan, groups)], kinds, snapshot);
      const found = new LiveObjects(kinds, snapshot, [...plan.changes, ...moved]).find("channel:hall", FIRST_CHANNEL);
      expect(found?.fields.can_send_message_group === name).toBe(sender === wanted);
    }),
    { numRuns: RUNS },
  ));

test("the ids of names in old and new values are noted, and those of changed objects are in the changes", () => {
  const objects = new LiveObjects(kinds, realmWith(["alpha", "beta"], 0));
  const group: Change = {
    ...changeOf("", ""),
    kind: "user_group",
    address: "user_group:beta",
    name: "beta",
    fields: [],
  };
  const ids = (...changes: readonly Change[]) => idsOfNames(planOf(changes, []), kinds, objects);
  expect(ids(changeOf("alpha", "beta"))).toEqual({ "user_group:alpha": 30, "user_group:beta": 31 });
  expect(ids(changeOf("alpha", "beta"), group)).toEqual({ "user_group:alpha": 30 });
  expect(ids(changeOf("alpha", "no such group"))).toEqual({ "user_group:alpha": 30 });
});
