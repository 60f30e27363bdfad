import { expect, test } from "vitest";
import { realmOf } from "../../../test/support/realm.ts";
import type { Json } from "../../model/json.ts";
import { Realm } from "../../model/realm.ts";
import { USER_DEFAULTS as OF_SERVER } from "../../sandbox/user-settings/table.ts";
import { apiName, USER_DEFAULTS } from "./properties.ts";

const at = (level: number): Realm => new Realm(realmOf({ feature_level: level }));
const realm = at(442);

test.each<[field: string, read: Json, written: Json, sent: Json]>([
  ["color_scheme", 2, "dark", 2],
  ["automatically_follow_topics_policy", 3, "start", 3],
  ["desktop_icon_count_display", 4, "none", 4],
  ["email_address_visibility", 5, "moderators", 5],
  ["user_list_style", 3, "with_avatar", 3],
  ["web_channel_default_view", 4, "top_unread_topic", 4],
  ["web_home_view", "recent_topics", "recent", "recent_topics"],
  ["email_notifications_batching_period", 120, "2m", 120],
  ["email_notifications_batching_period", 3600, "1h", 3600],
  ["web_font_size_px", 16, 16, 16],
  ["enter_sends", false, false, false],
])("%s: the API's %j is %j, and is sent as %j", (field, read, written, sent) => {
  const type = USER_DEFAULTS[field]?.type;
  expect(type?.fromApi(read, realm)).toEqual(written);
  expect(type?.schema().parse(written)).toEqual(written);
  expect(type?.toApi(written, realm)).toEqual(sent);
});

test("the home view has another word from level 454", () =>
  expect(USER_DEFAULTS.web_home_view?.type.toApi("recent", at(454))).toBe("recent"));

test.each<[field: string, written: unknown]>([
  ["web_font_size_px", 0],
  ["web_font_size_px", 32_768],
  ["email_notifications_batching_period", "8d"],
  ["email_notifications_batching_period", 120],
  ["color_scheme", 1],
  ["notification_sound", ""],
])("%s: %j is refused", (field, written) =>
  expect(USER_DEFAULTS[field]?.type.schema().safeParse(written).success).toBe(false),
);

test("the values of a new organization are those of the server's own table, and all of them are here", () => {
  const NOT_DEFAULTS =
    /^(enable_(login|marketing)_emails|allow_private_data_export|default_language|emojiset_choices|available_notification_sounds)$/;
  const ours = Object.entries(USER_DEFAULTS).map(([name, { standard }]) => [apiName(name), standard] as const);
  const theirs = Object.entries(OF_SERVER).filter(([name]) => !NOT_DEFAULTS.test(name));
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
});
