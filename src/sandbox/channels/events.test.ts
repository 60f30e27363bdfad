import { beforeEach, describe, expect, test } from "vitest";
import { testChannels } from "../../../test/support/sandbox/channels.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";

/** Who gets which events, and in which order: one row per fact. */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});
const { create, patch: reply } = testChannels(() => realm);
const patch = async (as: string, id: number, params: object) => expect((await reply(as, id, params)).body.msg).toBe("");
const subscriptions = async (method: string, as: string, params: object) =>
  expect((await realm.call(as, method, "/users/me/subscriptions", { ...params })).body.msg).toBe("");
const WEB_PUBLIC = { server_web_public_streams_enabled: true, realm_enable_spectator_access: true };
/** The `type/op` of each event, and the fields that distinguish two events of the same kind. */
const brief = (events: readonly JsonObject[]): string[] =>
  events.map(({ type, op, property, stream_ids, user_ids, data }) =>
    [`${type}/${op}`, property, data, stream_ids, user_ids]
      .filter((each) => each !== undefined)
      .map((each) => (typeof each === "string" ? each : JSON.stringify(each)))
      .join(" "),
  );

describe("the posting policy, as older clients know it", () => {
  test.each<[from: string, to: string, properties: string[]]>([
    ["role:everyone", "role:administrators", ["can_send_message_group", "stream_post_policy", "is_announcement_only"]],
    ["role:everyone", "role:members", ["can_send_message_group"]],
    ["role:owners", "role:nobody", ["can_send_message_group"]],
    ["role:moderators", "role:members", ["can_send_message_group", "stream_post_policy", "is_announcement_only"]],
  ])("from %s to %s", async (from, to, properties) => {
    const id = await create("owner", "x", { can_send_message_group: realm.group(from) });
    const received = await realm.listen("owner");
    await patch("owner", id, { can_send_message_group: { new: realm.group(to) } });
    expect((await received()).map(({ property }) => property)).toEqual(properties);
  });
});

describe("archiving", () => {
  test("the realm's channels in one event, then the default channels, then the channel", async () => {
    const id = await create("owner", "x", { is_default_stream: true });
    await realm.call("owner", "PATCH", "/realm", {
      new_stream_announcements_stream_id: id,
      signup_announcements_stream_id: id,
    });
    const received = await realm.listen("owner", ["archived_channels"]);
    await realm.call("owner", "DELETE", `/streams/${id}`);
    expect(brief(await received())).toEqual([
      'realm/update_dict default {"new_stream_announcements_stream_id":-1,"signup_announcements_stream_id":-1}',
      "default_streams/undefined",
      "stream/update is_archived",
    ]);
  });
});

describe("privacy", () => {
  const PRIVATE = { is_private: true, history_public_to_subscribers: true, is_web_public: false };
  test("from private to public: appears as created for people who did not know it, with all subscribers, even if there are none", async () => {
    const group = { direct_members: [realm.id("member")], direct_subgroups: [] };
    const id = await create("owner", "x", {
      invite_only: true,
      subscribers: [],
      can_subscribe_group: group,
      can_administer_channel_group: group,
    });
    const [outside, inside] = [await realm.listen("member2"), await realm.listen("member")];
    await patch("member", id, { is_private: false });
    expect(brief(await outside())).toEqual(["stream/create", `subscription/peer_add [${id}] []`]);
    expect(brief(await inside())).toEqual(["stream/update invite_only"]);
  });
  test("from public to private: no event for people who can no longer see it", async () => {
    const id = await create("owner", "x");
    const [outside, admin] = [await realm.listen("member"), await realm.listen("admin")];
    await patch("owner", id, PRIVATE);
    expect([await outside(), brief(await admin())]).toEqual([[], ["stream/update invite_only"]]);
  });
  test.each<[wasPrivate: boolean, subscribers: string[], received: string[]]>([
    [false, ["owner"], []],
    [true, ["owner"], []],
    [false, ["owner", "guest"], ["stream/update invite_only", "stream/update description"]],
    [true, ["owner", "guest"], ["stream/update invite_only", "stream/update description"]],
  ])("to web-public (from private: %s; subscribed: %j): a guest is told %j", async (invite_only, names, received) => {
    realm = testRealm(442, WEB_PUBLIC);
    const id = await create("owner", "x", { invite_only, subscribers: names.map((name) => realm.id(name)) });
    const guest = await realm.listen("guest");
    await patch("owner", id, { is_private: false, is_web_public: true });
    await patch("owner", id, { description: "open to the world" });
    expect(brief(await guest())).toEqual(received);
  });
  test.each<[invite_only: boolean, who: string, received: string[]]>([
    [false, "guest", ["stream/create", "subscription/peer_add"]],
    [false, "member", ["stream/create", "subscription/peer_add", "stream/update description"]],
    [true, "guest", []],
    [true, "member", []],
    [true, "admin", ["stream/create"]],
  ])("a channel made web-public (still private: %s): %s gets %j", async (invite_only, who, received) => {
    realm = testRealm(442, WEB_PUBLIC);
    const heard = await realm.listen(who);
    // A channel that is both can be created only without subscribers, and accepts no PATCH.
    const id = await create("owner", "x", {
      is_web_public: true,
      invite_only,
      ...(invite_only && { subscribers: [] }),
    });
    if (!invite_only) await patch("owner", id, { description: "open to the world" });
    expect((await heard()).map(({ type, op, property }) => [`${type}/${op}`, property ?? ""].join(" ").trim())).toEqual(
      received,
    );
  });
});

describe("a group that lets people know of a private channel", () => {
  test("people whom it lets in see the channel created, with all subscribers, even if there are none; the others see it deleted", async () => {
    const group = { direct_members: [realm.id("owner")], direct_subgroups: [] };
    const id = await create("owner", "x", { invite_only: true, subscribers: [], can_subscribe_group: group });
    const received = await realm.listen("member");
    await patch("owner", id, { can_administer_channel_group: { new: realm.group("role:members") } });
    await patch("owner", id, { can_administer_channel_group: { new: realm.group("role:nobody") } });
    expect(brief(await received())).toEqual([
      "stream/create",
      `subscription/peer_add [${id}] []`,
      `stream/delete [${id}]`,
    ]);
  });
});

describe("others' subscriptions", () => {
  test("public channels with the same people share an event; those with guests and private ones have their own", async () => {
    const [a, b, c] = [await create("owner", "a"), await create("owner", "b"), await create("owner", "c")];
    const hidden = await create("owner", "d", { invite_only: true });
    await subscriptions("POST", "owner", { subscriptions: [{ name: "c" }], principals: [realm.id("guest")] });
    const who = realm.id("member");
    const received = await realm.listen("admin");
    const names = ["a", "b", "c", "d"];
    await subscriptions("POST", "owner", { subscriptions: names.map((name) => ({ name })), principals: [who] });
    await subscriptions("DELETE", "owner", { subscriptions: names, principals: [who] });
    expect(brief(await received())).toEqual([
      `subscription/peer_add [${hidden}] [${who}]`,
      `subscription/peer_add [${c}] [${who}]`,
      `subscription/peer_add [${a},${b}] [${who}]`,
      `subscription/peer_remove [${hidden}] [${who}]`,
      `subscription/peer_remove [${c}] [${who}]`,
      `subscription/peer_remove [${a},${b}] [${who}]`,
    ]);
  });
  test("web-public channels share an event, even with guests in them", async () => {
    realm = testRealm(442, WEB_PUBLIC);
    const [a, b] = [
      await create("owner", "a", { is_web_public: true }),
      await create("owner", "b", { is_web_public: true }),
    ];
    await subscriptions("POST", "owner", { subscriptions: [{ name: "b" }], principals: [realm.id("guest")] });
    const received = await realm.listen("admin");
    await subscriptions("POST", "member", { subscriptions: [{ name: "a" }, { name: "b" }] });
    expect(brief(await received())).toEqual([`subscription/peer_add [${a},${b}] [${realm.id("member")}]`]);
  });
  test("a removed person gets the events about the others first, then about themself, then about the deletion of the channel", async () => {
    const id = await create("owner", "x", {
      invite_only: true,
      subscribers: ["owner", "member", "member2"].map((name) => realm.id(name)),
    });
    const other = await create("owner", "y", { subscribers: [realm.id("member2")] });
    const received = await realm.listen("member");
    const principals = [realm.id("member"), realm.id("member2")];
    await subscriptions("DELETE", "owner", { subscriptions: ["x", "y"], principals });
    expect(brief(await received())).toEqual([
      `subscription/peer_remove [${other}] [${realm.id("member2")}]`,
      "subscription/remove",
      `stream/delete [${id}]`,
    ]);
  });
});

test("unread messages of a channel become read when the subscriber leaves it", async () => {
  await create("owner", "x", { subscribers: [realm.id("owner"), realm.id("member")] });
  const sent = { type: "stream", to: "x", topic: "t", content: "c" };
  const { id } = (await realm.call("owner", "POST", "/messages", sent)).body;
  const received = await realm.listen("member");
  await subscriptions("DELETE", "member", { subscriptions: ["x"] });
  expect((await received()).at(-1)).toMatchObject({
    type: "update_message_flags",
    op: "add",
    flag: "read",
    messages: [id],
  });
});

test("each new default channel has its own event", async () => {
  const received = await realm.listen("owner");
  await subscriptions("POST", "owner", { subscriptions: [{ name: "a" }, { name: "b" }], is_default_stream: true });
  expect((await received()).filter(({ type }) => type === "default_streams")).toHaveLength(2);
});

test("default channels are listed in the order of the server's hash set", async () => {
  const ids: number[] = [];
  for (const name of ["a", "b", "c", "d", "e"]) ids.push(await create("owner", name));
  await realm.call("owner", "POST", "/default_streams", { stream_id: 8 });
  const { body } = await realm.call("owner", "POST", "/register", { fetch_event_types: ["default_streams"] });
  expect(ids).toContain(8);
  expect(body.realm_default_streams).toEqual([8, 1, 2, 3]);
});
