import { expect, test } from "vitest";
import { kinds } from "../src/kinds/registry.ts";
import type { Json } from "../src/model/json.ts";
import { liveObjects } from "../src/model/kind.ts";
import { Realm } from "../src/model/realm.ts";
import { realmOf } from "./support/realm.ts";
import { must, World } from "./support/world.ts";

/*
 * An object whose rename the server would refuse keeps its name: nothing else gets the name in the same plan, and the rest of the plan is carried out.
 */

const NAMES = ["a", "b", "c"];
const named = NAMES.map((name) => ({ name }));
const fields = NAMES.map((name) => ({ name, type: "short_text" }));
const linkifiers = NAMES.map((pattern) => ({ pattern, url_template: `https://${pattern}.example.org` }));

/** "b" cannot become "c"; what is to be "b" then is another object of the server, or a new one. */
const ROWS: readonly {
  readonly section: "channels" | "user_groups" | "channel_folders" | "profile_fields" | "linkifiers";
  readonly overlay: Parameters<typeof realmOf>[0];
  readonly entries: Json;
  readonly isNew: boolean;
}[] = [
  {
    ...{ section: "channels", overlay: { channels: named }, isNew: false },
    entries: { c: { id: 102 }, b: { id: 101 } },
  },
  {
    ...{ section: "channels", overlay: { channels: named }, isNew: true },
    entries: { c: { id: 102 }, b: { description: "New" } },
  },
  {
    ...{ section: "user_groups", overlay: { user_groups: named }, isNew: false },
    entries: { c: { id: 31 }, b: { id: 30 } },
  },
  {
    ...{ section: "user_groups", overlay: { user_groups: named }, isNew: true },
    entries: { c: { id: 31 }, b: { description: "New" } },
  },
  {
    ...{ section: "channel_folders", overlay: { channel_folders: named }, isNew: false },
    entries: { c: { id: 2 }, b: { id: 1 } },
  },
  {
    ...{ section: "profile_fields", overlay: { profile_fields: fields }, isNew: false },
    entries: ["c", "b"].map((name, at) => ({ name, id: 502 - at, type: "short_text" })),
  },
  {
    ...{ section: "linkifiers", overlay: { linkifiers }, isNew: false },
    entries: ["c", "b"].map((pattern, at) => ({ pattern, id: 202 - at })),
  },
];

test.each(ROWS)("$section, the other one is new: $isNew", async ({ section, overlay, entries, isNew }) => {
  const file = { version: 1, [section]: entries, settings: { description: "Changed" } };
  const yaml = JSON.stringify(file);
  const world = new World(realmOf({ user_groups: [], ...overlay }));
  const namesOf = async () => {
    const realm = new Realm(await world.read());
    return kinds
      .filter((kind) => kind.section === section)
      .map((kind) => liveObjects(kind, realm)?.map(({ id, name }) => [id, name]));
  };
  const before = await namesOf();
  const plan = must(await world.plan(yaml));
  const errors = plan.warnings.filter(({ severity }) => severity === "error");
  expect(errors).toHaveLength(2);
  expect(errors).toContainEqual(
    expect.objectContaining({
      code: "reference/held",
      fact: expect.objectContaining({ taken: { by: expect.objectContaining({ quoted: "c" }), is_new: isNew } }),
    }),
  );
  const { calls, outcome } = await world.apply(plan, yaml);
  expect([outcome, calls.filter(({ state }) => state !== "done")]).toEqual(["in-part", []]);
  expect(world.writes).toBe(plan.calls.length);
  expect(plan.changes.map(({ address }) => address)).toContain("settings:organization");
  expect((await namesOf()).map((list) => list?.toSorted())).toEqual(before.map((list) => list?.toSorted()));
});
