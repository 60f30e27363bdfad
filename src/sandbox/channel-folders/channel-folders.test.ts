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

/** zulip-api.md §11: the answers if folder 1 is called Alpha and folder 2, which is archived, Beta. */
describe("names and descriptions", () => {
  const empty = "Channel folder name can't be empty.";
  const taken = "Channel folder name already in use";
  test.each<[string, string, object, string]>([
    ["POST", "create", { name: "New", description: "" }, ""],
    ["POST", "create", { name: "Beta", description: "" }, ""],
    ["POST", "create", { name: "", description: "" }, empty],
    ["POST", "create", { name: "  ", description: "" }, empty],
    ["POST", "create", { name: "ALPHA", description: "" }, taken],
    ["POST", "create", { name: " Alpha", description: "" }, ""],
    ["POST", "create", { name: "a\tb", description: "" }, "Invalid character in channel folder name, at position 2."],
    ["POST", "create", { name: "n".repeat(61), description: "" }, "name is too long (limit: 60 characters)"],
    [
      "POST",
      "create",
      { name: "n", description: "d".repeat(1025) },
      "description is too long (limit: 1024 characters)",
    ],
    ["POST", "create", { name: "New" }, "Missing 'description' argument"],
    ["POST", "create", { description: "" }, "Missing 'name' argument"],
    ["PATCH", "1", {}, ""],
    ["PATCH", "1", { name: "Alpha", description: "", is_archived: false }, ""],
    ["PATCH", "1", { name: "alpha" }, taken],
    ["PATCH", "1", { name: "Beta" }, ""],
    ["PATCH", "1", { name: " " }, empty],
    ["PATCH", "1", { is_archived: "yes" }, "is_archived is not valid JSON"],
    ["PATCH", "2", { name: "Alpha" }, taken],
    ["PATCH", "2", { is_archived: false }, ""],
    ["PATCH", "9", { name: "x" }, "Invalid channel folder ID"],
  ])("%s /channel_folders/%s %j: %s", async (method, path, sent, msg) => {
    const realm = testRealm();
    for (const name of ["Alpha", "Beta"]) await make(realm, name);
    await change(realm, 2, { is_archived: true });
    const { status, body } = await realm.call("admin", method, `/channel_folders/${path}`, { ...sent });
    expect([status, body.msg]).toEqual([msg === "" ? 200 : 400, msg]);
  });

  test("are stored as sent", async () => {
    const realm = testRealm();
    await realm.call("owner", "POST", "/channel_folders/create", { name: " A ", description: "text" });
    expect(await folders(realm)).toEqual([
      {
        id: 1,
        name: " A ",
        description: "text",
        rendered_description: "<p>text</p>",
        order: 1,
        date_created: expect.any(Number),
        creator_id: realm.id("owner"),
        is_archived: false,
      },
    ]);
  });
});

describe("archiving", () => {
  test.each([false, true])("requires a folder without channels, including archived ones (%s)", async (archived) => {
    const realm = testRealm();
    await make(realm, "Alpha");
    await realm.call("owner", "PATCH", `/streams/${realm.channel("sandbox")}`, { folder_id: 1 });
    if (archived) await realm.call("owner", "DELETE", `/streams/${realm.channel("sandbox")}`);
    const refused = await change(realm, 1, { name: "Other", is_archived: true });
    expect(refused.body.msg).toBe("You need to remove all the channels from this folder to archive it.");
    expect(await folders(realm)).toMatchObject([{ name: "Other", is_archived: false }]);
  });
  test("a new description stays if archiving is then refused", async () => {
    const realm = testRealm();
    await make(realm, "Alpha");
    await realm.call("owner", "PATCH", `/streams/${realm.channel("sandbox")}`, { folder_id: 1 });
    expect((await change(realm, 1, { description: "new", is_archived: true })).status).toBe(400);
    expect(await folders(realm)).toMatchObject([{ description: "new", is_archived: false }]);
  });
  test("a name that was taken in the meantime is an internal error, unless the call contains a new name", async () => {
    const realm = testRealm();
    await make(realm, "Alpha");
    await change(realm, 1, { is_archived: true });
    await make(realm, "ALPHA");
    expect((await change(realm, 1, { is_archived: false })).status).toBe(500);
    expect((await change(realm, 1, { name: "Free", is_archived: false })).status).toBe(200);
  });
  test("hides a folder unless the client asks for it", async () => {
    const realm = testRealm();
    await make(realm, "Alpha");
    await change(realm, 1, { is_archived: true });
    expect([await folders(realm, false), await folders(realm)]).toEqual([[], [expect.anything()]]);
    const { body } = await realm.call("owner", "GET", "/channel_folders");
    expect(body.channel_folders).toEqual([]);
  });
});

describe("the order", () => {
  test.each<[unknown, string, readonly number[]]>([
    [[2, 1], "", [2, 1]],
    [[2, 77, 1], "", [2, 1]],
    [[1, 2, 1], "", [2, 1]],
    [[2], "Invalid order mapping.", [1, 2]],
    [undefined, "Missing 'order' argument", [1, 2]],
    ["x", "order is not valid JSON", [1, 2]],
  ])("%j: %s", async (order, msg, ids) => {
    const realm = testRealm();
    for (const name of ["Alpha", "Beta"]) await make(realm, name);
    expect((await realm.call("owner", "PATCH", "/channel_folders", { order })).body.msg).toBe(msg);
    expect(await folders(realm)).toMatchObject(ids.map((id) => ({ id })));
  });
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

test("a channel can be put into an archived folder", async () => {
  const realm = testRealm();
  await make(realm, "Alpha");
  await change(realm, 1, { is_archived: true });
  const { body } = await realm.call("owner", "PATCH", `/streams/${realm.channel("sandbox")}`, { folder_id: 1 });
  expect(body.msg).toBe("");
});

test.each([388, 389])("folders do not exist below level 389: %i", async (level) => {
  const reading = testRealm(level).call("member", "GET", "/channel_folders");
  const status = await reading.then((reply) => reply.status).catch(() => 404);
  expect(status).toBe(level < 389 ? 404 : 200);
});

test.each(["moderator", "member", "guest", "bot"])("a %s may not write", async (as) => {
  const realm = testRealm();
  const refusal = { msg: "Must be an organization administrator", code: "UNAUTHORIZED_PRINCIPAL" };
  for (const [method, path] of [
    ["POST", "/create"],
    ["PATCH", ""],
    ["PATCH", "/1"],
  ] as const)
    expect((await realm.call(as, method, `/channel_folders${path}`)).body).toMatchObject(refusal);
});

test("every change is an event of its own", async () => {
  const realm = testRealm();
  const events = await realm.listen("member");
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
