import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { canonicalJson, type Json, type JsonObject } from "../model/json.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../test/recordings/${name}`, import.meta.url), "utf8"));
async function register(sandbox: Sandbox, address: string, params: object): Promise<JsonObject> {
  const account = sandbox.accounts[address];
  if (account === undefined) throw new Error(`no account ${address}`);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) form.set(name, JSON.stringify(value));
  const credentials = Buffer.from(`${account.email}:${account.api_key}`).toString("base64");
  const headers = { authorization: `Basic ${credentials}`, "content-type": "application/x-www-form-urlencoded" };
  const request = new Request("http://localhost/api/v1/register", { method: "POST", headers, body: form.toString() });
  return JSON.parse(await (await sandbox.fetch(request)).text());
}
const CAPABILITIES = {
  notification_settings_null: true,
  linkifier_url_template: true,
  include_deactivated_groups: true,
  archived_channels: true,
  user_list_incomplete: true,
};

describe.each(["realm.json", "level-384/realm.json"])("%s", (name) => {
  const recorded = read(name);
  /** Keys, pictures and times differ in each run; two lists of level 384 are leftovers that no recording starts from. */
  const OF_THE_RUN = ["server_timestamp", "realm_linkifiers", "realm_domains"];
  const plain = (value: Json): string =>
    canonicalJson(value)
      .replace(/"api_key":"[^"]*",?/g, "")
      .replace(/"avatar_url":("[^"]*"|null),?/g, "");
  const sorted = (value: Json): Json =>
    Array.isArray(value) ? [...value].sort((a, b) => (plain(a) < plain(b) ? -1 : 1)) : value;

  test("register answers as recorded, key for key", async () => {
    const sandbox = createSandbox({ from: recorded });
    const answer = await register(sandbox, "owner", { client_capabilities: CAPABILITIES, include_subscribers: true });
    const { result, msg, queue_id, ...shown } = answer;
    expect([result, msg, typeof queue_id]).toEqual(["success", "", "string"]);
    // The recording omits the server's long lists, and the hints that clients show once.
    const expected = [
      ...Object.keys(recorded.register),
      "onboarding_steps",
      "realm_incoming_webhook_bots",
      "stop_words",
    ];
    expect(Object.keys(shown).sort()).toEqual(expected.sort());
    for (const key of Object.keys(recorded.register)) {
      if (OF_THE_RUN.includes(key)) continue;
      const people = key === "realm_users" || key === "realm_bots";
      const [got, want] = people
        ? [sorted(shown[key] ?? null), sorted(recorded.register[key])]
        : [shown[key] ?? null, recorded.register[key]];
      expect([key, plain(got)]).toEqual([key, plain(want)]);
    }
  });
});

test.each([320, 384, 389, 392, 407, 417, 442, 496, 512])(
  "a realm of level 442 plays level %i",
  async (featureLevel) => {
    const sandbox = createSandbox({ from: read("realm.json"), featureLevel });
    const answer = await register(sandbox, "owner", { client_capabilities: CAPABILITIES });
    const [channel] = Array.isArray(answer.streams) ? answer.streams : [];
    const since = {
      can_send_message_group: 333,
      can_subscribe_group: 357,
      folder_id: 389,
      topics_policy: 392,
      can_resolve_topics_group: 402,
      can_delete_any_message_group: 407,
      can_create_topic_group: 441,
      default_push_notifications: 507,
    };
    expect(answer.zulip_feature_level).toBe(featureLevel);
    for (const [field, level] of Object.entries(since))
      expect([field, field in channel]).toEqual([field, featureLevel >= level]);
    expect("channel_folders" in answer).toBe(featureLevel >= 389);
    expect("navigation_views" in answer).toBe(featureLevel >= 390);
    expect("realm_topics_policy" in answer).toBe(featureLevel >= 392);
    expect("realm_can_set_delete_message_policy_group" in answer).toBe(featureLevel >= 407);
  },
);

test("a sandbox can start from a snapshot", async () => {
  const group = (id: number, name: string, members: number[], direct_subgroup_ids: number[]) => ({
    id,
    name,
    description: "",
    members,
    direct_subgroup_ids,
    is_system_group: true,
    deactivated: false,
    creator_id: null,
    date_created: null,
  });
  const person = { is_bot: false, bot_type: null, bot_owner_id: null, is_active: true } as const;
  const snapshot: Snapshot = {
    format: "realmctl.snapshot",
    version: 1,
    taken_at: "2027-01-01T00:00:00Z",
    server: { zulip_version: "11.4", feature_level: 421 },
    realm: { url: "https://chat.example.org", name: "Example" },
    account: { user_id: 1, email: "ada@example.org", full_name: "Ada", role: 100, is_bot: false },
    permission_settings: null,
    settings: { waiting_period_threshold: 3, can_create_groups: 2, max_topic_length: 60 },
    users: [
      { ...person, user_id: 1, email: "ada@example.org", delivery_email: null, full_name: "Ada", role: 100 },
      {
        ...person,
        user_id: 2,
        email: "user2@example.org",
        delivery_email: "lin@example.org",
        full_name: "Lin",
        role: 400,
      },
    ],
    user_groups: [
      group(1, "role:nobody", [], []),
      group(2, "role:owners", [1], []),
      group(3, "role:administrators", [], [2]),
      group(4, "role:moderators", [], [3]),
      group(5, "role:fullmembers", [2], [4]),
      group(6, "role:members", [2], [5]),
      group(7, "role:everyone", [], [6]),
      group(8, "role:internet", [], [7]),
    ],
    channels: [
      {
        stream_id: 7,
        name: "announce",
        description: "News",
        invite_only: false,
        is_web_public: false,
        history_public_to_subscribers: true,
        is_archived: false,
        message_retention_days: null,
        creator_id: 1,
        date_created: 1,
        can_send_message_group: 4,
      },
    ],
    default_channels: [7],
    channel_folders: [{ id: 3, name: "Company", description: "", is_archived: false }],
    linkifiers: [{ id: 2, pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example.org/{id}" }],
    domains: [{ domain: "example.org", allow_subdomains: false }],
    navigation_views: [{ fragment: "inbox", is_pinned: true, name: null }],
    subscribers: { "7": [1, 2] },
    invites: null,
  };
  const sandbox = createSandbox({ from: snapshot });
  expect(sandbox.featureLevel).toBe(421);
  const answer = await register(sandbox, "lin@example.org", { client_capabilities: CAPABILITIES });
  expect(answer).toMatchObject({
    zulip_version: "11.4",
    realm_name: "Example",
    realm_waiting_period_threshold: 3,
    realm_can_create_groups: 2,
    max_topic_length: 60,
    realm_default_streams: [7],
    realm_domains: [{ domain: "example.org", allow_subdomains: false }],
    channel_folders: [{ id: 3, name: "Company" }],
    navigation_views: [],
    streams: [
      { stream_id: 7, name: "announce", subscriber_count: 2, can_send_message_group: 4, can_subscribe_group: 1 },
    ],
  });
  expect((await register(sandbox, "ada@example.org", {})).navigation_views).toHaveLength(1);
});
