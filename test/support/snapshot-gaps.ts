/** A part of an organization that a snapshot does not contain, so that a sandbox made from one cannot have it. */
export interface SnapshotGap {
  readonly what: string;
  readonly startsAs: string;
  readonly because: string;
  /** Where answers show it: keys of POST /register (`[]` stands for any index or id), with everything below them. */
  readonly shown: readonly string[];
}

const CHANNEL_LISTS = ["streams[]", "subscriptions[]", "unsubscribed[]", "never_subscribed[]"];
const inChannels = (...keys: readonly string[]): readonly string[] =>
  CHANNEL_LISTS.flatMap((list) => keys.map((key) => `${list}.${key}`));
const EVERYBODYS_OWN = "the server shows each account only its own";

/** All of these parts: tests compare a realm with the one made from its snapshot, and docs/sandbox.md shows this list. */
export const SNAPSHOT_GAPS: readonly SnapshotGap[] = [
  {
    what: "messages, drafts, scheduled messages, reminders, uploads",
    startsAs:
      "one message for everybody, since clients expect one: in the largest public channel, and from the Welcome Bot for those who are not subscribed there; nothing else",
    because: "they are not configuration, and they belong to people",
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
      "the organization's defaults for new accounts, otherwise the server's. Others may see an address if the reading account saw it",
    because: EVERYBODYS_OWN,
    shown: ["user_settings", "user_topics", "muted_topics", "muted_users", "alert_words", "saved_snippets"],
  },
  {
    what: "colors, pins, muting and notifications of subscriptions; channels that somebody left",
    startsAs:
      "the colors that the server gives in the order of the channels; nothing is pinned or muted; somebody who left a channel was never subscribed to it",
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
    what: "left-sidebar views of all accounts except the one that read",
    startsAs: "none",
    because: EVERYBODYS_OWN,
    shown: ["navigation_views"],
  },
  {
    what: "what people wrote in profile fields, and who wrote something",
    startsAs:
      "as many values as there were, for people that the sandbox picks: options as often as they were chosen, other values invented",
    because: "they are private: a snapshot has only their numbers",
    shown: ["realm_users[].profile_data", "realm_non_active_users[].profile_data"],
  },
  {
    what: "statuses; presence",
    startsAs: "empty",
    because: "they are private, and realmctl does not manage them",
    shown: ["user_status", "presences"],
  },
  {
    what: "the addresses that outgoing webhook bots post to, and bots' default channels",
    startsAs: "no address until `PATCH /bots/{id}` sets `service_payload_url`; no default channel",
    because:
      "the server shows them only together with every bot's key; addresses may hold tokens; and a rehearsal must not post to the real addresses",
    shown: [
      "realm_bots[].services",
      "realm_bots[].default_sending_stream",
      "realm_bots[].default_events_register_stream",
      "realm_bots[].default_all_public_streams",
    ],
  },
  {
    what: "addresses that are hidden from the account that read, and their Gravatars",
    startsAs: "the stand-in address (`user12@…`), with which the account also signs in",
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
    because: "realmctl does not manage this old feature",
    shown: ["realm_default_stream_groups"],
  },
  {
    what: "embedded bots, integrations",
    startsAs: "none",
    because: "they are lists of the server's own programs",
    shown: ["realm_embedded_bots"],
  },
  {
    what: "the time when the server started",
    startsAs: "the time when the snapshot was taken",
    because: "it changes although nobody changes the organization",
    shown: ["server_generation"],
  },
];
