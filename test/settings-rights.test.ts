import { describe, expect, test } from "vitest";
import { isOwnerOnly } from "../src/kinds/settings/check.ts";
import { settingsForm } from "../src/kinds/settings/kind.ts";
import { KNOWN_RIGHTS } from "../src/model/permission-settings.ts";
import { type Overlay, realmOf } from "./support/realm.ts";
import { must, planAgainst, World } from "./support/world.ts";

/** A value for each setting, different from the value in the realm below. */
const OTHERS: { readonly [field: string]: string } = {
  name: "Acme Works",
  description: "We build things",
  org_type: "research",
  default_language: "de",
  waiting_period_threshold: "9d",
  message_content_edit_limit: "3h",
  message_content_delete_limit: "3h",
  move_messages_within_stream_limit: "3h",
  move_messages_between_streams_limit: "3h",
  message_edit_history_visibility_policy: "none",
  message_retention_days: "30",
  topics_policy: "disable_empty_topic",
  default_code_block_language: "Go",
  gif_rating_policy: "pg",
  video_chat_provider: "disabled",
  jitsi_server_url: "https://meet.example.org",
  welcome_message_custom_text: "Welcome",
  digest_weekday: "friday",
  default_avatar_source: "gravatar",
  media_preview_size: "200",
  authentication_methods: "{Email: true, Google: true}",
  new_stream_announcements_channel: "general",
  signup_announcements_channel: "general",
  zulip_update_announcements_channel: "general",
  moderation_request_channel: "reports",
  icon: "icon.png",
  logo: "logo.png",
  night_logo: "night.png",
};
const ADA = "ada@acme.example";
const METHODS = { Email: { enabled: true, available: true }, Google: { enabled: false, available: true } };
const START = {
  domains: [{ domain: "acme.example", allow_subdomains: false }],
  channels: [{ name: "general" }, { name: "reports", invite_only: true }],
  subscribers: { general: ["ada@acme.example"], reports: ["ada@acme.example"] },
};

const fields = [
  ...Object.keys(settingsForm().shape).filter((field) => field !== "permissions"),
  ...KNOWN_RIGHTS.realm.map((setting) => `permissions.${setting}`),
];

/** The realm with the opposite value of the setting, and the file that changes it back; flags are false there and true here. */
function change(field: string, more: Overlay["settings"], account = ADA) {
  const name = field.replace("permissions.", "");
  const isPermission = name !== field;
  const isFlag = !isPermission && OTHERS[field] === undefined;
  const wanted = isPermission ? `{${name}: ${RIGHTS[name] ?? "role:moderators"}}` : (OTHERS[field] ?? "true");
  const own = isFlag ? { [name]: false } : (NEWER_VALUES[name] ?? {});
  const feature_level = Object.hasOwn(NEWER_VALUES, name) ? 477 : 442;
  const live = realmOf({
    ...START,
    account,
    feature_level,
    settings: { authentication_methods: METHODS, ...own, ...more },
  });
  const yaml = `version: 1\nsettings: {${isPermission ? "permissions" : field}: ${wanted}}\n`;
  return { live, yaml };
}
/** Settings that the recording is too old for, and their values. */
const NEWER_VALUES: { readonly [setting: string]: Overlay["settings"] } = {
  default_avatar_source: { default_avatar_source: "J" },
  media_preview_size: { media_preview_size: 100 },
  workplace_users_group: { workplace_users_group: 15 },
};
const RIGHTS: { readonly [setting: string]: string } = {
  can_access_all_users_group: "role:members",
  can_set_delete_message_policy_group: "role:owners",
};

/** Of the errors of a plan: those that only the organization's state shows hold back the setting, and nothing is sent. */
const codesOf = async (yaml: string, live: ReturnType<typeof realmOf>): Promise<readonly string[]> => {
  const planned = await planAgainst(yaml, live);
  const found = planned.ok ? planned.warnings : planned.diagnostics;
  const codes = found.filter(({ severity }) => severity === "error").map(({ code }) => code);
  if (planned.ok) expect(planned.value.calls).toHaveLength(codes.length === 0 ? 1 : 0);
  return codes;
};

/** The server's answer to the one request of a plan that was made when the account had every right. */
async function answerTo(yaml: string, from: ReturnType<typeof realmOf>, on: ReturnType<typeof realmOf>, who: string) {
  const { calls } = must(await planAgainst(yaml, from));
  expect(calls).toHaveLength(1);
  const world = new World(on);
  const [call] = calls;
  if (call === undefined) throw new RangeError("the plan sends nothing");
  return world.send(call, world.as(who));
}

describe("the plan predicts what the server answers for a setting", () => {
  test.each(fields)("%s: an administrator who is not an owner", async (field) => {
    const { live, yaml } = change(field, {});
    const { live: ben } = change(field, {}, "ben@acme.example");
    const answer = await answerTo(yaml, live, live, "ben@acme.example");
    const isRefused = answer.outcome !== "applied";
    if (isRefused) expect(answer).toMatchObject({ message: "Must be an organization owner" });
    expect(await codesOf(yaml, ben)).toEqual(isRefused ? ["settings/owner-only"] : []);
  });

  test.each(fields)("%s: an organization on a limited plan", async (field) => {
    const { live, yaml } = change(field, {});
    const limited = change(field, { zulip_plan_is_not_limited: false, plan_type: 2 }).live;
    const answer = await answerTo(yaml, live, limited, ADA);
    const isRefused = answer.outcome !== "applied";
    if (isRefused) expect(answer).toMatchObject({ message: expect.stringContaining("Available on Zulip Cloud") });
    expect(await codesOf(yaml, limited)).toEqual(isRefused ? ["settings/limited-plan"] : []);
  });
});

/** Listed again by hand: a sandbox that refuses nothing would agree with a plan that reports nothing (zulip-api.md §12.1). */
test("only owners can change these", () => {
  expect(fields.map((field) => field.replace("permissions.", "")).filter(isOwnerOnly)).toEqual([
    "invite_required",
    "emails_restricted_to_domains",
    "disallow_disposable_email_addresses",
    "waiting_period_threshold",
    "message_retention_days",
    "authentication_methods",
    "can_invite_users_group",
    "create_multiuse_invite_group",
    "can_create_groups",
    "can_manage_all_groups",
    "can_manage_billing_group",
  ]);
});
