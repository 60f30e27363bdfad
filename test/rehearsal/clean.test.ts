import { expect, test } from "vitest";
import { applyPlan } from "../../src/apply/apply.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { isClean } from "../../src/model/rehearsal.ts";
import { rehearse } from "../../src/rehearsal/rehearse.ts";
import { serve } from "../../src/sandbox/index.ts";
import { createClient } from "../../src/zulip/client.ts";
import { Secret } from "../../src/zulip/secret.ts";
import { fakeClock } from "../../src/zulip/test-clock.ts";
import { openNetwork } from "../../src/zulip/undici-transport.ts";
import { RUNS } from "../properties/arbitrary.ts";
import { begin, TIMEOUT_MS } from "../properties/begin.ts";
import { together } from "../properties/together.ts";
import { readPicture } from "../support/pictures.ts";
import fc from "../support/random.ts";
import { must, planAgainst } from "../support/world.ts";

/** Each starts a server of its own; `REALMCTL_RUNS=20000` makes a thousand of them. */
const numRuns = Math.max(3, Math.round(RUNS / 20));

test(
  "plans of random organizations rehearse clean, and then are carried out over HTTP as they were rehearsed",
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
