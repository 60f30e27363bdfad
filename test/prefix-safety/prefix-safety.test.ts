import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { casesOf, planText } from "../support/cases.ts";
import { realmOf } from "../support/realm.ts";
import { must, World } from "../support/world.ts";
import { exposures, rightsIn } from "./oracle.ts";
import { scenario } from "./scenario.ts";

const RUNS = Number(process.env.REALMCTL_RUNS ?? 150);

/** What was held between two calls and neither before nor after. */
async function exposed(plan: Plan, live: Snapshot): Promise<readonly string[]> {
  const world = new World(live);
  const states = [world.sandbox.state()];
  for (const call of plan.calls) {
    const answer = await world.send(call);
    if (answer.outcome !== "applied") throw new Error(`call ${call.n}: ${JSON.stringify(answer)}`);
    states.push(world.sandbox.state());
  }
  return exposures(states, live.account.user_id);
}

describe("the plans of the case folders", async () => {
  const plans = await Promise.all(
    casesOf().map(async (item) => ({ ...item, plan: await planText(item.yaml, item.live) })),
  );
  const cases = plans.flatMap(({ name, live, plan }) =>
    plan.ok && plan.value.calls.length > 1 ? [{ name, live, plan: plan.value }] : [],
  );
  test("there are many", () => expect(cases.length).toBeGreaterThan(50));
  test.each(cases)("$name", async ({ plan, live }) => {
    const me = live.account.user_id;
    const subscribers =
      live.subscribers ?? Object.fromEntries(live.channels.map(({ stream_id }) => [String(stream_id), [me]]));
    expect(await exposed(plan, { ...live, subscribers })).toEqual([]);
  });
});

test(
  "random groups, settings and privacy: nobody holds in between what they hold neither before nor after",
  async () => {
    let planned = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ overlay, yaml }) => {
        const live = realmOf(overlay);
        const plan = await planText(yaml, live);
        fc.pre(plan.ok);
        planned += 1;
        expect(await exposed(must(plan), live)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    expect(planned).toBeGreaterThan(RUNS / 2);
  },
  60_000 + RUNS * 300,
);

test("the oracle sees what is wrong", async () => {
  const world = new World(realmOf({ channels: [{ name: "one" }] }));
  const state = world.sandbox.state();
  const rights = rightsIn(state);
  expect(rights.size).toBeGreaterThan(20);
  const [id = ""] = Object.keys(state.channels);
  const channel = state.channels[Number(id)];
  if (channel === undefined) throw new RangeError("no channel");
  const closed = { ...state, channels: { ...state.channels, [id]: { ...channel, invite_only: true } } };
  expect(exposures([closed, state, closed]).length).toBeGreaterThan(0);
  expect(exposures([closed, closed, state])).toEqual([]);
});
