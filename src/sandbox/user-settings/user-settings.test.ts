import { describe, expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../../test/support/sandbox/realm.ts";
import { isObject } from "../../model/json.ts";

const DEFAULTS = "/realm/user_settings_defaults";
const notPossible = (name: string) => `Invalid ${name}: Value error, Not in the list of possible values`;
const shown = async (realm: TestRealm, as: string, type: string): Promise<{ readonly [name: string]: unknown }> => {
  const settings = (await realm.call(as, "POST", "/register", { fetch_event_types: [type] })).body[type];
  return isObject(settings) ? settings : {};
};

/** zulip-api.md §12.2: every setting that both an account and the realm's defaults have. */
const FLAGS = (
  "automatically_follow_topics_where_mentioned display_emoji_reaction_users enable_desktop_notifications enable_digest_emails " +
  "enable_drafts_synchronization enable_followed_topic_audible_notifications enable_followed_topic_desktop_notifications " +
  "enable_followed_topic_email_notifications enable_followed_topic_push_notifications enable_followed_topic_wildcard_mentions_notify " +
  "enable_offline_email_notifications enable_offline_push_notifications enable_online_push_notifications enable_sounds " +
  "enable_stream_audible_notifications enable_stream_desktop_notifications enable_stream_email_notifications " +
  "enable_stream_push_notifications enter_sends fluid_layout_width hide_ai_features high_contrast_mode left_side_userlist " +
  "message_content_in_email_notifications pm_content_in_desktop_notifications presence_enabled receives_typing_notifications " +
  "send_private_typing_notifications send_read_receipts send_stream_typing_notifications starred_message_counts translate_emoticons " +
  "twenty_four_hour_time web_escape_navigates_to_home_view web_inbox_show_channel_folders web_left_sidebar_show_channel_folders " +
  "web_left_sidebar_unreads_count_summary web_navigate_to_sent_message web_suggest_update_timezone wildcard_mentions_notify"
).split(" ");
const CHOICES = {
  automatically_follow_topics_policy: 4,
  automatically_unmute_topics_in_muted_streams_policy: 4,
  color_scheme: 3,
  demote_inactive_streams: 3,
  desktop_icon_count_display: 4,
  email_address_visibility: 5,
  realm_name_in_email_notifications_policy: 3,
  user_list_style: 3,
  web_channel_default_view: 4,
  web_mark_read_on_scroll_policy: 3,
  web_stream_unreads_count_display_policy: 3,
};
const places = [
  ["/settings", "user_settings", "member"],
  [DEFAULTS, "realm_user_settings_defaults", "admin"],
] as const;

describe.each(places)("PATCH %s", (path, type, as) => {
  test.each(FLAGS)("%s is a flag; only a change sends an event", async (name) => {
    const realm = testRealm();
    const before = (await shown(realm, as, type))[name];
    const events = await realm.listen(as);
    const set = (value: unknown) => realm.call(as, "PATCH", path, { [name]: value });
    expect(await set(before)).toMatchObject({ status: 200, body: { result: "success" } });
    expect((await set(!before)).body).toEqual({ result: "success", msg: "" });
    expect((await set("yes")).body.msg).toBe(`${name} is not valid JSON`);
    expect((await set(1)).body.msg).toBe(`${name} is not a boolean`);
    expect((await shown(realm, as, type))[name]).toBe(!before);
    expect(await events()).toEqual([{ type, op: "update", property: name, value: !before }]);
  });

  test.each(Object.entries(CHOICES))("%s is a number from 1 to %i", async (name, upTo) => {
    const realm = testRealm();
    const set = async (value: unknown) => (await realm.call(as, "PATCH", path, { [name]: value })).body.msg;
    for (let value = 1; value <= upTo; value += 1) expect(await set(value)).toBe("");
    for (const value of [0, upTo + 1]) expect(await set(value)).toBe(notPossible(name));
    expect(await set("first")).toBe(`${name} is not valid JSON`);
    expect(await set('"1"')).toBe(`${name} is not an integer`);
  });

  test.each<[string, unknown, string]>([
    ["web_font_size_px", 1000, ""],
    ["web_line_height_percent", 32_767, ""],
    ["web_font_size_px", 1.5, "web_font_size_px is not an integer"],
    ["email_notifications_batching_period_seconds", 604_800, ""],
    ["email_notifications_batching_period_seconds", 604_801, "Invalid email batching period: 604801 seconds"],
    ["email_notifications_batching_period_seconds", 0, "Invalid email batching period: 0 seconds"],
    ["notification_sound", "ding", ""],
    ["notification_sound", "none", ""],
    ["notification_sound", "gong", "Invalid notification sound 'gong'"],
    ["emojiset", "twitter", ""],
    ["emojiset", "apple", notPossible("emojiset")],
    ["web_home_view", "recent_topics", ""],
    ["web_home_view", "all_messages", ""],
    ["web_animate_image_previews", "never", ""],
    ["resolved_topic_notice_auto_read_policy", "always", ""],
    ["resolved_topic_notice_auto_read_policy", "maybe", "Invalid resolved_topic_notice_auto_read_policy"],
  ])("%s = %j: %s", async (name, value, msg) => {
    expect((await testRealm().call(as, "PATCH", path, { [name]: value })).body.msg).toBe(msg);
  });

  test("one invalid value refuses all", async () => {
    const realm = testRealm();
    await realm.call(as, "PATCH", path, { enter_sends: true, notification_sound: "gong" });
    expect((await shown(realm, as, type)).enter_sends).toBe(false);
  });
});

test.each([
  "default_language",
  "timezone",
  "enable_login_emails",
  "enable_marketing_emails",
  "allow_private_data_export",
])("the realm has no default for %s", async (name) => {
  const { body } = await testRealm().call("owner", "PATCH", DEFAULTS, { [name]: "x" });
  expect(body.ignored_parameters_unsupported).toEqual([name]);
});
describe("settings that only an account has", () => {
  test.each<[object, string]>([
    [{ timezone: "America/Argentina/Buenos_Aires" }, ""],
    [{ timezone: "UTC" }, ""],
    [{ timezone: "europe/berlin" }, "Invalid timezone: Value error, Not a recognized time zone"],
    [{ timezone: "+01:00" }, "Invalid timezone: Value error, Not a recognized time zone"],
    [{ default_language: "de" }, ""],
    [{ default_language: "xx" }, "Invalid default_language"],
    [{ allow_private_data_export: true, enable_login_emails: false, enable_marketing_emails: true }, ""],
    [{ full_name: " Dmitri V. " }, ""],
    [{ full_name: " " }, "Name must not be empty!"],
    [{ full_name: 'a"b' }, "Invalid characters in name!"],
    [{ full_name: "a\tb" }, "Invalid characters in name!"],
    [{ full_name: "Dmitri|x" }, ""],
    [{ email: "new@acme.example" }, ""],
    [{ email: " dmitri@acme.example " }, ""],
    [{ email: "nonsense" }, "Invalid address."],
    [{ email: "jana@acme.example" }, "Account has been deactivated."],
    [{ email: "x@mailinator.com" }, "Please use your real email address."],
    [{ old_password: "x" }, ""],
    [{ new_password: "x", timezone: "UTC" }, "Wrong password!"],
    [{ new_password: "x", notification_sound: "gong" }, "Invalid notification sound 'gong'"],
  ])("%j: %s", async (sent, msg) => {
    expect((await testRealm().call("member", "PATCH", "/settings", { ...sent })).body.msg).toBe(msg);
  });

  test("the address that everybody sees is the real one only if everybody may see it", async () => {
    const realm = testRealm();
    const email = async () => (await realm.call("member", "GET", "/users/me")).body.email;
    const hidden = await email();
    await realm.call("member", "PATCH", "/settings", { email_address_visibility: 1 });
    expect(await email()).toBe("dmitri@acme.example");
    await realm.call("member", "PATCH", "/settings", { email_address_visibility: 4 });
    expect(await email()).toBe(hidden);
  });
  test.each(["/settings", "/settings/display", "/settings/notifications"])("bots are refused at %s", async (path) => {
    const { body } = await testRealm().call("bot", "PATCH", path, { enter_sends: true });
    expect(body.msg).toBe("This endpoint does not accept bot requests.");
  });
});

test.each([
  ["Asia/Tokyo", "Asia/Tokyo"],
  ["US/Pacific", "America/Los_Angeles"],
  ["UTC", "Etc/UTC"],
])("the time zone %s is kept as %s", async (timezone, kept) => {
  const realm = testRealm();
  const events = await realm.listen("member2");
  await realm.call("member", "PATCH", "/settings", { timezone });
  const { user_id, email, timezone: shownZone } = (await realm.call("member", "GET", "/users/me")).body;
  expect(shownZone).toBe(kept);
  expect(await events()).toEqual([{ type: "realm_user", op: "update", person: { user_id, email, timezone: kept } }]);
});
test("an event about a language contains its name", async () => {
  const realm = testRealm();
  const events = await realm.listen("member");
  await realm.call("member", "PATCH", "/settings", { default_language: "de" });
  const event = { type: "user_settings", op: "update", property: "default_language", value: "de" };
  expect(await events()).toEqual([{ ...event, language_name: "Deutsch" }]);
});

describe("target_users (level 444)", () => {
  const others = (realm: TestRealm, more: object = {}) => ({
    user_ids: [realm.id("member"), realm.id("bot"), realm.id("deactivated")],
    skip_if_already_edited: false,
    ...more,
  });
  test.each<[string, object | string, object, string]>([
    ["member", {}, {}, "Must be an organization administrator"],
    ["admin", { user_ids: [], group_ids: [] }, {}, "Either user_ids or group_ids must be provided."],
    ["admin", { user_ids: [9999] }, {}, "Invalid user ID: 9999"],
    ["admin", { group_ids: [9999] }, {}, "Invalid user group ID: 9999"],
    [
      "admin",
      { skip_if_already_edited: undefined },
      {},
      'target_users["skip_if_already_edited"] field is missing: Field required',
    ],
    ["admin", {}, { timezone: "UTC" }, "Cannot change this setting for other users."],
    ["admin", {}, { presence_enabled: false }, "Cannot change this setting for other users."],
    ["admin", {}, { color_scheme: 2 }, ""],
  ])("%s with %j and %j: %s", async (as, targets, settings, msg) => {
    const realm = testRealm(444);
    const target_users = others(realm, Object(targets));
    expect((await realm.call(as, "PATCH", "/settings", { target_users, ...settings })).body.msg).toBe(msg);
  });

  test("changes others, except those who have changed the setting themselves", async () => {
    const realm = testRealm(444);
    const scheme = async (as: string) => (await shown(realm, as, "user_settings")).color_scheme;
    await realm.call("member2", "PATCH", "/settings", { color_scheme: 3 });
    const group_ids = [realm.group("role:members")];
    const set = (skip: boolean, color_scheme: number) =>
      realm.call("admin", "PATCH", "/settings", {
        target_users: { group_ids, skip_if_already_edited: skip },
        color_scheme,
      });
    await set(true, 2);
    expect([await scheme("member"), await scheme("member2"), await scheme("guest")]).toEqual([2, 3, 1]);
    await set(false, 2);
    expect([await scheme("member"), await scheme("member2")]).toEqual([2, 2]);
  });

  test("below that level, the caller's own settings change", async () => {
    const realm = testRealm(443);
    const sent = { target_users: others(realm), color_scheme: 2 };
    expect((await realm.call("member", "PATCH", "/settings", sent)).body.ignored_parameters_unsupported).toEqual([
      "target_users",
    ]);
    expect((await shown(realm, "member", "user_settings")).color_scheme).toBe(2);
  });
});

test.each([
  [453, "recent_topics", "recent"],
  [454, "recent", "recent_topics"],
])("at level %i the recent view is %s", async (level, name, other) => {
  const realm = testRealm(level);
  expect((await realm.call("member", "PATCH", "/settings", { web_home_view: other })).status).toBe(400);
  await realm.call("member", "PATCH", "/settings", { web_home_view: name });
  expect((await shown(realm, "member", "user_settings")).web_home_view).toBe(name);
});
