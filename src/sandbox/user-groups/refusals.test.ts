import { beforeEach, describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isList } from "../../model/json.ts";

/** One row per fact of zulip-api.md §10.4 and §10.5 that rules.test.ts does not cover. */
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
const MISSING = "REQUEST_VARIABLE_MISSING";

test.each([
  [{ description: "", members: [] }, "name"],
  [{ name: "x", members: [] }, "description"],
  [{ name: "x", description: "" }, "members"],
])("creation with %j: %s is missing", async (params, var_name) => {
  const refusal = { msg: `Missing '${var_name}' argument`, code: MISSING, var_name };
  expect(await post("create", params)).toMatchObject({ status: 400, body: refusal });
});

test.each([
  [{}, "No new data supplied"],
  [{ bogus: 1 }, "No new data supplied"],
  [{ name: "crew" }, ""],
  [{ name: "Crew" }, ""],
  [{ name: " crew " }, ""],
  [{ name: "other" }, "User group 'other' already exists."],
  [{ name: "gone" }, "User group 'gone' already exists."],
  [{ name: "" }, "User group name can't be empty!"],
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

test.each([
  ["members", {}, 'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".'],
  [
    "members",
    { add: [] },
    'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
  ],
  ["subgroups", {}, 'Nothing to do. Specify at least one of "add" or "delete".'],
  ["subgroups", { add: [], delete: [] }, 'Nothing to do. Specify at least one of "add" or "delete".'],
])("%s %j: %s", async (path, params, msg) => {
  expect((await post(`${await create("crew")}/${path}`, params)).body.msg).toBe(msg);
});

test.each([
  ["GET", "/members", {}],
  ["GET", "/subgroups", {}],
  ["POST", "/members", { add: [9] }],
  ["POST", "/subgroups", { add: [14] }],
  ["PATCH", "", { name: "x" }],
  ["POST", "/deactivate", {}],
])("an unknown group: %s %s", async (method, path, params) => {
  const { body } = await realm.call("owner", method, `/user_groups/4242${path}`, params);
  expect(body.msg).toBe("Invalid user group");
});

describe("a deactivated group", () => {
  const gone = "User group is deactivated.";
  test.each<[number, string, string, object, string]>([
    [442, "GET", "/members", {}, gone],
    [442, "GET", "/subgroups", {}, gone],
    [442, "POST", "/deactivate", {}, gone],
    [442, "PATCH", "", { name: "x", description: "d" }, ""],
    [442, "PATCH", "", { can_join_group: { new: 14 } }, ""],
    [442, "POST", "/members", { add: [9] }, ""],
    [442, "POST", "/subgroups", { add: [14] }, ""],
    [390, "POST", "/members", { add: [9] }, gone],
    [390, "POST", "/subgroups", { add: [14] }, gone],
    [390, "PATCH", "", { name: "x" }, ""],
    [339, "PATCH", "", { name: "x" }, gone],
  ])("level %i: %s %s %j: %s", async (level, method, path, params, msg) => {
    realm = testRealm(level);
    const id = await create("crew");
    await post(`${id}/deactivate`);
    expect((await realm.call("owner", method, `/user_groups/${id}${path}`, { ...params })).body.msg).toBe(msg);
  });
  test("cannot become a subgroup or a value", async () => {
    const [crew, old] = [await create("crew"), await create("old")];
    await post(`${old}/deactivate`);
    expect((await post(`${crew}/subgroups`, { add: [old] })).body.msg).toBe(gone);
    expect((await patch(crew, { can_join_group: { new: old } })).body.msg).toBe(gone);
  });
  test("PATCH deactivated=true does nothing, false reactivates it", async () => {
    const id = await create("crew");
    await patch(id, { deactivated: true });
    expect((await post(`${id}/deactivate`)).body.msg).toBe("");
    expect((await patch(id, { deactivated: false })).body.msg).toBe("");
    expect((await post(`${id}/deactivate`)).body.msg).toBe("");
  });
  test("stays a subgroup of a group that is reactivated, and cannot be removed from it", async () => {
    const inner = await create("inner");
    const outer = await create("outer", { subgroups: [inner] });
    await post(`${outer}/deactivate`);
    expect((await post(`${inner}/deactivate`)).body.msg).toBe("");
    await patch(outer, { deactivated: false });
    const { body } = await realm.call("owner", "GET", `/user_groups/${outer}/subgroups`, {
      direct_subgroup_only: true,
    });
    expect(body.subgroups).toEqual([inner]);
    expect((await post(`${outer}/subgroups`, { delete: [inner] })).body.msg).toBe(gone);
  });
});

test("a subgroup is added once; an indirect subgroup can also be added directly", async () => {
  const inner = await create("inner");
  const middle = await create("middle", { subgroups: [inner] });
  const outer = await create("outer", { subgroups: [middle] });
  expect((await post(`${outer}/subgroups`, { add: [middle] })).body.msg).toBe(
    `User group ${middle} is already a subgroup of this group.`,
  );
  expect((await post(`${outer}/subgroups`, { add: [inner] })).body.msg).toBe("");
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
  test("the settings of a new group", async () => {
    const id = await create("crew");
    const { body } = await realm.call("owner", "GET", "/user_groups");
    const creator = { direct_members: [realm.id("owner")], direct_subgroups: [] };
    const [nobody, everyone] = [realm.group("role:nobody"), realm.group("role:everyone")];
    expect(isList(body.user_groups) ? body.user_groups : []).toContainEqual(
      expect.objectContaining({
        id,
        can_add_members_group: creator,
        can_join_group: nobody,
        can_leave_group: everyone,
        can_manage_group: creator,
        can_mention_group: everyone,
        can_remove_members_group: nobody,
      }),
    );
  });
});
