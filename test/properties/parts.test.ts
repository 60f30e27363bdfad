import { expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import type { Checked } from "../../src/model/diagnostic.ts";
import { liveObjects } from "../../src/model/kind.ts";
import { type Change, leftOutOf, type Plan } from "../../src/model/plan.ts";
import type { Targets } from "../../src/model/plan-schema.ts";
import { Realm } from "../../src/model/realm.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { planChanges } from "../../src/plan/plan.ts";
import { rehearse } from "../../src/rehearsal/rehearse.ts";
import fc from "../support/random.ts";
import { desiredOf, must } from "../support/world.ts";
import { begin, options, TIMEOUT_MS } from "./begin.ts";
import { rotations } from "./rotations.ts";
import { together } from "./together.ts";

// Each of these plans four times, rehearses once and applies three times: REALMCTL_RUNS for more than a glance.
const few = { numRuns: Math.ceil(options.numRuns / 10) };

async function partOf(yaml: string, snapshot: Snapshot, targets: Targets, isAgain = false): Promise<Checked<Plan>> {
  const desired = must(await desiredOf(yaml, snapshot));
  return planChanges({ desired, snapshot, kinds, toolVersion: "0.0.0", targets, isAgain });
}

/** Some of the plan's objects, by name. */
function some(plan: Plan, bits: number): readonly string[] {
  const named = plan.changes.filter(({ action, name }) => action !== "reorder" && !/[*?]/.test(name));
  return named
    .filter((_, index) => (bits >> (index % 30)) & 1)
    .map(({ kind, name, singleton }) => (singleton === true ? kind : `${kind}:${name}`));
}

/** A name may belong to one object before the plan and to another one after it: it means both. */
const namesOf = ({ kind, name, was = name, singleton }: Change): readonly string[] =>
  singleton === true ? [kind] : [`${kind}:${name}`, `${kind}:${was}`];

/** Everything in an organization that is identified by name. */
function contents(snapshot: Snapshot): unknown {
  const realm = new Realm(snapshot);
  return kinds.map((kind) => {
    const objects = (liveObjects(kind, realm) ?? []).map(({ name, fields, inactive }) => ({ name, fields, inactive }));
    return kind.diff?.ordered === true ? objects : objects.map((object) => JSON.stringify(object)).sort();
  });
}

test(
  "a part of a plan has the chosen objects and their needs; it has the result that it states, and together with the rest it has the result of the whole plan",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(together, rotations), fc.nat(2 ** 30 - 1), async (input, bits) => {
        const { world, plan, yaml } = await begin(input);
        const only = some(plan, bits);
        fc.pre(only.length > 0);
        const targets: Targets = { only, except: [], needs: "take" };
        const start = await world.read();
        const part = must(await partOf(yaml, start, targets));
        const says = part.extra?.partial ?? { only: [], except: [], taken_along: [], left_out: [] };
        const taken = new Set<string>(says.taken_along.map(({ object }) => object.address));
        const others = part.changes.filter(
          (change) =>
            change.action !== "reorder" &&
            !taken.has(change.address) &&
            !namesOf(change).some((name) => only.includes(name)),
        );
        expect(others).toEqual([]);
        expect(part.changes.length + leftOutOf(says)).toBe(plan.changes.length);
        expect(part.calls.length).toBe(part.least_calls);

        const replan = (snapshot: Snapshot): Promise<Checked<Plan>> => partOf(yaml, snapshot, targets, true);
        const reads = { invites: start.invites !== null, subscribers: true };
        const rehearsal = await rehearse({ plan: part, snapshot: start, reads, kinds, planAgain: replan });
        expect([rehearsal.failed, rehearsal.remaining]).toEqual([undefined, undefined]);

        const first = await world.apply(part, yaml, undefined, undefined, { replan });
        expect(first.calls.filter(({ state }) => state !== "done")).toEqual([]);
        expect(first.remaining).toEqual([]);
        const second = await world.apply(must(await world.plan(yaml)), yaml);
        expect(second.calls.filter(({ state }) => state !== "done")).toEqual([]);
        expect(must(await world.plan(yaml)).changes).toEqual([]);
        const apart = contents(await world.read());
        world.restart();
        await world.apply(plan, yaml);
        expect(apart).toEqual(contents(await world.read()));
      }),
      few,
    );
  },
  TIMEOUT_MS,
);
