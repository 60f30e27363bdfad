import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { World } from "./world.ts";

// Administrators may not change how long messages are kept; drift in other settings is reported all the same.

const FILE = `version: 1
channels:
  general: {description: Everything, message_retention_days: 30}
`;

test("drift reports everything, including what this account may not change; a plan is refused", async () => {
  const world = await World.start();
  world.file("realm.yaml", FILE);
  const allow = "--allow messages_deleted --allow irreversible";
  expect((await world.realmctl(`apply --yes ${allow}`)).code).toBe(EXIT.done);
  const { stream_id } = world.channel("general");
  await world.edit("owner", "PATCH", `/streams/${stream_id}`, { message_retention_days: 90, description: "Open" });
  const administrator = { as: "ben@acme.example" };
  const drift = await world.realmctl("drift", administrator);
  expect(drift.code).toBe(EXIT.changesPending);
  expect(drift.out).toContain("message_retention_days");
  expect(drift.out).toContain("description");
  const plan = await world.realmctl("plan", administrator);
  expect([plan.code, plan.err]).toEqual([EXIT.notAllowed, expect.stringContaining("error[channels/not-allowed]")]);
  await world.end();
});
