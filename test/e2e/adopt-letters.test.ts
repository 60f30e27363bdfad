import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { worldOfTest } from "./world.ts";

test("after a change of case only, adopt takes the new name, and references keep their spelling and meaning", async () => {
  const world = await worldOfTest();
  await world.bringInLine(
    "version: 1\nchannels:\n  Sandbox: {description: x}\ndefault_channels: [Sandbox] # mine\nuser_groups:\n  Staff: {description: s}\n  eng: {description: e, subgroups: [Staff]}\n",
  );
  const { stream_id } = world.channel("Sandbox");
  await world.edit("ada@acme.example", "PATCH", `/streams/${stream_id}`, { new_name: "SANDBOX" });
  await world.edit("ada@acme.example", "PATCH", `/user_groups/${world.group("Staff")}`, { name: "STAFF" });
  expect((await world.realmctl("adopt --all --yes")).code).toBe(EXIT.done);
  const text = world.read("realm.yaml");
  expect(text).toContain("  SANDBOX: {description: x}\n");
  // Channel names are compared without case, and nobody asked to change another line; group names are compared with case.
  expect(text).toContain("default_channels: [Sandbox] # mine\n");
  expect(text).toContain("subgroups: [STAFF]");
  expect((await world.realmctl("plan")).out).toContain("No changes.");
});
