import { expect, test } from "vitest";
import { applyPlan } from "../../src/apply/apply.ts";
import { kinds } from "../../src/kinds/registry.ts";
import type { Call, Change } from "../../src/model/plan.ts";
import { Realm } from "../../src/model/realm.ts";
import { isClean } from "../../src/model/rehearsal.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { textsIn } from "../../src/model/texts.ts";
import { rehearse } from "../../src/rehearsal/rehearse.ts";
import { serve } from "../../src/sandbox/index.ts";
import { createClient } from "../../src/zulip/client.ts";
import { openNetwork } from "../../src/zulip/network.ts";
import { Secret } from "../../src/zulip/zuliprc.ts";
import { RUNS } from "../properties/arbitrary.ts";
import { begin, TIMEOUT_MS } from "../properties/begin.ts";
import { together } from "../properties/together.ts";
import { readPicture } from "../support/pictures.ts";
import fc from "../support/random.ts";
import { must, planAgainst } from "../support/world.ts";
import { fakeClock } from "../support/zulip/scripted.ts";

/** Each run starts its own server; `REALMCTL_RUNS=20000` makes a thousand runs. */
const numRuns = Math.max(3, Math.round(RUNS / 20));

/**
 * The one difference that no rehearsal can predict: a reactivated account gets back memberships that no reading showed (zulip-api.md §17.4). Only
 * that account is removed again, and nothing else changes.
 */
function isOnlyBack({ action, fields }: Change, back: ReadonlySet<string>): boolean {
  return (
    action === "update" &&
    fields.every(({ before, after }) => {
      const [was, is] = [textsIn(before), textsIn(after)];
      const gone = was.filter((text) => !is.includes(text));
      // If nobody is left, the value is the group that contains nobody.
      const isKept = is.every((text) => was.includes(text) || (text === "role:nobody" && is.length === 1));
      return gone.length > 0 && gone.every((text) => back.has(text)) && isKept;
    })
  );
}

function namesOf(calls: readonly Call[], snapshot: Snapshot): ReadonlySet<string> {
  const realm = new Realm(snapshot);
  return new Set(calls.map(({ path }) => realm.userName(Number(path.user_id))));
}

test(
  "plans of random organizations pass their rehearsal, and then are carried out over HTTP in the same way",
  async () => {
    const network = openNetwork({ insecure: false });
    try {
      await fc.assert(
        fc.asyncProperty(together, async (input) => {
          const { world, plan, yaml } = await begin(input);
          const snapshot = await world.read();
          const reads = { invites: snapshot.invites !== null, subscribers: true };
          const rehearsal = await rehearse({
            plan,
            snapshot,
            reads,
            kinds,
            planAgain: (reading) => planAgainst(yaml, reading),
          });
          expect(rehearsal).toMatchObject({ calls: plan.calls.length, succeeded: plan.calls.length });
          expect(isClean(rehearsal)).toBe(true);
          const { email, api_key } = Object.values(world.sandbox.accounts).find(
            ({ user_id }) => user_id === world.account,
          ) ?? { email: "", api_key: "" };
          const served = await serve(world.sandbox, { port: 0 });
          try {
            const client = createClient({
              site: served.url,
              email,
              key: new Secret(api_key),
              transport: network.send,
              clock: fakeClock(0, Date.parse(snapshot.taken_at)),
              version: "0.0.0",
              rateRules: [],
            });
            const result = await applyPlan(plan, {
              send: (call, signal) => client.writer.send(call, signal, undefined, readPicture),
              read: async () => ({ ...(await client.reader.snapshot(reads)), realm: snapshot.realm }),
              kinds,
              openJournal: () => ({ path: "", write: () => {}, close: () => {} }),
              now: () => 0,
              mayRepeat: () => true,
              replan: (reading) => planAgainst(yaml, reading),
            });
            expect(result.calls.filter(({ state }) => state !== "done" && state !== "already-so")).toEqual([]);
            const left = must(await planAgainst(yaml, await world.read()));
            const back = plan.calls.filter(({ operation }) => operation === "reactivate-user");
            expect(rehearsal.not_rehearsed.includes("memberships")).toBe(back.length > 0);
            expect(left.changes.filter((change) => !isOnlyBack(change, namesOf(back, snapshot)))).toEqual([]);
            expect(result.came_back !== undefined).toBe(left.changes.length > 0);
            // The next run completes it.
            await world.apply(left, yaml);
            expect(must(await planAgainst(yaml, await world.read())).changes).toEqual([]);
          } finally {
            await served.close();
          }
        }),
        { numRuns },
      );
    } finally {
      await network.close();
    }
  },
  TIMEOUT_MS,
);
