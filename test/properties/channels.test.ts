import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { channel } from "../../src/kinds/channel/kind.ts";
import type { Plan } from "../../src/model/plan.ts";
import { Realm } from "../../src/model/realm.ts";
import { realmOf } from "../support/realm.ts";
import { must, planAgainst, World } from "../support/world.ts";
import { type Edit, edits, RUNS, type Scenario, scenario } from "./arbitrary.ts";

/** The scenario's plan and a realm to apply it to; scenarios with mistakes are passed over. */
async function begin({ overlay, yaml }: Scenario): Promise<{ world: World; plan: Plan; yaml: string }> {
  const world = new World(realmOf(overlay));
  const planned = await world.plan(yaml);
  fc.pre(planned.ok);
  return { world, plan: must(planned), yaml };
}

const options = { numRuns: RUNS };
/** A slow machine needs a tenth of it; more runs, more time. */
const TIMEOUT_MS = 60_000 + RUNS * 300;

describe("random realms and files", () => {
  test(
    "apply converges, with exactly the least number of writes",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenario, async (input) => {
          const { world, plan, yaml } = await begin(input);
          const result = await world.apply(plan, yaml);
          expect(result.calls.filter(({ state }) => state !== "done")).toEqual([]);
          expect(world.writes).toBe(plan.least_calls);
          expect(plan.calls.length).toBe(plan.least_calls);
          expect(must(await world.plan(yaml)).changes).toEqual([]);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );

  test(
    "no call changes nothing, and each is needed",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenario, fc.nat(), async (input, seed) => {
          const { world, plan, yaml } = await begin(input);
          fc.pre(plan.calls.length > 0);
          const left = plan.calls[seed % plan.calls.length]?.n ?? 0;
          const skipped = new Set<number>([left]);
          for (const call of plan.calls) {
            if (skipped.has(call.n) || call.after.some((n) => skipped.has(n))) {
              skipped.add(call.n);
              continue;
            }
            const before = world.fingerprint();
            expect((await world.send(call)).outcome).toBe("applied");
            expect(world.fingerprint()).not.toBe(before);
          }
          const again = await world.plan(yaml);
          expect(again.ok && again.value.changes.length === 0).toBe(false);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );

  test(
    "the same input gives the same plan",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenario, async ({ overlay, yaml }) => {
          const snapshot = realmOf(overlay);
          expect(await planAgainst(yaml, snapshot)).toEqual(await planAgainst(yaml, structuredClone(snapshot)));
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );

  test(
    "a realm written down as a file needs no change",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenario, async ({ overlay }) => {
          const snapshot = realmOf(overlay);
          const realm = new Realm(snapshot);
          const channels = Object.fromEntries(
            (channel.live(realm) ?? []).map((live) => [live.name, channel.toYaml?.(live, realm)]),
          );
          const plan = must(
            await planAgainst(JSON.stringify({ version: 1, manage: { channels: "exact" }, channels }), snapshot),
          );
          expect(plan.changes).toEqual([]);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );

  test(
    "what somebody else changed between plan and apply is never overwritten",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenario, edits, async (input, made) => {
          const { world, plan, yaml } = await begin(input);
          const theirs = await edit(world, made);
          await world.apply(plan, yaml);
          expect(await lost(world, theirs)).toEqual([]);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );

  test(
    "permission settings are not even overwritten in the middle of a run",
    async () => {
      await fc.assert(
        fc.asyncProperty(scenario, fc.nat({ max: 2 }), async (input, moment) => {
          const { world, plan, yaml } = await begin(input);
          const theirs: Theirs[] = [];
          let asked = 0;
          await world.apply(plan, yaml, async ({ operation, path, params }) => {
            const field = Object.keys(params).find((name) => CONTESTED.test(name));
            if (operation !== "update-stream" || field === undefined || asked++ !== moment) return;
            const { writer } = world.as(EDITOR);
            const answer = await writer.send({ operation, path, params: { [field]: { new: FULL_MEMBERS } } });
            if (answer.outcome === "applied") theirs.push({ id: Number(path.stream_id), field, value: FULL_MEMBERS });
          });
          expect(await lost(world, theirs)).toEqual([]);
        }),
        options,
      );
    },
    TIMEOUT_MS,
  );
});

// Settings that an owner outside of the channel may change, whatever else holds of it.
const CONTESTED = /^can_(send|move|remove|resolve|delete|administer).*_group$/;
/** A group that no scenario asks for. */
const FULL_MEMBERS = 13;

interface Theirs {
  readonly id: number;
  readonly field: string;
  readonly value: unknown;
}

const EDITOR = "kofi@acme.example";

async function channelsNow(world: World, at: number) {
  return (await world.read()).channels.filter(({ stream_id }) => stream_id === 101 + at);
}

/** Another owner at work. Gives back what changed by it. */
async function edit(world: World, made: readonly Edit[]): Promise<readonly Theirs[]> {
  const { writer } = world.as(EDITOR);
  const theirs = new Map<string, Theirs>();
  for (const [index, { channel: at, field }] of made.entries()) {
    const [found] = await channelsNow(world, at);
    if (found === undefined) continue;
    const id = found.stream_id;
    const path = { stream_id: id };
    const note = (shown: string, value: unknown): void => {
      if (JSON.stringify(found[shown]) !== JSON.stringify(value))
        theirs.set(`${id} ${shown}`, { id, field: shown, value });
    };
    switch (field) {
      case "description":
        await writer.send({ operation: "update-stream", path, params: { description: `theirs ${index}` } });
        note("description", `theirs ${index}`);
        break;
      case "new_name":
        await writer.send({ operation: "update-stream", path, params: { new_name: `theirs ${id}-${index}` } });
        note("name", `theirs ${id}-${index}`);
        break;
      case "can_send_message_group":
        await writer.send({
          operation: "update-stream",
          path,
          params: { can_send_message_group: { new: FULL_MEMBERS } },
        });
        note("can_send_message_group", FULL_MEMBERS);
        break;
      case "message_retention_days":
        await writer.send({ operation: "update-stream", path, params: { message_retention_days: 365 } });
        note("message_retention_days", 365);
        break;
      case "is_archived":
        if (found.is_archived) break;
        await writer.send({ operation: "archive-stream", path, params: {} });
        note("is_archived", true);
        break;
    }
  }
  return [...theirs.values()];
}

/** What is no longer as somebody else left it. */
async function lost(world: World, theirs: readonly Theirs[]): Promise<readonly unknown[]> {
  const { channels } = await world.read();
  return theirs.flatMap(({ id, field, value }) => {
    const found = channels.find(({ stream_id }) => stream_id === id)?.[field];
    return JSON.stringify(found) === JSON.stringify(value) ? [] : [{ id, field, value, found }];
  });
}
