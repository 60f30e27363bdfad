import { beforeEach, describe, expect, test } from "vitest";
import { testChannels } from "../../../test/support/sandbox/channels.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";

/** One row per fact of zulip-api.md §3.5 to §3.13 that rules.test.ts does not cover. */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});

const { create, read, patch } = testChannels(() => realm);

describe("§3.5.3 refusals and the fields of their answers", () => {
  test("the moderation channel stays private", async () => {
    const id = await create("owner", "x", { invite_only: true });
    await realm.call("owner", "PATCH", "/realm", { moderation_request_channel_id: id });
    expect((await patch("owner", id, { is_private: false })).body.msg).toBe(
      "Moderation request channel must be private.",
    );
  });
});

describe("§3.7 group values", () => {
  test.each([
    [{ direct_members: [9] }, 'can_send_message_group["int"] is not an integer'],
    [{ new: 11 }, 'can_send_message_group["int"] is not an integer'],
    ["null", 'can_send_message_group["int"] is not an integer'],
    ["role:members", "can_send_message_group is not valid JSON"],
  ])("creation with %j: %s", async (can_send_message_group, msg) => {
    for (const [path, params] of [
      ["/channels/create", { name: "x", subscribers: [] }],
      ["/users/me/subscriptions", { subscriptions: [{ name: "x" }] }],
    ] as const) {
      const { body } = await realm.call("owner", "POST", path, { ...params, can_send_message_group });
      expect(body.msg).toBe(msg);
    }
  });
  test("deactivated accounts are missing from the answers", async () => {
    const id = await create("owner", "x");
    const both = { direct_members: [realm.id("member"), realm.id("member2")], direct_subgroups: [] };
    await patch("owner", id, { can_send_message_group: { new: both } });
    await realm.call("owner", "DELETE", `/users/${realm.id("member2")}`);
    const left = { direct_members: [realm.id("member")], direct_subgroups: [] };
    expect((await read(id)).can_send_message_group).toEqual(left);
  });
});

describe("§3.8 privacy", () => {
  test("subscribers stay, and the others get no event", async () => {
    const id = await create("member", "x");
    const [inside, outside] = [await realm.listen("member"), await realm.listen("member2")];
    await patch("member", id, { is_private: true });
    const of = (events: readonly JsonObject[]) => events.filter((each) => each.type === "stream").map(({ op }) => op);
    expect([of(await inside()), of(await outside())]).toEqual([["update"], []]);
    expect((await read(id)).subscriber_count).toBe(1);
  });
});

describe("§3.10 names", () => {
  test("unsubscribing checks names too", async () => {
    const { body } = await realm.call("member", "DELETE", "/users/me/subscriptions", { subscriptions: ["a\u0007"] });
    expect(body.msg).toBe("Invalid character in channel name, at position 2.");
  });
});

describe("§3.12 archive and unarchive", () => {
  test("settings of the realm that point to it become empty", async () => {
    const id = await create("owner", "x", { invite_only: true });
    const settings = [
      "moderation_request_channel_id",
      "new_stream_announcements_stream_id",
      "signup_announcements_stream_id",
      "zulip_update_announcements_stream_id",
    ];
    for (const setting of settings)
      expect((await realm.call("owner", "PATCH", "/realm", { [setting]: id })).body.msg).toBe("");
    await realm.call("owner", "DELETE", `/streams/${id}`);
    const { body } = await realm.call("owner", "POST", "/register", { fetch_event_types: ["realm"] });
    for (const setting of settings) expect([setting, body[`realm_${setting}`]]).toEqual([setting, -1]);
  });
  test("it accepts no messages, but a subscriber can be added", async () => {
    const id = await create("owner", "x");
    await realm.call("owner", "DELETE", `/streams/${id}`);
    const sent = await realm.call("owner", "POST", "/messages", { type: "channel", to: id, topic: "t", content: "c" });
    expect(sent.status).toBe(400);
    const joined = await realm.call("member", "POST", "/users/me/subscriptions", { subscriptions: [{ name: "x" }] });
    expect(joined.body.msg).toBe("");
  });
  test("a default flag that is set while archived survives unarchiving; an earlier one does not", async () => {
    const before = await create("owner", "x", { is_default_stream: true });
    const during = await create("owner", "y");
    for (const id of [before, during]) await realm.call("owner", "DELETE", `/streams/${id}`);
    await patch("owner", during, { is_default_stream: true });
    for (const id of [before, during]) expect((await patch("owner", id, { is_archived: false })).body.msg).toBe("");
    expect([(await read(before)).is_default, (await read(during)).is_default]).toEqual([false, true]);
    expect(await read(before)).toMatchObject({ is_archived: false, subscriber_count: 1 });
  });
});

describe("§3.13 topics_policy, by level", () => {
  test.each([
    [403, "Invalid topics_policy"],
    [404, ""],
  ])("%i, when subscribing", async (level, msg) => {
    const sent = { subscriptions: [{ name: "x" }], topics_policy: '"empty_topic_only"' };
    const { body } = await testRealm(level).call("owner", "POST", "/users/me/subscriptions", sent);
    expect(body.msg).toBe(msg);
  });
  test.each([
    [391, "allow_empty_topic", ["topics_policy"], ""],
    [392, "allow_empty_topic", undefined, ""],
    [403, "empty_topic_only", undefined, "Invalid topics_policy"],
  ])("%i: %s", async (level, topics_policy, ignored, msg) => {
    realm = testRealm(level);
    const { body } = await patch("owner", realm.channel("sandbox"), { topics_policy });
    expect([body.ignored_parameters_unsupported, body.msg]).toEqual([ignored, msg]);
  });
});
