import type { FieldSpec, ResourceKind } from "../../model/kind.ts";
import { foldCase, strip } from "../names.ts";
import { channelCalls } from "./calls.ts";
import { checkChannels } from "./check.ts";
import { decodeChannel } from "./decode.ts";
import { leastChannelCalls } from "./least.ts";
import { liveChannels } from "./live.ts";
import { noticesOf } from "./notices.ts";
import { isPrivacy, isPrivate } from "./privacy.ts";
import { channelRisks } from "./risks.ts";
import { Channel, PERMISSION_SETTINGS, PERMISSIONS } from "./schema.ts";
import { channelToYaml } from "./to-yaml.ts";

const fields: { [field: string]: FieldSpec } = {
  description: { about: "Text on one line." },
  privacy: { about: "Who can find and read the channel." },
  folder: { level: 389, about: "The channel folder that it is listed under." },
  topics_policy: { level: 392, about: "Whether messages need a topic." },
  message_retention_days: { about: "Days after which messages are deleted." },
  archived: { about: "Whether the channel is archived." },
};
for (const setting of PERMISSION_SETTINGS) {
  const { level, about } = PERMISSIONS[setting];
  fields[setting] = { level, about };
}

/**
 * A channel with its permission settings. Its name is its identity, compared without regard to case, archived channels
 * included. Nothing in the API deletes a channel: what the file no longer wants is archived.
 * @see zulip-api.md §3 https://zulip.com/api/update-stream
 */
export const channel: ResourceKind<Channel> = {
  name: "channel",
  section: "channels",
  shape: "map",
  noun: ["channel", "channels"],
  schema: Channel,
  fields,
  dormancy: "archived",
  keyOf: (name) => foldCase(strip(name)),
  canonicalName: strip,
  live: liveChannels,
  decode: decodeChannel,
  check: checkChannels,
  risks: channelRisks,
  calls: channelCalls,
  leastCalls: leastChannelCalls,
  sideEffects: noticesOf,
  // Only a creation that nobody meant leads to private and web-public at once (zulip-api.md §3.3).
  canSet: (field, value) => field !== "privacy" || isPrivacy(value),
  // Whether this account may change a private channel, and who loses sight of it, hangs on who is subscribed.
  reads: (declared) => ({ subscribers: declared.some(({ fields }) => isPrivate(String(fields.privacy ?? ""))) }),
  toYaml: channelToYaml,
};
