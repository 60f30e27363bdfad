import { expect, test } from "vitest";
import { planFiles } from "../../src/export/check.ts";
import { exportRealm } from "../../src/export/export.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { uncomparedIn } from "../../src/model/plan.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import { mayCome } from "../access/oracle.ts";
import { ADA, fileOf, scenarios } from "../access-oracle/scenario.ts";
import fc from "../support/random.ts";
import { realmOf } from "../support/realm.ts";
import { World } from "../support/world.ts";

/** After `init`, nobody comes to read what is private without drift. */

const RUNS = Math.ceil(Number(process.env.REALMCTL_RUNS ?? 8) / 2);

/** Who reads, or could come to read, each channel that is private at the start. */
function readersOf(state: RealmState, closed: readonly number[]): ReadonlySet<string> {
  return new Set(
    Object.values(state.users).flatMap((user) =>
      closed
        .flatMap((id) => state.channels[id] ?? [])
        .filter((channel) => mayCome(state, user, channel, "read"))
        // What a bot reads, its owner reads with its key: a new bot of somebody who reads it opens nothing.
        .map(({ stream_id }) => `${user.is_bot ? user.bot_owner_id : user.user_id} ${stream_id}`),
    ),
  );
}

test(
  "random changes by hand: if somebody gains something private, the file that init wrote differs",
  async () => {
    let opened = 0;
    await fc.assert(
      fc.asyncProperty(scenarios, async ({ overlay, plans }) => {
        // A file of somebody who sees a part has a part.
        const world = new World(realmOf({ ...overlay, account: ADA }));
        const start = await world.read();
        const { files } = await exportRealm({ snapshot: start, kinds, unset: true });
        for (const { edits: all } of plans) {
          // The file of init has no roles of people: only rules watch these.
          const edits = all.filter(({ section }) => section !== "people");
          world.restart();
          const yaml = fileOf(edits);
          const planned = await world.plan(yaml);
          if (!planned.ok) continue;
          const before = world.sandbox.state();
          const closed = Object.values(before.channels).flatMap(({ invite_only, stream_id }) =>
            invite_only ? [stream_id] : [],
          );
          await world.apply(planned.value, yaml);
          const had = readersOf(before, closed);
          const gains = [...readersOf(world.sandbox.state(), closed)].filter((one) => !had.has(one));
          if (gains.length === 0) continue;
          opened += 1;
          const found = await planFiles(files, "realm.yaml", { snapshot: await world.read(), kinds });
          const told = found.ok ? [...found.value.changes, ...uncomparedIn(found.value)] : found.diagnostics;
          expect({ edits, gains, isTold: told.length > 0 }).toEqual({ edits, gains, isTold: true });
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(opened).toBeGreaterThan(0);
  },
  60_000 + RUNS * 2_000,
);
