import { expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

/** Who gets which events when somebody (user 9, at first visible only to administrators) changes who may see their address. */
const ADDRESS = "dmitri@acme.example";
const STAND_IN = "user9@zulipdev.com";
const GRAVATAR = /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon/;

const LISTENERS = ["owner", "admin", "moderator", "member", "member2", "guest", "bot"] as const;
async function changed(realm: TestRealm, from: number, to: number) {
  await realm.call("member", "PATCH", "/settings", { email_address_visibility: from });
  const queues = await Promise.all(LISTENERS.map(async (who) => [who, await realm.listen(who)] as const));
  await realm.call("member", "PATCH", "/settings", { email_address_visibility: to });
  const received: { [who: string]: unknown[] } = {};
  for (const [who, read] of queues)
    received[who] = (await read()).filter(({ type }) => type === "realm_user").map(({ person }) => person);
  return received;
}
const seen = { user_id: 9, delivery_email: ADDRESS };
const gone = { user_id: 9, delivery_email: null };
const name = (new_email: string) => ({ user_id: 9, new_email });
const picture = {
  user_id: 9,
  avatar_source: "G",
  avatar_version: 1,
  avatar_url: expect.stringMatching(GRAVATAR),
  avatar_url_medium: expect.stringMatching(GRAVATAR),
};

test.each<[from: number, to: number, what: string, received: { readonly [who: string]: readonly unknown[] }]>([
  [3, 5, "moderators may see it from now on, and they alone are told", { moderator: [seen] }],
  [5, 3, "moderators may not any more", { moderator: [gone] }],
  [3, 2, "all but guests, bots too", { moderator: [seen], member2: [seen], bot: [seen] }],
  [2, 4, "nobody", { owner: [gone], admin: [gone], moderator: [gone], member2: [gone], bot: [gone] }],
  [3, 4, "those who could see it", { owner: [gone], admin: [gone] }],
])("%i → %i: %s", async (from, to, _, expected) => {
  const received = await changed(testRealm(), from, to);
  for (const who of LISTENERS) expect([who, received[who]]).toEqual([who, expected[who] ?? []]);
});

test.each([
  [3, 1, ADDRESS, { moderator: [seen], member2: [seen], guest: [seen], bot: [seen] }],
  [1, 3, STAND_IN, { moderator: [gone], member2: [gone], guest: [gone], bot: [gone] }],
  [4, 1, ADDRESS, { owner: [seen], admin: [seen], moderator: [seen], member2: [seen], guest: [seen], bot: [seen] }],
] as const)(
  "%i → %i: the address that the API shows changes, and with it the picture",
  async (from, to, email, some) => {
    const received = await changed(testRealm(), from, to);
    const first: { readonly [who: string]: readonly unknown[] } = some;
    for (const who of LISTENERS)
      expect([who, received[who]]).toEqual([who, [...(first[who] ?? []), name(email), picture]]);
  },
);

test("guests who may not know of somebody get no events about them", async () => {
  const realm = testRealm();
  const everyone = realm.group("role:members");
  for (const channel of ["Zulip", "general", "sandbox"])
    await realm.call("owner", "DELETE", "/users/me/subscriptions", {
      subscriptions: [channel],
      principals: [realm.id("guest")],
    });
  await realm.call("owner", "PATCH", "/realm", { can_access_all_users_group: { new: everyone } });
  const received = await realm.listen("guest");
  await realm.call("member", "PATCH", "/settings", { full_name: "Dmitri V.", timezone: "Asia/Tokyo" });
  await realm.call("member", "PATCH", "/settings", { email_address_visibility: 1 });
  await realm.upload("member", "/users/me/avatar", "GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000,");
  await realm.call("owner", "PATCH", `/users/${realm.id("member")}`, { role: 300 });
  expect((await received()).filter(({ type }) => type === "realm_user")).toEqual([]);
});
