import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { worldOfTest } from "./world.ts";

const FOLDERS = "version: 1\nchannel_folders: {Company: {}, Projects: {}}\n";

test("adopt follows a renamed channel that the file describes by its folder alone, and removes its entry only if several could be it", async () => {
  const world = await worldOfTest();
  const made = `${FOLDERS}channels:\n  alpha: {folder: Company}\n  beta: {folder: Projects}\n  gamma: {folder: Projects}\n`;
  await world.bringInLine(made);
  for (const [name, to] of [
    ["alpha", "omega"],
    ["beta", "psi"],
    ["gamma", "chi"],
  ] as const)
    await world.editChannel(name, { new_name: to });
  const { code, out } = await world.realmctl("adopt channel:alpha --yes");
  expect([code, out]).toEqual([EXIT.done, expect.stringContaining("alpha is called omega now.")]);
  expect(world.read("realm.yaml")).toBe(made.replace("alpha", "omega"));
  expect((await world.realmctl("adopt channel:beta --yes")).code).toBe(EXIT.done);
  expect(world.read("realm.yaml")).toBe(made.replace("alpha", "omega").replace("  beta: {folder: Projects}\n", ""));
});
