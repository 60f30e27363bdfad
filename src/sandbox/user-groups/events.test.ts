import { beforeEach, describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";

/** Who gets which events about groups, and in which order: one row per fact. */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});
async function createGroup(name: string, params: JsonObject = {}): Promise<number> {
  const sent = { name, description: "", members: [], ...params };
  const { body } = await realm.call("owner", "POST", "/user_groups/create", sent);
  expect(body.msg).toBe("");
  return Number(body.group_id);
}
const call = async (method: string, path: string, params: object = {}) =>
  expect((await realm.call("owner", method, path, { ...params })).body.msg).toBe("");
const brief = (events: readonly JsonObject[]): string[] =>
  events.map(({ type, op, data, user_ids, direct_subgroup_ids, stream_ids }) =>
    [`${type}/${op}`, ...[data, user_ids, direct_subgroup_ids, stream_ids].filter((each) => each !== undefined)]
      .map((each) => (typeof each === "string" ? each : JSON.stringify(each)))
      .join(" "),
  );

describe("creating", () => {
  test("has no subgroups in its event; those are an event of their own", async () => {
    const received = await realm.listen("guest");
    const subgroups = [realm.group("role:moderators"), realm.group("role:nobody")];
    await createGroup("x", { subgroups, members: [realm.id("member2"), realm.id("member"), realm.id("member2")] });
    const [added, ...rest] = await received();
    const group = { name: "x", members: [realm.id("member"), realm.id("member2")], direct_subgroup_ids: [] };
    expect(added).toMatchObject({ type: "user_group", op: "add", group });
    const ascending = [...subgroups].sort((a, b) => a - b);
    expect(brief(rest)).toEqual([`user_group/add_subgroups ${JSON.stringify(ascending)}`]);
  });
});

describe("changing", () => {
  const CHANGE = { name: "y", description: "z", deactivated: false };
  test.each<[string, string[], string[]]>([
    [
      "a client that knows deactivated groups",
      ["include_deactivated_groups"],
      [
        'user_group/update {"name":"y"}',
        'user_group/update {"description":"z"}',
        'user_group/update {"deactivated":false}',
        "user_group/update",
      ],
    ],
    ["a client that does not", [], ['user_group/update {"description":"z"}', "user_group/add", "user_group/update"]],
  ])("a deactivated group: name, description, the way back, settings; for %s", async (_who, capabilities, expected) => {
    const id = await createGroup("x", { members: [realm.id("member")] });
    await call("POST", `/user_groups/${id}/deactivate`);
    const received = await realm.listen("owner", capabilities);
    await call("PATCH", `/user_groups/${id}`, { ...CHANGE, can_join_group: { new: 11 } });
    expect(brief(await received())).toEqual(expected.map((each) => expect.stringContaining(each)));
  });
});

describe("members", () => {
  test("are checked and listed in events in the order of their ids", async () => {
    const id = await createGroup("x");
    const [first, second, third] = [realm.id("member"), realm.id("member2"), realm.id("member3")];
    const received = await realm.listen("owner");
    await call("POST", `/user_groups/${id}/members`, { add: [third, first, second] });
    await call("POST", `/user_groups/${id}/members`, { delete: [second, first] });
    expect(brief(await received())).toEqual([
      `user_group/add_members [${first},${second},${third}]`,
      `user_group/remove_members [${first},${second}]`,
    ]);
    await call("POST", `/user_groups/${id}/members`, { add: [second] });
    const both = await realm.call("owner", "POST", `/user_groups/${id}/members`, { add: [third, second] });
    expect(both.body.msg).toBe(`User ${second} is already a member of this group`);
  });
  test("ids that are not members are reported in the order in which they were sent", async () => {
    const id = await createGroup("x");
    const sent = [realm.id("member2"), realm.id("member")];
    const { body } = await realm.call("owner", "POST", `/user_groups/${id}/members`, { delete: sent });
    expect(body.msg).toBe(`There is no member '${sent[0]}' in this user group`);
  });
});

describe("a private channel that a group lets people know of", () => {
  async function channelOf(setting: string, group: number): Promise<number> {
    const sent = { name: "c", subscribers: [realm.id("owner")], invite_only: true, [setting]: group };
    const { body } = await realm.call("owner", "POST", "/channels/create", sent);
    expect(body.msg).toBe("");
    return Number(body.id);
  }
  test.each(["can_administer_channel_group", "can_add_subscribers_group", "can_subscribe_group"])(
    "%s: people who join see it created, people who leave see it deleted",
    async (setting) => {
      const id = await createGroup("x");
      const channel = await channelOf(setting, id);
      const received = await realm.listen("member");
      const ids = [realm.id("member")];
      await call("POST", `/user_groups/${id}/members`, { add: ids });
      await call("POST", `/user_groups/${id}/members`, { delete: ids });
      expect(brief((await received()).filter(({ type }) => type !== "message"))).toEqual([
        `user_group/add_members [${ids}]`,
        "stream/create",
        `subscription/peer_add [${realm.id("owner")}] [${channel}]`,
        `user_group/remove_members [${ids}]`,
        `stream/delete [${channel}]`,
      ]);
    },
  );
  test("subgroups count, guests never do", async () => {
    const [outer, inner] = [
      await createGroup("outer"),
      await createGroup("inner", { members: [realm.id("member"), realm.id("guest")] }),
    ];
    const channel = await channelOf("can_subscribe_group", outer);
    const [member, guest] = [await realm.listen("member"), await realm.listen("guest")];
    await call("POST", `/user_groups/${outer}/subgroups`, { add: [inner] });
    await call("POST", `/user_groups/${outer}/subgroups`, { delete: [inner] });
    const streams = async (received: typeof member) =>
      brief((await received()).filter(({ type }) => type === "stream"));
    expect([await streams(member), await streams(guest)]).toEqual([
      ["stream/create", `stream/delete [${channel}]`],
      [],
    ]);
  });
  test("no other setting has this effect", async () => {
    const id = await createGroup("x");
    await channelOf("can_send_message_group", id);
    const received = await realm.listen("member");
    await call("POST", `/user_groups/${id}/members`, { add: [realm.id("member")] });
    expect((await received()).filter(({ type }) => type === "stream")).toEqual([]);
  });
});
