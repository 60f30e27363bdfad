import { beforeEach, describe, expect, test } from "vitest";
import { testChannels } from "../../../test/support/sandbox/channels.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";

/** One row per fact of zulip-api.md §3 that no recording shows. */
let realm: TestRealm;
let members: number;
beforeEach(() => {
  realm = testRealm();
  members = realm.group("role:members");
});

const { create, patch } = testChannels(() => realm);

test("§3.5.1 an empty object in old is role:nobody", async () => {
  const change = { new: members, old: { direct_members: [], direct_subgroups: [] } };
  const { body } = await patch("owner", realm.channel("general"), { can_send_message_group: change });
  expect(body).toMatchObject({ code: "EXPECTATION_MISMATCH", field_name: "old" });
});

describe("§3.5.3 what PATCH refuses", () => {
  test.each([
    ["owner", { message_retention_days: '"never"' }, "Bad value for 'message_retention_days': never"],
    ["owner", { message_retention_days: "unlimited" }, 'message_retention_days["json[str]"] is not valid JSON'],
  ])("%s %j → %s", async (as, params, msg) => {
    expect((await patch(as, realm.channel("general"), params)).body.msg).toBe(msg);
  });
  test("a caller who may not read a channel does not learn that it exists", async () => {
    const id = await create("member", "secret", { invite_only: true });
    for (const as of ["member2", "guest", "moderator"])
      expect((await patch(as, id, { description: "x" })).body.msg).toBe("Invalid channel ID");
  });
});

describe("§3.7 group values", () => {
  test.each([
    [
      "an object that is an unknown group alone",
      { direct_members: [], direct_subgroups: [4242] },
      "Invalid user group",
    ],
    [
      "an unknown group twice, which is a real object",
      { direct_members: [], direct_subgroups: [4242, 4242] },
      "Invalid user group ID: 4242",
    ],
  ])("%s", async (_, value, msg) => {
    const { body } = await patch("owner", realm.channel("general"), { can_send_message_group: { new: value } });
    expect(body.msg).toBe(msg);
  });
});

describe("§3.8 privacy", () => {
  test.each([
    [384, ""],
    [442, "Insufficient permission"],
  ])("at level %i, saying again that a public channel is public: %s", async (level, msg) => {
    const older = testRealm(level);
    const id = older.channel("general");
    await older.call("owner", "PATCH", "/realm", {
      can_create_public_channel_group: { new: older.group("role:nobody") },
    });
    expect((await older.call("owner", "PATCH", `/streams/${id}`, { is_private: false })).body.msg).toBe(msg);
    expect((await older.call("owner", "PATCH", `/streams/${id}`, { is_web_public: false })).body.msg).toBe("");
  });
});

describe("§3.10 names", () => {
  test.each([
    ["GENERAL", 409],
    ["role:x", 200],
    ["\u3000general\u3000", 409],
  ])("%s → %i", async (name, status) => {
    expect((await realm.call("owner", "POST", "/channels/create", { name, subscribers: [] })).status).toBe(status);
  });
  test("names differ if comparing them would map one character to two", async () => {
    await create("owner", "straße");
    expect((await realm.call("owner", "POST", "/channels/create", { name: "STRASSE", subscribers: [] })).status).toBe(
      200,
    );
    expect((await realm.call("owner", "POST", "/channels/create", { name: "STRAßE", subscribers: [] })).status).toBe(
      409,
    );
  });
  test("below 417 a name conflict has another text and no separate code", async () => {
    realm = testRealm(384);
    const { status, body } = await patch("owner", realm.channel("general"), { new_name: "sandbox" });
    expect([status, body.msg, body.code]).toEqual([400, "Channel name is already in use.", "BAD_REQUEST"]);
  });
});

describe("§3.13 topics_policy", () => {
  const GENERAL_CHAT_ONLY =
    "To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.";
  test("the server's own notices count as a named topic", async () => {
    await realm.call("owner", "PATCH", "/realm", { send_channel_events_messages: true });
    const id = await create("owner", "x");
    expect((await patch("owner", id, { topics_policy: "empty_topic_only" })).body.msg).toBe(GENERAL_CHAT_ONLY);
    const quiet = await realm.call("owner", "POST", "/channels/create", { name: "y", subscribers: [] });
    expect((await patch("owner", Number(quiet.body.id), { topics_policy: "empty_topic_only" })).body.msg).toBe("");
  });
});

describe("§3.3 and §3.4 creation", () => {
  test("one invalid principal undoes everything", async () => {
    const { body } = await realm.call("owner", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name: "x" }, { name: "y" }],
      principals: [realm.id("member"), 4242],
    });
    expect(body.msg).toBe("No such user");
    expect((await realm.call("owner", "GET", "/get_stream_id", { stream: "x" })).status).toBe(400);
  });
});
