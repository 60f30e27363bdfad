import { expect, test } from "vitest";
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
