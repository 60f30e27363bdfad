import { expect, test } from "vitest";
import { say } from "../../../test/support/sandbox/messages.ts";
import { testRealm } from "../../../test/support/sandbox/realm.ts";

test("a muted person is listed; their past and new messages are read, until they are unmuted", async () => {
  const realm = testRealm();
  const id = realm.id("member");
  const path = `/users/me/muted_users/${id}`;
  const before = await say(realm, "member", "t", "a");
  const events = await realm.listen("member2");
  await realm.call("member2", "POST", path);
  const after = await say(realm, "member", "t", "b");
  await realm.call("member2", "DELETE", path);
  expect(await events()).toMatchObject([
    { type: "update_message_flags", op: "add", flag: "read", messages: expect.arrayContaining([before]) },
    { type: "muted_users", muted_users: [{ id, timestamp: realm.now() }] },
    { type: "message", message: { id: after }, flags: ["read"] },
    { type: "muted_users", muted_users: [] },
  ]);
});

test.each<readonly [as: string, method: string, whose: string, times: number, msg: string]>([
  ["member", "POST", "member", 1, "Cannot mute self"],
  ["member", "POST", "bot", 1, ""],
  ["member", "POST", "deactivated", 1, ""],
  ["bot", "POST", "member", 1, ""],
  ["member", "POST", "member2", 2, "User already muted"],
  ["member", "DELETE", "member2", 1, "User is not muted"],
  ["member", "DELETE", "member", 1, "User is not muted"],
])("%s: %s %s, %i times: %j", async (as, method, whose, times, msg) => {
  const realm = testRealm();
  const call = () => realm.call(as, method, `/users/me/muted_users/${realm.id(whose)}`);
  for (let n = 1; n < times; n += 1) expect((await call()).body.msg).toBe("");
  expect((await call()).body.msg).toBe(msg);
});

test("people who do not exist cannot be muted", async () => {
  for (const method of ["POST", "DELETE"])
    expect((await testRealm().call("member", method, "/users/me/muted_users/999")).body.msg).toBe("No such user");
});
