import { describe, expect, test } from "vitest";
import { PNG } from "../../../test/support/sandbox/images.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

/** zulip-api.md §1.5: people create bots and manage their own. */
type Params = { readonly [name: string]: unknown };

test.each<readonly [fact: string, as: string, params: Params, msg: string]>([
  ["the short name is checked first", "member", { full_name: "*", short_name: " " }, "Bad name or username"],
  [
    "the name before the line break in an address",
    "member",
    { full_name: "*", short_name: "a\nb" },
    "Invalid characters in name!",
  ],
  ["a short name that no address can contain", "member", { full_name: "X", short_name: "a b" }, "Bad name or username"],
  [
    "a type of the server's own that does not exist",
    "member",
    { full_name: "X", short_name: "x", bot_type: 4 },
    "Invalid embedded bot name.",
  ],
  [
    "the server's before the address",
    "member",
    { full_name: "X", short_name: "a b", bot_type: 4 },
    "Invalid embedded bot name.",
  ],
  [
    "a bot whose key nobody can request",
    "member",
    { full_name: "X", short_name: "x", bot_type: 4, service_name: "giphy" },
    "Invalid configuration data!",
  ],
  ["an address of two dots in a row", "member", { full_name: "X", short_name: "a..b" }, "Bad name or username"],
  ["an address with a line break", "member", { full_name: "X", short_name: "a\nb" }, "Bad name or username"],
  ["an address that is too long", "member", { full_name: "X", short_name: "s".repeat(240) }, "Bad name or username"],
])("creating a bot: %s is refused", async (_fact, as, params, msg) => {
  expect((await testRealm().call(as, "POST", "/bots", params)).body.msg).toBe(msg);
});

test.each<readonly [params: Params, shown: Params]>([
  [{}, { service_interface: 1, service_payload_url: null, config_data: null }],
  [{ full_name: " Helper " }, { full_name: "Helper" }],
  [{ default_sending_stream: "GENERAL" }, { default_sending_stream: "general" }],
  [{ default_sending_stream: "" }, { default_sending_stream: null }],
])("the answer to %j is %j", async (params, shown) => {
  const realm = testRealm();
  const { body } = await realm.call("member", "PATCH", `/bots/${realm.id("memberbot")}`, params);
  expect(body).toMatchObject({ result: "success", ...shown });
});

test("a message without a channel goes to the bot's default channel", async () => {
  const realm = testRealm();
  await realm.call("member", "PATCH", `/bots/${realm.id("memberbot")}`, { default_sending_stream: "general" });
  const message = { type: "channel", topic: "t", content: "c" };
  expect((await realm.call("memberbot", "POST", "/messages", message)).status).toBe(200);
  expect((await realm.call("member", "POST", "/messages", message)).body.msg).toBe("Missing channel");
});

test("a new bot is shown with its default channels", async () => {
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

const kinds = (events: readonly { readonly [key: string]: unknown }[]) =>
  events.filter(({ type }) => type === "realm_bot").map(({ op, bot }) => [op, Object.keys(Object(bot)).sort().join()]);

describe("a bot's events", () => {
  test("go to its owner and to human administrators, or only to the owner if a default channel is private", async () => {
    const realm = testRealm();
    const admin = await realm.listen("admin");
    const owner = await realm.listen("member2");
    const other = await realm.listen("member");
    await realm.call("member2", "POST", "/channels/create", { name: "den", subscribers: [], invite_only: true });
    const den = { subscriptions: [{ name: "den2" }], invite_only: true };
    await realm.call("member2", "POST", "/users/me/subscriptions", den);
    const { body } = await realm.call("member2", "POST", "/bots", { full_name: "X", short_name: "x" });
    await realm.call("member2", "PATCH", `/bots/${body.user_id}`, { default_sending_stream: "den2" });
    await realm.call("member2", "PATCH", `/bots/${body.user_id}`, { full_name: "Y" });
    expect(kinds(await admin()).map(([op]) => op)).toEqual(["add"]);
    expect(kinds(await owner()).slice(1)).toEqual([
      ["update", "default_sending_stream,user_id"],
      ["update", "full_name,user_id"],
    ]);
    expect(kinds(await other())).toEqual([]);
  });
  test("follow it from one owner to the next", async () => {
    const realm = testRealm();
    const [before, after, admin] = [
      await realm.listen("member"),
      await realm.listen("member2"),
      await realm.listen("admin"),
    ];
    await realm.call("owner", "PATCH", `/bots/${realm.id("memberbot")}`, { bot_owner_id: realm.id("member2") });
    expect(kinds(await before())).toEqual([["delete", "user_id"]]);
    expect(kinds(await after())[0]?.[0]).toBe("add");
    expect(kinds(await admin())).toEqual([["update", "owner_id,user_id"]]);
  });
  test.each([
    [
      473,
      ["update full_name,user_id", "update avatar_url,user_id", "update owner_id,user_id", "update is_active,user_id"],
    ],
    [474, []],
  ])("%i: what accounts show as well is told of a bot: %j", async (level, told) => {
    const realm = testRealm(level);
    const events = await realm.listen("admin");
    const path = `/bots/${realm.id("memberbot")}`;
    await realm.call("owner", "PATCH", path, { full_name: "Named" });
    await realm.upload("owner", path, PNG, { type: "image/png", method: "PATCH" });
    await realm.call("owner", "PATCH", path, { bot_owner_id: realm.id("member2") });
    await realm.call("owner", "DELETE", path);
    const all = await events();
    expect(kinds(all).map((each) => each.join(" "))).toEqual(told);
    expect(all.filter(({ type }) => type === "realm_user")).not.toEqual([]);
  });
});

describe("447: a bot's address", () => {
  const move = (realm: TestRealm, as: string, short_name: string, bot = "memberbot") =>
    realm.call(as, "PATCH", `/bots/${realm.id(bot)}`, { short_name });
  const address = async (realm: TestRealm) =>
    Object((await realm.call("owner", "GET", `/users/${realm.id("memberbot")}`)).body.user).delivery_email;

  test("follows the short name that its owner or an administrator gives it, and signs in", async () => {
    for (const as of ["member", "admin"]) {
      const realm = testRealm(447);
      expect((await move(realm, as, " porter ")).body.msg).toBe("");
      const email = await address(realm);
      expect(email).toMatch(/^porter-bot@/);
      expect((await realm.call("memberbot", "GET", "/users/me")).body.email).toBe(email);
    }
  });
  test.each<[fact: string, as: string, short: string, msg: string]>([
    ["another's", "owner", "taken", "Email is already in use."],
    ["nothing", "owner", " ", "Bad name or username"],
    ["no address", "owner", "a\nb", "Bad name or username"],
    ["a stranger's wish", "member2", "x", "Insufficient permission"],
    ["a bot's wish", "bot", "x", "This endpoint does not accept bot requests."],
  ])("%s is refused", async (_fact, as, short, msg) => {
    const realm = testRealm(447);
    await realm.call("owner", "POST", "/bots", { full_name: "T", short_name: "taken" });
    const before = await address(realm);
    expect((await move(realm, as, short)).body.msg).toBe(msg);
    expect(await address(realm)).toBe(before);
  });
  test("the old one is free again, and the same one changes nothing", async () => {
    const realm = testRealm(447);
    const { user_id } = (await realm.call("owner", "POST", "/bots", { full_name: "T", short_name: "taken" })).body;
    expect((await realm.call("owner", "PATCH", `/bots/${user_id}`, { short_name: "taken" })).body.msg).toBe("");
    expect((await realm.call("owner", "PATCH", `/bots/${user_id}`, { short_name: "other" })).body.msg).toBe("");
    expect((await realm.call("owner", "POST", "/bots", { full_name: "U", short_name: "taken" })).body.msg).toBe("");
  });
  test.each([
    [460, []],
    [461, [["update", "email,user_id"]]],
    [474, []],
  ])("%i: people get the new address, and realm_bot tells %j", async (level, told) => {
    const realm = testRealm(level);
    const events = await realm.listen("member2");
    const admin = await realm.listen("admin");
    await move(realm, "owner", "porter");
    const email = await address(realm);
    const changed = (await events()).filter(({ type }) => type === "realm_user").map(({ person }) => person);
    expect(changed).toEqual(
      expect.arrayContaining([
        { user_id: realm.id("memberbot"), delivery_email: email },
        { user_id: realm.id("memberbot"), new_email: email },
      ]),
    );
    expect(kinds(await admin()).filter(([, keys]) => keys !== "avatar_url,user_id")).toEqual(told);
  });
});

test("463: the key of a bot, for those who may administer it", async () => {
  const realm = testRealm(463);
  const path = `/bots/${realm.id("memberbot")}/api_key`;
  const { api_key } = (await realm.call("member", "POST", `${path}/regenerate`)).body;
  expect((await realm.call("owner", "GET", path)).body.api_key).toBe(api_key);
  expect((await realm.call("member2", "GET", path)).body.msg).toBe("Insufficient permission");
});

test("a new key invalidates the old one at once, and the state does not contain it", async () => {
  const realm = testRealm();
  const path = `/bots/${realm.id("memberbot")}/api_key/regenerate`;
  const first = (await realm.call("member", "POST", path)).body.api_key;
  expect((await realm.call("member", "POST", path)).body.api_key).not.toBe(first);
  expect((await realm.call("member2", "POST", path)).body.msg).toBe("Insufficient permission");
});

test("a file that is not an image is refused after the bot was created", async () => {
  const realm = testRealm();
  const bot = { full_name: "X", short_name: "x" };
  const { body } = await realm.upload("member2", "/bots", "text", { type: "image/png", params: bot });
  expect(body.code).toBe("BAD_IMAGE");
  expect((await realm.call("member2", "GET", "/bots")).body.bots).toMatchObject([{ full_name: "X" }]);
  const two = { type: "image/png", fields: ["a", "b"], params: { full_name: "Z", short_name: "z" } };
  expect((await realm.upload("member2", "/bots", PNG, two)).body.msg).toBe("You may only upload one file at a time");
  expect((await realm.call("member2", "GET", "/bots")).body.bots).toHaveLength(1);
});

test("changes before a refusal stay, and a default channel follows its renaming", async () => {
  const realm = testRealm();
  const path = `/bots/${realm.id("memberbot")}`;
  const sent = { full_name: "Kept", default_sending_stream: "sandbox", default_events_register_stream: "no such" };
  expect((await realm.call("member", "PATCH", path, sent)).body.msg).toBe("Invalid channel name 'no such'");
  await realm.call("owner", "PATCH", `/streams/${realm.channel("sandbox")}`, { new_name: "box" });
  expect((await realm.call("member", "GET", "/bots")).body.bots).toMatchObject([
    { full_name: "Kept", default_sending_stream: "box" },
  ]);
});

test("an embedded bot's configuration grows, and is shown only if there is one", async () => {
  const realm = testRealm();
  const embedded = { full_name: "E", short_name: "e", bot_type: 4, service_name: "helloworld" };
  const { body } = await realm.call("member2", "POST", "/bots", embedded);
  const services = async () => {
    const register = await realm.call("member2", "POST", "/register", { fetch_event_types: ["realm_bot"] });
    return Object(Object(register.body.realm_bots)[0]).services;
  };
  expect(await services()).toEqual([]);
  for (const config_data of [{ a: "1" }, { b: "2" }])
    await realm.call("member2", "PATCH", `/bots/${body.user_id}`, { config_data });
  expect(await services()).toEqual([{ config_data: { a: "1", b: "2" }, service_name: "helloworld" }]);
});

test("the address of a new bot has the domain that the realm specifies", async () => {
  const realm = testRealm();
  await realm.call("owner", "POST", "/bots", { full_name: "Newcomer", short_name: "newcomer" });
  const { body } = await realm.call("owner", "POST", "/register", {});
  const domain = String(body.realm_bot_domain);
  expect(domain).not.toBe("localhost");
  expect(JSON.stringify(body.realm_bots)).toContain(`"email":"newcomer-bot@${domain}"`);
});

test("if names must be unique, the caller's own name is found by the check of bots' names", async () => {
  const realm = testRealm();
  await realm.call("owner", "PATCH", "/realm", { require_unique_names: true });
  const { body: me } = await realm.call("member", "GET", "/users/me");
  const { body: other } = await realm.call("member2", "GET", "/users/me");
  const make = async (full_name: unknown) =>
    (await realm.call("member", "POST", "/bots", { full_name, short_name: "x" })).body.msg;
  expect([await make(me.full_name), await make(other.full_name)]).toEqual([
    "Name is already in use.",
    "Unique names required in this organization.",
  ]);
});

/** The facts of zulip-api.md §18.3. */
describe("errors that the server does not expect", () => {
  const FAILED = [500, "Internal server error"];
  const make = async (realm: TestRealm, params: Params): Promise<string> => {
    const { body } = await realm.call("member", "POST", "/bots", { full_name: "X", short_name: "x", ...params });
    return `/bots/${body.user_id}`;
  };
  const patch = async (realm: TestRealm, path: string, params: Params) => {
    const { status, body } = await realm.call("member", "PATCH", path, params);
    return [status, body.msg];
  };
  const service_payload_url = '"https://hook.example/in"';
  test.each([1, 2])("a payload URL for a bot of type %i, which has none; earlier changes stay", async (bot_type) => {
    const realm = testRealm();
    const path = await make(realm, { bot_type });
    expect(await patch(realm, path, { full_name: "Y", service_payload_url })).toEqual(FAILED);
    expect(await patch(realm, path, { service_payload_url, service_interface: 9 })).toEqual([
      400,
      "Invalid interface type",
    ]);
    expect((await realm.call("member", "PATCH", path)).body.full_name).toBe("Y");
  });
  test("the current payload URL causes no event", async () => {
    const realm = testRealm();
    const path = await make(realm, { bot_type: 3, payload_url: service_payload_url });
    const received = await realm.listen("owner");
    expect(await patch(realm, path, { service_payload_url })).toEqual([200, ""]);
    expect(await received()).toEqual([]);
    await patch(realm, path, { service_payload_url, service_interface: 2 });
    expect(await received()).toHaveLength(1);
  });
  test("an empty configuration for a bot without one", async () => {
    const realm = testRealm();
    const path = await make(realm, { config_data: { a: "dropped" } });
    expect(await patch(realm, path, { config_data: {} })).toEqual(FAILED);
    expect(await patch(realm, path, { config_data: { a: "b" } })).toEqual([200, ""]);
    expect(await patch(realm, path, { config_data: {} })).toEqual([200, ""]);
  });
  test("more than 10,000 characters of configuration, all keys and values together", async () => {
    const realm = testRealm();
    const path = await make(realm, {});
    expect(await patch(realm, path, { config_data: { a: "x".repeat(9_000) } })).toEqual([200, ""]);
    expect(await patch(realm, path, { config_data: { b: "x".repeat(1_000) } })).toEqual(FAILED);
    expect(await patch(realm, path, { config_data: { b: "x".repeat(998) } })).toEqual([200, ""]);
  });
});
