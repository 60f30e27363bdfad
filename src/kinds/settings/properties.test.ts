import { expect, test } from "vitest";
import { realmOf } from "../../../test/support/realm.ts";
import { placedFindings } from "../../config/issues.ts";
import { shapeOf } from "../../config/shape.ts";
import type { Json } from "../../model/json.ts";
import { knownRight } from "../../model/permission-settings.ts";
import { Realm } from "../../model/realm.ts";
import { Patience } from "../../model/suggest.ts";
import { wordsOf } from "../../report/words/sentences.ts";
import { isUrl } from "../../sandbox/addresses.ts";
import { settingsForm } from "./kind.ts";
import { liveSettings, standardSettings } from "./live.ts";
import { apiName, PROPERTIES, SETTINGS } from "./properties.ts";

const realm = new Realm(realmOf({}));

/** A field of the file, the API's value, the file's value, and the value that is sent. */
test.each<[field: string, read: Json, written: Json, sent: Json]>([
  ["name", "Acme Foundry", "Acme Foundry", "Acme Foundry"],
  ["description", "", "", ""],
  ["org_type", 10, "business", 10],
  ["org_type", 1000, "other", 1000],
  ["invite_required", false, false, false],
  ["waiting_period_threshold", 0, "none", 0],
  ["waiting_period_threshold", 3, "3d", 3],
  ["message_content_edit_limit", 600, "10m", 600],
  ["message_content_edit_limit", null, "unlimited", "unlimited"],
  ["move_messages_between_streams_limit", 604_800, "7d", 604_800],
  ["message_retention_days", -1, "unlimited", "unlimited"],
  ["message_retention_days", 30, 30, 30],
  ["digest_weekday", 0, "monday", 0],
  ["digest_weekday", 6, "sunday", 6],
  ["video_chat_provider", 1, "jitsi_meet", 1],
  ["default_avatar_source", "G", "gravatar", "G"],
  ["default_avatar_source", "J", "jdenticon", "J"],
  ["media_preview_size", 150, 150, 150],
  ["video_chat_provider", 7, "nextcloud_talk", 7],
  ["video_chat_provider", 0, "disabled", 0],
  ["jitsi_server_url", null, "default", "default"],
  ["jitsi_server_url", "https://meet.example.org", "https://meet.example.org", "https://meet.example.org"],
  ["gif_rating_policy", 2, "pg", 2],
  ["topics_policy", "disable_empty_topic", "disable_empty_topic", "disable_empty_topic"],
  ["default_code_block_language", "", "", ""],
])("%s: the API's %j is %j, and is sent as %j", (field, read, written, sent) => {
  const type = PROPERTIES[field]?.type;
  expect(type?.fromApi(read, realm)).toEqual(written);
  expect(type?.schema().parse(written)).toEqual(written);
  expect(type?.toApi(written, realm)).toEqual(sent);
});

test.each([
  ["https://meet.example.org:99999", true],
  ["HTTPS://meet.example.org/room?x=1", true],
  ["ftp://meet.example.org", true],
  ["https://localhost:8443", true],
  ["https://192.0.2.7", true],
  ["https://[2001:db8::1]/", true],
  ["https://bücher.example.org", true],
  ["https://meet.example.org.", true],
  ["https://meet", false],
  ["https://meet_1.example.org", false],
  ["https://meet.example.org/a room", false],
  ["https://-m.example", false],
  ["https://m..example", false],
  ["https://[2001:db8::g]/", false],
  ["https://300.0.2.7", false],
  ["https://meet.example.org:123456", false],
  ["mailto:ada@example.org", false],
  ["", false],
])("jitsi_server_url: %s is taken as the server takes it: %j", (url, isTaken) => {
  expect(PROPERTIES.jitsi_server_url?.type.schema().safeParse(url).success).toBe(isTaken);
  expect(isUrl(url)).toBe(isTaken);
});

/** Other spellings that people write, and their meaning. */
test.each<[field: string, written: unknown, canonical: Json]>([
  ["description", null, ""],
  ["jitsi_server_url", null, "default"],
  ["message_content_edit_limit", "60m", "1h"],
  ["message_content_edit_limit", "2w", "14d"],
  ["waiting_period_threshold", "2w", "14d"],
  ["waiting_period_threshold", "48h", "2d"],
])("%s: %j is %j", (field, written, canonical) =>
  expect(PROPERTIES[field]?.type.schema().parse(written)).toEqual(canonical),
);

test.each<[field: string, written: unknown, says: RegExp]>([
  [
    "message_content_edit_limit",
    600,
    /^message_content_edit_limit has no unit: 600\nwrite a number with its unit: 10m/,
  ],
  ["message_content_edit_limit", "0m", /must be longer than 0/],
  ["message_content_edit_limit", null, /must be a length of time, not empty/],
  ["waiting_period_threshold", "400000000000d", /at most .*, and "400000000000d" is longer/],
  ["message_content_edit_limit", "99999999d", /at most .*, and "99999999d" is longer/],
  ["waiting_period_threshold", "36h", /whole days, and "36h" is not/],
  ["waiting_period_threshold", 3, /has no unit: 3/],
  ["name", "x".repeat(41), /at most 40 characters, but has 41/],
  ["name", "", /must not be empty/],
  ["description", "x".repeat(1001), /at most 1,000 characters, but has 1,001/],
  ["message_retention_days", 0, /cannot be 0: it must be a number of days \(1 or more\) or unlimited/],
  ["message_retention_days", 3_000_000_000, /no server keeps messages for more than 2147483647 days/],
  ["message_retention_days", -1, /write unlimited/],
  ["default_language", "pt_BR", /write "pt": servers have this language without a country/],
  ["default_language", "x y", /write its code in lower-case letters/],
  ["jitsi_server_url", "meet.example.org", /must be the URL of a server/],
])("%s: %j is refused", (field, written, says) => {
  const issues = settingsForm().safeParse({ [field]: written }).error?.issues ?? [];
  const context = {
    value: { [field]: written },
    shape: shapeOf(settingsForm()),
    noun: "settings",
    isPlural: true,
    patience: new Patience(),
  };
  const said = placedFindings(issues, context).map(({ finding }) => wordsOf(finding));
  expect(said.map(({ message, hint }) => `${message}\n${hint}`)).toEqual([expect.stringMatching(says)]);
});

test("older servers have another name for one of them", () => {
  expect(apiName("gif_rating_policy", 442)).toBe("giphy_rating");
  expect(apiName("gif_rating_policy", 453)).toBe("gif_rating_policy");
});

test("every field of a server of level 442 is read, and can be written", () => {
  const fields = liveSettings(realm) ?? {};
  const { permissions } = settingsForm().shape;
  const missing = [...Object.keys(settingsForm().shape), ...Object.keys(permissions.unwrap().shape)].filter(
    (field) => field !== "permissions" && fields[field] === undefined,
  );
  const permissionLevel = (field: string) => knownRight("realm", field)?.level ?? 0;
  // Later servers have more fields.
  const isNewer = (field: string) => (PROPERTIES[field]?.level ?? permissionLevel(field)) > realm.level;
  expect(missing.filter((field) => !isNewer(field))).toEqual([]);
  for (const [field, value] of Object.entries(fields))
    expect(`${field} ${SETTINGS.canSet(field, value)}`).toBe(`${field} true`);
});

test("a file can express every value of a new organization", () => {
  for (const [field, value] of Object.entries(standardSettings(realm))) {
    const type = PROPERTIES[field]?.type;
    if (type !== undefined) expect(type.schema().parse(value)).toEqual(value);
  }
});
