import { expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../test/support/sandbox/realm.ts";

/** api.md operation 14 and POST /typing: one row per fact. */

type Params = { readonly [name: string]: unknown };
const send = async (realm: TestRealm, params: Params) =>
  Number((await realm.call("member", "POST", "/messages", { content: "c", ...params })).body.id);
const inChannel = { type: "channel", to: 3, topic: "t" };

test("an edit has no extra time: the limit applies exactly", async () => {
  const realm = testRealm();
  const id = await send(realm, inChannel);
  realm.advance(601_000);
  const { body } = await realm.call("member", "POST", `/messages/${id}/typing`, { op: "start" });
  expect(body.msg).toBe("The time limit for editing this message has passed");
});

test.each<readonly [fact: string, params: Params, recipient: (realm: TestRealm) => unknown]>([
  ["a channel", inChannel, () => ({ type: "channel", channel_id: 3, topic: "t" })],
  ["a conversation", { type: "direct", to: [10] }, () => ({ type: "direct", user_ids: [9, 10] })],
])("people who enabled it get the event of an edit in %s", async (_fact, params, recipient) => {
  const realm = testRealm();
  const id = await send(realm, params);
  const events = await realm.listen("member2");
  await realm.call("member", "POST", `/messages/${id}/typing`, { op: "start" });
  await realm.call("member2", "PATCH", "/settings", { receives_typing_notifications: false });
  await realm.call("member", "POST", `/messages/${id}/typing`, { op: "stop" });
  const received = (await events()).filter(({ type }) => type === "typing_edit_message");
  expect(received).toEqual([
    { type: "typing_edit_message", op: "start", sender_id: 9, message_id: id, recipient: recipient(realm) },
  ]);
});

test("people who switched typing notifications off are not listed either", async () => {
  const realm = testRealm();
  const id = await send(realm, { type: "direct", to: [10] });
  const events = await realm.listen("member");
  await realm.call("member2", "PATCH", "/settings", { receives_typing_notifications: false });
  await realm.call("member", "POST", `/messages/${id}/typing`, { op: "start" });
  expect((await events()).at(-1)).toMatchObject({ recipient: { type: "direct", user_ids: [9] } });
});

test.each<readonly [fact: string, params: Params, message: string]>([
  ["nobody named", { op: "start" }, "Missing 'to' argument"],
  ["an empty list", { op: "start", to: [] }, "Empty 'to' list"],
  ["an unknown person", { op: "start", to: [99999] }, "Invalid user ID 99999"],
  ["no channel", { op: "start", type: "channel", topic: "t" }, "Missing 'stream_id' argument"],
  ["no topic", { op: "start", type: "stream", stream_id: 3 }, "Missing topic"],
  ["an unknown channel", { op: "start", type: "stream", stream_id: 77, topic: "t" }, "Invalid channel ID"],
  ["another type", { op: "start", type: "private", to: [10] }, "Invalid type"],
])("typing with %s is refused", async (_fact, params, message) => {
  expect((await testRealm().call("member", "POST", "/typing", params)).body.msg).toBe(message);
});

test.each<readonly [fact: string, setting: string, params: Params, message: string]>([
  ["the people", "send_private_typing_notifications", { to: [10] }, "direct"],
  ["the channel", "send_stream_typing_notifications", { type: "stream", stream_id: 3, topic: "t" }, "channel"],
])("people who hide it from %s cannot send it", async (_fact, setting, params, kind) => {
  const realm = testRealm();
  await realm.call("member", "PATCH", "/settings", { [setting]: false });
  const { body } = await realm.call("member", "POST", "/typing", { op: "start", ...params });
  expect(body.msg).toBe(`User has disabled typing notifications for ${kind} messages`);
});

test("nobody can type where they may not post", async () => {
  const realm = testRealm();
  await realm.call("owner", "PATCH", "/streams/3", { can_send_message_group: { new: realm.group("role:moderators") } });
  const typing = (as: string) =>
    realm.call(as, "POST", "/typing", { op: "start", type: "channel", stream_id: 3, topic: "t" });
  expect((await typing("member")).body.msg).toBe("You do not have permission to post in this channel.");
  expect((await typing("moderator")).body.msg).toBe("");
});

test("nobody can type in an archived channel", async () => {
  const realm = testRealm();
  await realm.call("owner", "DELETE", "/streams/3");
  const params = { op: "start", type: "channel", stream_id: 3, topic: "t" };
  expect((await realm.call("owner", "POST", "/typing", params)).body.msg).toBe("Invalid channel ID");
});

test("the other side gets the typing event", async () => {
  const realm = testRealm();
  const events = await realm.listen("member2");
  await realm.call("member", "POST", "/typing", { op: "start", to: [10] });
  await realm.call("member", "POST", "/typing", { op: "stop", type: "channel", stream_id: 3, topic: "t" });
  expect(await events()).toEqual([
    expect.objectContaining({ type: "typing", op: "start", message_type: "direct" }),
    expect.objectContaining({ type: "typing", op: "stop", message_type: "stream", stream_id: 3, topic: "t" }),
  ]);
});

test.each([
  [351, "/message_edit_typing", 200],
  [361, "/message_edit_typing", 404],
])("level %i: %s", async (level, path, status) => {
  const realm = testRealm(level);
  const message_id = await send(realm, inChannel);
  const reply = await realm.call("member", "POST", path, { message_id, op: "start" }).catch(() => ({ status: 404 }));
  expect(reply.status).toBe(status);
});
