import { beforeEach, describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isList, isObject, type JsonObject } from "../../model/json.ts";

/** The properties that subscribers set for themselves, the topics that they see, and the channel's e-mail address. */
let realm: TestRealm;
let general: number;
beforeEach(() => {
  realm = testRealm();
  general = realm.channel("general");
});
const own = async (as: string, name: string): Promise<JsonObject> => {
  const { body } = await realm.call(as, "GET", "/users/me/subscriptions");
  const found = (isList(body.subscriptions) ? body.subscriptions : []).find(
    (row) => isObject(row) && row.name === name,
  );
  return isObject(found) ? found : {};
};
const change = (as: string, ...subscription_data: readonly object[]) =>
  realm.call(as, "POST", "/users/me/subscriptions/properties", { subscription_data });

describe("properties of one's own subscription", () => {
  test.each<[property: string, value: boolean | string, received: JsonObject[]]>([
    ["pin_to_top", true, [{ property: "pin_to_top", value: true }]],
    ["color", "#abc", [{ property: "color", value: "#abc" }]],
    [
      "is_muted",
      true,
      [
        { property: "in_home_view", value: false },
        { property: "is_muted", value: true },
      ],
    ],
    [
      "in_home_view",
      false,
      [
        { property: "in_home_view", value: false },
        { property: "is_muted", value: true },
      ],
    ],
    ["wildcard_mentions_notify", false, [{ property: "wildcard_mentions_notify", value: false }]],
  ])("%s: %j", async (property, value, received) => {
    const events = await realm.listen("owner");
    expect((await change("owner", { stream_id: general, property, value })).body.msg).toBe("");
    expect(await events()).toEqual(
      received.map((each) => ({ type: "subscription", op: "update", stream_id: general, ...each })),
    );
    expect(await own("owner", "general")).toMatchObject({ [property]: value });
  });
  test.each<[string, string, object, string]>([
    ["owner", "an unknown property", { property: "name", value: true }, "Unknown subscription property: name"],
    ["owner", "a text for a flag", { property: "pin_to_top", value: "yes" }, "pin_to_top is not a boolean"],
    [
      "owner",
      "a number",
      { property: "pin_to_top", value: 1 },
      'subscription_data[0]["value"]["bool"] is not a boolean',
    ],
    [
      "owner",
      "an invalid colour",
      { property: "color", value: "red" },
      "Invalid subscription_data[0]: Value error, color is not a valid hex color code",
    ],
    ["owner", "an unknown channel", { property: "pin_to_top", value: true, stream_id: 4242 }, "Invalid channel ID"],
    ["owner", "no value", { property: "pin_to_top" }, 'subscription_data[0]["value"] field is missing: Field required'],
  ])("%s: %s", async (as, _what, sent, msg) => {
    expect((await change(as, { stream_id: general, ...sent })).body.msg).toBe(msg);
  });
  test("changes before a refusal stay; values are checked first", async () => {
    const { id } = (await realm.call("owner", "POST", "/channels/create", { name: "x", subscribers: [] })).body;
    const good = { stream_id: general, property: "pin_to_top", value: true };
    const foreign = { ...good, stream_id: Number(id) };
    expect((await change("owner", good, foreign)).body.msg).toBe(`Not subscribed to channel ID ${foreign.stream_id}`);
    expect(await own("owner", "general")).toMatchObject({ pin_to_top: true });
    const second = { ...good, property: "color", value: "#123456" };
    expect((await change("owner", second, { ...good, value: "x" })).body.msg).toBe("pin_to_top is not a boolean");
    expect(await own("owner", "general")).not.toMatchObject({ color: "#123456" });
  });
  test("one by one, too", async () => {
    const path = `/users/me/subscriptions/${general}`;
    expect((await realm.call("owner", "PATCH", path, { property: "pin_to_top", value: true })).body.msg).toBe("");
    expect((await realm.call("owner", "PATCH", path, { property: "color", value: "#123" })).body.msg).toBe("");
    expect(await own("owner", "general")).toMatchObject({ pin_to_top: true, color: "#123" });
  });
  test("a color that is sent with the name applies to everybody who is new there", async () => {
    const subscriptions = [{ name: "x", color: "#c0ffee" }];
    await realm.call("owner", "POST", "/users/me/subscriptions", { subscriptions });
    expect(await own("owner", "x")).toMatchObject({ color: "#c0ffee" });
    const wrong = [{ name: "y" }, { name: "z", color: "blue" }];
    const { body } = await realm.call("owner", "POST", "/users/me/subscriptions", { subscriptions: wrong });
    expect(body.msg).toBe("Invalid subscriptions[1]: Value error, add.color is not a valid hex color code");
  });
});

describe("topics of a channel", () => {
  const topics = async (as: string, id: number, params: JsonObject = {}) =>
    (await realm.call(as, "GET", `/users/me/${id}/topics`, params)).body;
  test("the latest first, with the name that the last message uses; the empty one by its display name", async () => {
    const { id } = (
      await realm.call("owner", "POST", "/channels/create", { name: "x", subscribers: [realm.id("owner")] })
    ).body;
    const ids: unknown[] = [];
    for (const topic of ["Plans", "", "plans"]) {
      const sent = { type: "stream", to: "x", topic, content: "c" };
      ids.push((await realm.call("owner", "POST", "/messages", sent)).body.id);
    }
    const [, second, third] = ids;
    expect((await topics("owner", Number(id))).topics).toEqual([
      { name: "plans", max_id: third },
      { name: "general chat", max_id: second },
    ]);
    expect((await topics("owner", Number(id), { allow_empty_topic_name: true })).topics).toContainEqual({
      name: "",
      max_id: second,
    });
  });
  test("people who joined later see none of a protected channel; people who may not read it learn nothing", async () => {
    const sent = { name: "x", invite_only: true, subscribers: [realm.id("owner")] };
    const id = Number((await realm.call("owner", "POST", "/channels/create", sent)).body.id);
    await realm.call("owner", "POST", "/messages", { type: "stream", to: "x", topic: "t", content: "c" });
    expect((await topics("member", id)).msg).toBe("Invalid channel ID");
    const join = { subscriptions: [{ name: "x" }], principals: [realm.id("member")] };
    await realm.call("owner", "POST", "/users/me/subscriptions", join);
    expect((await topics("member", id)).topics).toEqual([]);
  });
});

describe("the address of a channel", () => {
  const address = async (as: string, params: JsonObject = {}) =>
    (await realm.call(as, "GET", `/streams/${general}/email_address`, params)).body;
  test("contains the channel's name, and differs for another caller or sender", async () => {
    const { email } = await address("owner");
    expect(email).toMatch(/^general\.[0-9a-f]{32}\.show-sender@/);
    expect((await address("owner")).email).toBe(email);
    const others = [await address("admin"), await address("owner", { sender_id: realm.id("owner") })];
    expect(new Set([email, ...others.map((body) => body.email)]).size).toBe(3);
  });
  test.each([
    [447, true],
    [448, false],
  ])("%i: who may not post gets it: %s", async (level, may) => {
    const own = testRealm(level);
    const path = `/streams/${own.channel("general")}`;
    await own.call("owner", "PATCH", path, { can_send_message_group: { new: own.group("role:administrators") } });
    expect((await own.call("member", "GET", `${path}/email_address`)).status).toBe(may ? 200 : 400);
    expect((await own.call("admin", "GET", `${path}/email_address`)).status).toBe(200);
  });
  test.each<[string, string, string]>([
    ["owner", "member", "No such bot"],
    ["member", "bot", "Insufficient permission"],
    ["owner", "bot", ""],
    ["member", "memberbot", ""],
  ])("%s in the name of %s: %s", async (as, sender, msg) => {
    expect((await address(as, { sender_id: realm.id(sender) })).msg).toBe(msg);
  });
});
