import { beforeEach, describe, expect, test } from "vitest";
import { testChannels } from "../../../test/support/sandbox/channels.ts";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import type { JsonObject } from "../../model/json.ts";
import { CHANNEL_SETTINGS } from "../rows/channels.ts";

/** One row per step of zulip-api.md §3.5.2, and per line of §3.5's table about the effect of an unchanged value. */
let realm: TestRealm;
beforeEach(() => {
  realm = testRealm();
});
const { create, read, patch } = testChannels(() => realm);
const PROTECTED = { is_private: true, history_public_to_subscribers: false, is_web_public: false };

/** In each row the second part is refused; the first part comes before it and stays, the third comes after it and is not reached. */
describe("§3.5.2 the order in which values are written", () => {
  interface Row {
    readonly fact: string;
    readonly as?: string;
    readonly before?: (id: number) => Promise<unknown>;
    readonly sent: JsonObject;
    readonly msg: string;
    readonly left: JsonObject;
  }
  const notDefault = "You do not have permission to change default channels.";
  const rows: readonly Row[] = [
    {
      fact: "access before the combination of flags",
      as: "member2",
      sent: { is_private: false, history_public_to_subscribers: false },
      msg: "You do not have permission to administer this channel.",
      left: {},
    },
    {
      fact: "the right to create before the topics policy",
      before: () =>
        realm.call("owner", "PATCH", "/realm", {
          can_create_private_channel_group: { new: realm.group("role:nobody") },
        }),
      sent: { is_private: true, topics_policy: "disable_empty_topic" },
      msg: "Insufficient permission",
      left: { topics_policy: "inherit", invite_only: false },
    },
    {
      fact: "web-public access before the topics policy",
      sent: { is_web_public: true, topics_policy: "disable_empty_topic" },
      msg: "Web-public channels are not enabled.",
      left: { topics_policy: "inherit" },
    },
    {
      fact: "the topics policy is written before protected history is looked at",
      before: (id) => patch("owner", id, { can_create_topic_group: { new: realm.group("role:members") } }),
      sent: { ...PROTECTED, topics_policy: "disable_empty_topic" },
      msg: "Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group",
      left: { topics_policy: "disable_empty_topic", invite_only: false },
    },
    {
      fact: "a topics policy that is refused comes before privacy",
      as: "member",
      before: () =>
        realm.call("owner", "PATCH", "/realm", { can_set_topics_policy_group: { new: realm.group("role:nobody") } }),
      sent: { is_private: true, topics_policy: "disable_empty_topic" },
      msg: "Insufficient permission",
      left: { invite_only: false, topics_policy: "inherit" },
    },
    {
      fact: "privacy before the default flag",
      as: "member",
      sent: { is_private: true, is_default_stream: false, message_retention_days: 3 },
      msg: notDefault,
      left: { invite_only: true, message_retention_days: null },
    },
    {
      fact: "the default flag before retention",
      as: "admin",
      sent: { is_default_stream: true, message_retention_days: 3, description: "d" },
      msg: "Must be an organization owner",
      left: { is_default: true, description: "" },
    },
    {
      fact: "retention before unarchiving",
      sent: { message_retention_days: 3, is_archived: false, description: "d" },
      msg: "Channel is not currently deactivated",
      left: { message_retention_days: 3, description: "" },
    },
    {
      fact: "unarchiving before the right to policies of deletion, that before the description",
      as: "member",
      before: async (id) => {
        const nobody = { new: realm.group("role:nobody") };
        await realm.call("owner", "PATCH", "/realm", { can_set_delete_message_policy_group: nobody });
        await realm.call("owner", "DELETE", `/streams/${id}`);
      },
      sent: { is_archived: false, can_delete_own_message_group: { new: 14 }, description: "d" },
      msg: "Insufficient permission",
      left: { is_archived: false, description: "" },
    },
    {
      fact: "the description before the name",
      sent: { description: "d", new_name: "general", folder_id: null },
      msg: "Channel 'general' already exists",
      left: { description: "d", name: "x" },
    },
    {
      fact: "the name before the folder",
      sent: { new_name: "y", folder_id: 99, can_send_message_group: { new: 14 } },
      msg: "Invalid channel folder ID",
      left: { name: "y", can_send_message_group: 15 },
    },
  ];
  test.each(rows)("$fact", async ({ as = "owner", before, sent, msg, left }) => {
    const id = await create(as === "member2" ? "owner" : as, "x");
    await before?.(id);
    expect((await patch(as, id, sent)).body.msg).toBe(msg);
    expect(await read(id)).toMatchObject(left);
  });

  test("the folder before the group settings", async () => {
    await realm.call("owner", "POST", "/channel_folders/create", { name: "F", description: "" });
    const id = await create("owner", "x");
    await patch("owner", id, { folder_id: 1, can_add_subscribers_group: { new: 4242 } });
    expect(await read(id)).toMatchObject({ folder_id: 1 });
  });

  const ORDER = [
    "can_add_subscribers_group",
    "can_administer_channel_group",
    "can_create_topic_group",
    "can_delete_any_message_group",
    "can_delete_own_message_group",
    "can_move_messages_out_of_channel_group",
    "can_move_messages_within_channel_group",
    "can_remove_subscribers_group",
    "can_send_message_group",
    "can_subscribe_group",
    "can_resolve_topics_group",
  ];
  test("there are no other group settings", () => expect([...CHANNEL_SETTINGS].sort()).toEqual([...ORDER].sort()));
  test.each(ORDER.slice(1).map((later, index) => [ORDER[index] ?? "", later] as const))(
    "%s before %s",
    async (earlier, later) => {
      const moderators = { new: realm.group("role:moderators") };
      const first = await create("owner", "x");
      await patch("owner", first, { [later]: { new: 4242 }, [earlier]: moderators });
      expect((await read(first))[earlier]).toBe(moderators.new);
      const second = await create("owner", "y");
      await patch("owner", second, { [later]: moderators, [earlier]: { new: 4242 } });
      expect((await read(second))[later]).not.toBe(moderators.new);
    },
  );

  test.each([
    [{ can_subscribe_group: 9 }, "can_subscribe_group does not have the expected format"],
    [{ description: "d".repeat(1025) }, "description is too long (limit: 1024 characters)"],
    [{ topics_policy: "none" }, "Invalid topics_policy"],
  ])("the types before everything, even the channel: %j", async (sent, msg) => {
    expect((await patch("owner", 4242, sent)).body.msg).toBe(msg);
  });
});

describe("§3.5, §15.2 the effect of a value that is already set", () => {
  type Rows = readonly (readonly [sent: JsonObject, updates: readonly string[], notices: number])[];
  const rows: Rows = [
    [{ description: "kept" }, ["description"], 1],
    [{ is_private: false }, ["invite_only"], 1],
    [{ is_web_public: false }, ["invite_only"], 1],
    [{ history_public_to_subscribers: true }, ["invite_only"], 1],
    [{ message_retention_days: '"realm_default"' }, ["message_retention_days"], 1],
    [{ folder_id: null }, ["folder_id"], 0],
    [{ is_default_stream: false }, ["default_streams"], 0],
    [{ topics_policy: "inherit" }, [], 0],
    [{ is_archived: true }, [], 0],
    [{ can_send_message_group: { new: 15 } }, [], 0],
    [{ can_subscribe_group: { new: 9 } }, [], 0],
  ];
  test.each(rows)("%j → events %j and %i notices", async (sent, updates, notices) => {
    await realm.call("owner", "PATCH", "/realm", { send_channel_events_messages: true });
    const id = await create("owner", "x", { description: "kept" });
    const events = await realm.listen("owner");
    expect((await patch("owner", id, sent)).body.msg).toBe("");
    const received = await events();
    const changes = received.filter(({ type }) => type === "stream" || type === "default_streams");
    expect(changes.map(({ type, property }) => property ?? type)).toEqual(updates);
    expect(received.filter(({ type }) => type === "message")).toHaveLength(notices);
  });
  test("is_default_stream=true sends no second event", async () => {
    const events = await realm.listen("owner");
    expect((await patch("owner", realm.channel("general"), { is_default_stream: true })).body.msg).toBe("");
    expect(await events()).toEqual([]);
  });
  test.each(["can_delete_any_message_group", "can_delete_own_message_group"])(
    "%s requires the realm's right even if nothing changes",
    async (setting) => {
      const id = await create("member", "x");
      const nobody = realm.group("role:nobody");
      await realm.call("owner", "PATCH", "/realm", { can_set_delete_message_policy_group: { new: nobody } });
      expect((await patch("member", id, { [setting]: { new: nobody } })).body.msg).toBe("Insufficient permission");
      expect((await patch("admin", id, { [setting]: { new: nobody } })).body.msg).toBe("");
    },
  );
  test("a topics policy other than inherit requires its right even if nothing changes", async () => {
    const id = await create("member", "x", { topics_policy: '"disable_empty_topic"' });
    const nobody = { new: realm.group("role:nobody") };
    await realm.call("owner", "PATCH", "/realm", { can_set_topics_policy_group: nobody });
    const { body } = await patch("member", id, { topics_policy: "disable_empty_topic" });
    expect(body.msg).toBe("Insufficient permission");
  });
});
