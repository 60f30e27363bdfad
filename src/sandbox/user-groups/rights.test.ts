import { beforeEach, describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isList, isObject, type JsonObject } from "../../model/json.ts";

/** zulip-api.md §10.1 to §10.4 and api.md operation 18: rights, and the answers. One row per fact. */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});
const DENIED = "Insufficient permission";
const people = (...names: string[]) => ({ direct_members: names.map((name) => realm.id(name)), direct_subgroups: [] });
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
  test.each([
    ["guest", DENIED],
    ["bot", DENIED],
    ["member", DENIED],
    ["owner", ""],
  ])("only the right counts for deactivating: %s %j", async (as, msg) => {
    const id = await create("owner", "crew");
    expect((await realm.call(as, "POST", `/user_groups/${id}/deactivate`)).body.msg).toBe(msg);
  });
});

describe("§10.3 who may create, change and fill groups", () => {
  test.each([
    ["member", "role:members", ""],
    ["member", "role:moderators", DENIED],
    ["admin", "role:owners", DENIED],
    ["owner", "role:nobody", DENIED],
  ])("%s creates where %s may: %j", async (as, group, msg) => {
    await realm.call("owner", "PATCH", "/realm", { can_create_groups: { new: realm.group(group) } });
    const sent = { name: "crew", description: "", members: [] };
    expect((await realm.call(as, "POST", "/user_groups/create", sent)).body.msg).toBe(msg);
  });
  test("groups are not part of a limited plan", async () => {
    realm = testRealm(442, { realm_plan_type: 2 });
    const sent = { name: "crew", description: "", members: [4242] };
    const { body } = await realm.call("owner", "POST", "/user_groups/create", sent);
    expect(body.msg).toBe("Available on Zulip Cloud Standard. Upgrade to access.");
  });

  /** `member3` created the group; `member` is in it. */
  type Row = readonly [fact: string, as: string, settings: JsonObject, path: string, params: JsonObject, msg: string];
  const rows: readonly Row[] = [
    ["the creator changes it", "member3", {}, "", { name: "y" }, ""],
    ["administrators have no right of their own", "admin", {}, "", { name: "y" }, DENIED],
    ["owners have it from can_manage_all_groups", "owner", {}, "", { name: "y" }, ""],
    ["people who are named may manage", "member2", { can_manage_group: "member2" }, "", { description: "d" }, ""],
    ["people who may manage may add", "member2", { can_manage_group: "member2" }, "/members", { add: [11] }, ""],
    ["people who may manage may remove", "member2", { can_manage_group: "member2" }, "/members", { delete: [9] }, ""],
    ["people who may add may add", "member2", { can_add_members_group: "member2" }, "/members", { add: [11] }, ""],
    [
      "people who may add may add subgroups",
      "member2",
      { can_add_members_group: "member2" },
      "/subgroups",
      { add: [14] },
      "",
    ],
    [
      "people who may add may not remove",
      "member2",
      { can_add_members_group: "member2" },
      "/members",
      { delete: [9] },
      DENIED,
    ],
    ["people who may add may not rename", "member2", { can_add_members_group: "member2" }, "", { name: "y" }, DENIED],
    [
      "people who may remove may remove",
      "member2",
      { can_remove_members_group: "member2" },
      "/members",
      { delete: [9] },
      "",
    ],
    [
      "people who may remove may not add",
      "member2",
      { can_remove_members_group: "member2" },
      "/members",
      { add: [11] },
      DENIED,
    ],
    [
      "people who may remove members may not remove subgroups",
      "member2",
      { can_remove_members_group: "member2" },
      "/subgroups",
      { delete: [14] },
      DENIED,
    ],
    ["people who may join may join", "member2", { can_join_group: "member2" }, "/members", { add: [10] }, ""],
    [
      "people who may join may not add others",
      "member2",
      { can_join_group: "member2" },
      "/members",
      { add: [10, 11] },
      DENIED,
    ],
    [
      "people who may join may not join another group",
      "member2",
      { can_join_group: "member2" },
      "/members",
      { add: [11] },
      DENIED,
    ],
    ["nobody may join at first", "member2", {}, "/members", { add: [10] }, DENIED],
    ["everybody may leave at first", "member", {}, "/members", { delete: [9] }, ""],
    [
      "nobody may leave if that is forbidden",
      "member",
      { can_leave_group: "member2" },
      "/members",
      { delete: [9] },
      DENIED,
    ],
  ];
  test.each(rows)("%s", async (_fact, as, settings, path, params, msg) => {
    const named = Object.entries(settings).map(([setting, name]) => [setting, people(String(name))]);
    const id = await create("member3", "crew", { members: [9], ...Object.fromEntries(named) });
    const method = path === "" ? "PATCH" : "POST";
    expect((await realm.call(as, method, `/user_groups/${id}${path}`, params)).body.msg).toBe(msg);
  });

  test.each([
    ["add", [4242], "the right before the people", DENIED],
    ["delete", [4242], "the people before the right", "Invalid user ID: 4242"],
  ])("%s %j: %s", async (list, ids, _fact, msg) => {
    const id = await create("owner", "crew");
    expect((await realm.call("member", "POST", `/user_groups/${id}/members`, { [list]: ids })).body.msg).toBe(msg);
  });
  test("the same subgroup added and removed, together with people, in one call", async () => {
    const [id, inner] = [await create("owner", "crew", { members: [10] }), await create("owner", "inner")];
    const sent = { add: [9], delete: [9, 10], add_subgroups: [inner], delete_subgroups: [inner] };
    expect((await realm.call("owner", "POST", `/user_groups/${id}/members`, sent)).body.msg).toBe("");
    expect(await read(id)).toMatchObject({ members: [], direct_subgroup_ids: [] });
  });
  test("a late error undoes everything before it", async () => {
    const id = await create("owner", "crew");
    const sent = { add: [9], add_subgroups: [4242] };
    expect((await realm.call("owner", "POST", `/user_groups/${id}/members`, sent)).status).toBe(400);
    expect(await read(id)).toMatchObject({ members: [] });
  });
  test.each([
    ["whether it is deactivated, before the right", "member", true, "User group is deactivated."],
    ["the right, before the objects that need it", "member", false, DENIED],
  ])("deactivating checks: %s", async (_fact, as, twice, msg) => {
    const id = await create("owner", "crew");
    if (twice) await realm.call("owner", "POST", `/user_groups/${id}/deactivate`);
    else await create("owner", "outer", { subgroups: [id] });
    expect((await realm.call(as, "POST", `/user_groups/${id}/deactivate`)).body.msg).toBe(msg);
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
  test("nobody can deactivate system groups", async () => {
    const path = `/user_groups/${realm.group("role:nobody")}/deactivate`;
    expect((await realm.call("owner", "POST", path)).body.msg).toBe(DENIED);
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
  test.each<[include: unknown, found: boolean]>([
    [undefined, false],
    [false, false],
    [true, true],
  ])("include_deactivated_groups=%s: %s", async (include_deactivated_groups, found) => {
    const id = await create("owner", "crew");
    await realm.call("owner", "POST", `/user_groups/${id}/deactivate`);
    const { user_groups } = (await realm.call("member", "GET", "/user_groups", { include_deactivated_groups })).body;
    expect(isList(user_groups) && user_groups.some((each) => isObject(each) && each.id === id)).toBe(found);
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

describe("api.md, operation 18: membership", () => {
  test.each<[fact: string, target: number, direct: unknown, answer: JsonObject]>([
    ["a direct member", 9, undefined, { is_user_group_member: true }],
    ["a direct member, with a request for direct members", 9, true, { is_user_group_member: true }],
    ["a member of a subgroup", 10, undefined, { is_user_group_member: true }],
    ["false is the default", 10, false, { is_user_group_member: true }],
    ["not directly", 10, true, { is_user_group_member: false }],
    ["somebody else", 11, undefined, { is_user_group_member: false }],
    ["nobody", 4242, undefined, { msg: "No such user", code: "BAD_REQUEST" }],
    ["a deactivated account", 15, undefined, { msg: "User is deactivated", code: "BAD_REQUEST" }],
    ["a word for a flag", 9, "yes", { msg: "direct_member_only is not valid JSON" }],
  ])("%s", async (_fact, target, direct_member_only, answer) => {
    const inner = await create("owner", "inner", { members: [10] });
    const id = await create("owner", "crew", { members: [9], subgroups: [inner] });
    const { body } = await realm.call("member5", "GET", `/user_groups/${id}/members/${target}`, { direct_member_only });
    expect(body).toMatchObject(answer);
  });
  test.each([
    ["members", false, [9, 10]],
    ["members", true, [9]],
    ["subgroups", false, 2],
    ["subgroups", true, 1],
  ])("%s, direct only: %s", async (what, direct, found) => {
    const deep = await create("owner", "deep", { members: [10] });
    const inner = await create("owner", "inner", { subgroups: [deep] });
    const id = await create("owner", "crew", { members: [9], subgroups: [inner] });
    const flag = what === "members" ? { direct_member_only: direct } : { direct_subgroup_only: direct };
    const list = (await realm.call("member5", "GET", `/user_groups/${id}/${what}`, flag)).body[what];
    expect(typeof found === "number" ? isList(list) && list.length : list).toEqual(found);
  });
});
