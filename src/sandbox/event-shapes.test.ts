import { expect, test } from "vitest";
import { type TestRealm, testRealm } from "../../test/support/sandbox/realm.ts";

/**
 * zulip-api.md §2.7, one row per change: the events that each client gets, unless the test of an area has them. The clients belong to the recorded
 * realm, where everybody sees these channels.
 */
const ALL = ["archived_channels", "include_deactivated_groups", "linkifier_url_template"];
const LISTENERS = {
  owner: ["owner", ALL],
  /** A client without the newer capabilities. */
  old: ["owner", []],
  member: ["member2", ALL],
  guest: ["guest", ALL],
} as const;
type Listener = keyof typeof LISTENERS;
const EVERYBODY: readonly Listener[] = ["owner", "old", "member", "guest"];
const ALL_BUT_GUESTS: readonly Listener[] = ["owner", "old", "member"];
const NEW_CLIENTS: readonly Listener[] = ["owner", "member", "guest"];
const OWNER: readonly Listener[] = ["owner", "old"];

type Sent = readonly [method: string, path: string, params?: { readonly [name: string]: unknown }];
interface Row {
  readonly change: string;
  /** The calls that make the change possible, before anybody listens. */
  readonly before?: readonly Sent[];
  readonly sent: Sent;
  readonly received: readonly { readonly who: readonly Listener[]; readonly events: readonly object[] }[];
}

const GENERAL = { stream_id: 3, name: "general" };
const updated = (property: string, value: unknown, more: object = {}) => ({
  type: "stream",
  op: "update",
  property,
  value,
  ...GENERAL,
  ...more,
});
const onGeneral = (property: string, sent: object, value: unknown, more: object = {}): Row => ({
  change: `channel: ${property}`,
  sent: ["PATCH", "/streams/3", { ...sent }],
  received: [{ who: EVERYBODY, events: [updated(property, value, more)] }],
});
const FOLDER: Sent = ["POST", "/channel_folders/create", { name: "Teams", description: "" }];
const realmUpdate = (property: string, sent: unknown, value = sent): Row => ({
  change: `realm: ${property}`,
  sent: ["PATCH", "/realm", { [property]: sent }],
  received: [{ who: EVERYBODY, events: [{ type: "realm", op: "update", property, value }] }],
});
const realmDict = (property: string, sent: unknown, data: object): Row => ({
  change: `realm: ${property}`,
  sent: ["PATCH", "/realm", { [property]: sent }],
  received: [{ who: EVERYBODY, events: [{ type: "realm", op: "update_dict", property: "default", data }] }],
});

const rows: readonly Row[] = [
  {
    change: "channel: created",
    sent: ["POST", "/users/me/subscriptions", { subscriptions: [{ name: "fresh" }] }],
    received: [
      {
        who: OWNER,
        events: [
          { type: "stream", op: "create", streams: [expect.objectContaining({ name: "fresh" })] },
          {
            type: "subscription",
            op: "add",
            subscriptions: [expect.objectContaining({ name: "fresh", color: expect.any(String) })],
          },
        ],
      },
      {
        who: ["member"],
        events: [
          { type: "stream", op: "create", streams: [expect.objectContaining({ name: "fresh" })] },
          { type: "subscription", op: "peer_add", stream_ids: [4], user_ids: [6] },
        ],
      },
    ],
  },
  onGeneral("description", { description: "new" }, "new", { rendered_description: "<p>new</p>" }),
  onGeneral("name", { new_name: "other" }, "other"),
  onGeneral("topics_policy", { topics_policy: "disable_empty_topic" }, "disable_empty_topic"),
  onGeneral("message_retention_days", { message_retention_days: 7 }, 7),
  onGeneral("can_resolve_topics_group", { can_resolve_topics_group: { new: 12 } }, 12),
  onGeneral(
    "can_remove_subscribers_group",
    { can_remove_subscribers_group: { new: { direct_members: [9, 6], direct_subgroups: [] } } },
    { direct_members: [6, 9], direct_subgroups: [] },
  ),
  {
    change: "channel: who may post, for older clients as numbers too",
    sent: ["PATCH", "/streams/3", { can_send_message_group: { new: 11 } }],
    received: [
      {
        who: EVERYBODY,
        events: [
          updated("can_send_message_group", 11),
          updated("stream_post_policy", 2),
          updated("is_announcement_only", true),
        ],
      },
    ],
  },
  {
    change: "channel: private, and so no default",
    sent: ["PATCH", "/streams/3", { is_private: true, is_default_stream: false }],
    received: [
      {
        who: ALL_BUT_GUESTS,
        events: [
          updated("invite_only", true, { history_public_to_subscribers: false, is_web_public: false }),
          { type: "default_streams", default_streams: [1, 2] },
        ],
      },
      {
        who: ["guest"],
        events: [updated("invite_only", true, { history_public_to_subscribers: false, is_web_public: false })],
      },
    ],
  },
  {
    change: "channel: archived",
    before: [["DELETE", "/default_streams", { stream_id: 2 }]],
    sent: ["DELETE", "/streams/2"],
    received: [
      {
        who: NEW_CLIENTS,
        events: [{ type: "stream", op: "update", property: "is_archived", value: true, stream_id: 2, name: "sandbox" }],
      },
      { who: ["old"], events: [{ type: "stream", op: "delete", streams: [{ stream_id: 2 }], stream_ids: [2] }] },
    ],
  },
  {
    change: "channel: unarchived",
    before: [["DELETE", "/streams/3"]],
    sent: ["PATCH", "/streams/3", { is_archived: false }],
    received: [
      { who: NEW_CLIENTS, events: [updated("is_archived", false)] },
      {
        who: ["old"],
        events: [{ type: "stream", op: "create", streams: [expect.objectContaining({ stream_id: 3 })] }],
      },
    ],
  },
  {
    change: "channel: into a folder",
    before: [FOLDER],
    sent: ["PATCH", "/streams/3", { folder_id: 1 }],
    received: [{ who: EVERYBODY, events: [updated("folder_id", 1)] }],
  },
  {
    change: "channel: out of every folder",
    sent: ["PATCH", "/streams/3", { folder_id: null }],
    received: [{ who: EVERYBODY, events: [updated("folder_id", null)] }],
  },
  {
    change: "default channels: added a second time",
    sent: ["POST", "/default_streams", { stream_id: 1 }],
    received: [{ who: EVERYBODY, events: [] }],
  },
  {
    change: "default channels: removed, even if it was not one",
    before: [["DELETE", "/default_streams", { stream_id: 1 }]],
    sent: ["DELETE", "/default_streams", { stream_id: 1 }],
    received: [
      { who: ALL_BUT_GUESTS, events: [{ type: "default_streams", default_streams: [2, 3] }] },
      { who: ["guest"], events: [] },
    ],
  },
  realmUpdate("waiting_period_threshold", 4),
  realmUpdate("name", "Acme Works"),
  realmUpdate("message_retention_days", 30),
  realmDict("can_create_groups", { new: 13 }, { can_create_groups: 13 }),
  realmDict("topics_policy", "disable_empty_topic", { topics_policy: "disable_empty_topic", mandatory_topics: true }),
  realmDict("message_content_edit_limit_seconds", 50, { message_content_edit_limit_seconds: 50 }),
  {
    change: "defaults of new accounts",
    sent: ["PATCH", "/realm/user_settings_defaults", { enter_sends: true }],
    received: [
      {
        who: EVERYBODY,
        events: [{ type: "realm_user_settings_defaults", op: "update", property: "enter_sends", value: true }],
      },
    ],
  },
  {
    change: "profile fields, the whole list",
    sent: ["POST", "/realm/profile_fields", { name: "Desk", field_type: 1 }],
    received: [
      {
        who: EVERYBODY,
        events: [{ type: "custom_profile_fields", fields: [expect.objectContaining({ id: 1, name: "Desk" })] }],
      },
    ],
  },
  {
    change: "playgrounds, the whole list",
    sent: [
      "POST",
      "/realm/playgrounds",
      { name: "Try", pygments_language: "Python", url_template: "https://x.example/{code}" },
    ],
    received: [
      {
        who: EVERYBODY,
        events: [{ type: "realm_playgrounds", realm_playgrounds: [expect.objectContaining({ id: 1, name: "Try" })] }],
      },
    ],
  },
  {
    change: "somebody's name",
    sent: ["PATCH", "/users/9", { full_name: "Dmitri Renamed" }],
    received: [
      {
        who: EVERYBODY,
        events: [{ type: "realm_user", op: "update", person: { user_id: 9, full_name: "Dmitri Renamed" } }],
      },
    ],
  },
  {
    change: "somebody's subscription, seen by the others",
    sent: ["DELETE", "/users/me/subscriptions", { subscriptions: ["general"], principals: [9] }],
    received: [
      { who: EVERYBODY, events: [{ type: "subscription", op: "peer_remove", stream_ids: [3], user_ids: [9] }] },
    ],
  },
  {
    change: "nothing: the group setting has the same value",
    sent: ["PATCH", "/streams/3", { can_resolve_topics_group: { new: 9 } }],
    received: [{ who: EVERYBODY, events: [] }],
  },
];

async function carryOut(realm: TestRealm, [method, path, params]: Sent): Promise<void> {
  const { status, body } = await realm.call("owner", method, path, params);
  expect([status, body.msg]).toEqual([200, ""]);
}

test.each(rows)("$change", async ({ before = [], sent, received }) => {
  const realm = testRealm();
  for (const each of before) await carryOut(realm, each);
  const queues = new Map<Listener, Awaited<ReturnType<TestRealm["listen"]>>>();
  for (const name of EVERYBODY) queues.set(name, await realm.listen(LISTENERS[name][0], LISTENERS[name][1]));
  await carryOut(realm, sent);
  for (const { who, events } of received)
    for (const name of who) {
      // The notices that the server posts in channels are messages, which do not matter here.
      const found = (await queues.get(name)?.())?.filter(({ type }) => type !== "message");
      expect(found, name).toEqual(events);
    }
});
