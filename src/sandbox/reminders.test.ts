import { expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../test/support/sandbox/realm.ts";

/** api.md operation 17 and zulip-api.md §16.15: one row per fact. */

type Params = { readonly [name: string]: unknown };
const LATER = 4_102_444_800;
async function message(realm: TestRealm, content = "remember"): Promise<number> {
  const params = { type: "channel", to: 3, topic: "t", content };
  return Number((await realm.call("member2", "POST", "/messages", params)).body.id);
}
const remind = (realm: TestRealm, params: Params, as = "member") => realm.call(as, "POST", "/reminders", params);
async function only(realm: TestRealm): Promise<Params> {
  const { body } = await realm.call("member", "GET", "/reminders");
  return Array.isArray(body.reminders) ? body.reminders[0] : {};
}

test.each<readonly [fact: string, params: Params, content: RegExp]>([
  ["without a note", {}, /^You requested a reminder for #\*\*general>t@\d+\*\*\.\n\n@_\*\*/],
  ["with one", { note: "call" }, /^You requested a reminder for #\*\*general>t@\d+\*\*\. Note:\n > call\n\n/],
  ["with an empty one", { note: " \n" }, /\*\*\.\n\n@_/],
])("the Notification Bot's words, %s", async (_fact, params, content) => {
  const realm = testRealm();
  await remind(realm, { message_id: await message(realm), scheduled_delivery_timestamp: LATER, ...params });
  expect((await only(realm)).content).toMatch(content);
});

test("a reminder outlives its deleted message, and shows the last known text", async () => {
  const realm = testRealm();
  const id = await message(realm);
  const soon = realm.now() + 60;
  await remind(realm, { message_id: id, scheduled_delivery_timestamp: soon });
  await realm.call("member2", "DELETE", `/messages/${id}`);
  expect(await only(realm)).toMatchObject({ reminder_target_message_id: id });
  const events = await realm.listen("member");
  realm.advance(60_000);
  expect(await only(realm)).toBeUndefined();
  const received = (await events())
    .filter(({ type }) => type === "message")
    .map((event) => Object(event.message).content);
  expect(received).toEqual([expect.stringContaining("```quote\nremember\n```")]);
});

test.each([
  ["is not a scheduled message", "member", "PATCH", "/scheduled_messages", "Scheduled message does not exist"],
  ["cannot be deleted by anybody else", "owner", "DELETE", "/reminders", "Reminder does not exist"],
])("a reminder %s (§16.10)", async (_fact, as, method, path, text) => {
  const realm = testRealm();
  const { body } = await remind(realm, { message_id: await message(realm), scheduled_delivery_timestamp: LATER });
  const reply = await realm.call(as, method, `${path}/${Number(body.reminder_id)}`, { content: "x" });
  expect([reply.status, reply.body.msg]).toEqual([404, text]);
});

test.each([
  [380, "a later level has reminders", 404],
  [381, "reminders", 200],
])("level %i: %s", async (level, _fact, status) => {
  const realm = testRealm(level);
  const account = { message_id: await message(realm), scheduled_delivery_timestamp: LATER };
  const made = await remind(realm, account).catch(() => ({ status: 404 }));
  expect(made.status).toBe(status);
});

test("the list starts with the reminder that is due first", async () => {
  const realm = testRealm();
  const message_id = await message(realm);
  const ids = [];
  for (const seconds of [300, 100, 300])
    ids.push(
      (await remind(realm, { message_id, scheduled_delivery_timestamp: realm.now() + seconds })).body.reminder_id,
    );
  const { body } = await realm.call("member", "GET", "/reminders");
  const listed = Array.isArray(body.reminders) ? body.reminders.map(({ reminder_id }) => reminder_id) : [];
  expect(listed).toEqual([ids[1], ids[0], ids[2]]);
});
