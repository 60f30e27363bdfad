import { describe, expect, test } from "vitest";
import { contents, edit, type Params, read, say } from "../../../test/support/sandbox/messages.ts";
import { testRealm } from "../../../test/support/sandbox/realm.ts";

/** zulip-api.md §16.1–§16.7 and api.md's table of errors for operation 1: one row per fact. */

describe("refusals", () => {
  const rows: readonly (readonly [fact: string, as: string, params: Params, message: string])[] = [
    ["nothing given", "member", {}, "Nothing to change"],
    ["the topic it has", "member", { topic: "plans" }, "Nothing to change"],
    ["another's content", "member2", { content: "x" }, "You don't have permission to edit this message"],
    [
      "an owner's change of another's content",
      "owner",
      { content: "x" },
      "You don't have permission to edit this message",
    ],
    [
      "content with a mode",
      "member",
      { content: "x", propagate_mode: "change_all" },
      "Invalid propagate_mode without topic edit",
    ],
    ["an unknown mode", "member", { topic: "x", propagate_mode: "all" }, "Invalid propagate_mode"],
    [
      "content and channel",
      "member",
      { content: "x", stream_id: 2 },
      "Cannot change message content while changing channel",
    ],
    ["a channel nobody has", "member", { stream_id: 99999 }, "Invalid channel ID"],
    ["a negative channel", "member", { stream_id: -3 }, "stream_id is too small"],
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
    [
      "a code point that is not a character",
      "member",
      { topic: "ab\ufffe" },
      "Invalid character in topic, at position 3!",
    ],
    ["a topic that does not print", "member", { topic: "a\u0007" }, "Invalid character in topic, at position 2!"],
    ["resolving the empty topic", "member", { topic: "✔ general chat" }, "General chat cannot be marked as resolved"],
    ["null bytes", "member", { content: "a\0" }, "Message must not contain null bytes"],
  ];
  test.each(rows)("%s", async (_fact, as, params, message) => {
    const realm = testRealm();
    const id = await say(realm, "member", "plans", "first");
    const { status, body } = await edit(realm, as, id, params);
    expect([status, body.msg]).toEqual([400, message]);
    expect(await contents(realm, "member", "plans")).toEqual(["first"]);
  });

  test.each([
    ["a topic", { topic: "x" }, "Direct messages cannot have topics."],
    ["the empty topic", { topic: "" }, "Direct messages cannot have topics."],
    ["the empty topic by its name", { topic: "general chat" }, "Direct messages cannot have topics."],
    ["a channel", { stream_id: 3 }, "Direct messages cannot be moved to channels."],
  ])("direct messages have no %s", async (_fact, params, message) => {
    const realm = testRealm();
    const { body } = await realm.call("member", "POST", "/messages", {
      type: "direct",
      to: [realm.id("member2")],
      content: "hi",
    });
    expect((await edit(realm, "member", Number(body.id), params)).body.msg).toBe(message);
  });

  test("a hash of other content (§16.2)", async () => {
    const realm = testRealm();
    const id = await say(realm, "member", "plans", "first");
    const { body } = await edit(realm, "member", id, { content: "second", prev_content_sha256: "00" });
    expect(body).toMatchObject({ code: "EXPECTATION_MISMATCH", field_name: "prev_content_sha256" });
  });

  test.each([
    ["private channel", "member4"],
    ["other people's conversation", "owner"],
  ])("a message that the user cannot see does not exist: %s", async (place, as) => {
    const realm = testRealm();
    let id: number;
    if (place === "private channel") {
      const made = await realm.call("owner", "POST", "/channels/create", {
        name: "closed",
        subscribers: [realm.id("owner")],
        invite_only: true,
      });
      const sent = await realm.call("owner", "POST", "/messages", {
        type: "channel",
        to: Number(made.body.id),
        topic: "t",
        content: "c",
      });
      id = Number(sent.body.id);
    } else {
      const sent = await realm.call("member", "POST", "/messages", {
        type: "direct",
        to: [realm.id("member2")],
        content: "hi",
      });
      id = Number(sent.body.id);
    }
    expect((await edit(realm, as, id, { topic: "x", content: "y" })).body.msg).toBe("Invalid message(s)");
  });
});

describe("what is stored", () => {
  test.each<readonly [fact: string, sent: string, stored: string]>([
    ["content too long is cut", "x".repeat(10_001), `${"x".repeat(9_980)}\n[message truncated]`],
    ["astral characters count once", "🚗".repeat(10_000), "🚗".repeat(10_000)],
    ["empty content becomes a word", "", "(deleted)"],
    ["white space is empty", " \n ", "(deleted)"],
    ["newlines before it and white space after it are removed", "\n\n a \n", " a"],
  ])("%s (§16.3)", async (_fact, sent, stored) => {
    const realm = testRealm();
    const id = await say(realm, "member", "plans", "first");
    await edit(realm, "member", id, { content: sent });
    expect(await contents(realm, "member", "plans")).toEqual([stored]);
  });

  test.each<readonly [fact: string, sent: string, stored: string]>([
    ["a topic too long is cut", "y".repeat(61), `${"y".repeat(57)}...`],
    ["sixty characters fit", "y".repeat(60), "y".repeat(60)],
    ["surrounding white space is removed", "  plan B ", "plan B"],
    ["the display name is the empty topic", "general chat", ""],
    ["an older name of it is a separate topic (§16.4)", "(no topic)", "(no topic)"],
  ])("%s", async (_fact, sent, stored) => {
    const realm = testRealm();
    const id = await say(realm, "member", "plans", "first");
    await edit(realm, "member", id, { topic: sent, send_notification_to_new_thread: false });
    expect(await contents(realm, "member", stored)).toEqual(["first"]);
  });
});

describe("which messages move along", () => {
  test.each([
    ["change_one", 1, ["b"], ["a", "c"]],
    ["change_later", 1, ["b", "c"], ["a"]],
    ["change_all", 1, ["a", "b", "c"], []],
  ] as const)("%s", async (propagate_mode, target, moved, left) => {
    const realm = testRealm();
    const ids: number[] = [];
    for (const content of ["a", "b", "c"]) ids.push(await say(realm, "member", "old", content));
    const quiet = { send_notification_to_new_thread: false };
    await edit(realm, "member", ids[target] ?? 0, { topic: "new", propagate_mode, ...quiet });
    expect(await contents(realm, "member", "new")).toEqual(moved);
    expect(await contents(realm, "member", "old")).toEqual(left);
  });

  test.each<readonly [string, string, Params, readonly string[]]>([
    [
      "one of several",
      "new",
      {},
      [
        "[A message](http://localhost:9911/#narrow/channel/3-general/topic/new/near/",
        "was moved here from #**general>old** by @_**",
      ],
    ],
    [
      "all of them",
      "new",
      { propagate_mode: "change_all" },
      ["This topic was moved here from #**general>old** by @_**"],
    ],
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

  test("with protected history, a change of topic also moves messages that the mover cannot see; a change of channel does not (§16.1)", async () => {
    const realm = testRealm();
    const people = [realm.id("owner"), realm.id("member2")];
    const vault = { name: "vault", subscribers: people, invite_only: true, history_public_to_subscribers: false };
    const to = Number((await realm.call("owner", "POST", "/channels/create", vault)).body.id);
    const send = (as: string, content: string) =>
      realm.call(as, "POST", "/messages", { type: "channel", to, topic: "t", content });
    const seen = async (as: string, channel: number, topic: string) => {
      const narrow = [
        { operator: "channel", operand: channel },
        { operator: "topic", operand: topic },
      ];
      const { body } = await realm.call(as, "GET", "/messages", {
        anchor: "oldest",
        num_after: 9,
        narrow,
        apply_markdown: false,
      });
      return Array.isArray(body.messages) ? body.messages.map((message) => message.content) : [];
    };
    await send("member2", "early");
    await realm.call("owner", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name: "vault" }],
      principals: [realm.id("member")],
    });
    const late = Number((await send("member2", "late")).body.id);
    const whole = { propagate_mode: "change_all", send_notification_to_new_thread: false };
    await edit(realm, "member", late, { topic: "u", ...whole });
    expect(await seen("member", to, "u")).toEqual(["late"]);
    expect(await seen("member2", to, "u")).toEqual(["early", "late"]);
    await edit(realm, "member", late, { stream_id: realm.channel("general"), ...whole });
    expect(await seen("member2", to, "u")).toEqual(["early"]);
    expect(await contents(realm, "member", "u")).toEqual(["late"]);
  });
});
