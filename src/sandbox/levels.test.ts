import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../test/support/sandbox/realm.ts";
import { isList, isObject, type JsonObject } from "../model/json.ts";

/**
 * zulip-api.md §3.1, §12, §14.1, §14.2 and api.md's table of versions: one row for everything that was added or removed above the oldest supported
 * level.
 */
type Params = { readonly [name: string]: unknown };
const nobody = { new: 9 };
const members = { new: 14 };

interface Arrival {
  readonly level: number;
  readonly name: string;
  readonly value: unknown;
}
const came = (level: number, name: string, value: unknown): Arrival => ({ level, name, value });
const on = (method: string, path: string, more: Params, arrivals: readonly Arrival[]) =>
  arrivals.map((arrival) => ({ ...arrival, method, path, more }));
const ofChannels = (value: (setting: string) => unknown): readonly Arrival[] => [
  came(325, "can_administer_channel_group", value("can_administer_channel_group")),
  came(333, "can_send_message_group", value("can_send_message_group")),
  came(342, "can_add_subscribers_group", value("can_add_subscribers_group")),
  came(357, "can_subscribe_group", value("can_subscribe_group")),
  came(396, "can_move_messages_out_of_channel_group", value("can_move_messages_out_of_channel_group")),
  came(396, "can_move_messages_within_channel_group", value("can_move_messages_within_channel_group")),
  came(402, "can_resolve_topics_group", value("can_resolve_topics_group")),
  came(407, "can_delete_any_message_group", value("can_delete_any_message_group")),
  came(407, "can_delete_own_message_group", value("can_delete_own_message_group")),
  came(441, "can_create_topic_group", value("can_create_topic_group")),
];

const arrivals = [
  ...on("PATCH", "/bots/17", {}, [came(447, "short_name", "porter")]),
  ...on("PATCH", "/streams/3", {}, [
    ...ofChannels(() => members),
    came(388, "is_archived", true),
    came(389, "folder_id", null),
    came(392, "topics_policy", "inherit"),
  ]),
  ...on("POST", "/users/me/subscriptions", { subscriptions: [{ name: "x" }] }, [
    ...ofChannels(() => 14),
    came(389, "folder_id", 1),
    came(392, "topics_policy", '"inherit"'),
    came(397, "send_new_subscription_messages", false),
  ]),
  ...on("POST", "/channels/create", { name: "x", subscribers: [] }, [came(441, "can_create_topic_group", 15)]),
  ...on("GET", "/streams", {}, [came(356, "include_all", true), came(356, "include_can_access_content", true)]),
  ...on("GET", "/users", {}, [came(384, "user_ids", [9])]),
  ...on("POST", "/register", { fetch_event_types: [] }, [came(481, "idle_queue_timeout", 60)]),
  ...on("POST", "/invites", { invitee_emails: "new@acme.example", stream_ids: [] }, [
    came(322, "group_ids", []),
    came(416, "welcome_message_custom_text", "Hello"),
  ]),
  ...on("POST", "/invites/multiuse", {}, [
    came(322, "group_ids", []),
    came(416, "welcome_message_custom_text", "Hello"),
  ]),
  ...on("POST", "/realm/filters", { pattern: "(?P<n>a)", url_template: "https://x.example/{n}" }, [
    came(471, "example_input", "a"),
    came(471, "reverse_template", ""),
    came(478, "alternative_url_templates", []),
  ]),
  ...on("POST", "/user_groups/create", { name: "crew", description: "", members: [] }, [
    came(324, "can_remove_members_group", 14),
  ]),
  ...on("PATCH", "/settings", {}, [
    came(329, "web_suggest_update_timezone", true),
    came(350, "hide_ai_features", true),
    came(385, "resolved_topic_notice_auto_read_policy", "always"),
    came(398, "web_left_sidebar_unreads_count_summary", true),
    came(411, "web_left_sidebar_show_channel_folders", true),
    came(431, "web_inbox_show_channel_folders", true),
  ]),
  ...on("PATCH", "/realm/user_settings_defaults", {}, [
    came(329, "web_suggest_update_timezone", true),
    came(350, "hide_ai_features", true),
    came(385, "resolved_topic_notice_auto_read_policy", "always"),
    came(398, "web_left_sidebar_unreads_count_summary", true),
    came(411, "web_left_sidebar_show_channel_folders", true),
    came(431, "web_inbox_show_channel_folders", true),
  ]),
  ...on("PATCH", "/realm", {}, [
    came(321, "can_invite_users_group", members),
    came(331, "moderation_request_channel_id", -1),
    came(341, "can_add_subscribers_group", members),
    came(344, "can_create_bots_group", members),
    came(344, "can_create_write_only_bots_group", members),
    came(348, "enable_guest_user_dm_warning", true),
    came(350, "can_summarize_topics_group", members),
    came(352, "can_mention_many_users_group", members),
    came(358, "message_edit_history_visibility_policy", "all"),
    came(363, "can_manage_billing_group", members),
    came(367, "can_resolve_topics_group", members),
    came(392, "can_set_topics_policy_group", members),
    came(392, "topics_policy", "allow_empty_topic"),
    came(407, "can_set_delete_message_policy_group", nobody),
    came(409, "require_e2ee_push_notifications", true),
    came(416, "welcome_message_custom_text", "Hello"),
    came(434, "send_channel_events_messages", true),
    came(453, "gif_rating_policy", 1),
    came(456, "default_avatar_source", "G"),
    came(469, "media_preview_size", 200),
    came(477, "workplace_users_group", members),
  ]),
];

async function ignored(level: number, method: string, path: string, params: Params): Promise<unknown> {
  const realm = testRealm(level);
  // The objects that some of the values name.
  if (level >= 389) await realm.call("owner", "POST", "/channel_folders/create", { name: "F", description: "" });
  const { status, body } = await realm.call("owner", method, path, params);
  expect([status, body.msg]).toEqual([200, ""]);
  return body.ignored_parameters_unsupported;
}

test.each(arrivals)("$method $path knows $name from $level on", async ({ level, method, path, name, value, more }) => {
  const params = { ...more, [name]: value };
  expect(await ignored(level - 1, method, path, params)).toEqual([name]);
  expect(await ignored(level, method, path, params)).toBeUndefined();
});

test.each<[level: number, method: string, path: string, name: string, value: unknown]>([
  [333, "PATCH", "/streams/3", "stream_post_policy", 2],
  [333, "PATCH", "/streams/3", "is_announcement_only", true],
  [358, "PATCH", "/realm", "allow_edit_history", true],
  [364, "PATCH", "/settings", "dense_mode", true],
  [364, "PATCH", "/realm/user_settings_defaults", "dense_mode", true],
  [392, "PATCH", "/realm", "mandatory_topics", true],
  [453, "PATCH", "/realm", "giphy_rating", 1],
])("until %i %s %s knows %s", async (level, method, path, name, value) => {
  expect(await ignored(level - 1, method, path, { [name]: value })).toBeUndefined();
  expect(await ignored(level, method, path, { [name]: value })).toEqual([name]);
});

describe("the posting policy, below 333", () => {
  const policy = async (realm: TestRealm, id: number) =>
    Object((await realm.call("owner", "GET", `/streams/${id}`)).body.stream).stream_post_policy;
  test.each<[sent: Params, shown: number]>([
    [{ stream_post_policy: 4 }, 4],
    [{ is_announcement_only: true }, 2],
    [{ is_announcement_only: false }, 1],
    [{ is_announcement_only: true, stream_post_policy: 3 }, 2],
  ])("PATCH %j", async (sent, shown) => {
    const realm = testRealm(332);
    expect((await realm.call("owner", "PATCH", "/streams/3", sent)).status).toBe(200);
    expect(await policy(realm, 3)).toBe(shown);
  });
  test.each([1, 2, 3, 4])("a new channel with %i", async (stream_post_policy) => {
    const realm = testRealm(332);
    await realm.call("owner", "POST", "/users/me/subscriptions", {
      subscriptions: [{ name: "x" }],
      stream_post_policy,
    });
    const { stream_id } = (await realm.call("owner", "GET", "/get_stream_id", { stream: "x" })).body;
    expect(await policy(realm, Number(stream_id))).toBe(stream_post_policy);
  });
});

describe("endpoints", () => {
  test.each<[level: number, method: string, path: string, params: Params]>([
    [389, "GET", "/channel_folders", {}],
    [389, "POST", "/channel_folders/create", { name: "F", description: "" }],
    [390, "GET", "/navigation_views", {}],
    [390, "POST", "/navigation_views", { fragment: "inbox", is_pinned: true }],
    [414, "PATCH", "/channel_folders", { order: [1] }],
    [417, "POST", "/channels/create", { name: "x", subscribers: [] }],
    [440, "GET", "/users/9/channels", {}],
  ])("%i brought %s %s", async (level, method, path, params) => {
    const status = async (at: number): Promise<number> => {
      const realm = testRealm(at);
      if (path === "/channel_folders" && at >= 389)
        await realm.call("owner", "POST", "/channel_folders/create", { name: "F", description: "" });
      // A path that does not exist answers with a page.
      return realm
        .call("owner", method, path, params)
        .then((reply) => reply.status)
        .catch(() => 404);
    };
    expect([404, 405]).toContain(await status(level - 1));
    expect(await status(level)).toBe(200);
  });
});

describe("fields of answers", () => {
  const first = (list: unknown): JsonObject => {
    const [found] = isList(list) ? list : [];
    if (!isObject(found)) throw new Error("an empty list");
    return found;
  };
  const channel = async (realm: TestRealm) => first((await realm.call("owner", "GET", "/streams")).body.streams);
  const own = async (realm: TestRealm) => (await realm.call("owner", "GET", "/users/me")).body;
  const anyone = async (realm: TestRealm) => first((await realm.call("owner", "GET", "/users")).body.members);
  const state = (type: string) => async (realm: TestRealm) =>
    (await realm.call("owner", "POST", "/register", { fetch_event_types: [type] })).body;
  const group = async (realm: TestRealm) => first((await state("realm_user_groups")(realm)).realm_user_groups);
  const linkifier = async (realm: TestRealm) => {
    await realm.call("owner", "POST", "/realm/filters", { pattern: "a", url_template: "x" });
    return first((await realm.call("owner", "GET", "/realm/linkifiers")).body.linkifiers);
  };
  const personal = async (realm: TestRealm) => Object((await state("user_settings")(realm)).user_settings);
  const supported = (area: string) => async (realm: TestRealm) =>
    Object(Object((await state("realm")(realm)).server_supported_permission_settings)[area]);
  type Row = readonly [what: string, read: (realm: TestRealm) => Promise<JsonObject>, names: readonly string[]];
  const by = (level: number, ...[what, read, names]: Row) => names.map((name) => ({ what, read, name, level }));
  const rows = [
    ...by(323, "a channel", channel, ["is_recently_active"]),
    ...by(325, "a channel", channel, ["can_administer_channel_group"]),
    ...by(333, "a channel", channel, ["can_send_message_group"]),
    ...by(342, "a channel", channel, ["can_add_subscribers_group"]),
    ...by(357, "a channel", channel, ["can_subscribe_group"]),
    ...by(389, "a channel", channel, ["folder_id"]),
    ...by(392, "a channel", channel, ["topics_policy"]),
    ...by(394, "a channel", channel, ["subscriber_count"]),
    ...by(396, "a channel", channel, [
      "can_move_messages_out_of_channel_group",
      "can_move_messages_within_channel_group",
    ]),
    ...by(402, "a channel", channel, ["can_resolve_topics_group"]),
    ...by(407, "a channel", channel, ["can_delete_any_message_group", "can_delete_own_message_group"]),
    ...by(441, "a channel", channel, ["can_create_topic_group"]),
    ...by(507, "a channel", channel, ["default_push_notifications"]),
    ...by(433, "the own user", own, ["is_imported_stub"]),
    ...by(433, "a user", anyone, ["is_imported_stub"]),
    ...by(324, "a user group", group, ["can_remove_members_group"]),
    ...by(471, "a linkifier", linkifier, ["example_input", "reverse_template"]),
    ...by(478, "a linkifier", linkifier, ["alternative_url_templates"]),
    ...by(389, "register", state("channel_folders"), ["channel_folders"]),
    ...by(390, "register", state("navigation_views"), ["navigation_views"]),
    ...by(481, "register", state("realm"), ["idle_queue_timeout_secs"]),
    ...by(331, "the realm", state("realm"), ["realm_moderation_request_channel_id"]),
    ...by(341, "the realm", state("realm"), ["realm_can_add_subscribers_group"]),
    ...by(344, "the realm", state("realm"), ["realm_can_create_bots_group", "realm_can_create_write_only_bots_group"]),
    ...by(348, "the realm", state("realm"), ["realm_enable_guest_user_dm_warning"]),
    ...by(350, "the realm", state("realm"), ["realm_can_summarize_topics_group"]),
    ...by(352, "the realm", state("realm"), ["realm_can_mention_many_users_group"]),
    ...by(358, "the realm", state("realm"), ["realm_message_edit_history_visibility_policy"]),
    ...by(363, "the realm", state("realm"), ["realm_can_manage_billing_group"]),
    ...by(367, "the realm", state("realm"), ["realm_can_resolve_topics_group"]),
    ...by(392, "the realm", state("realm"), ["realm_topics_policy", "realm_can_set_topics_policy_group"]),
    ...by(397, "the realm", state("realm"), ["max_bulk_new_subscription_messages"]),
    ...by(407, "the realm", state("realm"), ["realm_can_set_delete_message_policy_group"]),
    ...by(409, "the realm", state("realm"), ["realm_require_e2ee_push_notifications"]),
    ...by(410, "the realm", state("realm"), [
      "max_channel_folder_name_length",
      "max_channel_folder_description_length",
    ]),
    ...by(416, "the realm", state("realm"), ["realm_welcome_message_custom_text"]),
    ...by(434, "the realm", state("realm"), ["realm_send_channel_events_messages"]),
    ...by(453, "the realm", state("realm"), ["realm_gif_rating_policy", "gif_rating_policy_options"]),
    ...by(456, "the realm", state("realm"), ["realm_default_avatar_source"]),
    ...by(469, "the realm", state("realm"), ["realm_media_preview_size"]),
    ...by(477, "the realm", state("realm"), ["realm_workplace_users_group"]),
    ...by(477, "permissions of the realm", supported("realm"), ["workplace_users_group"]),
    ...by(325, "permissions of channels", supported("stream"), ["can_administer_channel_group"]),
    ...by(357, "permissions of channels", supported("stream"), ["can_subscribe_group"]),
    ...by(441, "permissions of channels", supported("stream"), ["can_create_topic_group"]),
    ...by(324, "permissions of groups", supported("group"), ["can_remove_members_group"]),
    ...by(407, "permissions of the realm", supported("realm"), ["can_set_delete_message_policy_group"]),
    ...by(329, "the own settings", personal, ["web_suggest_update_timezone"]),
    ...by(350, "the own settings", personal, ["hide_ai_features"]),
    ...by(431, "the own settings", personal, ["web_inbox_show_channel_folders"]),
  ];
  test.each(rows)("$what has $name from $level on", async ({ read, name, level }) => {
    expect(await read(testRealm(level - 1))).not.toHaveProperty(name);
    expect(await read(testRealm(level))).toHaveProperty(name);
  });
  test.each([
    ...by(363, "the own user", own, ["is_billing_admin"]),
    ...by(363, "a user", anyone, ["is_billing_admin"]),
    ...by(364, "the own settings", personal, ["dense_mode"]),
    ...by(453, "the realm", state("realm"), ["realm_giphy_rating", "gif_rating_options"]),
  ])("$what has $name until $level", async ({ read, name, level }) => {
    expect(await read(testRealm(level - 1))).toHaveProperty(name);
    expect(await read(testRealm(level))).not.toHaveProperty(name);
  });

  test.each([
    [329, "channels", expect.objectContaining({ stream_id: 1, name: "Zulip" })],
    [330, "their ids", 1],
  ])("%i: the list of default channels is one of %s", async (level, _what, shown) => {
    const realm = testRealm(level);
    const events = await realm.listen("owner");
    const { realm_default_streams } = await state("default_streams")(realm);
    expect(isList(realm_default_streams) && realm_default_streams[0]).toEqual(shown);
    await realm.call("owner", "DELETE", "/default_streams", { stream_id: 3 });
    const [event] = (await events()).filter(({ type }) => type === "default_streams");
    expect(isList(event?.default_streams) && event.default_streams[0]).toEqual(shown);
  });
  test.each([
    [426, "stream_creator_or_nobody"],
    [427, "channel_creator"],
  ])("%i: channels belong to the %s at first", async (level, name) => {
    const { can_administer_channel_group } = await supported("stream")(testRealm(level));
    expect(can_administer_channel_group).toMatchObject({ default_group_name: name });
  });
  test.each([
    [342, false],
    [343, true],
  ])("%i: the removal of a channel is reported with its id as well: %s", async (level, received) => {
    const realm = testRealm(level);
    const events = await realm.listen("owner");
    await realm.call("owner", "DELETE", "/streams/2");
    const [event] = (await events()).filter(({ type, op }) => type === "stream" && op === "delete");
    expect(Object.hasOwn(Object(event), "stream_ids")).toBe(received);
  });
  test.each<[level: number, received: readonly string[]]>([
    [377, []],
    [378, ["is_archived true"]],
  ])("%i: clients that know archived channels get %j", async (level, received) => {
    const realm = testRealm(level);
    const events = await realm.listen("owner", ["archived_channels"]);
    await realm.call("owner", "DELETE", "/streams/2");
    const changes = (await events()).filter(({ type }) => type === "stream");
    expect(changes.map(({ property, value }) => `${property} ${value}`)).toEqual(received);
  });
  test.each([
    [417, 0],
    [418, 1],
  ])("%i: an order of folders is reported %i times", async (level, count) => {
    const realm = testRealm(level);
    await realm.call("owner", "POST", "/channel_folders/create", { name: "F", description: "" });
    const events = await realm.listen("owner");
    expect((await realm.call("owner", "PATCH", "/channel_folders", { order: [1] })).status).toBe(200);
    expect((await events()).filter(({ op }) => op === "reorder")).toHaveLength(count);
  });
});

describe("values", () => {
  test.each<[level: number, value: number, status: number]>([
    [382, 2, 200],
    [382, 3, 400],
    [383, 3, 200],
    [400, 4, 400],
    [401, 4, 200],
  ])("%i: web_channel_default_view %i", async (level, web_channel_default_view, status) => {
    const realm = testRealm(level);
    for (const path of ["/settings", "/realm/user_settings_defaults"])
      expect((await realm.call("owner", "PATCH", path, { web_channel_default_view })).status).toBe(status);
  });
  test.each<[level: number, as: string, status: number]>([
    [348, "member", 400],
    [349, "member", 200],
    [348, "admin", 200],
  ])("%i: a %s who administers the channel removes others: %i", async (level, as, status) => {
    const realm = testRealm(level);
    const subscriptions = [{ name: "x" }];
    await realm.call("member", "POST", "/users/me/subscriptions", { subscriptions });
    await realm.call("member2", "POST", "/users/me/subscriptions", { subscriptions });
    const sent = { subscriptions: ["x"], principals: [realm.id("member2")] };
    expect((await realm.call(as, "DELETE", "/users/me/subscriptions", sent)).status).toBe(status);
  });
  test.each([
    [457, "bot", "No such user"],
    [458, "bot", ""],
    [457, "member", ""],
  ])("%i: the membership of a %s: %j", async (level, target, msg) => {
    const realm = testRealm(level);
    const path = `/user_groups/${realm.group("role:members")}/members/${realm.id(target)}`;
    expect((await realm.call("owner", "GET", path)).body.msg).toBe(msg);
  });
  test.each([
    [457, "No such user"],
    [458, ""],
  ])("%i: the channels of a bot: %j", async (level, msg) => {
    const realm = testRealm(level);
    expect((await realm.call("owner", "GET", `/users/${realm.id("bot")}/channels`)).body.msg).toBe(msg);
  });
  test.each([
    [479, "Invalid channel ID"],
    [480, ""],
  ])("%i: an archived channel, its members and its topics: %j", async (level, msg) => {
    const realm = testRealm(level);
    await realm.call("owner", "DELETE", "/streams/2");
    for (const path of ["/streams/2", "/streams/2/members", "/users/me/2/topics"])
      expect((await realm.call("owner", "GET", path)).body.msg).toBe(msg);
  });
  test.each([
    [472, "This endpoint does not accept bot requests."],
    [473, ""],
  ])("%i: a bot that is an administrator sets somebody's status: %j", async (level, msg) => {
    const realm = testRealm(level);
    await realm.call("owner", "PATCH", `/bots/${realm.id("bot")}`, { role: 200 });
    const path = `/users/${realm.id("member")}/status`;
    expect((await realm.call("bot", "POST", path, { status_text: "away" })).body.msg).toBe(msg);
    expect((await realm.call("memberbot", "POST", path, { status_text: "away" })).body.msg).not.toBe("");
  });
  test.each([
    [495, "GET", "This endpoint does not accept bot requests."],
    [496, "GET", ""],
  ])("%i: a bot asks for a membership", async (level, method, msg) => {
    const realm = testRealm(level);
    const path = `/user_groups/${realm.group("role:members")}/members/${realm.id("member")}`;
    expect((await realm.call("bot", method, path)).body.msg).toBe(msg);
  });
});

test.each([
  [411, "include_subscribers is not valid JSON"],
  [412, ""],
])("partial lists of subscribers can be requested from level 412 on: %i", async (level, msg) => {
  const realm = testRealm(level);
  const partly = { include_subscribers: "partial" };
  expect((await realm.call("owner", "POST", "/register", partly)).body.msg).toBe(msg);
  expect((await realm.call("owner", "GET", "/users/me/subscriptions", partly)).body.msg).toBe(msg);
});

describe("§3.4 channels that one call creates", () => {
  const made = async (level: number) => {
    const realm = testRealm(level);
    const group = { direct_members: [realm.id("member")], direct_subgroups: [] };
    const sent = { subscriptions: [{ name: "a" }, { name: "b" }], can_send_message_group: group };
    expect((await realm.call("owner", "POST", "/users/me/subscriptions", sent)).status).toBe(200);
    const id = async (stream: string) =>
      Number((await realm.call("owner", "GET", "/get_stream_id", { stream })).body.stream_id);
    const [a, b] = [await id("a"), await id("b")];
    const value = async (channel: number, setting: string) => {
      const { stream } = (await realm.call("owner", "GET", `/streams/${channel}`)).body;
      return isObject(stream) ? stream[setting] : undefined;
    };
    const set = (setting: string, to: unknown) =>
      realm.call("owner", "PATCH", `/streams/${a}`, { [setting]: { new: to } });
    return { realm, a, b, value, set };
  };
  test.each(["can_send_message_group", "can_administer_channel_group"])(
    "at 384 they share their unnamed groups: %s of one channel belongs to all, and never becomes a named group again",
    async (setting) => {
      const { realm, a, b, value, set } = await made(384);
      const people = { direct_members: [realm.id("owner"), realm.id("admin")], direct_subgroups: [] };
      expect((await set(setting, people)).body.msg).toBe("");
      expect([await value(a, setting), await value(b, setting)]).toEqual([people, people]);
      expect((await set(setting, realm.group("role:members"))).status).toBe(500);
      expect([await value(a, setting), await value(b, setting)]).toEqual([people, people]);
    },
  );
  test("at 384 named groups are not shared", async () => {
    const { realm, a, b, value, set } = await made(384);
    expect((await set("can_add_subscribers_group", realm.group("role:members"))).body.msg).toBe("");
    expect(await value(a, "can_add_subscribers_group")).toBe(realm.group("role:members"));
    expect(await value(b, "can_add_subscribers_group")).toBe(realm.group("role:nobody"));
  });
  test("at 442 each channel has its own", async () => {
    const { realm, a, b, value, set } = await made(442);
    const before = await value(b, "can_send_message_group");
    expect((await set("can_send_message_group", realm.group("role:members"))).body.msg).toBe("");
    expect(await value(a, "can_send_message_group")).toBe(realm.group("role:members"));
    expect(await value(b, "can_send_message_group")).toEqual(before);
  });
});

test.each([
  [320, "10.0-dev+git"],
  [371, "10.0"],
  [377, "11.0-dev+git"],
  [421, "11.0"],
  // As recorded.
  [442, "12.0-dev+git"],
  [497, "12.0-dev+git"],
  [500, "12.1"],
  [501, "12.1"],
  [502, "13.0-dev+git"],
  [600, "13.0-dev+git"],
])("%i: the version is %s", async (level, version) => {
  const realm = testRealm(level);
  for (const [method, path] of [
    ["GET", "/server_settings"],
    ["POST", "/register"],
  ] as const)
    expect((await realm.call("owner", method, path)).body).toMatchObject({
      zulip_version: version,
      zulip_feature_level: level,
    });
});
