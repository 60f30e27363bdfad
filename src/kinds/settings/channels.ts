import type { DecodeContext } from "../../model/decoding.ts";
import { finding } from "../../model/diagnostic.ts";
import type { Quoted } from "../../model/diagnostics/values.ts";
import type { Pair } from "../../model/objects.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { resolveChannel } from "../channels-by-name.ts";
import { foldCase, strip } from "../names.ts";

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

/** The channel's name after the plan. */
export function resolveNamedChannel(written: string, field: string, context: DecodeContext): string | undefined {
  const archived = (channel: Quoted) => finding("settings/archived-channel", { channel });
  const found = resolveChannel(strip(written), [field], context, "settings/unknown-channel", archived);
  return typeof found === "object" ? found.name : found;
}

/** The channel of that name, as the plan leaves it, where the file has channels. */
export function channelPair(name: string, context: PlanContext): Pair | undefined {
  const exact = context.pair(`channel:${name}`);
  if (exact !== undefined) return exact;
  const key = foldCase(name);
  return context.pairs("channels").find(({ declared, live }) => foldCase(declared?.name ?? live?.name ?? "") === key);
}
