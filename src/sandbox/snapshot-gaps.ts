/** Something of an organization that a snapshot does not hold, so that a sandbox made from one cannot have it. */
export interface SnapshotGap {
  readonly what: string;
  readonly startsAs: string;
  readonly because: string;
  /** Where answers show it: keys of POST /register (`[]` stands for any index or id), everything below included. */
  readonly shown: readonly string[];
}

const CHANNEL_LISTS = ["streams[]", "subscriptions[]", "unsubscribed[]", "never_subscribed[]"];
const inChannels = (...keys: readonly string[]): readonly string[] =>
  CHANNEL_LISTS.flatMap((list) => keys.map((key) => `${list}.${key}`));
const EVERYBODYS_OWN = "the server shows everybody their own only";

/** All of it: tests compare a realm with the one made from its snapshot, and docs/sandbox.md shows this list. */
export const SNAPSHOT_GAPS: readonly SnapshotGap[] = [
  {
    what: "messages, drafts, scheduled messages, reminders, uploads",
    startsAs: "none",
    because: "they are no configuration, and people's own",
    shown: [
      "max_message_id",
      "starred_messages",
      "unread_msgs",
      "recent_private_conversations",
      "drafts",
      "scheduled_messages",
      "reminders",
      ...inChannels("first_message_id", "stream_weekly_traffic", "is_recently_active"),
    ],
  },
  {
    what: "personal settings, followed and muted topics, muted people, alert words, snippets",
    startsAs:
      "the organization's defaults for new accounts, else the server's; who may see an address is what the reader's view of it says",
    because: EVERYBODYS_OWN,
    shown: ["user_settings", "user_topics", "muted_topics", "muted_users", "alert_words", "saved_snippets"],
  },
  {
    what: "colors, pins, muting and notifications of subscriptions; channels that somebody left",
    startsAs:
      "the colors that the server gives in the order of the channels, nothing pinned or muted; never subscribed",
    because: EVERYBODYS_OWN,
    shown: [
      ...[
        "color",
        "is_muted",
        "in_home_view",
        "pin_to_top",
        "audible_notifications",
        "desktop_notifications",
        "email_notifications",
        "push_notifications",
        "wildcard_mentions_notify",
      ].map((key) => `subscriptions[].${key}`),
      "unsubscribed",
      "never_subscribed",
    ],
  },
  {
    what: "left-sidebar views of others than the account that read",
    startsAs: "none",
    because: EVERYBODYS_OWN,
    shown: ["navigation_views"],
  },
  {
    what: "what people say in profile fields, and who says something",
    startsAs: "as many values as there were, options as they were chosen and other values made up, each for somebody",
    because: "private: a snapshot has only numbers",
    shown: ["realm_users[].profile_data", "realm_non_active_users[].profile_data"],
  },
  {
    what: "statuses; presence",
    startsAs: "empty",
    because: "private, and nothing that realmctl manages",
    shown: ["user_status", "presences"],
  },
  {
    what: "where outgoing webhook bots post to, and bots' default channels",
    startsAs: "nowhere, until `PATCH /bots/{id}` with `service_payload_url` says; no default channel",
    because:
      "the server gives them together with every bot's key; addresses may hold tokens; and a rehearsal must not post to the real ones",
    shown: [
      "realm_bots[].services",
      "realm_bots[].default_sending_stream",
      "realm_bots[].default_events_register_stream",
      "realm_bots[].default_all_public_streams",
    ],
  },
  {
    what: "addresses that are hidden from the account that read, and their Gravatars",
    startsAs: "the stand-in address (`user12@…`), which is also what the account signs in with",
    because: "the server does not show them",
    shown: [
      "delivery_email",
      "realm_users[].delivery_email",
      "avatar_url",
      "avatar_url_medium",
      "realm_users[].avatar_url",
      "realm_bots[].avatar_url",
    ],
  },
  {
    what: "groups of default channels",
    startsAs: "none",
    because: "a relic that realmctl does not manage",
    shown: ["realm_default_stream_groups"],
  },
  {
    what: "embedded bots, integrations",
    startsAs: "none",
    because: "lists of the server's own programs",
    shown: ["realm_embedded_bots"],
  },
  {
    what: "when the server started",
    startsAs: "when the snapshot was taken",
    because: "it changes without anybody changing anything",
    shown: ["server_generation"],
  },
];
