import { beforeEach, describe, expect, test } from "vitest";
import { messagesAmong, testChannels } from "../../../test/support/sandbox/channels.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";

/** One row per fact of zulip-api.md §3.4, §3.10, §3.11, §3.14 and §3.15 that the neighboring files do not cover. */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});
const { create, read } = testChannels(() => realm);
const patch = async (as: string, id: number, params: object) =>
  (await realm.call(as, "PATCH", `/streams/${id}`, { ...params })).body.msg;
const subscribe = (as: string, params: object) => realm.call(as, "POST", "/users/me/subscriptions", { ...params });

describe("§3.4 the bulk route", () => {
  test.each<[fact: string, sent: JsonObject, msg: string]>([
    [
      "a name that does not print",
      { subscriptions: [{ name: "\u0007" }] },
      "Invalid character in channel name, at position 1.",
    ],
    ["no list", {}, "Missing 'subscriptions' argument"],
  ])("%s: %j → %s", async (_fact, sent, msg) => {
    expect((await subscribe("owner", sent)).body.msg).toBe(msg);
  });
  test("a name that exists in another case subscribes to that channel, and ignores all settings in the call", async () => {
    const settings = {
      invite_only: true,
      message_retention_days: 5,
      can_send_message_group: 11,
      topics_policy: '"disable_empty_topic"',
    };
    const id = await create("owner", "Old");
    const { body } = await subscribe("member", { subscriptions: [{ name: " OLD " }], can_send_message_group: 11 });
    expect(body.subscribed).toEqual({ [realm.id("member")]: ["Old"] });
    await subscribe("owner", { subscriptions: [{ name: "old", description: "other" }], ...settings });
    expect(await read(id)).toMatchObject({
      description: "",
      invite_only: false,
      message_retention_days: null,
      can_send_message_group: realm.group("role:everyone"),
      topics_policy: "inherit",
    });
  });
  test.each([
    [undefined, 400, undefined],
    [true, 400, undefined],
    [false, 200, ["secret"]],
  ])(
    "a channel that the caller cannot read, authorization_errors_fatal=%s",
    async (authorization_errors_fatal, status, unauthorized) => {
      await create("owner", "secret", { invite_only: true });
      const reply = await subscribe("member", { subscriptions: [{ name: "secret" }], authorization_errors_fatal });
      expect([reply.status, reply.body.unauthorized]).toEqual([status, unauthorized]);
    },
  );
  test.each([
    [undefined, 1, true],
    [true, 1, true],
    [false, 0, undefined],
  ])("send_new_subscription_messages=%s: %i", async (send_new_subscription_messages, count, said) => {
    await create("owner", "x");
    const [human, bot] = [await realm.listen("member"), await realm.listen("memberbot")];
    const principals = [realm.id("member"), realm.id("memberbot"), realm.id("owner")];
    const { body } = await subscribe("owner", {
      subscriptions: [{ name: "x" }],
      principals,
      send_new_subscription_messages,
    });
    expect(body.new_subscription_messages_sent).toBe(said);
    expect([(await messagesAmong(human)).length, (await messagesAmong(bot)).length]).toEqual([count, 0]);
  });
  test.each([
    [396, undefined],
    [397, true],
  ])("%i: whether they were sent is said: %s", async (level, said) => {
    realm = testRealm(level);
    const { body } = await subscribe("owner", { subscriptions: [{ name: "x" }] });
    expect(body.new_subscription_messages_sent).toBe(said);
  });
  test.each([
    ["#a1b2c3", 200],
    ["#ABC", 200],
    ["a1b2c3", 400],
    ["#a1b2c3d", 400],
    ["red", 400],
  ])("the colour %s: %i", async (color, status) => {
    expect((await subscribe("owner", { subscriptions: [{ name: "x", color }] })).status).toBe(status);
  });
  test("nobody gets a notice about a channel that the call created", async () => {
    const received = await realm.listen("member");
    await subscribe("owner", { subscriptions: [{ name: "x" }], principals: [realm.id("member")] });
    expect(await messagesAmong(received)).toEqual([]);
  });
});

describe("§3.3, quirk 2: the settings that channels/create drops", () => {
  test.each([[442], [500], [512]])("%i", async (level) => {
    realm = testRealm(level);
    const settings = { can_create_topic_group: 14, can_delete_any_message_group: 14, can_delete_own_message_group: 14 };
    const forgotten = { can_create_topic_group: 15, can_delete_any_message_group: 9, can_delete_own_message_group: 9 };
    expect(await read(await create("owner", "x", settings))).toMatchObject(forgotten);
  });
});

describe("§3.10 names", () => {
  test.each<[name: string, stored: string]>([
    ["  out  side ", "out  side"],
    ["\ue000", "\ue000"],
    ["İstanbul", "İstanbul"],
    ["role:x", "role:x"],
    ["a!DEACTIVATED:b", "a!DEACTIVATED:b"],
  ])("%j is stored as %j by each route", async (name, stored) => {
    expect((await read(await create("owner", name))).name).toBe(stored);
    realm = testRealm();
    await subscribe("owner", { subscriptions: [{ name }] });
    expect((await realm.call("owner", "GET", "/get_stream_id", { stream: stored })).status).toBe(200);
    realm = testRealm();
    const id = await create("owner", "x");
    expect(await patch("owner", id, { new_name: name })).toBe("");
    expect((await read(id)).name).toBe(stored);
  });
  test.each([
    ["İstanbul", "istanbul", 200],
    ["ÉCLAIR", "éclair", 409],
    ["straße", "STRAßE", 409],
    ["ǆ", "Ǆ", 409],
  ])("%s and then %s: %i", async (first, second, status) => {
    await create("owner", first);
    expect((await realm.call("owner", "POST", "/channels/create", { name: second, subscribers: [] })).status).toBe(
      status,
    );
  });
});

describe("§3.11 descriptions", () => {
  test.each<[sent: string, stored: string]>([
    ["two\nlines", "two lines"],
    ["a\r\nb", "a\r b"],
    ["  kept  ", "  kept  "],
    ["😀".repeat(1024), "😀".repeat(1024)],
  ])("%j is stored as %j by each route", async (description, stored) => {
    const id = await create("owner", "x", { description });
    expect((await read(id)).description).toBe(stored);
    await patch("owner", id, { description: "other" });
    await patch("owner", id, { description });
    expect((await read(id)).description).toBe(stored);
    await subscribe("owner", { subscriptions: [{ name: "y", description }] });
    const { body } = await realm.call("owner", "GET", "/get_stream_id", { stream: "y" });
    expect((await read(Number(body.stream_id))).description).toBe(stored);
  });
  test("1025 characters are too long for each", async () => {
    const description = "😀".repeat(1025);
    const { body } = await realm.call("owner", "POST", "/channels/create", { name: "x", subscribers: [], description });
    expect(body.msg).toBe("description is too long (limit: 1024 characters)");
    expect((await subscribe("owner", { subscriptions: [{ name: "x", description }] })).body.msg).toMatch(
      /description.* is too long \(limit: 1024 characters\)/,
    );
  });
});

describe("§3.14 message_retention_days", () => {
  test.each<[as: string, facts: JsonObject, sent: unknown, msg: string]>([
    ["owner", { realm_plan_type: 2 }, 5, "Available on Zulip Cloud Standard. Upgrade to access."],
    ["owner", { realm_plan_type: 2 }, '"unlimited"', "Available on Zulip Cloud Standard. Upgrade to access."],
    ["admin", { realm_plan_type: 2 }, 5, "Must be an organization owner"],
    ["owner", { realm_plan_type: 1 }, 5, ""],
    ["admin", {}, '"unlimited"', "Must be an organization owner"],
  ])("%s with %j sends %s: %s", async (as, facts, message_retention_days, msg) => {
    realm = testRealm(442, facts);
    expect(await patch(as, realm.channel("general"), { message_retention_days })).toBe(msg);
    const { body } = await realm.call(as, "POST", "/channels/create", {
      name: "x",
      subscribers: [],
      message_retention_days,
    });
    expect(body.msg).toBe(msg);
    expect((await subscribe(as, { subscriptions: [{ name: "y" }], message_retention_days })).body.msg).toBe(msg);
  });
  test.each([
    ["/channels/create", { name: "x", subscribers: [] }],
    ["/users/me/subscriptions", { subscriptions: [{ name: "x" }] }],
  ])("POST %s: the realm's own takes no owner, on any plan", async (path, params) => {
    realm = testRealm(442, { realm_plan_type: 2 });
    for (const bad of [0, -1, '"forever"']) {
      const { body } = await realm.call("owner", "POST", path, { ...params, message_retention_days: bad });
      expect(body).toMatchObject({ code: "REQUEST_VARIABLE_INVALID", var_name: "message_retention_days" });
    }
    const sent = { ...params, message_retention_days: '"realm_default"' };
    expect((await realm.call("member", "POST", path, sent)).body.msg).toBe("");
  });
});

describe("§3.15 announcements", () => {
  const announcing = async (): Promise<() => Promise<readonly JsonObject[]>> => {
    const id = realm.channel("general");
    await realm.call("owner", "PATCH", "/realm", { new_stream_announcements_stream_id: id });
    return realm.listen("owner");
  };
  test("one for all channels of a call, in “new channels”", async () => {
    const received = await announcing();
    await subscribe("owner", { subscriptions: [{ name: "x" }, { name: "y" }], announce: true });
    expect(await messagesAmong(received)).toEqual([
      ["new channels", expect.stringMatching(/created the following channels: #\*\*x\*\*, #\*\*y\*\*/)],
    ]);
  });
  test.each<[fact: string, params: JsonObject, count: number]>([
    ["asked for", { announce: true, subscribers: [6] }, 1],
    ["not asked for", { subscribers: [6] }, 0],
    ["with nobody to join", { announce: true, subscribers: [] }, 0],
  ])("channels/create, %s", async (_fact, params, count) => {
    const received = await announcing();
    await realm.call("owner", "POST", "/channels/create", { name: "x", ...params });
    expect(await messagesAmong(received)).toHaveLength(count);
  });
  test("none if the realm has no channel for them", async () => {
    await realm.call("owner", "PATCH", "/realm", { new_stream_announcements_stream_id: -1 });
    const received = await realm.listen("owner");
    await create("owner", "x", { announce: true });
    expect(await messagesAmong(received)).toEqual([]);
  });
});
