import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/registry.ts";
import type { Plan } from "../../src/model/plan.ts";
import { Realm } from "../../src/model/realm.ts";
import { realmOf } from "../support/realm.ts";
import { must, planAgainst, World } from "../support/world.ts";
import { RUNS, type Scenario } from "./arbitrary.ts";
import { together } from "./together.ts";

/** The scenario's plan and a realm to apply it to; scenarios with mistakes are passed over. */
async function begin({ overlay, yaml }: Scenario): Promise<{ world: World; plan: Plan; yaml: string }> {
  const world = new World(realmOf(overlay));
  const planned = await world.plan(yaml);
  fc.pre(planned.ok);
  return { world, plan: must(planned), yaml };
}

const options = { numRuns: RUNS };
const TIMEOUT_MS = 60_000 + RUNS * 300;

describe("random realms and files of all kinds", () => {
  test(
    "apply converges, with exactly the least number of writes",
    async () => {
      await fc.assert(
        fc.asyncProperty(together, async (input) => {
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
        fc.asyncProperty(together, fc.nat(), async (input, seed) => {
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
    "the same input gives the same plan, and a plan is plain JSON",
    async () => {
      await fc.assert(
        fc.asyncProperty(together, async ({ overlay, yaml }) => {
          const snapshot = realmOf(overlay);
          const plan = await planAgainst(yaml, snapshot);
          expect(await planAgainst(yaml, structuredClone(snapshot))).toEqual(plan);
          expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
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
        fc.asyncProperty(together, async ({ overlay }) => {
          const snapshot = realmOf(overlay);
          const plan = must(await planAgainst(JSON.stringify(writtenDown(new Realm(snapshot))), snapshot));
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
        fc.asyncProperty(
          together,
          fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 }),
          async (input, made) => {
            const { world, plan, yaml } = await begin(input);
            const { writer } = world.as("kofi@acme.example");
            const theirs: { readonly kind: "group" | "folder"; readonly id: number; readonly text: string }[] = [];
            const { user_groups, channel_folders } = await world.read();
            const own = user_groups.filter((group) => !group.is_system_group);
            for (const [index, [kind, at]] of made.entries()) {
              const text = `theirs ${index}`;
              const isGroup = kind % 2 === 0;
              const list = isGroup ? own : (channel_folders ?? []);
              const id = list[at % Math.max(1, list.length)]?.id;
              if (id === undefined) continue;
              const answer = isGroup
                ? await writer.send({
                    operation: "update-user-group",
                    path: { user_group_id: id },
                    params: { description: text },
                  })
                : await writer.send({
                    operation: "update-channel-folder",
                    path: { channel_folder_id: id },
                    params: { description: text },
                  });
              if (answer.outcome !== "applied") continue;
              theirs.push({ kind: isGroup ? "group" : "folder", id, text });
            }
            await world.apply(plan, yaml);
            const after = await world.read();
            const last = new Map(theirs.map((edit) => [`${edit.kind} ${edit.id}`, edit]));
            for (const { kind, id, text } of last.values()) {
              const list = kind === "group" ? after.user_groups : (after.channel_folders ?? []);
              expect(list.find((object) => object.id === id)?.description).toBe(text);
            }
          },
        ),
        options,
      );
    },
    TIMEOUT_MS,
  );
});

/** Every kind that can be written down, as a file that has everything. */
function writtenDown(realm: Realm): { readonly [section: string]: unknown } {
  const file: { [section: string]: unknown } = { version: 1 };
  const manage: { [section: string]: string } = {};
  for (const kind of kinds) {
    const live = kind.live(realm);
    if (live === undefined || kind.toYaml === undefined) continue;
    const seen = new Set<string>();
    // Archived folders may share their name with one in use, which is the one that a file means.
    const named = [...live]
      .sort((a, b) => Number(a.dormant) - Number(b.dormant))
      .filter(({ key }) => {
        const isNew = !seen.has(key);
        seen.add(key);
        return isNew;
      });
    const kept = live.filter((object) => named.includes(object));
    const items = kept.map((object) => [object.name, kind.toYaml?.(object, realm)] as const);
    file[kind.section] = kind.shape === "map" ? Object.fromEntries(items) : items.map(([, item]) => item);
    manage[kind.section] = "exact";
  }
  return { ...file, manage };
}
