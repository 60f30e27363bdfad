import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { World } from "./world.ts";

test("an old value that names a renamed object is not restored, and the rest is undone", async () => {
  const world = await World.start();
  const file = (description: string, group: string) => `version: 1
user_groups:
  readers: {description: Who reads, members: [ada@acme.example]}
channels:
  general: {description: ${description}, permissions: {can_send_message_group: ${group}}}
`;
  world.file("realm.yaml", file("before", "readers"));
  expect((await world.realmctl("apply --yes")).code).toBe(EXIT.done);
  const first = new Set(world.journals());
  world.file("realm.yaml", file("after", "role:moderators"));
  expect((await world.realmctl("apply --yes")).code).toBe(EXIT.done);
  const [name = ""] = world.journals().filter((journal) => !first.has(journal));
  await world.edit("owner", "PATCH", `/user_groups/${world.group("readers")}`, { name: "people who read" });
  const { code, err } = await world.realmctl(`apply --yes --undo .realmctl/${name}`);
  expect([code, err.replace(/\s+/g, " ")]).toEqual([
    EXIT.done,
    expect.stringContaining('can_send_message_group stays: it was "readers", and nothing has this name now'),
  ]);
  expect(world.channel("general").description).toBe("before");
  await world.end();
});
