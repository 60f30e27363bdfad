import { expect, test } from "vitest";
import { testRealm } from "../../test/support/sandbox/realm.ts";

type Params = { readonly [name: string]: unknown };
const TOO_LARGE = 2 ** 31;

/** Values that the server does not check before its database does: "Internal server error", and nothing is written. */
test.each<readonly [fact: string, method: string, path: string, params: Params]>([
  ["a default line height", "PATCH", "/realm/user_settings_defaults", { web_line_height_percent: 32_768 }],
  ["a personal font size", "PATCH", "/settings", { web_font_size_px: 32_768 }],
  ["a waiting period", "PATCH", "/realm", { waiting_period_threshold: TOO_LARGE }],
  ["a retention", "PATCH", "/realm", { message_retention_days: TOO_LARGE }],
  ["a time limit", "PATCH", "/realm", { message_content_edit_limit_seconds: TOO_LARGE }],
  ["a channel's retention", "PATCH", "/streams/CHANNEL", { message_retention_days: TOO_LARGE }],
  ["a new channel's", "POST", "/channels/create", { name: "x", subscribers: [], message_retention_days: TOO_LARGE }],
  [
    "one by mail",
    "POST",
    "/invites",
    { invitee_emails: "a@acme.example", stream_ids: [], invite_expires_in_minutes: 99_999_999_999 },
  ],
])("%s", async (_fact, method, path, params) => {
  const realm = testRealm();
  const { status, body } = await realm.call(
    "owner",
    method,
    path.replace("CHANNEL", `${realm.channel("general")}`),
    params,
  );
  expect([status, body]).toEqual([500, { result: "error", msg: "Internal server error" }]);
});

/** The facts of zulip-api.md §13.8. */
const BEYOND = 253_402_300_800;
test.each<readonly [fact: string, method: string, path: string, params: Params]>([
  ["a message of the year 10000", "POST", "/scheduled_messages", { scheduled_delivery_timestamp: BEYOND }],
  ["a message before the first year", "POST", "/scheduled_messages", { scheduled_delivery_timestamp: -BEYOND }],
  ["a message without a type", "POST", "/scheduled_messages", { to: [1], scheduled_delivery_timestamp: BEYOND }],
  ["a change of an unknown message", "PATCH", "/scheduled_messages/99", { scheduled_delivery_timestamp: BEYOND }],
  ["a reminder without a message", "POST", "/reminders", { message_id: 99_999, scheduled_delivery_timestamp: BEYOND }],
  ["a draft", "POST", "/drafts", { drafts: [{ type: "", to: [], topic: "", content: "x", timestamp: BEYOND }] }],
])("no calendar has the time of %s", async (_fact, method, path, params) => {
  const realm = testRealm();
  await realm.call("member", "PATCH", "/settings", { enable_drafts_synchronization: true });
  const message = { type: "channel", to: realm.channel("general"), topic: "t", content: "x" };
  const { status, body } = await realm.call("member", method, path, { ...message, ...params });
  expect([status, body]).toEqual([500, { result: "error", msg: "Internal server error" }]);
});
test.each<readonly [fact: string, status: number, method: string, path: string, params: Params]>([
  ["the name of the organization", 500, "PATCH", "/realm", { name: "a\0b" }],
  ["the name of a field", 500, "POST", "/realm/profile_fields", { name: "a\0b", field_type: 1 }],
  ["a hint", 500, "POST", "/realm/profile_fields", { name: "a", field_type: 1, hint: "a\0b" }],
  ["too long a hint", 400, "POST", "/realm/profile_fields", { name: "a", field_type: 1, hint: "\0".repeat(81) }],
  ["a status", 500, "POST", "/users/me/status", { status_text: "a\0b" }],
  ["a playground", 500, "POST", "/realm/playgrounds", { name: "\0", pygments_language: "x", url_template: "/{code}" }],
  ["a person's name", 400, "PATCH", "/users/9", { full_name: "a\0b" }],
])("a null byte in %s: %i", async (_fact, status, method, path, params) => {
  expect((await testRealm().call("owner", method, path, params)).status).toBe(status);
});
test("a null byte in somebody's value of a profile field", async () => {
  const realm = testRealm();
  const { body } = await realm.call("owner", "POST", "/realm/profile_fields", { name: "Nickname", field_type: 1 });
  const data = [{ id: body.id, value: "a\0b" }];
  expect((await realm.call("member", "PATCH", "/users/me/profile_data", { data })).status).toBe(500);
});
test.each<readonly [fact: string, path: string, params: Params]>([
  ["a large font", "/settings", { web_font_size_px: 32_767 }],
  ["the longest wait", "/realm", { waiting_period_threshold: TOO_LARGE - 1 }],
  ["a retention", "/realm", { message_retention_days: TOO_LARGE - 1 }],
])("%s is stored", async (_fact, path, params) => {
  expect((await testRealm().call("owner", "PATCH", path, params)).status).toBe(200);
});

test("a default channel group with a taken name: refused if all fields are equal, an internal error if only the name is", async () => {
  const realm = testRealm();
  const group = { group_name: "x", description: "d", stream_names: [] };
  const make = async (more: Params) => {
    const { status, body } = await realm.call("owner", "POST", "/default_stream_groups/create", { ...group, ...more });
    return [status, body.msg];
  };
  expect(await make({})).toEqual([200, ""]);
  expect(await make({})).toEqual([400, "Default channel group 'x' already exists"]);
  expect(await make({ description: "other" })).toEqual([500, "Internal server error"]);
  expect(await make({ group_name: "X" })).toEqual([200, ""]);
});
test("its name is written first, and stays if the description cannot be stored", async () => {
  const realm = testRealm();
  await realm.call("owner", "POST", "/default_stream_groups/create", {
    group_name: "x",
    description: "d",
    stream_names: [],
  });
  const both = { new_group_name: "kept", new_description: "d".repeat(1025) };
  expect((await realm.call("owner", "PATCH", "/default_stream_groups/1", both)).status).toBe(500);
  const { body } = await realm.call("member", "POST", "/register", { fetch_event_types: ["default_stream_groups"] });
  expect(body.realm_default_stream_groups).toMatchObject([{ name: "kept", description: "d" }]);
});
test("what PATCH /realm wrote before a number that cannot be stored remains", async () => {
  const realm = testRealm();
  await realm.call("owner", "PATCH", "/realm", { name: "Kept", waiting_period_threshold: TOO_LARGE });
  expect((await realm.call("owner", "GET", "/server_settings")).body.realm_name).toBe("Kept");
});
