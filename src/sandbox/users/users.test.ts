import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../model/json.ts";
import { type TestRealm, testRealm } from "../test-realm.ts";

const people = (list: unknown): JsonObject[] => (Array.isArray(list) ? list : []);
const person = (list: unknown, id: number) => people(list).find((each) => each.user_id === id);

/** Guests may know only whom they meet. */
async function restricted(): Promise<TestRealm> {
  const realm = testRealm();
  const { status } = await realm.call("owner", "PATCH", "/realm", {
    can_access_all_users_group: { new: realm.group("role:members") },
  });
  expect(status).toBe(200);
  return realm;
}
/** Somebody who shares no channel and no conversation with the guest; made so when the recording has nobody. */
async function stranger(realm: TestRealm): Promise<number> {
  const id = realm.id("member2");
  const { body } = await realm.call("guest", "GET", "/users/me/subscriptions");
  const subscriptions = people(body.subscriptions).map(({ name }) => name);
  await realm.call("owner", "DELETE", "/users/me/subscriptions", { subscriptions, principals: [id] });
  return id;
}

describe("§1.3 a guest where can_access_all_users_group leaves guests out", () => {
  test("sees strangers as unknown users in the list", async () => {
    const realm = await restricted();
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
  test("knows whom it shares a channel or a direct conversation with", async () => {
    const realm = await restricted();
    const id = await stranger(realm);
    await realm.call("member2", "POST", "/messages", { type: "direct", to: [realm.id("guest")], content: "It is me" });
    expect((await realm.call("guest", "GET", `/users/${id}`)).status).toBe(200);
  });
  test.each([
    ["stands in for them", {}, "Unknown user"],
    ["leaves them out for clients that can do without", { user_list_incomplete: true }, undefined],
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

test("where guests may know everybody, they do", async () => {
  const realm = testRealm();
  const id = await stranger(realm);
  expect((await realm.call("guest", "GET", `/users/${id}`)).status).toBe(200);
});
