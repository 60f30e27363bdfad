import { own } from "../../model/defined.ts";
import type { Json } from "../../model/json.ts";
import { foldCase } from "../names.ts";
import {
  choice,
  numberOf,
  off,
  offered,
  on,
  type PropertyRow,
  PropertyTable,
  type PropertyType,
  row,
  text,
  timeSpan,
  word,
} from "../property.ts";
import { PICTURES } from "./pictures.ts";
import {
  AUTHENTICATION_METHODS,
  channel,
  jitsiUrl,
  languageCode,
  methodsOf,
  retention,
  signInMethods,
} from "./schema.ts";

/** One setting of the organization (zulip-api.md §12.1). Permission settings are elsewhere. */
interface Property extends PropertyRow {
  /** Its name on older servers, and the feature level until which they use it. */
  readonly older?: { readonly api: string; readonly until: number };
  /** Whether only owners may change the setting. */
  readonly ownerOnly?: true;
  /** Values that the free plan of Zulip Cloud does not have. */
  readonly limited?: (value: Json) => boolean;
  /** Whether it must name a private channel. */
  readonly private?: true;
}

/** The largest number that the server's database holds. */
const MOST = 2_147_483_647;
const SECONDS = { unit: "seconds", most: MOST, example: "10m, 12h or 7d" } as const;
const timeLimit: PropertyType = timeSpan({ ...SECONDS, word: { file: "unlimited", read: null, sent: "unlimited" } });

const ORGANIZATION_TYPES = {
  unspecified: 0,
  business: 10,
  open_source: 20,
  education_nonprofit: 30,
  education: 35,
  research: 40,
  event: 50,
  nonprofit: 60,
  government: 70,
  political_group: 80,
  community: 90,
  personal: 100,
  other: 1000,
} as const;

const WEEKDAYS = { monday: 0, tuesday: 1, wednesday: 2, thursday: 3, friday: 4, saturday: 5, sunday: 6 } as const;

const PROVIDERS = {
  disabled: 0,
  jitsi_meet: 1,
  zoom: 3,
  big_blue_button: 4,
  zoom_server_to_server: 5,
  constructor_groups: 6,
  nextcloud_talk: 7,
  webex: 8,
} as const;
const videoChatProviders = offered(PROVIDERS, (realm) => realm.setting("available_video_chat_providers"));

/** Servers used to have one more, and report their choices under one of three names. */
const RATINGS = { disabled: 0, g: 1, pg: 2, "pg-13": 3, r: 4 } as const;
const gifRatings = offered(
  RATINGS,
  ({ snapshot: { facts } }) =>
    facts?.gif_rating_policy_options ?? facts?.gif_rating_options ?? facts?.giphy_rating_options,
  "y",
);

/** A channel that nobody has chosen in a new organization, and the one that every new organization has. */
const NO_CHANNEL = {
  type: channel,
  names: "channel",
  standardInWords: "none",
  isUsual: (name: Json) => name === null,
} as const;
const FIRST_CHANNEL = {
  ...NO_CHANNEL,
  standardInWords: "`general`",
  isUsual: (name: Json) => typeof name === "string" && foldCase(name) === foldCase("general"),
} as const;

/** In a readable order; the headings are written above each part in exported files. */
export const PARTS: { readonly [heading: string]: { readonly [name: string]: Property } } = {
  "What the organization is": {
    name: {
      type: text({ most: 40, least: 1 }),
      standardInWords: "chosen at creation",
      about: "The name of the organization.",
    },
    description: row(
      "What people read about the organization before they sign in, as Markdown. `null` empties it.",
      text({ most: 1000, none: "" }),
      "",
    ),
    org_type: row("What sort of organization it is.", choice(ORGANIZATION_TYPES), 0),
    want_advertise_in_communities_directory: off("Whether it may be listed in Zulip's directory of open communities."),
    default_language: row(
      "The language of new accounts and of e-mails: `de`, `pt-br`. Nobody's own choice changes.",
      languageCode,
      "en",
    ),
    ...PICTURES,
  },
  "Who may join, and how they sign in": {
    invite_required: on("Whether new people need an invitation.", { ownerOnly: true }),
    emails_restricted_to_domains: off(
      "Whether only addresses of the `domains` may join. Removing the last domain switches it off.",
      { ownerOnly: true },
    ),
    disallow_disposable_email_addresses: on("Whether disposable addresses are refused.", { ownerOnly: true }),
    waiting_period_threshold: row(
      "How long new members wait until they are full members (`role:fullmembers`), in days; `none`: not at all.",
      timeSpan({
        unit: "days",
        most: MOST,
        word: { file: "none", read: 0, sent: 0 },
        example: "3d or 2w",
      }),
      0,
      { ownerOnly: true },
    ),
    enable_spectator_access: off("Whether channels can be readable on the web, without an account.", {
      limited: (value: Json) => value === true,
    }),
    [AUTHENTICATION_METHODS]: {
      ownerOnly: true,
      type: signInMethods,
      standardInWords: "all that the server has",
      isUsual: (_, realm) => [...(methodsOf(realm)?.values() ?? [])].every(({ enabled }) => enabled),
      about:
        "Which of the server's sign-in methods can be used: `{Email: true, Google: false}`. A method that is left out stays as it is; one must stay enabled.",
    },
  },
  "What people may change about themselves": {
    name_changes_disabled: off("Whether only administrators change names."),
    email_changes_disabled: off("Whether only administrators change e-mail addresses."),
    avatar_changes_disabled: off("Whether only administrators change profile pictures."),
    default_avatar_source: row(
      "The profile picture of new people until they choose one: from `gravatar`, or a pattern (`jdenticon`). Those who are there keep theirs.",
      choice({ gravatar: "G", jdenticon: "J" }),
      "J",
      { level: 456 },
    ),
    require_unique_names: off(
      "Whether every account needs a different name. Accounts that already share a name keep it.",
    ),
    enable_guest_user_indicator: on("Whether guests are marked as guests wherever their names are shown."),
    enable_guest_user_dm_warning: on("Whether people are warned before they write to a guest.", { level: 348 }),
  },
  Messages: {
    allow_message_editing: on("Whether people may edit what they wrote."),
    message_content_edit_limit: row("How long people may edit what they wrote.", timeLimit, 600, {
      api: "message_content_edit_limit_seconds",
    }),
    message_content_delete_limit: row("How long people may delete what they wrote.", timeLimit, 600, {
      api: "message_content_delete_limit_seconds",
    }),
    message_edit_history_visibility_policy: row(
      "What everybody sees of a message's history: `all`, only its `moves`, or `none` of it.",
      word("all", "moves", "none"),
      "all",
      { level: 358 },
    ),
    move_messages_within_stream_limit: row(
      "How long messages may be moved to another topic; administrators and moderators always may.",
      timeLimit,
      604_800,
      { api: "move_messages_within_stream_limit_seconds" },
    ),
    move_messages_between_streams_limit: row(
      "How long messages may be moved to another channel; administrators and moderators always may.",
      timeLimit,
      604_800,
      { api: "move_messages_between_streams_limit_seconds" },
    ),
    message_retention_days: row(
      "Days after which messages are deleted, for channels that do not set their own; or `unlimited`.",
      retention,
      -1,
      { ownerOnly: true, limited: () => true },
    ),
    topics_policy: row(
      "Whether messages need a topic, in channels that do not set their own policy.",
      word("allow_empty_topic", "disable_empty_topic"),
      "allow_empty_topic",
      { level: 392 },
    ),
    enable_read_receipts: on("Whether people can see who has read a message."),
    default_code_block_language: row(
      "The language of code blocks that name none. `null`: none.",
      text({ none: "" }),
      "",
    ),
    inline_image_preview: on("Whether linked images show as previews."),
    inline_url_embed_preview: off("Whether linked websites show as previews. The server visits the websites for that."),
    media_preview_size: row(
      "How high previews of pictures and videos are, in percent of the usual height: 100, 150 or 200.",
      numberOf(100, 150, 200),
      100,
      { level: 469 },
    ),
    gif_rating_policy: row(
      "Which GIFs people can pick: `disabled` (none), `g`, `pg`, `pg-13`, `r`, or what else the server lists.",
      gifRatings,
      1,
      { older: { api: "giphy_rating", until: 453 } },
    ),
  },
  Calls: {
    video_chat_provider: row(
      "Where calls are held: `disabled`, `jitsi_meet`, `zoom`, `zoom_server_to_server`, `big_blue_button`, `constructor_groups`, `nextcloud_talk`, `webex`, or what else the server offers. It must be set up for all but the first two.",
      videoChatProviders,
      1,
    ),
    jitsi_server_url: row("The Jitsi server for calls; `default` or `null`: the server's own choice.", jitsiUrl, null),
  },
  "Notices and e-mails": {
    send_channel_events_messages: off("Whether changes of a channel post a notice in it.", { level: 434 }),
    send_welcome_emails: on("Whether new people get e-mails that help them to begin."),
    welcome_message_custom_text: row(
      "What the welcome bot also tells new people, as Markdown. `null`: nothing.",
      text({ most: 8000, none: "" }),
      "",
      { level: 416 },
    ),
    digest_emails_enabled: off("Whether people who were away get a weekly summary."),
    digest_weekday: row("The day of the weekly summary.", choice(WEEKDAYS), 1),
    message_content_allowed_in_email_notifications: on(
      "Whether e-mails may contain messages. Off: they say only that there are messages.",
    ),
    require_e2ee_push_notifications: off(
      "Whether messages go to phones only if they are end-to-end encrypted. Before feature level 500, other notifications are sent without their text.",
      { level: 409 },
    ),
    // The server applies these after all others, in this order.
    moderation_request_channel: {
      ...NO_CHANNEL,
      api: "moderation_request_channel_id",
      level: 331,
      private: true,
      about: "The private channel in which reports of messages arrive. `null`: messages cannot be reported.",
    },
    new_stream_announcements_channel: {
      ...FIRST_CHANNEL,
      api: "new_stream_announcements_stream_id",
      about: "The channel that announces new channels. `null`: none does.",
    },
    signup_announcements_channel: {
      ...NO_CHANNEL,
      api: "signup_announcements_stream_id",
      about: "The channel that announces new people. `null`: none does.",
    },
    zulip_update_announcements_channel: {
      ...FIRST_CHANNEL,
      api: "zulip_update_announcements_stream_id",
      about: "The channel that announces what is new in Zulip. `null`: none does.",
    },
  },
};

export const PROPERTIES: { readonly [name: string]: Property } = Object.assign({}, ...Object.values(PARTS));
export const SETTINGS = new PropertyTable(PROPERTIES);

/** A setting that names a channel. */
export function channelSetting(field: string): Property | undefined {
  const property = own(PROPERTIES, field);
  return property?.type === channel ? property : undefined;
}

/** The server's name of a property: read with `realm_` before it, sent as it is. */
export function apiName(name: string, level: number): string {
  const property = PROPERTIES[name];
  const { older } = property ?? {};
  return older !== undefined && level < older.until ? older.api : (property?.api ?? name);
}
