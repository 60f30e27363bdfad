import { expect, test } from "vitest";
import { EXIT } from "../../src/model/diagnostic.ts";
import { worldOfTest } from "./world.ts";

test("adopt of some of three channels whose names were exchanged says why, and takes all of them", async () => {
  const world = await worldOfTest();
  const file = (a: string, b: string, c: string) => `version: 1\nchannels:\n  ${a}\n  ${b}\n  ${c}\n`;
  const names = ["alpha", "beta", "gamma"];
  await world.bringInLine(file("alpha: {}", "beta: {}", "gamma: {}"));
  const [a, b, c] = names.map((name) => world.channel(name).stream_id);
  for (const [id, new_name] of [
    [a, "spare"],
    [c, "alpha"],
    [b, "gamma"],
    [a, "beta"],
  ] as const)
    await world.edit("owner", "PATCH", `/streams/${id}`, { new_name });
  const pinned = file(`alpha: {id: ${a}}`, `beta: {id: ${b}}`, `gamma: {id: ${c}}`);
  world.file("realm.yaml", pinned);
  const one = await world.realmctl("adopt channel:alpha --yes");
  expect(one.code).toBe(EXIT.changesPending);
  expect(one.err).toContain("channel:alpha (name) must be written by hand: another entry of the file is called beta;");
  expect(one.err).toContain("channel:gamma (name) must be written by hand: another entry of the file is called alpha;");
  expect(world.read("realm.yaml")).toBe(pinned);
  expect((await world.realmctl("adopt channel:alpha channel:beta channel:gamma --yes")).code).toBe(EXIT.done);
  expect(world.read("realm.yaml")).toBe(file(`beta: {id: ${a}}`, `gamma: {id: ${b}}`, `alpha: {id: ${c}}`));
});

test.each([
  { section: "user_groups", item: "{members: []}" },
  { section: "channels", item: "{}" },
  { section: "channel_folders", item: "{}" },
])("of an id in $section that nothing has, only the id is an error, with the right one", async ({ section, item }) => {
  const world = await worldOfTest();
  await world.bringInLine(`version: 1\n${section}:\n  crew: ${item}\n`);
  world.file("realm.yaml", `version: 1\n${section}:\n  crew: {id: 999}\n`);
  const { code, out, err } = await world.realmctl("plan");
  expect([code, err]).toEqual([EXIT.errors, ""]);
  expect(out).toMatch(/"crew" has the id \d+: write that, or delete id/);
  expect(out).toContain("1 error: what it is about is left as it is. No other changes.");
});
