import { expect, test } from "vitest";
import { PNG } from "../../test/support/sandbox/images.ts";
import { testRealm } from "../../test/support/sandbox/realm.ts";

/** The server's own rules for POST /users/me/presence, GET /users/{user}/presence and GET /realm/presence. */
const website = (status: string, timestamp: number) => ({ status, timestamp });

test("a ping is shown to others: active for two minutes, idle after that, offline after 200 seconds", async () => {
  const realm = testRealm();
  const id = realm.id("member");
  expect((await realm.call("owner", "GET", `/users/${id}/presence`)).body.msg).toBe(`No presence data for ${id}`);
  const at = realm.now();
  const { body } = await realm.call("member", "POST", "/users/me/presence", { status: "active", ping_only: true });
  expect(body).toEqual({ result: "success", msg: "" });
  const seen = async () => (await realm.call("owner", "GET", `/users/${id}/presence`)).body.presence;
  const active = website("active", Math.floor(at));
  expect(await seen()).toEqual({ aggregated: active, website: active });
  realm.advance(121_000);
  expect(await seen()).toMatchObject({ aggregated: { status: "idle" }, website: { status: "idle" } });
  realm.advance(80_000);
  expect(await seen()).toMatchObject({ aggregated: { status: "offline" }, website: { status: "idle" } });
});

test("everybody's presences: by address, or short and by id; after an update only what is newer", async () => {
  const realm = testRealm();
  const { email } = (await realm.call("member", "GET", "/users/me")).body;
  await realm.call("member", "POST", "/users/me/presence", { status: "idle" });
  const all = (await realm.call("owner", "GET", "/realm/presence")).body;
  expect(Object.keys(Object(all.presences))).toEqual([email]);
  const slim = { status: "active", last_update_id: -1 };
  const { presences, presence_last_update_id } = (await realm.call("member2", "POST", "/users/me/presence", slim)).body;
  expect(Object.keys(Object(presences))).toEqual([realm.id("member"), realm.id("member2")].map(String));
  const again = { status: "active", last_update_id: presence_last_update_id };
  expect((await realm.call("owner", "POST", "/users/me/presence", again)).body.presences).toMatchObject({
    [realm.id("owner")]: { active_timestamp: Math.floor(realm.now()), idle_timestamp: Math.floor(realm.now()) },
  });
  const old = { fetch_event_types: ["presence"], slim_presence: true };
  expect((await realm.call("owner", "POST", "/register", old)).body).toMatchObject({ presence_last_update_id: 2 });
});

test("whoever comes online is told to others, once, in the form that the client knows", async () => {
  const realm = testRealm();
  const [older, newer] = [await realm.listen("owner"), await realm.listen("owner", ["simplified_presence_events"])];
  for (let n = 0; n < 2; n += 1) await realm.call("member", "POST", "/users/me/presence", { status: "active" });
  const told = (events: readonly { readonly [key: string]: unknown }[]) =>
    events.filter(({ type }) => type === "presence").map((event) => Object.keys(event).sort());
  expect(told(await older())).toEqual([["email", "presence", "server_timestamp", "type", "user_id"]]);
  expect(told(await newer())).toEqual([["presences", "type"]]);
});

test("people who do not show their presence are not recorded", async () => {
  const realm = testRealm();
  await realm.call("member", "PATCH", "/settings", { presence_enabled: false });
  await realm.call("member", "POST", "/users/me/presence", { status: "active" });
  expect((await realm.call("owner", "GET", "/realm/presence")).body.presences).toEqual({});
});

test("somebody or a bot who is deactivated is nobody", async () => {
  const realm = testRealm();
  expect((await realm.call("owner", "DELETE", `/bots/${realm.id("bot")}`)).status).toBe(200);
  for (const who of [realm.id("bot"), "deploy-bot@localhost", realm.id("deactivated")])
    expect((await realm.call("owner", "GET", `/users/${who}/presence`)).body.msg).toBe("No such user");
});

test.each([
  ["member", "POST", "/users/me/presence", { status: "away" }, "Invalid status: away"],
  ["member", "POST", "/users/me/presence", {}, "Missing 'status' argument"],
  ["bot", "POST", "/users/me/presence", { status: "idle" }, "This endpoint does not accept bot requests."],
  ["member", "GET", "/users/17/presence", {}, "Presence is not supported for bot users."],
  ["member", "GET", "/users/deploy-bot@localhost/presence", {}, "Presence is not supported for bot users."],
  ["bot", "GET", "/users/17/presence", {}, "Presence is not supported for bot users."],
  ["member", "GET", "/users/15/presence", {}, "No such user"],
  ["member", "GET", "/users/nobody@example.org/presence", {}, "No such user"],
])("%s %s %s %j: %s", async (as, method, path, params, msg) => {
  expect((await testRealm().call(as, method, path, params)).body.msg).toBe(msg);
});

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
