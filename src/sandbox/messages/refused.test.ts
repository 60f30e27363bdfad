import { describe, expect, test } from "vitest";
import { testRealm } from "../../../test/support/sandbox/realm.ts";
import { channelMessage, nothing, type Params, type Prepare } from "../../../test/support/sandbox/sending.ts";

describe("POST /messages refuses", () => {
  const closed: Prepare = (realm) =>
    realm.call("owner", "POST", "/channels/create", {
      name: "closed",
      subscribers: [realm.id("owner")],
      invite_only: true,
    });
  const general =
    (params: Params): Prepare =>
    (realm) =>
      realm.call("owner", "PATCH", "/streams/3", params);
  const rows: readonly (readonly [fact: string, as: string, prepare: Prepare, params: Params, message: string])[] = [
    [
      "a channel by an unknown name, shown as HTML",
      "member",
      nothing,
      channelMessage({ to: "a<b" }),
      "Channel 'a&lt;b' does not exist",
    ],
    [
      "a name that no channel has",
      "member",
      nothing,
      channelMessage({ to: "\u0007" }),
      "Invalid character in channel name, at position 1.",
    ],
    [
      "people as nothing",
      "member",
      nothing,
      { type: "direct", to: [null], content: "x" },
      "Invalid data type for recipients",
    ],
    ["half people", "member", nothing, { type: "direct", to: [9.5], content: "x" }, "Invalid data type for recipients"],
    ["another time", "member", nothing, channelMessage({ forged: "yes" }), "User not authorized for this query"],
    [
      "another time, said otherwise",
      "owner",
      nothing,
      channelMessage({ forged: "true" }),
      "User not authorized for this query",
    ],
    ["another's name", "owner", nothing, channelMessage({ sender: "x@example.org" }), "Invalid mirrored message"],
    ["two channels", "member", nothing, channelMessage({ to: [1, 3] }), "Expected exactly one channel"],
    ["nothing for a channel", "member", nothing, channelMessage({ to: null }), "Invalid data type for channel"],
    [
      "a topic that does not print",
      "member",
      nothing,
      channelMessage({ topic: "\u0001" }),
      "Invalid character in topic, at position 1!",
    ],
    [
      "a private channel of others",
      "member",
      closed,
      channelMessage({ to: "closed" }),
      "Not authorized to send to channel 'closed'",
    ],
    [
      "a private channel, by administrators outside it",
      "admin",
      closed,
      channelMessage({ to: "closed" }),
      "Not authorized to send to channel 'closed'",
    ],
    [
      "an archived channel",
      "member",
      (realm) => realm.call("owner", "DELETE", "/streams/3"),
      channelMessage({}),
      "Not authorized to send to channel 'general'",
    ],
    [
      "people who may not post",
      "member",
      (realm) => general({ can_send_message_group: { new: realm.group("role:moderators") } })(realm),
      channelMessage({}),
      "You do not have permission to post in this channel.",
    ],
    [
      "everybody, if nobody may post",
      "owner",
      (realm) => general({ can_send_message_group: { new: realm.group("role:nobody") } })(realm),
      channelMessage({}),
      "You do not have permission to post in this channel.",
    ],
    [
      "new topics of people who may not start topics",
      "member",
      (realm) => general({ can_create_topic_group: { new: realm.group("role:moderators") } })(realm),
      channelMessage({}),
      "You do not have permission to create new topics in this channel.",
    ],
    [
      "the empty topic by policy",
      "member",
      general({ topics_policy: "disable_empty_topic" }),
      channelMessage({ topic: "(no topic)" }),
      "Sending messages to the general chat is not allowed in this channel.",
    ],
    [
      "an unknown person before empty content",
      "member",
      nothing,
      { type: "direct", to: [99999], content: "" },
      "Invalid user ID 99999",
    ],
    [
      "numbers and addresses together",
      "member",
      nothing,
      { type: "direct", to: [9, "a@example.org"], content: "x" },
      "Recipient lists may contain emails or user IDs, but not both.",
    ],
    [
      "an object of people",
      "member",
      nothing,
      { type: "direct", to: { id: 9 }, content: "x" },
      "Invalid data type for recipients",
    ],
    [
      "conversations that nobody in them may allow",
      "member",
      (realm) =>
        realm.call("owner", "PATCH", "/realm", {
          direct_message_permission_group: { new: realm.group("role:moderators") },
        }),
      { type: "direct", to: [10], content: "x" },
      "This conversation does not include any users who can authorize it.",
    ],
    [
      "an anonymous flag",
      "member",
      nothing,
      channelMessage({ read_by_sender: "maybe" }),
      "read_by_sender is not valid JSON",
    ],
  ];
  test.each(rows)("%s", async (_fact, as, prepare, params, message) => {
    const realm = testRealm();
    await prepare(realm);
    const { status, body } = await realm.call(as, "POST", "/messages", params);
    expect([status, body.msg]).toEqual([400, message]);
  });

  test("people who may start conversations can, and others can continue them", async () => {
    const realm = testRealm();
    await realm.call("owner", "PATCH", "/realm", {
      direct_message_initiator_group: { new: realm.group("role:moderators") },
    });
    const write = async (as: string, to: readonly number[]) =>
      (await realm.call(as, "POST", "/messages", { type: "direct", to, content: "x" })).body.msg;
    const refused = "You do not have permission to initiate direct message conversations.";
    expect(await write("member", [realm.id("moderator")])).toBe(refused);
    expect(await write("moderator", [realm.id("member")])).toBe("");
    expect(await write("member", [realm.id("moderator")])).toBe("");
    expect(await write("member", [realm.id("moderator"), realm.id("member2")])).toBe(refused);
    expect(await write("member", [realm.id("bot")])).toBe("");
    expect(await write("member", [realm.id("member")])).toBe("");
  });
});
