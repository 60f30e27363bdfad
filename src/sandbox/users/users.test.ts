import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";

const people = (list: unknown): JsonObject[] => (Array.isArray(list) ? list : []);
const person = (list: unknown, id: number) => people(list).find((each) => each.user_id === id);

/** A realm in which guests know only the people with whom they have contact. */
async function restricted(level?: number): Promise<TestRealm> {
  const realm = testRealm(level);
  const { status } = await realm.call("owner", "PATCH", "/realm", {
    can_access_all_users_group: { new: realm.group("role:members") },
  });
  expect(status).toBe(200);
  return realm;
}
/** Somebody who shares no channel and no conversation with the guest; created if the recording has nobody like that. */
async function stranger(realm: TestRealm): Promise<number> {
  const id = realm.id("member2");
  const { body } = await realm.call("guest", "GET", "/users/me/subscriptions");
  const subscriptions = people(body.subscriptions).map(({ name }) => name);
  await realm.call("owner", "DELETE", "/users/me/subscriptions", { subscriptions, principals: [id] });
  return id;
}

describe("§1.3 a guest, if can_access_all_users_group excludes guests", () => {
  test("sees neither strangers nor deactivated people in the list", async () => {
    const realm = await restricted();
    const id = await stranger(realm);
    const { body } = await realm.call("guest", "GET", "/users");
    expect(person(body.members, id)).toBeUndefined();
    expect(person(body.members, realm.id("deactivated"))).toBeUndefined();
    expect(person(body.members, realm.id("member"))).toBeDefined();
  });
  test("saw strangers as unknown users in the list below level 437", async () => {
    const realm = await restricted(436);
    const id = await stranger(realm);
    const { body } = await realm.call("guest", "GET", "/users");
    expect(person(body.members, id)).toMatchObject({ full_name: "Unknown user", delivery_email: null, role: 400 });
    expect(person(body.members, realm.id("guest"))?.full_name).not.toBe("Unknown user");
    expect(person(body.members, realm.id("bot"))?.full_name).not.toBe("Unknown user");
  });
  test("may not ask for one of them", async () => {
    const realm = await restricted();
    const id = await stranger(realm);
    expect((await realm.call("guest", "GET", `/users/${id}`)).body.msg).toBe("Insufficient permission");
    expect((await realm.call("member", "GET", `/users/${id}`)).status).toBe(200);
  });
  test("knows people who share a channel or a direct conversation with the guest", async () => {
    const realm = await restricted();
    const id = await stranger(realm);
    await realm.call("member2", "POST", "/messages", { type: "direct", to: [realm.id("guest")], content: "It is me" });
    expect((await realm.call("guest", "GET", `/users/${id}`)).status).toBe(200);
  });
  test.each([
    ["replaces them with a placeholder", {}, "Unknown user"],
    ["leaves them out for clients that can do without them", { user_list_incomplete: true }, undefined],
  ])("POST /register %s", async (_, capability, full_name) => {
    const realm = await restricted();
    const id = await stranger(realm);
    const { body } = await realm.call("guest", "POST", "/register", {
      fetch_event_types: ["realm_user"],
      client_capabilities: { notification_settings_null: true, ...capability },
    });
    expect(person(body.realm_users, id)?.full_name).toBe(full_name);
  });
});

describe("PATCH /users/{user_id}", () => {
  const patch = (realm: TestRealm, as: string, whose: string, params: { readonly [name: string]: unknown }) =>
    realm.call(as, "PATCH", `/users/${realm.id(whose)}`, params);
  test.each<readonly [fact: string, as: string, whose: string, full_name: string, shown: RegExp]>([
    ["white space is dropped", "admin", "member", "  Renamed ", /^Renamed$/],
    ["a blank name is ignored", "admin", "member", "  ", /\S/],
    ["like a mention, but with white space after it", "admin", "member", "Re|9 ", /^Re\|9$/],
  ])("a new name: %s", async (_fact, as, whose, full_name, shown) => {
    const realm = testRealm();
    expect(await patch(realm, as, whose, { full_name })).toMatchObject({ status: 200 });
    const { body } = await realm.call("owner", "GET", `/users/${realm.id(whose)}`);
    expect(String(Object(body.user).full_name)).toMatch(shown);
  });
  test("profile data: set, and removed by null or an empty value", async () => {
    const realm = testRealm();
    const { body } = await realm.call("owner", "POST", "/realm/profile_fields", { name: "about", field_type: 1 });
    const id = Number(body.id);
    const said = async () =>
      Object(
        Object((await realm.call("owner", "GET", "/users", { include_custom_profile_fields: true })).body.members),
      ).find((each: JsonObject) => each.user_id === realm.id("member")).profile_data[id]?.value;
    await patch(realm, "admin", "member", { profile_data: [{ id, value: "x" }] });
    expect(await said()).toBe("x");
    for (const value of [null, ""]) {
      await patch(realm, "admin", "member", { profile_data: [{ id, value: "x" }] });
      await patch(realm, "admin", "member", { profile_data: [{ id, value }] });
      expect(await said()).toBeUndefined();
    }
  });
});

test("§1.3 a guest cannot write to strangers", async () => {
  const realm = await restricted();
  const id = await stranger(realm);
  const { body } = await realm.call("guest", "POST", "/messages", { type: "direct", to: [id], content: "c" });
  expect(body.msg).toBe("You do not have permission to access some of the recipients.");
});

test("if guests may know everybody, they do", async () => {
  const realm = testRealm();
  const id = await stranger(realm);
  expect((await realm.call("guest", "GET", `/users/${id}`)).status).toBe(200);
});

test("§1.5 somebody's channels: including archived ones, but only those that the caller knows", async () => {
  const realm = testRealm();
  const of = async (as: string) =>
    (await realm.call(as, "GET", `/users/${realm.id("member")}/channels`)).body.subscribed_channel_ids;
  const before = await of("member");
  const made = [];
  for (const invite_only of [false, true]) {
    const sent = { name: `x ${invite_only}`, subscribers: [realm.id("member")], invite_only };
    made.push((await realm.call("owner", "POST", "/channels/create", sent)).body.id);
  }
  for (const id of made) await realm.call("owner", "DELETE", `/streams/${id}`);
  const sorted = (ids: unknown) => (Array.isArray(ids) ? [...ids].sort() : []);
  expect(sorted(await of("owner"))).toEqual(sorted([before, made].flat()));
  expect(sorted(await of("member2"))).toEqual(sorted([before, made[0]].flat()));
});

describe("roles", () => {
  const brief = (events: readonly JsonObject[]) => events.map(({ type, op }) => `${type}/${op}`);
  const CHANGE = ["realm_user/update", "user_group/remove_members", "user_group/add_members"];
  test.each<[role: number, received: string[]]>([
    [200, [...CHANGE, "user_group/remove_members", "stream/create", "subscription/peer_add"]],
    [300, [...CHANGE, "user_group/remove_members"]],
    [600, [...CHANGE, "user_group/remove_members", "stream/delete"]],
  ])("somebody who gets the role %i sees channels appear and disappear: %j", async (role, received) => {
    const realm = testRealm();
    for (const invite_only of [false, true])
      await realm.call("owner", "POST", "/channels/create", {
        name: `x ${invite_only}`,
        subscribers: [8],
        invite_only,
      });
    const [self, other] = [await realm.listen("member"), await realm.listen("member2")];
    await realm.call("owner", "PATCH", `/users/${realm.id("member")}`, { role });
    expect(brief(await self())).toEqual(received);
    expect(brief(await other())).toEqual([...CHANGE, "user_group/remove_members"]);
  });
  test("a member who is not yet a full member neither leaves nor joins the full members", async () => {
    const realm = testRealm();
    const heard = await realm.listen("member2");
    await realm.call("owner", "PATCH", "/realm", { waiting_period_threshold: 10_000 });
    for (const role of [300, 400]) await realm.call("owner", "PATCH", `/users/${realm.id("member")}`, { role });
    expect(brief(await heard())).toEqual(["realm/update", "user_group/remove_members", ...CHANGE, ...CHANGE]);
  });
});

describe("deactivating an account", () => {
  test.each([
    [376, []],
    [377, [1, 2, 3]],
  ])("at level %i people who know a channel get an event about who left it: %j", async (level, channels) => {
    const realm = testRealm(level);
    const heard = await realm.listen("owner");
    await realm.call("owner", "DELETE", `/users/${realm.id("member2")}`);
    const user_ids = [realm.id("member2")];
    expect(await heard()).toMatchObject([
      ...channels.map((id) => ({ type: "subscription", op: "peer_remove", stream_ids: [id], user_ids })),
      { type: "realm_user", op: "update", person: { is_active: false } },
    ]);
  });
  test("a reactivated person is back in channels and groups, which get events", async () => {
    const realm = testRealm();
    await realm.call("owner", "DELETE", `/users/${realm.id("member2")}`);
    const heard = await realm.listen("owner");
    await realm.call("owner", "POST", `/users/${realm.id("member2")}/reactivate`);
    const user_ids = [realm.id("member2")];
    const groups = [realm.group("role:members"), realm.group("role:fullmembers")].sort((a, b) => a - b);
    expect(await heard()).toMatchObject([
      { type: "realm_user", op: "update", person: { is_active: true } },
      ...[1, 2, 3].map((id) => ({ type: "subscription", op: "peer_add", stream_ids: [id], user_ids })),
      ...groups.map((group_id) => ({ type: "user_group", op: "add_members", group_id, user_ids })),
    ]);
  });
  test.each(["member", "guest", "memberbot"])("a %s can, and its invitations expire", async (as) => {
    const realm = testRealm();
    await realm.call(as, "POST", "/invites", { invitee_emails: "a@a.example", stream_ids: [] });
    expect((await realm.call(as, "DELETE", "/users/me")).status).toBe(200);
    expect((await realm.call(as, "GET", "/users/me")).status).toBe(401);
    expect((await realm.call("owner", "GET", "/invites")).body.invites).toEqual([]);
  });
});

describe("by address", () => {
  test.each<readonly [as: string, address: string, msg: string]>([
    ["owner", "dmitri@acme.example", ""],
    ["owner", "nobody@acme.example", "No such user"],
    ["member2", "dmitri@acme.example", "No such user"],
  ])("%s changes %s: %j", async (as, address, msg) => {
    const realm = testRealm();
    const { body } = await realm.call(as, "PATCH", `/users/${address}`, { full_name: "Renamed" });
    expect(body.msg).toBe(msg);
  });
  test.each<readonly [fact: string, as: string, address: string, found: string | undefined]>([
    ["a placeholder names somebody who hides the address", "guest", "user9@zulipdev.com", "member"],
    ["and somebody who does not", "guest", "user17@zulipdev.com", "bot"],
    ["whatever follows the number", "guest", "user9@zulipdev.com.example", "member"],
    ["the real address of a bot is accepted from everybody, in any case", "guest", "Deploy-Bot@localhost", "bot"],
  ])("%s", async (_fact, as, address, found) => {
    const realm = testRealm();
    const { body } = await realm.call(as, "GET", `/users/${address}`);
    if (found === undefined) expect(body.msg).toBe("No such user");
    else expect(Object(body.user).user_id).toBe(realm.id(found));
  });
  test("a placeholder also identifies somebody who shows the address to everybody", async () => {
    const realm = testRealm();
    await realm.call("member", "PATCH", "/settings", { email_address_visibility: 1 });
    for (const address of ["user9@zulipdev.com", "dmitri@acme.example"])
      expect((await realm.call("guest", "GET", `/users/${address}`)).body.user).toMatchObject({ user_id: 9 });
  });
  test.each([
    [384, 405],
    [385, 200],
  ])("level %i: %i", async (level, status) => {
    const changed = testRealm(level).call("owner", "PATCH", "/users/dmitri@acme.example", { full_name: "Renamed" });
    expect((await changed).status).toBe(status);
  });
});

test.each<readonly [as: string, params: JsonObject, msg: string]>([
  ["member", {}, "Must be an organization administrator"],
  ["owner", {}, "Missing 'email' argument"],
  ["owner", { email: "x@acme.example", password: "p", full_name: "X" }, "User not authorized to create users"],
])("%s cannot create accounts: %j", async (as, params, msg) => {
  expect((await testRealm().call(as, "POST", "/users", params)).body.msg).toBe(msg);
});

describe("§17.4 reactivated accounts", () => {
  const of = (kind: string, events: readonly { readonly [key: string]: unknown }[]) =>
    events.filter(({ type }) => type === kind);
  test("cause events for groups, and for settings of the realm and of groups that name them", async () => {
    const realm = testRealm();
    const { id } = { id: realm.id("member2") };
    const value = { direct_members: [id, realm.id("member")], direct_subgroups: [] };
    await realm.call("owner", "PATCH", "/realm", { can_resolve_topics_group: { new: value } });
    const crew = { name: "crew", description: "", members: [id], can_leave_group: value };
    const { body } = await realm.call("owner", "POST", "/user_groups/create", crew);
    await realm.call("owner", "DELETE", `/users/${id}`);
    const events = await realm.listen("guest");
    await realm.call("owner", "POST", `/users/${id}/reactivate`);
    const received = await events();
    const shown = { direct_members: [realm.id("member"), id].sort((a, b) => a - b), direct_subgroups: [] };
    expect(of("realm", received)).toEqual([
      { type: "realm", op: "update_dict", property: "default", data: { can_resolve_topics_group: shown } },
    ]);
    expect(of("user_group", received).at(-1)).toEqual({
      type: "user_group",
      op: "update",
      group_id: body.group_id,
      data: { can_leave_group: shown },
    });
  });
  test("count twice among the subscribers from then on if they were active", async () => {
    const realm = testRealm();
    const count = async () =>
      Object((await realm.call("owner", "GET", `/streams/${realm.channel("general")}`)).body.stream).subscriber_count;
    const before = await count();
    await realm.call("owner", "POST", `/users/${realm.id("member2")}/reactivate`);
    expect(await count()).toBe(before + 1);
    await realm.call("owner", "DELETE", `/users/${realm.id("member2")}`);
    expect(await count()).toBe(before);
    const { body } = await realm.call("owner", "GET", `/streams/${realm.channel("general")}/members`);
    expect(body.subscribers).toHaveLength(before - 1);
  });
  test("get no events while they are deactivated", async () => {
    const realm = testRealm();
    const events = await realm.listen("member2");
    await realm.call("owner", "DELETE", `/users/${realm.id("member2")}`);
    await realm.call("owner", "PATCH", "/realm", { name: "Quiet" });
    await realm.call("owner", "POST", `/users/${realm.id("member2")}/reactivate`);
    expect((await events())[0]).toEqual({
      type: "realm_user",
      op: "update",
      person: { user_id: realm.id("member2"), is_active: true },
    });
  });
});

test("a change of a bot's name, by anybody who may change it, also sends a bot event", async () => {
  const realm = testRealm();
  const events = await realm.listen("member");
  await realm.call("owner", "PATCH", `/users/${realm.id("memberbot")}`, { full_name: "CI" });
  expect((await events()).map(({ type }) => type)).toEqual(["realm_user", "realm_bot"]);
});

test("pictures are left to clients only if everybody may see the address", async () => {
  const realm = testRealm();
  const shown = async () => {
    const { members } = (await realm.call("admin", "GET", "/users")).body;
    return [realm.id("member"), realm.id("bot")].map((id) => person(members, id)?.avatar_url === null);
  };
  expect(await shown()).toEqual([false, true]);
  await realm.call("member", "PATCH", "/settings", { email_address_visibility: 1 });
  expect(await shown()).toEqual([true, true]);
  const { body } = await realm.call("admin", "POST", "/register", { fetch_event_types: ["realm_user"] });
  expect(people(body.cross_realm_bots).map(({ avatar_url }) => avatar_url)).not.toContain(null);
});

test("a person who is added to a private channel sees it created with its earlier subscribers", async () => {
  const realm = testRealm();
  const events = await realm.listen("member2");
  const sent = { subscriptions: [{ name: "den" }], invite_only: true, principals: [realm.id("member2")] };
  await realm.call("owner", "POST", "/users/me/subscriptions", sent);
  const created = (await events()).find(({ type, op }) => type === "stream" && op === "create");
  expect(Object(Object(created).streams)[0]).toMatchObject({ name: "den", subscriber_count: 0 });
});
