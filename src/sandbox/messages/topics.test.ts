import { describe, expect, test } from "vitest";
import { edit, read, say } from "../../../test/support/sandbox/messages.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

/** The empty topic came with level 334, the policies of channels with 392 (zulip-api.md §3.13, §16.4). */

const send = async (realm: TestRealm, topic: string) =>
  (await realm.call("member", "POST", "/messages", { type: "channel", to: 3, topic, content: "c" })).body.msg;
const demanded = async (level: number): Promise<TestRealm> => {
  const realm = testRealm(level);
  const setting = level < 392 ? { mandatory_topics: true } : { topics_policy: "disable_empty_topic" };
  expect((await realm.call("owner", "PATCH", "/realm", setting)).status).toBe(200);
  return realm;
};

describe("sending", () => {
  test.each([
    [333, "", "Topic can't be empty!"],
    [333, " ", "Topic can't be empty!"],
    [333, "(no topic)", ""],
    [334, "", ""],
    [334, "(no topic)", ""],
  ])("at level %i to %j: %j", async (level, topic, msg) => {
    expect(await send(testRealm(level), topic)).toBe(msg);
  });
  test.each([
    [333, "(no topic)", "(no topic)"],
    [333, "general chat", "general chat"],
    [334, "(no topic)", ""],
    [334, "general chat", ""],
  ])("at level %i %j becomes %j", async (level, topic, stored) => {
    const realm = testRealm(level);
    await send(realm, topic);
    const subjects = (await read(realm, "member", stored)).map(({ subject }) => subject);
    expect(subjects).toContain(stored);
  });
  test.each([
    [333, "(no topic)", "Topics are required in this organization"],
    [333, "general chat", ""],
    [334, "", "Topics are required in this organization."],
    [391, "(no topic)", "Topics are required in this organization."],
    [392, "", "Sending messages to the general chat is not allowed in this channel."],
  ])("if topics are required, at level %i to %j: %j", async (level, topic, msg) => {
    expect(await send(await demanded(level), topic)).toBe(msg);
  });
});

describe("if only the empty topic is allowed", () => {
  const quiet = async (): Promise<readonly [realm: TestRealm, to: number]> => {
    const realm = testRealm();
    const made = { name: "quiet", subscribers: [realm.id("member")], topics_policy: '"empty_topic_only"' };
    return [realm, Number((await realm.call("owner", "POST", "/channels/create", made)).body.id)];
  };
  const GENERAL_CHAT_ONLY = "Only the general chat topic is allowed in this channel.";
  test.each([["named", GENERAL_CHAT_ONLY]])("to %j: %j", async (topic, msg) => {
    const [realm, to] = await quiet();
    const { body } = await realm.call("member", "POST", "/messages", { type: "channel", to, topic, content: "c" });
    expect(body.msg).toBe(msg);
    if (msg !== "") expect(body.empty_topic_display_name).toBe("general chat");
  });
});

test("if the empty topic is not allowed, no notice there reports moved messages", async () => {
  const realm = testRealm();
  const id = await say(realm, "member", "", "c");
  await realm.call("owner", "PATCH", "/streams/3", { topics_policy: "disable_empty_topic" });
  const { body } = await edit(realm, "admin", id, { topic: "named", send_notification_to_old_thread: true });
  expect(body.msg).toBe("");
  expect(await read(realm, "member", "")).toEqual([]);
  expect(await read(realm, "member", "named")).toHaveLength(2);
});

describe("editing", () => {
  test.each([
    [333, "", "Topic can't be empty!"],
    [333, "(no topic)", ""],
    [334, "", "Topics are required in this organization."],
    [391, "", "Topics are required in this organization."],
    [391, "(no topic)", "Topics are required in this organization."],
    [392, "(no topic)", "Sending messages to the general chat is not allowed in this channel."],
  ])("if topics are required, at level %i to %j: %j", async (level, topic, msg) => {
    const realm = await demanded(level);
    const id = await say(realm, "member", "plans", "c");
    expect((await edit(realm, "member", id, { topic })).body.msg).toBe(msg);
  });
});

test.each([
  ["unassigned characters do not count as unprintable", "a\u0378", ""],
  ["private characters do not either", "a\ue000", ""],
  ["characters without width do not either", "a\u200bb", ""],
  ["a code point that is not a character", "a\ufdd0", "Invalid character in topic, at position 2!"],
  ["positions count characters, not their halves", "🚗\u0007", "Invalid character in topic, at position 2!"],
])("%s", async (_fact, topic, msg) => {
  expect(await send(testRealm(), topic)).toBe(msg);
});
