import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isList, isObject } from "../../model/json.ts";

const folders = async (realm: TestRealm, archivedToo = true) => {
  const { body } = await realm.call("guest", "GET", "/channel_folders", { include_archived: archivedToo });
  return isList(body.channel_folders) ? body.channel_folders : [];
};
const make = (realm: TestRealm, name: string) =>
  realm.call("owner", "POST", "/channel_folders/create", { name, description: "" });
const change = (realm: TestRealm, id: number, sent: object) =>
  realm.call("owner", "PATCH", `/channel_folders/${id}`, { ...sent });

describe("archiving", () => {
  test("a new description stays if archiving is then refused", async () => {
    const realm = testRealm();
    await make(realm, "Alpha");
    await realm.call("owner", "PATCH", `/streams/${realm.channel("sandbox")}`, { folder_id: 1 });
    expect((await change(realm, 1, { description: "new", is_archived: true })).status).toBe(400);
    expect(await folders(realm)).toMatchObject([{ description: "new", is_archived: false }]);
  });
});

describe("the order", () => {
  test.each([
    [413, false],
    [414, true],
  ])("at level %i there is one: %s", async (level, isThere) => {
    const realm = testRealm(level);
    await make(realm, "Alpha");
    const [folder] = await folders(realm);
    expect(isObject(folder) && "order" in folder).toBe(isThere);
  });
});

test("a new folder is last, with its id as its position, also after reordering", async () => {
  const realm = testRealm();
  for (const name of ["Alpha", "Beta"]) await make(realm, name);
  await realm.call("owner", "PATCH", "/channel_folders", { order: [2, 1] });
  await make(realm, "Gamma");
  expect(await folders(realm)).toMatchObject([
    { id: 2, order: 0 },
    { id: 1, order: 1 },
    { id: 3, order: 3 },
  ]);
});

test.each([388, 389])("folders do not exist below level 389: %i", async (level) => {
  const reading = testRealm(level).call("member", "GET", "/channel_folders");
  const status = await reading.then((reply) => reply.status).catch(() => 404);
  expect(status).toBe(level < 389 ? 404 : 200);
});

test("every change is an event of its own", async () => {
  const realm = testRealm();
  const events = await realm.listen("guest");
  await make(realm, "Alpha");
  await change(realm, 1, { name: "Other", description: "d", is_archived: true });
  await change(realm, 1, { name: "Other", description: "d", is_archived: true });
  await realm.call("owner", "PATCH", "/channel_folders", { order: [1] });
  const update = { type: "channel_folder", op: "update", channel_folder_id: 1 };
  expect(await events()).toEqual([
    { type: "channel_folder", op: "add", channel_folder: expect.objectContaining({ id: 1, name: "Alpha" }) },
    { ...update, data: { name: "Other" } },
    { ...update, data: { description: "d", rendered_description: "<p>d</p>" } },
    { ...update, data: { is_archived: true } },
    { type: "channel_folder", op: "reorder", order: [1] },
  ]);
});
