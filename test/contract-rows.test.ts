import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { levelsPage } from "../scripts/levels-docs.ts";

/**
 * Everything between levels 443 and 512 that concerns a client, as it was collected from the server's changelog, OpenAPI file and code, in that order; and what
 * broke when such servers were tried. Each is tested where this list says, or docs/reference/levels.md says why it is not.
 */
interface Fact {
  readonly fact: string;
  /** File and words of a test that would fail without it. */
  readonly tests?: readonly (readonly [file: string, words: string])[];
  /** Words of docs/reference/levels.md. */
  readonly page?: string;
}

const SANDBOX = "src/sandbox";
const FACTS: readonly Fact[] = [
  // Settings of the organization
  {
    fact: "453: gif_rating_policy and its options",
    tests: [
      [`${SANDBOX}/levels.test.ts`, "gif_rating_policy_options"],
      ["src/kinds/settings/properties.test.ts", "gif_rating_policy"],
    ],
  },
  {
    fact: "456: default_avatar_source",
    tests: [
      ["src/kinds/settings/cases/zulip-12/realm.yaml", "default_avatar_source"],
      [`${SANDBOX}/levels.test.ts`, "default_avatar_source"],
    ],
  },
  {
    fact: "460, 465, 493: more providers of video calls",
    tests: [
      ["src/kinds/settings/properties.test.ts", "nextcloud_talk"],
      ["test/support/newer-server.ts", "realm_available_video_chat_providers"],
    ],
  },
  {
    fact: "469: media_preview_size",
    tests: [
      ["src/kinds/settings/cases/zulip-12/realm.yaml", "media_preview_size"],
      ["test/newer/plan-and-apply.test.ts", "media_preview_size: 150"],
    ],
  },
  {
    fact: "477: workplace_users_group, and whose groups it may be",
    tests: [
      ["src/kinds/settings/cases/workplace-group/plan.txt", "workplace_users_group"],
      [`${SANDBOX}/levels.test.ts`, "workplace_users_group"],
      [
        `${SANDBOX}/realm-settings/workplace.test.ts`,
        "must be a group whose membership can only be managed by organization administrators.",
      ],
      ["test/rehearsal/rehearsal.test.ts", "which rights on the group of workplace users the server counts"],
    ],
  },
  { fact: "466: realm_uuid is no setting", tests: [["test/support/newer-server.ts", "realm_uuid"]] },
  { fact: "438: realm_owner_full_content_access is no setting", page: "`realm_owner_full_content_access` (level 438)" },
  { fact: "488: Discord signs people in", tests: [[`${SANDBOX}/clients.test.ts`, "discord"]] },
  {
    fact: "499, 500, 504, 506: unencrypted notifications, exports",
    page: "`require_e2ee_push_notifications` stops unencrypted notifications (500 and 504)",
  },
  {
    fact: "462, 464: rendered descriptions in events",
    tests: [[`${SANDBOX}/realm-settings/realm-settings.test.ts`, "rendered_description"]],
  },
  {
    fact: "can_access_all_users_group needs Cloud Plus",
    tests: [["src/kinds/settings/cases/cloud-standard/plan.txt", "Cloud Plus"]],
  },
  {
    fact: "no other setting came or went",
    tests: [["test/newer/missing-keys.test.ts", "without any key of its answers"]],
  },
  // Defaults of people
  {
    fact: "454: recent_topics became recent",
    tests: [["src/kinds/user-defaults/properties.test.ts", "recent_topics"]],
  },
  { fact: "444: settings of others", tests: [[`${SANDBOX}/user-settings/user-settings.test.ts`, "target_users"]] },
  { fact: "no other default of people", tests: [["test/newer/named-once.test.ts", "web_orbit_view"]] },
  // Channels
  {
    fact: "507: default_push_notifications",
    tests: [
      ["src/kinds/channel/cases/push-notifications/plan.txt", "default_push_notifications"],
      ["src/kinds/channel/cases/push-notifications-refused/plan.txt", "default_push_notifications"],
    ],
  },
  {
    fact: "417 to 509: creation drops three rights",
    tests: [[`${SANDBOX}/channels/creation.test.ts`, "can_delete_any_message_group"]],
  },
  {
    fact: "480: archived channels",
    tests: [[`${SANDBOX}/levels.test.ts`, "an archived channel, its members and its topics"]],
  },
  {
    fact: "448: a channel's address",
    tests: [[`${SANDBOX}/subscriptions/properties.test.ts`, "who may not post gets it"]],
  },
  { fact: "512: PATCH /users/me/subscriptions is gone", page: "PATCH /users/me/subscriptions is gone" },
  { fact: "505, 509: moving messages", tests: [[`${SANDBOX}/messages/edit-rights.test.ts`, "505"]] },
  {
    fact: "deprecated keys may go",
    tests: [["test/support/newer-server.ts", "realm_(uri|mandatory_topics|wildcard_mention_policy"]],
  },
  { fact: "nothing else about channels", page: "Nothing that concerns configuration was found" },
  // Profile fields
  {
    fact: "455: use_for_user_matching, its types, and a missing key",
    tests: [
      ["src/kinds/profile-field/cases/matching-other-type/plan.txt", "use_for_user_matching"],
      [`${SANDBOX}/profile/profile.test.ts`, "Field type not supported for use for user matching."],
      ["test/newer/plan-and-apply.test.ts", "use_for_user_matching: true"],
    ],
  },
  {
    fact: "476: long_text in the summary",
    tests: [["src/kinds/profile-field/cases/level-476/plan.txt", "in_profile_summary"]],
  },
  {
    fact: "twitter became x",
    tests: [["src/kinds/profile-field/cases/service-renamed/plan.txt", "the service twitter is called x"]],
  },
  { fact: "22 services", tests: [[`${SANDBOX}/profile/profile.test.ts`, "X username"]] },
  {
    fact: "what is frozen of a field of a service",
    tests: [[`${SANDBOX}/profile/profile.test.ts`, "Default custom field cannot be updated."]],
  },
  // Linkifiers
  {
    fact: "471, 478: examples and templates are sent together",
    tests: [["src/kinds/linkifier/cases/rename-swap-with-examples/plan.txt", "reverse_template"]],
  },
  // Bots and people
  {
    fact: "447: short_name",
    tests: [
      ["src/kinds/bot/cases/renamed-by-id/plan.txt", "short_name"],
      ["src/kinds/bot/cases/renamed-too-old/plan.txt", "short_name"],
      [`${SANDBOX}/levels.test.ts`, 'came(447, "short_name"'],
    ],
  },
  { fact: "459: actions of a deactivation", page: "`actions` deletes a person's messages and profile" },
  { fact: "490: is_deleted", tests: [["src/kinds/person/cases/deleted/plan.txt", "error[people/deleted]"]] },
  { fact: "474: realm_bots", tests: [[`${SANDBOX}/users/bots.test.ts`, "[474, []]"]] },
  {
    fact: "461, 463, 473, 494: events, keys, status and storage of bots",
    tests: [[`${SANDBOX}/levels.test.ts`, "a bot that is an administrator sets somebody's status"]],
  },
  { fact: "458: bots as targets", tests: [[`${SANDBOX}/levels.test.ts`, "the channels of a bot"]] },
  { fact: "466: pictures that the server draws", page: "pictures that the server draws (`avatar_source` J)" },
  {
    fact: "unknown roles",
    tests: [["test/newer/invented-roles.test.ts", "accounts with roles that nobody knows are shown"]],
  },
  // Groups, invitations, the rest
  {
    fact: "496: bots at groups",
    tests: [
      [`${SANDBOX}/levels.test.ts`, "a bot asks for a membership"],
      ["src/kinds/user-group/cases/not-allowed-bot/plan.txt", "user_groups/not-allowed"],
    ],
  },
  { fact: "no new key of a group", tests: [["test/support/newer-server.ts", "can_see_members_group"]] },
  { fact: "addresses of invitations", page: "POST /invites: empty parts of the list of addresses" },
  { fact: "invitations that are not pending", page: "Invitation already used or deactivated." },
  { fact: "details of invitations", page: "gh#39425" },
  { fact: "449: exports", page: "Exports: `export_type` as words" },
  { fact: "443, 472: attachments", tests: [[`${SANDBOX}/attachments.test.ts`, "message_ids"]] },
  { fact: "468, 470, 483, 492: devices", tests: [[`${SANDBOX}/own-user.test.ts`, "device_id"]] },
  { fact: "481: idle_queue_timeout", tests: [["src/zulip/operations.test.ts", "mobile"]] },
  { fact: "messages, narrows, events and the rest", page: "Messages, narrows, events, presence, keys of GIF services" },
  // On servers of unknown levels
  {
    fact: "unknown settings are counted once",
    tests: [["test/newer/named-once.test.ts", "is counted once in every output"]],
  },
  {
    fact: "unknown rights are managed",
    tests: [
      ["test/newer/invented-rights.test.ts", "are planned, set, watched"],
      ["test/newer/random-rights.test.ts", "each right can be managed"],
    ],
  },
  {
    fact: "a level above the newest known one",
    tests: [["test/newer/reports.test.ts", "the newest that this version knows"]],
  },
  { fact: "values that only the server can set", tests: [["src/plan/risks.test.ts", "cannot-be-set-again"]] },
  {
    fact: "a sandbox says the newest level that it knows",
    tests: [["src/cli/sandbox.test.ts", "that nothing newer than 512 is known is said"]],
  },
  {
    fact: "a rehearsal against a newer server says so",
    tests: [["test/newer/snapshot.test.ts", "by the rules of feature level"]],
  },
  { fact: "an undo of a matching field", tests: [["test/newer/plan-and-apply.test.ts", "gets back what it had"]] },
  {
    fact: "services that nobody knows are a warning offline",
    tests: [["test/invalid/profile_fields/account/twitter.expected.txt", "warning"]],
  },
];

const page = levelsPage("");
const textOf = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

describe("what changed between levels 443 and 512", () => {
  test.each(FACTS)("$fact", ({ tests = [], page: words }) => {
    expect(tests.length > 0 || words !== undefined).toBe(true);
    for (const [file, text] of tests) expect(textOf(file), file).toContain(text);
    if (words !== undefined) expect(page).toContain(words);
  });
});
