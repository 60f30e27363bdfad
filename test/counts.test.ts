import { expect, test } from "vitest";
import { realmOf } from "./support/realm.ts";
import { must, World } from "./support/world.ts";

const THOUSAND = Array.from({ length: 1000 }, (_, index) => `team-${String(index).padStart(4, "0")}`);
const yaml = JSON.stringify({
  version: 1,
  channels: Object.fromEntries(
    THOUSAND.map((name) => [name, { description: `About ${name}`, permissions: { can_send_message_group: "staff" } }]),
  ),
});

test("planning a thousand channels takes at most 3 requests, creating them with equal fields at most 6", async () => {
  const world = new World(realmOf({}));
  const plan = must(await world.plan(yaml));
  expect(world.sandbox.log.length).toBeLessThanOrEqual(3);
  expect(plan.calls.length).toBe(plan.least_calls);
  const result = await world.apply(plan, yaml);
  expect(result.outcome).toBe("applied");
  expect(world.writes).toBeLessThanOrEqual(6);
  expect(must(await world.plan(yaml)).changes).toEqual([]);
});

test("planning a thousand existing channels takes as few requests", async () => {
  const world = new World(realmOf({ channels: THOUSAND.map((name) => ({ name })) }));
  const plan = must(await world.plan(yaml));
  expect(plan.calls.length).toBe(1000);
  expect(world.sandbox.log.length).toBeLessThanOrEqual(3);
});
