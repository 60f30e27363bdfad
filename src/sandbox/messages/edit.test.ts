import { describe, expect, test } from "vitest";
import { contents, edit, type Params, read, say } from "../../../test/support/sandbox/messages.ts";
import { testRealm } from "../../../test/support/sandbox/realm.ts";

/** zulip-api.md §16.1–§16.7 and api.md's table of errors for operation 1: one row per fact. */

describe("refusals", () => {
  const rows: readonly (readonly [fact: string, as: string, params: Params, message: string])[] = [
    ["a channel in quotes", "member", { stream_id: '"3"' }, "stream_id is not an integer"],
    [
      "a number for a flag",
      "member",
      { topic: "x", send_notification_to_old_thread: 1 },
      "send_notification_to_old_thread is not a boolean",
    ],
    [
      "both names of the topic",
      "member",
      { topic: "x", subject: "y" },
      "Can't decide between 'topic' and 'subject' arguments",
    ],
    [
      "both names, before all other checks",
      "member2",
      { topic: "x", subject: "y", content: "z" },
      "Can't decide between 'topic' and 'subject' arguments",
    ],
  ];
  test.each(rows)("%s", async (_fact, as, params, message) => {
    const realm = testRealm();
    const id = await say(realm, "member", "plans", "first");
    const { status, body } = await edit(realm, as, id, params);
    expect([status, body.msg]).toEqual([400, message]);
    expect(await contents(realm, "member", "plans")).toEqual(["first"]);
  });

  test("direct messages have no topic, the empty one by its name included", async () => {
    const realm = testRealm();
    const sent = { type: "direct", to: [realm.id("member2")], content: "hi" };
    const { body } = await realm.call("member", "POST", "/messages", sent);
    const refused = await edit(realm, "member", Number(body.id), { topic: "general chat" });
    expect(refused.body.msg).toBe("Direct messages cannot have topics.");
  });
});

test("astral characters of stored content count once (§16.3)", async () => {
  const realm = testRealm();
  const id = await say(realm, "member", "plans", "first");
  const content = "🚗".repeat(10_000);
  await edit(realm, "member", id, { content });
  expect(await contents(realm, "member", "plans")).toEqual([content]);
});

describe("which messages move along", () => {
  test.each<readonly [string, string, Params, readonly string[]]>([
    [
      "from a certain one on",
      "new",
      { propagate_mode: "change_later" },
      ["2 messages were moved here from #**general>old** by @_**"],
    ],
    [
      "a notice in the old topic reports messages that stay",
      "old",
      { send_notification_to_old_thread: true },
      ["A message was moved from this topic to #**general>new** by @_**"],
    ],
  ])("the notice of a move: %s", async (_fact, topic, params, parts) => {
    const realm = testRealm();
    await say(realm, "member", "old", "a");
    const id = await say(realm, "member", "old", "b");
    await say(realm, "member", "old", "c");
    await edit(realm, "member", id, { topic: "new", ...params });
    const notice = (await read(realm, "member", topic)).at(-1);
    expect(notice?.sender_full_name).toBe("Notification Bot");
    for (const part of parts) expect(notice?.content).toContain(part);
    expect(notice?.flags).toEqual(["read"]);
  });

  test("names that would break a link are written as Markdown links", async () => {
    const realm = testRealm();
    const id = await say(realm, "member", "a*b", "x");
    await edit(realm, "member", id, { topic: "new", propagate_mode: "change_all" });
    const [, notice] = await contents(realm, "member", "new");
    expect(notice).toContain("[#general > a&#42;b](#narrow/channel/3-general/topic/a.2Ab)");
  });
});
