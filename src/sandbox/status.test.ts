import { expect, test } from "vitest";
import { PNG } from "../../test/support/sandbox/images.ts";
import { testRealm } from "../../test/support/sandbox/realm.ts";

/** api.md operation 8 and zulip-api.md §16.13: one row per fact. */

type Params = { readonly [name: string]: unknown };

test.each<readonly [fact: string, params: Params, message: string]>([
  ["an unknown code", { emoji_name: "car", emoji_code: "zzz" }, "Invalid emoji code."],
  ["a number for away", { away: 1 }, "away is not a boolean"],
  [
    "a custom name's code for a Unicode emoji",
    { emoji_name: "car", reaction_type: "realm_emoji" },
    "Invalid custom emoji.",
  ],
  ["an emoji's character", { emoji_name: "🚗" }, "Emoji '🚗' does not exist"],
  ["a name in colons", { emoji_name: ":car:" }, "Emoji ':car:' does not exist"],
  ["capital letters", { emoji_name: "Car" }, "Emoji 'Car' does not exist"],
])("refused: %s", async (_fact, params, message) => {
  const { status, body } = await testRealm().call("member", "POST", "/users/me/status", params);
  expect([status, body.msg]).toEqual([400, message]);
});

test.each<readonly [fact: string, params: Params, status: Params]>([
  ["text without the white space around it", { status_text: "  on a trip " }, { status_text: "on a trip" }],
  ["60 code points", { status_text: "🚗".repeat(60) }, { status_text: "🚗".repeat(60) }],
  [
    "a name: code and type are looked up",
    { emoji_name: "house" },
    { emoji_name: "house", emoji_code: "1f3e0", reaction_type: "unicode_emoji" },
  ],
  [
    "another name of the same",
    { emoji_name: "thumbs_up" },
    { emoji_name: "thumbs_up", emoji_code: "1f44d", reaction_type: "unicode_emoji" },
  ],
  [
    "the extra emoji",
    { emoji_name: "zulip" },
    { emoji_name: "zulip", emoji_code: "zulip", reaction_type: "zulip_extra_emoji" },
  ],
  ["a smile", { emoji_name: "smile" }, { emoji_name: "smile", emoji_code: "1f604", reaction_type: "unicode_emoji" }],
  [
    "a smaller one",
    { emoji_name: "slight_smile" },
    { emoji_name: "slight_smile", emoji_code: "1f642", reaction_type: "unicode_emoji" },
  ],
  [
    "flags, too, have names",
    { emoji_name: "flag_norway" },
    { emoji_name: "flag_norway", emoji_code: "1f1f3-1f1f4", reaction_type: "unicode_emoji" },
  ],
  ["away", { away: true }, { away: true }],
  ["no longer away", { away: false }, {}],
  ["nothing to show", { status_text: "", emoji_name: "" }, {}],
])("stored: %s", async (_fact, params, status) => {
  const realm = testRealm();
  expect((await realm.call("member", "POST", "/users/me/status", params)).status).toBe(200);
  expect((await realm.call("guest", "GET", `/users/${realm.id("member")}/status`)).body.status).toEqual(status);
});

test("only values that were sent change, and everybody gets an event", async () => {
  const realm = testRealm();
  const events = await realm.listen("member2");
  await realm.call("member", "POST", "/users/me/status", { status_text: "home", emoji_name: "house" });
  await realm.call("member", "POST", "/users/me/status", { emoji_name: "" });
  const { body } = await realm.call("member2", "GET", `/users/${realm.id("member")}/status`);
  expect(body.status).toEqual({ status_text: "home" });
  const cleared = { emoji_name: "", emoji_code: "", reaction_type: "unicode_emoji" };
  expect(await events()).toEqual([
    {
      type: "user_status",
      user_id: 9,
      status_text: "home",
      emoji_name: "house",
      emoji_code: "1f3e0",
      reaction_type: "unicode_emoji",
    },
    { type: "user_status", user_id: 9, ...cleared },
  ]);
});

test("away writes the setting each time, even to its current value", async () => {
  const realm = testRealm();
  const events = await realm.listen("member");
  await realm.call("member", "POST", "/users/me/status", { away: false });
  expect(await events()).toEqual([
    { type: "user_settings", op: "update", property: "presence_enabled", value: true },
    { type: "user_status", user_id: 9, away: false },
  ]);
});

test.each([
  ["a deactivated account", "deactivated", "User is deactivated"],
  ["a bot", "bot", "No such user"],
])("the status of %s cannot be read", async (_fact, whose, message) => {
  const realm = testRealm();
  const { body } = await realm.call("member", "GET", `/users/${realm.id(whose)}/status?x=1`);
  expect(body.msg).toBe(message);
});

test("unknown parameters of a request for a status are not reported", async () => {
  const realm = testRealm();
  const { body } = await realm.call("member", "GET", `/users/${realm.id("admin")}/status?x=1`);
  expect(body).toEqual({ result: "success", msg: "", status: {} });
});

test.each([
  ["bot", "This endpoint does not accept bot requests."],
  ["memberbot", "This endpoint does not accept bot requests."],
])("a %s has no status", async (as, message) => {
  const realm = testRealm();
  expect((await realm.call(as, "POST", "/users/me/status", { status_text: "x" })).body.msg).toBe(message);
  expect((await realm.call("member", "GET", `/users/${realm.id(as)}/status`)).body.msg).toBe("No such user");
});

test.each<readonly [as: string, whose: string, params: Params, message: string]>([
  ["owner", "member", { status_text: "away" }, ""],
  ["admin", "owner", { emoji_name: "car" }, ""],
  // Nobody administers their own account in this sense.
  ["member", "member", { status_text: "me" }, "Insufficient permission"],
  ["moderator", "member", { status_text: "x" }, "Insufficient permission"],
  ["member", "member2", {}, "Insufficient permission"],
  ["owner", "bot", { status_text: "x" }, "No such user"],
  ["owner", "deactivated", { status_text: "x" }, "User is deactivated"],
  ["owner", "member", {}, "Client did not pass any new values."],
  ["owner", "member", { emoji_name: "nosuchemoji" }, "Emoji 'nosuchemoji' does not exist"],
  ["owner", "moderator", { status_text: "x".repeat(61) }, "status_text is too long (limit: 60 characters)"],
  ["bot", "member", { status_text: "x" }, "This endpoint does not accept bot requests."],
])("as %s, of %s: %j: %s", async (as, whose, params, message) => {
  const realm = testRealm();
  const path = `/users/${realm.id(whose)}/status`;
  const { body } = await realm.call(as, "POST", path, params);
  expect(body.msg).toBe(message);
  const status = message === "" ? expect.objectContaining(params) : {};
  if (whose !== "bot" && whose !== "deactivated")
    expect((await realm.call("member3", "GET", path)).body.status).toEqual(status);
});
test("the status of others can be changed since level 407", async () => {
  const realm = testRealm(406);
  const reply = await realm.call("owner", "POST", `/users/${realm.id("member")}/status`, { status_text: "x" });
  expect(reply.status).toBe(405);
});

test("registers list the statuses of active people", async () => {
  const realm = testRealm();
  for (const as of ["member", "member2", "member3"])
    await realm.call(as, "POST", "/users/me/status", { status_text: as });
  await realm.call("member3", "POST", "/users/me/status", { status_text: "" });
  await realm.call("owner", "DELETE", `/users/${realm.id("member2")}`);
  const { body } = await realm.call("member4", "POST", "/register", { fetch_event_types: ["user_status"] });
  expect(body.user_status).toEqual({ [realm.id("member")]: { status_text: "member" } });
});

test("custom emoji are found by name while they are active", async () => {
  const realm = testRealm();
  expect((await realm.upload("owner", "/realm/emoji/party", PNG, { type: "image/png" })).status).toBe(200);
  const say = async (emoji_name: string, more: Params = {}) =>
    (await realm.call("member", "POST", "/users/me/status", { emoji_name, ...more })).body.msg;
  const status = async () => (await realm.call("member", "GET", `/users/${realm.id("member")}/status`)).body.status;
  expect(await say("party")).toBe("");
  const code = Object(await status()).emoji_code;
  expect(await status()).toMatchObject({ emoji_name: "party", reaction_type: "realm_emoji" });
  const custom = { emoji_code: code, reaction_type: "realm_emoji" };
  expect(await say("party", custom)).toBe("");
  expect(await say("car", custom)).toBe("Invalid custom emoji name.");
  await realm.call("owner", "DELETE", "/realm/emoji/party");
  expect(await say("party", custom)).toBe("This custom emoji has been deactivated.");
  expect(await say("party")).toBe("Emoji 'party' does not exist");
  expect(await status()).toMatchObject({ emoji_name: "party" });
});
