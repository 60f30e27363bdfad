import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { worldOfTest } from "./world.ts";

test("the undo of a deactivation does not promise what it does not do: lists of a file are not applied with it", async () => {
  const world = await worldOfTest();
  world.file("realm.yaml", "version: 1\npeople: {dmitri@acme.example: {deactivated: true}}\n");
  expect((await world.realmctl("apply --yes --allow demotions")).code).toBe(EXIT.done);
  const [journal = ""] = world.journals();
  const { out, err } = await world.realmctl(`apply --undo .realmctl/${journal} --yes --allow people_gaining_access`);
  const text = (out + err).replaceAll(/\s+/g, " ");
  expect(text).toContain("dmitri@acme.example is reactivated as member");
  expect(text).toContain("the undo leaves it in the groups and channels that it was in");
  expect(text).not.toContain("apply then removes it");
  expect(world.sandbox.state().users[9]?.is_active).toBe(true);
});
