import { beforeEach, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

/** One row per fact of zulip-api.md §10 and §11. */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});
async function create(as: string, name: string, params: object = {}): Promise<number> {
  const { body } = await realm.call(as, "POST", "/user_groups/create", {
    name,
    description: "",
    members: [],
    ...params,
  });
  expect(body.msg).toBe("");
  return Number(body.group_id);
}

test.each([
  ["", "User group name can't be empty!"],
  ["  ", "User group name can't be empty!"],
  ["\u001c\u0085", "User group name can't be empty!"],
  ["x".repeat(101), "User group name cannot exceed 100 characters."],
  ["@x", "User group name cannot start with '@'."],
  ["role:x", "User group name cannot start with 'role:'."],
  ["user:x", "User group name cannot start with 'user:'."],
  ["stream:x", "User group name cannot start with 'stream:'."],
  ["channel:x", "User group name cannot start with 'channel:'."],
  ["Role:x", ""],
  ["taken", "User group 'taken' already exists."],
  ["Taken", ""],
])("a group named %j: %s", async (name, msg) => {
  await create("owner", "taken");
  const { body } = await realm.call("owner", "POST", "/user_groups/create", { name, description: "", members: [] });
  expect(body.msg).toBe(msg);
});

test.each([
  ["people before the name", { name: "@", members: [4242], subgroups: [4242] }, "Invalid user ID: 4242"],
  [
    "the name before settings",
    { name: "@", members: [], can_join_group: 4242 },
    "User group name cannot start with '@'.",
  ],
  ["settings before a taken name", { name: "taken", members: [], can_join_group: 4242 }, "Invalid user group"],
  [
    "a taken name before subgroups",
    { name: "taken", members: [], subgroups: [4242] },
    "User group 'taken' already exists.",
  ],
])("creation checks %s", async (_, params, msg) => {
  await create("owner", "taken");
  const { body } = await realm.call("owner", "POST", "/user_groups/create", { description: "", ...params });
  expect(body.msg).toBe(msg);
});

test.each([
  ["add", [9], "User 9 is already a member of this group"],
  ["add", [15], "Invalid user ID: 15"],
  ["add", [4242], "Invalid user ID: 4242"],
  ["delete", [10], "There is no member '10' in this user group"],
  ["delete", [15], "Invalid user ID: 15"],
  ["add_subgroups", [4242], "Invalid user group ID: 4242"],
  ["delete_subgroups", [14], "User group 14 is not a subgroup of this group."],
])("members: %s %j → %s", async (list, ids, msg) => {
  const group = await create("owner", "crew", { members: [9] });
  const { body } = await realm.call("owner", "POST", `/user_groups/${group}/members`, { [list]: ids });
  expect(body.msg).toBe(msg);
});

test("add comes before delete, and a refusal undoes both", async () => {
  const group = await create("owner", "crew");
  const members = async () => (await realm.call("owner", "GET", `/user_groups/${group}/members`)).body.members;
  const change = (params: object) => realm.call("owner", "POST", `/user_groups/${group}/members`, { ...params });
  expect((await change({ add: [9], delete: [9] })).body.msg).toBe("");
  expect((await change({ add: [9], delete: [10] })).status).toBe(400);
  expect(await members()).toEqual([]);
});

test.each([1, 2, 3])("no cycle of length %i is possible", async (length) => {
  const groups: number[] = [];
  for (let n = 0; n < length; n += 1) {
    const inner = groups.at(-1);
    groups.push(await create("owner", `g${n}`, inner === undefined ? {} : { subgroups: [inner] }));
  }
  const [bottom] = groups;
  const { body } = await realm.call("owner", "POST", `/user_groups/${bottom}/subgroups`, { add: [groups.at(-1)] });
  expect(body.msg).toBe(`User group ${bottom} is already a subgroup of one of the passed subgroups.`);
});

test("nobody can change system groups", async () => {
  const id = realm.group("role:moderators");
  for (const [path, params] of [
    ["", { name: "x" }],
    ["/members", { add: [9] }],
    ["/subgroups", { add: [9] }],
  ] as const) {
    const method = path === "" ? "PATCH" : "POST";
    expect((await realm.call("owner", method, `/user_groups/${id}${path}`, params)).body.msg).toBe(
      "Insufficient permission",
    );
  }
});

test("PATCH undoes everything if one part is refused", async () => {
  const group = await create("owner", "crew");
  const params = { name: "renamed", description: "d", can_join_group: { new: 14, old: 4242 } };
  expect((await realm.call("owner", "PATCH", `/user_groups/${group}`, params)).body.code).toBe("EXPECTATION_MISMATCH");
  const { body } = await realm.call("owner", "GET", "/user_groups");
  const groups = Array.isArray(body.user_groups) ? body.user_groups : [];
  expect(groups.find((each) => each.id === group)).toMatchObject({ name: "crew", description: "" });
});

test("a group in use is refused with its uses, except in archived channels and deactivated groups", async () => {
  const group = await create("owner", "crew");
  const holder = await create("owner", "holder", { subgroups: [group], can_mention_group: group });
  const channel = realm.channel("sandbox");
  const inObject = { new: { direct_members: [9], direct_subgroups: [group] } };
  await realm.call("owner", "PATCH", `/streams/${channel}`, { can_send_message_group: inObject });
  await realm.call("owner", "PATCH", "/realm", { can_create_groups: inObject });
  const objections = async () =>
    (await realm.call("owner", "POST", `/user_groups/${group}/deactivate`)).body.objections;
  const inRealm = { type: "realm", settings: ["can_create_groups"] };
  expect(await objections()).toEqual([
    { type: "subgroup", supergroup_ids: [holder] },
    { type: "channel", channel_id: channel, settings: ["can_send_message_group"] },
    { type: "user_group", group_id: holder, settings: ["can_mention_group"] },
    inRealm,
  ]);
  await realm.call("owner", "DELETE", `/streams/${channel}`);
  await realm.call("owner", "POST", `/user_groups/${holder}/deactivate`);
  expect(await objections()).toEqual([inRealm]);
});

test.each([
  [442, "This endpoint does not accept bot requests."],
  [496, ""],
])("bots read groups at level %i: %s", async (level, msg) => {
  expect((await testRealm(level).call("bot", "GET", "/user_groups")).body.msg).toBe(msg);
});

test.each([
  ["a taken name in other case", { name: "works", description: "" }, "Channel folder name already in use"],
  ["blank", { name: " ", description: "" }, "Channel folder name can't be empty."],
  ["names are not stripped", { name: " Works", description: "" }, ""],
  ["too long", { name: "x".repeat(61), description: "" }, "name is too long (limit: 60 characters)"],
  [
    "a control character",
    { name: "a\tb", description: "" },
    "Invalid character in channel folder name, at position 2.",
  ],
])("§11 folders: %s", async (_, params, msg) => {
  await realm.call("owner", "POST", "/channel_folders/create", { name: "Works", description: "" });
  expect((await realm.call("owner", "POST", "/channel_folders/create", params)).body.msg).toBe(msg);
});

test("§11 name and description keep their new values if archiving is then refused", async () => {
  const { body } = await realm.call("owner", "POST", "/channel_folders/create", { name: "A", description: "" });
  const folder = Number(body.channel_folder_id);
  await realm.call("owner", "PATCH", `/streams/${realm.channel("general")}`, { folder_id: folder });
  const refused = await realm.call("owner", "PATCH", `/channel_folders/${folder}`, { name: "B", is_archived: true });
  expect(refused.body.msg).toBe("You need to remove all the channels from this folder to archive it.");
  expect((await realm.call("owner", "GET", "/channel_folders")).body.channel_folders).toMatchObject([{ name: "B" }]);
});

test("§11 an archived folder cannot be unarchived if its name was taken", async () => {
  const { body } = await realm.call("owner", "POST", "/channel_folders/create", { name: "A", description: "" });
  await realm.call("owner", "PATCH", `/channel_folders/${body.channel_folder_id}`, { is_archived: true });
  await realm.call("owner", "POST", "/channel_folders/create", { name: "a", description: "" });
  const back = await realm.call("owner", "PATCH", `/channel_folders/${body.channel_folder_id}`, { is_archived: false });
  expect([back.status, back.body]).toEqual([500, { result: "error", msg: "Internal server error" }]);
});

test("numbers of groups: unnamed ones take some too, also if the request is refused", async () => {
  const create = async (params: { readonly [name: string]: unknown }) =>
    Number(
      (await realm.call("owner", "POST", "/user_groups/create", { description: "", members: [], ...params })).body
        .group_id,
    );
  const first = await create({ name: "a" });
  expect(await create({ name: "b" })).toBe(first + 3);
  await create({ name: "a" });
  expect(await create({ name: "c" })).toBe(first + 9);
  await create({ name: "d", can_join_group: { direct_members: [realm.id("member"), 9999], direct_subgroups: [] } });
  expect(await create({ name: "d" })).toBe(first + 13);
  const people = { direct_members: [realm.id("member")], direct_subgroups: [] };
  await realm.call("owner", "PATCH", "/realm", {
    can_add_subscribers_group: { new: people },
    can_manage_all_groups: { new: people },
  });
  // Each of the two settings takes two (case 29).
  expect(await create({ name: "e" })).toBe(first + 20);
});

test.each([
  ["a channel takes one for its creator", 442, "/channels/create", { name: "x", subscribers: [] }, 1],
  [
    "a refused setting keeps those before it",
    442,
    "/channels/create",
    { name: "x", subscribers: [], can_remove_subscribers_group: 9999 },
    1,
  ],
  [
    "two channels of one call take two",
    442,
    "/users/me/subscriptions",
    { subscriptions: [{ name: "x" }, { name: "y" }] },
    2,
  ],
  ["channels that are there take none", 442, "/users/me/subscriptions", { subscriptions: [{ name: "sandbox" }] }, 0],
  [
    "two channels share one at 384",
    384,
    "/users/me/subscriptions",
    { subscriptions: [{ name: "x" }, { name: "y" }] },
    1,
  ],
  [
    "at 384 channels that are there take one too",
    384,
    "/users/me/subscriptions",
    { subscriptions: [{ name: "general" }] },
    1,
  ],
])("numbers of groups: %s (%i)", async (_fact, level, path, params, taken) => {
  const at = testRealm(level);
  const create = async (name: string) =>
    Number(
      (await at.call("owner", "POST", "/user_groups/create", { name, description: "", members: [] })).body.group_id,
    );
  const first = await create("a");
  await at.call("owner", "POST", path, params);
  expect(await create("b")).toBe(first + 3 + taken);
});
