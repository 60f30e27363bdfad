import { beforeEach, describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

/** One row per fact of zulip-api.md §10 that no recording shows. */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});
async function create(name: string, params: object = {}): Promise<number> {
  const sent = { name, description: "", members: [], ...params };
  const { body } = await realm.call("owner", "POST", "/user_groups/create", sent);
  expect(body.msg).toBe("");
  return Number(body.group_id);
}
const post = (path: string, params: object = {}) => realm.call("owner", "POST", `/user_groups/${path}`, { ...params });
const patch = (id: number, params: object) => realm.call("owner", "PATCH", `/user_groups/${id}`, { ...params });

test.each([["taken", "User group 'taken' already exists."]])("a group named %j: %s", async (name, msg) => {
  await create("taken");
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
  await create("taken");
  const { body } = await realm.call("owner", "POST", "/user_groups/create", { description: "", ...params });
  expect(body.msg).toBe(msg);
});

test("add comes before delete, and a refusal undoes both", async () => {
  const group = await create("crew");
  const members = async () => (await realm.call("owner", "GET", `/user_groups/${group}/members`)).body.members;
  const change = (params: object) => realm.call("owner", "POST", `/user_groups/${group}/members`, { ...params });
  expect((await change({ add: [9], delete: [9] })).body.msg).toBe("");
  expect((await change({ add: [9], delete: [10] })).status).toBe(400);
  expect(await members()).toEqual([]);
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

test.each([
  [{ bogus: 1 }, "No new data supplied"],
  [{ name: "crew" }, ""],
  [{ name: "Crew" }, ""],
  [{ name: " crew " }, ""],
  [{ name: "other" }, "User group 'other' already exists."],
  [{ name: "gone" }, "User group 'gone' already exists."],
  [{ name: "channel:x" }, "User group name cannot start with 'channel:'."],
  [{ can_join_group: 14 }, "can_join_group does not have the expected format"],
  [{ can_join_group: {} }, 'can_join_group["new"] field is missing: Field required'],
  [{ can_join_group: { new: "x" } }, 'can_join_group["new"]["int"] is not an integer'],
  [{ can_join_group: { new: 4242 } }, "Invalid user group"],
])("PATCH %j: %s", async (params, msg) => {
  const id = await create("crew");
  await create("other");
  await post(`${await create("gone")}/deactivate`);
  expect((await patch(id, params)).body.msg).toBe(msg);
});

test("a deactivated account stays a member that nobody sees or can remove", async () => {
  const id = await create("crew", { members: [9, 10] });
  await realm.call("owner", "DELETE", "/users/10");
  expect((await realm.call("owner", "GET", `/user_groups/${id}/members`)).body.members).toEqual([9]);
  expect((await post(`${id}/members`, { delete: [10] })).body.msg).toBe("Invalid user ID: 10");
});

test("members are notified by the Notification Bot, but not at creation", async () => {
  const received = await realm.listen("member");
  const messages = async () => (await received()).filter(({ type }) => type === "message").length;
  const id = await create("crew", { members: [9] });
  expect(await messages()).toBe(0);
  await post(`${id}/members`, { delete: [9] });
  expect(await messages()).toBe(1);
});

describe("§10.5 the settings", () => {
  const NEVER_EVERYONE = ["can_add_members_group", "can_join_group", "can_manage_group", "can_remove_members_group"];
  test.each([...NEVER_EVERYONE, "can_leave_group", "can_mention_group"])("%s", async (setting) => {
    const id = await create("crew");
    const answer = async (value: unknown) => (await patch(id, { [setting]: { new: value } })).body.msg;
    const everyone = realm.group("role:everyone");
    const refusal = (group: string): string => `'${setting}' setting cannot be set to '${group}' group.`;
    expect(await answer(realm.group("role:internet"))).toBe(refusal("role:internet"));
    expect(await answer(realm.group("role:nobody"))).toBe("");
    const single = NEVER_EVERYONE.includes(setting) ? refusal("role:everyone") : "";
    expect(await answer(everyone)).toBe(single);
    expect(await answer({ direct_members: [], direct_subgroups: [everyone] })).toBe(single);
    expect(await answer({ direct_members: [9], direct_subgroups: [everyone] })).toBe("");
    expect(await answer(id)).toBe("");
  });
});
