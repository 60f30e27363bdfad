import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../test-realm.ts";

/** zulip-api.md §1.5: people make bots and look after their own. */
type Params = { readonly [name: string]: unknown };

test.each<readonly [fact: string, as: string, params: Params, msg: string]>([
  ["a guest", "guest", { full_name: "X", short_name: "x" }, "Not allowed for guest users"],
  ["a bot", "bot", { full_name: "X", short_name: "x" }, "This endpoint does not accept bot requests."],
  ["the short name first", "member", { full_name: "*", short_name: " " }, "Bad name or username"],
  ["a name with a star", "member", { full_name: "a*", short_name: "x" }, "Invalid characters in name!"],
  ["a name in use", "member", { full_name: "Elif Demir", short_name: "x" }, "Name is already in use!"],
  ["a short name that no address can have", "member", { full_name: "X", short_name: "a b" }, "Bad name or username"],
  ["an unknown type", "member", { full_name: "X", short_name: "x", bot_type: 9 }, "Invalid bot type"],
  ["one of the server's", "member", { full_name: "X", short_name: "x", bot_type: 4 }, "Embedded bots are not enabled."],
  ["an unknown format", "member", { full_name: "X", short_name: "x", interface_type: 3 }, "Invalid interface type"],
  [
    "an address that is none",
    "member",
    { full_name: "X", short_name: "x", bot_type: 3, payload_url: '"x"' },
    "Invalid payload_url: Value error, Not a URL",
  ],
  [
    "an unknown channel",
    "member",
    { full_name: "X", short_name: "x", default_sending_stream: "nowhere" },
    "Invalid channel name 'nowhere'",
  ],
])("making one: %s is refused", async (_fact, as, params, msg) => {
  expect((await testRealm().call(as, "POST", "/bots", params)).body.msg).toBe(msg);
});

test.each<readonly [fact: string, as: string, params: Params, msg: string]>([
  ["a guest", "guest", {}, "Not allowed for guest users"],
  ["another member", "member2", { full_name: "X" }, "Insufficient permission"],
  ["an unknown role", "owner", { role: 5 }, "Invalid role: Value error, Not in the list of possible values"],
  ["an owner's role by its owner", "member", { role: 100 }, "Must be an organization owner"],
  ["another role by its owner", "member", { role: 300 }, "Must be an organization administrator"],
  ["a name in use", "member", { full_name: "Elif Demir" }, "Name is already in use!"],
  ["nobody for an owner", "member", { bot_owner_id: 99999 }, "Failed to change owner, no such user"],
  ["somebody deactivated", "member", { bot_owner_id: 15 }, "Failed to change owner, user is deactivated"],
  ["a bot for an owner", "member", { bot_owner_id: 17 }, "Failed to change owner, bots can't own other bots"],
  ["an unknown channel", "member", { default_sending_stream: "nowhere" }, "Invalid channel name 'nowhere'"],
  ["no address", "member", { service_payload_url: '"x"' }, "Invalid service_payload_url: Value error, Not a URL"],
])("changing one: %s is refused", async (_fact, as, params, msg) => {
  const realm = testRealm();
  expect((await realm.call(as, "PATCH", `/bots/${realm.id("memberbot")}`, params)).body.msg).toBe(msg);
});

test.each<readonly [params: Params, shown: Params]>([
  [{}, { service_interface: 1, service_payload_url: null, config_data: null }],
  [{ full_name: " Helper " }, { full_name: "Helper" }],
  [{ default_sending_stream: "GENERAL" }, { default_sending_stream: "general" }],
  [{ default_sending_stream: "" }, { default_sending_stream: null }],
])("%j is answered with %j", async (params, shown) => {
  const realm = testRealm();
  const { body } = await realm.call("member", "PATCH", `/bots/${realm.id("memberbot")}`, params);
  expect(body).toMatchObject({ result: "success", ...shown });
});

test("a message without a channel goes to the bot's own", async () => {
  const realm = testRealm();
  await realm.call("member", "PATCH", `/bots/${realm.id("memberbot")}`, { default_sending_stream: "general" });
  const message = { type: "channel", topic: "t", content: "c" };
  expect((await realm.call("memberbot", "POST", "/messages", message)).status).toBe(200);
  expect((await realm.call("member", "POST", "/messages", message)).body.msg).toBe("Missing channel");
});

test.each<readonly [as: string, bot: string, answer: readonly [number, unknown]]>([
  ["member", "memberbot", [200, ""]],
  ["admin", "memberbot", [200, ""]],
  ["member2", "memberbot", [400, "Insufficient permission"]],
  ["guest", "memberbot", [400, "Insufficient permission"]],
  ["memberbot", "memberbot", [400, "Insufficient permission"]],
  ["owner", "member2", [400, "No such bot"]],
])("%s deactivates %s: %j", async (as, bot, answer) => {
  const realm = testRealm();
  const { status, body } = await realm.call(as, "DELETE", `/bots/${realm.id(bot)}`);
  expect([status, body.msg]).toEqual(answer);
  const after = await realm.call(bot, "GET", "/users/me");
  expect(after.status).toBe(answer[0] === 200 ? 401 : 200);
});
test("a bot with an owner's role is for owners", async () => {
  const realm = testRealm();
  const path = `/bots/${realm.id("memberbot")}`;
  await realm.call("owner", "PATCH", path, { role: 100 });
  for (const method of ["PATCH", "DELETE"])
    expect((await realm.call("admin", method, path, {})).body.msg).toBe("Must be an organization owner");
});

test.each([
  [9, "Insufficient permission"],
  [2, ""],
])("where members may make incoming webhooks only, the type %i: %j", async (bot_type, msg) => {
  const realm = testRealm();
  await realm.call("owner", "PATCH", "/realm", {
    can_create_bots_group: { new: realm.group("role:owners") },
    can_create_write_only_bots_group: { new: realm.group("role:members") },
  });
  const { body } = await realm.call("member", "POST", "/bots", { full_name: "X", short_name: "x", bot_type });
  expect(body.msg).toBe(msg);
});

test("a new bot is shown with the channels that it was given", async () => {
  const realm = testRealm();
  const shown = {
    default_sending_stream: "general",
    default_events_register_stream: "sandbox",
    default_all_public_streams: true,
  };
  const sent = { full_name: "X", short_name: "x", ...shown, default_sending_stream: "GENERAL" };
  expect((await realm.call("member2", "POST", "/bots", sent)).body).toMatchObject(shown);
  expect((await realm.call("member2", "GET", "/bots")).body.bots).toMatchObject([shown]);
});

describe("a bot that is brought back", () => {
  const back = async (realm: TestRealm, as: string) =>
    (await realm.call(as, "POST", `/users/${realm.id("memberbot")}/reactivate`)).body.msg;
  test("keeps its owner", async () => {
    const realm = testRealm();
    await realm.call("member", "DELETE", `/bots/${realm.id("memberbot")}`);
    expect(await back(realm, "admin")).toBe("");
    expect((await realm.call("member", "GET", "/bots")).body.bots).toHaveLength(1);
  });
  test("gets another where its owner is gone", async () => {
    const realm = testRealm();
    await realm.call("owner", "DELETE", `/users/${realm.id("member")}`);
    expect(await back(realm, "admin")).toBe("");
    const { body } = await realm.call("owner", "GET", `/users/${realm.id("memberbot")}`);
    expect(body.user).toMatchObject({ is_active: true, bot_owner_id: realm.id("admin") });
  });
  test("is one that might be made, under a name that is free", async () => {
    const realm = testRealm();
    const { body } = await realm.call("owner", "GET", `/users/${realm.id("memberbot")}`);
    const { full_name } = Object(body.user);
    await realm.call("member", "DELETE", `/bots/${realm.id("memberbot")}`);
    await realm.call("owner", "PATCH", "/realm", { can_create_bots_group: { new: realm.group("role:owners") } });
    expect(await back(realm, "member")).toBe("Insufficient permission");
    await realm.call("owner", "POST", "/bots", { full_name, short_name: "other" });
    expect(await back(realm, "owner")).toBe(
      `There is already an active bot named "${full_name}" in this organization. To reactivate this bot, you must rename or deactivate the other one first.`,
    );
  });
});
