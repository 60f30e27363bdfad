import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { worldOfTest } from "./world.ts";

// Administrators may not change how long messages are kept; drift in other settings is reported all the same.

const FILE = `version: 1
channels:
  general: {description: Everything, message_retention_days: 30}
`;

test("drift reports everything, including what this account may not change; a plan shows it with the error, and apply refuses it", async () => {
  const world = await worldOfTest();
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
  expect([plan.code, plan.err]).toEqual([EXIT.notAllowed, ""]);
  for (const part of ["message_retention_days", "description", "error[channels/not-allowed]", "Nothing can be applied"])
    expect(plan.out).toContain(part);
  expect(plan.out).not.toContain("Apply with");
  const json = JSON.parse((await world.realmctl("plan --format json", administrator)).out);
  expect(json).toMatchObject({ exit_code: EXIT.notAllowed, changes: [{ address: "channel:general" }] });
  expect((await world.realmctl("plan --format html", administrator)).out).not.toContain("Apply with");
  const before = world.writes().length;
  for (const line of ["plan --out saved.plan", "plan --rehearse", "apply --yes"]) {
    const refused = await world.realmctl(line, administrator);
    expect([refused.code, refused.out]).toEqual([EXIT.notAllowed, ""]);
    expect(refused.err).toContain("error[channels/not-allowed]");
  }
  expect(world.writes().length).toBe(before);
});
