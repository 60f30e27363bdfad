import { expect, test } from "vitest";
import { realmOf } from "./support/realm.ts";
import { must, World } from "./support/world.ts";

/**
 * What `replaces` promises (docs/internals/decisions/0027-pictures-are-uploaded-by-version.md): the file's picture is uploaded once, whatever the
 * server's counter does.
 */
const icon = (version: number | undefined) =>
  realmOf({
    settings:
      version === undefined
        ? { icon_source: "G" }
        : { icon_source: "U", icon_url: `/user_avatars/2/realm/icon.png?version=${version}` },
    subscribers: {},
  });
const file = (settings: unknown) => JSON.stringify({ version: 1, settings });

test.each([
  { about: "the current version", there: 3, replaces: 3, uploads: 1 },
  { about: "another version", there: 3, replaces: 2, uploads: 0 },
  { about: "the version that an upload would get", there: 3, replaces: 4, uploads: 0 },
  { about: "no picture, whose first upload gets this version", there: undefined, replaces: 2, uploads: 0 },
  { about: "no picture", there: undefined, replaces: 7, uploads: 0 },
  { about: "no picture, and the file names no version", there: undefined, replaces: undefined, uploads: 1 },
])("$about: three runs upload $uploads", async ({ there, replaces, uploads }) => {
  const world = new World(icon(there));
  const yaml = file({ icon: replaces === undefined ? "icon.png" : { image: "icon.png", replaces } });
  for (const _ of [1, 2, 3]) {
    await world.apply(must(await world.plan(yaml)), yaml);
    expect(must(await world.plan(yaml)).changes).toEqual([]);
  }
  expect(world.writes).toBe(uploads);
});

test("a picture that somebody else uploads in the meantime stays, in this run and in later ones", async () => {
  const world = new World(icon(3));
  const yaml = file({ icon: { image: "icon.png", replaces: 3 } });
  const plan = must(await world.plan(yaml));
  const [upload] = plan.calls;
  if (upload === undefined) throw new RangeError("nothing to upload");
  await world.send(upload, world.as("kofi@acme.example"));
  const result = await world.apply(plan, yaml);
  expect(result.calls.map(({ state }) => state)).not.toContain("done");
  expect(must(await world.plan(yaml)).changes).toEqual([]);
  expect(world.writes).toBe(1);
});
