/** A setting that names a channel (zulip-api.md §12.1). The API has its id, and −1 for none. */
interface ChannelSetting {
  readonly api: string;
  readonly level?: number;
  /** Whether it must be a private channel. */
  readonly private?: true;
  /** In a new organization this is its first channel, "general". */
  readonly general?: true;
  readonly about: string;
}

/** These settings in the order in which the server applies them, after all others. */
export const CHANNEL_SETTINGS: { readonly [name: string]: ChannelSetting } = {
  moderation_request_channel: {
    api: "moderation_request_channel_id",
    level: 331,
    private: true,
    about: "The private channel in which reports of messages arrive. `null`: messages cannot be reported.",
  },
  new_stream_announcements_channel: {
    api: "new_stream_announcements_stream_id",
    general: true,
    about: "The channel that announces new channels. `null`: none does.",
  },
  signup_announcements_channel: {
    api: "signup_announcements_stream_id",
    about: "The channel that announces new people. `null`: none does.",
  },
  zulip_update_announcements_channel: {
    api: "zulip_update_announcements_stream_id",
    general: true,
    about: "The channel that announces what is new in Zulip. `null`: none does.",
  },
};

export function channelSetting(field: string): ChannelSetting | undefined {
  return Object.hasOwn(CHANNEL_SETTINGS, field) ? CHANNEL_SETTINGS[field] : undefined;
}
