import { beforeEach, describe, expect, test } from "vitest";
import { testChannels } from "../../../test/support/sandbox/channels.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";

/** Each call contains several errors: one row per pair, with the error that the server finds first. */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});
const { create, read } = testChannels(() => realm);
const EMPTY = { direct_members: [], direct_subgroups: [] };
const IMPOSSIBLE = "Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group";

describe("PATCH /streams/{id}", () => {
  test.each<[fact: string, params: JsonObject, msg: string]>([
    [
      "an impossible combination before a default channel that would be private",
      { is_private: true, is_web_public: true, is_default_stream: true },
      "Invalid parameters",
    ],
    [
      "… also when the channel was default before",
      { is_default_stream: true, is_private: true, history_public_to_subscribers: false, is_web_public: true },
      "Invalid parameters",
    ],
    [
      "protected history before the group that it forbids is looked up",
      { is_private: true, can_create_topic_group: { new: 4242 } },
      IMPOSSIBLE,
    ],
    [
      "the comparison with old before protected history",
      { is_private: true, can_create_topic_group: { new: 4242, old: 4243 } },
      "'old' value does not match the expected value.",
    ],
    [
      "an invalid group value before a description that is too long",
      { description: "d".repeat(1025), can_send_message_group: { new: "x" } },
      'can_send_message_group["new"]["int"] is not an integer',
    ],
    [
      "the topic group before the administrators' group",
      { can_administer_channel_group: { new: "x" }, can_create_topic_group: { new: "x" } },
      'can_create_topic_group["new"]["int"] is not an integer',
    ],
    [
      "a description before a topics policy",
      { topics_policy: "sometimes", description: "d".repeat(1025) },
      "description is too long (limit: 1024 characters)",
    ],
  ])("%s", async (_fact, params, msg) => {
    const id = await create("owner", "x");
    expect((await realm.call("owner", "PATCH", `/streams/${id}`, params)).body.msg).toBe(msg);
  });

  test("a default channel that would be both private and web-public", async () => {
    const params = { is_private: true, is_web_public: true };
    const reply = await realm.call("owner", "PATCH", `/streams/${realm.channel("general")}`, params);
    expect(reply.body.msg).toBe("Invalid parameters");
  });

  test.each<[JsonObject]>([[{ description: "d" }], [{ new_name: "y" }], [{ folder_id: "null" }], [{}]])(
    "a channel in an impossible state accepts no change, not even %j",
    async (params) => {
      realm = testRealm(442, { server_web_public_streams_enabled: true, realm_enable_spectator_access: true });
      const id = await create("owner", "x", { subscribers: [], invite_only: true, is_web_public: true });
      expect((await realm.call("owner", "PATCH", `/streams/${id}`, params)).body.msg).toBe("Invalid parameters");
      const out = { is_private: true, is_web_public: false };
      expect((await realm.call("owner", "PATCH", `/streams/${id}`, out)).status).toBe(500);
    },
  );

  test("old: null counts as absent", async () => {
    const id = await create("owner", "x");
    const group = { new: realm.group("role:members"), old: null };
    expect((await realm.call("owner", "PATCH", `/streams/${id}`, { can_send_message_group: group })).body.msg).toBe("");
    expect(await read(id)).toMatchObject({ can_send_message_group: realm.group("role:members") });
  });
});

describe("POST /channels/create", () => {
  test.each<[fact: string, as: string, params: JsonObject, msg: string]>([
    [
      "the folder before the retention",
      "owner",
      { folder_id: 99, message_retention_days: 0 },
      "Invalid channel folder ID",
    ],
    [
      "guests are refused before anything else",
      "guest",
      { folder_id: 99, description: 7, name: "" },
      "Not allowed for guest users",
    ],
    [
      "the retention before the right to a topics policy",
      "member",
      { topics_policy: '"disable_empty_topic"', message_retention_days: 0 },
      "Bad value for 'message_retention_days': 0",
    ],
    [
      "the right to create before the groups",
      "member",
      { is_default_stream: true, can_send_message_group: 4242 },
      "Insufficient permission",
    ],
    [
      "the retention's owner before the groups",
      "admin",
      { message_retention_days: 7, can_send_message_group: 4242 },
      "Must be an organization owner",
    ],
    [
      "a delete policy's group before the right to one",
      "member",
      { can_delete_any_message_group: 4242 },
      "Invalid user group",
    ],
    ["nobody as a delete policy needs no right", "member", { can_delete_any_message_group: "role:nobody" }, ""],
    ["… also as an empty object", "member", { can_delete_own_message_group: EMPTY }, ""],
    [
      "any other group needs the right",
      "member",
      { can_delete_any_message_group: "role:owners" },
      "Insufficient permission",
    ],
    [
      "protected history before the group is looked up",
      "owner",
      { invite_only: true, can_create_topic_group: 4242 },
      IMPOSSIBLE,
    ],
    [
      "… for a public channel too, when false was sent",
      "owner",
      { history_public_to_subscribers: false, can_create_topic_group: "role:members" },
      IMPOSSIBLE,
    ],
    [
      "settings in their order: the topic group before the posters",
      "owner",
      { invite_only: true, can_send_message_group: 4242, can_create_topic_group: "role:members" },
      IMPOSSIBLE,
    ],
    [
      "… but after the setting for adding subscribers",
      "owner",
      { invite_only: true, can_add_subscribers_group: 4242, can_create_topic_group: "role:members" },
      "Invalid user group",
    ],
    ["groups before subscribers", "owner", { subscribers: [4242], can_send_message_group: 4243 }, "Invalid user group"],
    [
      "a description that is too long before a blank name",
      "owner",
      { name: "", description: "d".repeat(1025) },
      "description is too long (limit: 1024 characters)",
    ],
    ["a blank name before subscribers", "owner", { name: " ", subscribers: "x" }, "name cannot be blank"],
  ])("%s", async (_fact, as, params, msg) => {
    const named = Object.fromEntries(
      Object.entries(params).map(([key, value]) => [
        key,
        typeof value === "string" && value.startsWith("role:") ? realm.group(value) : value,
      ]),
    );
    const reply = await realm.call(as, "POST", "/channels/create", { name: "x", subscribers: [], ...named });
    expect(reply.body.msg).toBe(msg);
  });
});

describe("POST /users/me/subscriptions", () => {
  test.each<[fact: string, level: number, as: string, params: JsonObject, msg: string]>([
    [
      "the folder before the retention",
      442,
      "owner",
      { folder_id: 99, message_retention_days: 0 },
      "Invalid channel folder ID",
    ],
    [
      "the retention before the right to a topics policy",
      442,
      "member",
      { topics_policy: '"disable_empty_topic"', message_retention_days: 0 },
      "Bad value for 'message_retention_days': 0",
    ],
    [
      "without channels, no topics policy is refused",
      442,
      "member",
      { subscriptions: [], topics_policy: '"disable_empty_topic"', message_retention_days: 0 },
      "",
    ],
    [
      "the groups before the right to create",
      442,
      "member",
      { is_default_stream: true, can_send_message_group: 4242 },
      "Invalid user group",
    ],
    [
      "the name before the groups",
      442,
      "owner",
      { subscriptions: [{ name: " " }], can_send_message_group: 4242 },
      "Channel name can't be empty.",
    ],
    [
      "groups are not checked for an existing channel",
      442,
      "owner",
      { subscriptions: [{ name: "general" }], can_send_message_group: 4242 },
      "",
    ],
    [
      "… but older servers check them",
      384,
      "owner",
      { subscriptions: [{ name: "general" }], can_send_message_group: 4242 },
      "Invalid user group",
    ],
    [
      "… before the name",
      384,
      "owner",
      { subscriptions: [{ name: " " }], can_send_message_group: 4242 },
      "Invalid user group",
    ],
    [
      "the right to create before principals",
      442,
      "member",
      { is_default_stream: true, principals: [4242] },
      "Insufficient permission",
    ],
    ["settings before the list", 442, "owner", { subscriptions: "x", invite_only: 1 }, "invite_only is not a boolean"],
  ])("%s (%i)", async (_fact, level, as, params, msg) => {
    realm = testRealm(level);
    const sent = { subscriptions: [{ name: "x" }], ...params };
    expect((await realm.call(as, "POST", "/users/me/subscriptions", sent)).body.msg).toBe(msg);
  });
});

test.each([
  [384, "guest", "Insufficient permission"],
  [384, "member", "Channel(s) (nope) do not exist"],
  [442, "guest", "Channel(s) (nope) do not exist"],
] as const)("DELETE /users/me/subscriptions of a channel that does not exist (%i, %s): %s", async (level, as, msg) => {
  realm = testRealm(level);
  const reply = await realm.call(as, "DELETE", "/users/me/subscriptions", { subscriptions: ["nope"] });
  expect(reply.body.msg).toBe(msg);
});

describe("DELETE /users/me/subscriptions: the rights to remove others", () => {
  const remove = (as: string, subscriptions: readonly string[], who = "member2") =>
    realm.call(as, "DELETE", "/users/me/subscriptions", { subscriptions, principals: [realm.id(who)] });

  test("do not combine: administering one channel, and the other one's setting", async () => {
    await create("member", "mine");
    await create("owner", "theirs", {
      can_remove_subscribers_group: { direct_members: [realm.id("member")], direct_subgroups: [] },
    });
    expect((await remove("member", ["mine"])).body.msg).toBe("");
    expect((await remove("member", ["theirs"])).body.msg).toBe("");
    expect((await remove("member", ["mine", "theirs"])).body.msg).toBe("Insufficient permission");
  });
  test("no guest has them, even if the setting names the guest", async () => {
    const named = { direct_members: [realm.id("guest")], direct_subgroups: [] };
    await create("owner", "x", {
      can_remove_subscribers_group: named,
      subscribers: [realm.id("guest"), realm.id("member2")],
    });
    expect((await remove("guest", ["x"])).body.msg).toBe("Insufficient permission");
    expect((await remove("guest", ["x"], "guest")).body.msg).toBe("");
  });
});

describe("the group settings of a new channel", () => {
  const bad = {
    can_administer_channel_group: "x",
    can_create_topic_group: "x",
    can_delete_any_message_group: "x",
  };
  test.each<[path: string, params: JsonObject, first: string]>([
    ["/channels/create", { name: "x", subscribers: [], ...bad }, "can_create_topic_group"],
    ["/users/me/subscriptions", { subscriptions: [{ name: "x" }], ...bad }, "can_delete_any_message_group"],
  ])("POST %s reads them in its own order: %s", async (path, params, first) => {
    expect((await realm.call("owner", "POST", path, params)).body.msg).toBe(`${first} is not valid JSON`);
  });
});
