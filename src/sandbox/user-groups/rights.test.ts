import { beforeEach, describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isList, isObject, type JsonObject } from "../../model/json.ts";

/** zulip-api.md §10.1 to §10.4 and api.md operation 18: rights, and the answers. One row per fact. */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});
async function create(as: string, name: string, params: JsonObject = {}): Promise<number> {
  const sent = { name, description: "", members: [], ...params };
  const { body } = await realm.call(as, "POST", "/user_groups/create", sent);
  expect(body.msg).toBe("");
  return Number(body.group_id);
}
async function read(id: number): Promise<JsonObject | undefined> {
  const { user_groups } = (await realm.call("owner", "GET", "/user_groups", { include_deactivated_groups: true })).body;
  const list = isList(user_groups) ? user_groups : [];
  return list.find((each): each is JsonObject => isObject(each) && each.id === id);
}
const CALLS: readonly (readonly [method: string, path: string, params: JsonObject])[] = [
  ["GET", "/user_groups", {}],
  ["POST", "/user_groups/create", { name: "x", description: "", members: [] }],
  ["PATCH", "/user_groups/{id}", { name: "y" }],
  ["GET", "/user_groups/{id}/members", {}],
  ["POST", "/user_groups/{id}/members", { add: [11] }],
  ["GET", "/user_groups/{id}/members/9", {}],
  ["GET", "/user_groups/{id}/subgroups", {}],
  ["POST", "/user_groups/{id}/subgroups", { add: [14] }],
];

describe("§10.1 who is refused in any case", () => {
  test.each(CALLS)("%s %s", async (method, path, params) => {
    const answer = async (level: number, as: string) => {
      realm = testRealm(level);
      const id = await create("owner", "crew");
      return (await realm.call(as, method, path.replace("{id}", String(id)), params)).body.msg;
    };
    const bots = "This endpoint does not accept bot requests.";
    expect([await answer(495, "bot"), await answer(442, "memberbot")]).toEqual([bots, bots]);
    expect(await answer(496, "bot")).not.toBe(bots);
    expect(await answer(442, "guest")).toBe("Not allowed for guest users");
  });
});

describe("§10.3 who may create, change and fill groups", () => {
  test("a guest who is named has no right that everybody cannot have", async () => {
    const named = { direct_members: [realm.id("guest")], direct_subgroups: [] };
    const id = await create("owner", "crew", { can_manage_group: named });
    const { body } = await realm.call("guest", "POST", `/user_groups/${id}/deactivate`);
    expect(body.msg).toBe("Insufficient permission");
  });
  test("groups are not part of a limited plan", async () => {
    realm = testRealm(442, { realm_plan_type: 2 });
    const sent = { name: "crew", description: "", members: [4242] };
    const { body } = await realm.call("owner", "POST", "/user_groups/create", sent);
    expect(body.msg).toBe("Available on Zulip Cloud Standard. Upgrade to access.");
  });
  test("values that are already set change nothing and send no events", async () => {
    const id = await create("owner", "crew");
    const events = await realm.listen("owner");
    const same = { name: "crew", description: "", can_join_group: { new: realm.group("role:nobody") } };
    expect((await realm.call("owner", "PATCH", `/user_groups/${id}`, same)).body.msg).toBe("");
    expect(await events()).toEqual([]);
  });
});

describe("§10.4 a deactivated group, by level", () => {
  test.each<[level: number, path: string, params: JsonObject, msg: string]>([
    [339, "", { name: "y" }, "User group is deactivated."],
    [340, "", { name: "y" }, ""],
    [390, "/members", { add: [9] }, "User group is deactivated."],
    [391, "/members", { add: [9] }, ""],
    [390, "/subgroups", { add: [14] }, "User group is deactivated."],
    [391, "/subgroups", { add: [14] }, ""],
  ])("%i: %s %j → %j", async (level, path, params, msg) => {
    realm = testRealm(level);
    const id = await create("owner", "crew");
    await realm.call("owner", "POST", `/user_groups/${id}/deactivate`);
    const method = path === "" ? "PATCH" : "POST";
    expect((await realm.call("owner", method, `/user_groups/${id}${path}`, params)).body.msg).toBe(msg);
  });
});

describe("§10.2 what answers contain", () => {
  test("members and subgroups are sorted; deactivated accounts are omitted and reappear later", async () => {
    const inner = await create("owner", "inner");
    const id = await create("owner", "crew", { members: [12, 9, 10], subgroups: [inner, realm.group("role:members")] });
    const shown = {
      members: [9, 10, 12],
      direct_subgroup_ids: [14, inner],
      is_system_group: false,
      deactivated: false,
    };
    expect(await read(id)).toMatchObject({ ...shown, creator_id: realm.id("owner"), date_created: realm.now() });
    await realm.call("owner", "DELETE", "/users/10");
    expect(await read(id)).toMatchObject({ members: [9, 12] });
    await realm.call("owner", "POST", "/users/10/reactivate");
    expect(await read(id)).toMatchObject({ members: [9, 10, 12] });
  });
  const NESTED = ["owners", "administrators", "moderators", "fullmembers", "members", "everyone", "internet"];
  test.each([
    ["owner", "owners"],
    ["admin", "administrators"],
    ["moderator", "moderators"],
    ["member", "fullmembers"],
    ["bot", "fullmembers"],
    ["guest", "everyone"],
  ])("%s is in role:%s and all around it", async (as, innermost) => {
    realm = testRealm(458);
    for (const [index, role] of NESTED.entries()) {
      const path = `/user_groups/${realm.group(`role:${role}`)}/members/${realm.id(as)}`;
      const { is_user_group_member } = (await realm.call("owner", "GET", path)).body;
      expect([role, is_user_group_member]).toEqual([role, index >= NESTED.indexOf(innermost)]);
    }
  });
});

test.each([
  [384, [9, 9]],
  [442, [9]],
])("%i: somebody in two subgroups is listed as %j", async (level, members) => {
  realm = testRealm(level);
  const subgroups = [await create("owner", "a", { members: [9] }), await create("owner", "b", { members: [9] })];
  const id = await create("owner", "crew", { subgroups });
  expect((await realm.call("owner", "GET", `/user_groups/${id}/members`)).body.members).toEqual(members);
});
