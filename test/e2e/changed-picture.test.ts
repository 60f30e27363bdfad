import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { PNG } from "../support/pictures.ts";
import { worldOfTests } from "./world.ts";

/** The same picture, with one more byte at its end. */
const OTHER = Buffer.concat([PNG, Buffer.from([0])]);

const world = worldOfTests({ files: { "icon.png": PNG, "anvil.png": PNG } });

test.each([
  { what: "emoji", file: "emoji: {anvil: anvil.png}\n", picture: "anvil.png" },
  { what: "icon", file: "settings: {icon: icon.png}\n", picture: "icon.png" },
])(
  "$what: a picture that differs from the one in the plan is refused, and nothing is sent",
  async ({ file, picture }) => {
    world.file("realm.yaml", `version: 1\nchannels: {fresh: {}}\n${file}`);
    expect((await world.realmctl("plan --out realm.plan")).code).toBe(EXIT.done);
    world.file(picture, OTHER);
    const refused = await world.realmctl("apply --yes --plan realm.plan");
    expect(refused).toMatchObject({ code: EXIT.conflict });
    expect(refused.err).toContain("error[file/changed]");
    expect(refused.err).toContain(picture);
    expect(world.writes()).toEqual([]);
    // The picture is sent as it was when it was reviewed.
    world.file(picture, PNG);
    expect((await world.realmctl("apply --yes --plan realm.plan")).code).toBe(EXIT.done);
    expect(world.writes()).toHaveLength(2);
  },
);

test("a picture that was deleted after the plan was made is refused", async () => {
  world.file("realm.yaml", "version: 1\nemoji: {anvil: anvil.png}\n");
  expect((await world.realmctl("plan --out realm.plan")).code).toBe(EXIT.done);
  world.file("realm.yaml", "version: 1\n");
  const { rmSync } = await import("node:fs");
  rmSync(`${world.directory}/anvil.png`);
  const refused = await world.realmctl("apply --yes --plan realm.plan");
  expect(refused.code).not.toBe(EXIT.done);
  expect(refused.err).toContain("error[file/not-there]");
  expect(world.writes()).toEqual([]);
});
