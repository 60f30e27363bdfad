import { defined } from "../../model/defined.ts";
import type { Json } from "../../model/json.ts";
import { lazily } from "../../model/lazy.ts";
import type { LiveObject } from "../../model/objects.ts";
import { otherRights } from "../../model/permission-settings.ts";
import type { Realm } from "../../model/realm.ts";
import type { SnapshotChannel } from "../../model/snapshot.ts";
import { liveGroupSetting } from "../group-settings.ts";
import { foldCase } from "../names.ts";
import { keysBeyond } from "../newer-settings.ts";
import { unseenOf } from "../sight.ts";
import { folderNames } from "./folder-names.ts";
import { privacyWord } from "./privacy.ts";
import { PERMISSION_SETTINGS } from "./schema.ts";

/** What a channel of a reading has, besides its permission settings (zulip-api.md §3.1). */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...PERMISSION_SETTINGS,
  "stream_id",
  "name",
  "description",
  "invite_only",
  "is_web_public",
  "history_public_to_subscribers",
  "is_archived",
  "message_retention_days",
  "creator_id",
  "date_created",
  "default_push_notifications",
  "folder_id",
  "is_announcement_only",
  "is_default",
  "stream_post_policy",
  "subscriber_count",
  "topics_policy",
]);

/** The settings of channels that this version does not know. */
export const newerOfChannels = ({ snapshot }: Realm): readonly string[] => keysBeyond(snapshot.channels, KNOWN_KEYS);

/** Every channel, also archived ones, with its fields as a file would write them. Fields that the server does not have are left out. */
export function liveChannels(realm: Realm): readonly LiveObject[] {
  const folders = folderNames(realm.snapshot.channel_folders ?? []);
  return realm.snapshot.channels.map((channel) => ({
    key: foldCase(channel.name),
    name: channel.name,
    id: channel.stream_id,
    fields: fieldsOf(channel, realm, folders),
    inactive: channel.is_archived,
  }));
}

function fieldsOf(channel: SnapshotChannel, realm: Realm, folders: ReadonlyMap<number, string>) {
  const fields: { [field: string]: Json } = {
    description: channel.description,
    privacy: privacyWord(channel),
    ...defined({ message_retention_days: retentionWord(channel.message_retention_days) }),
    archived: channel.is_archived,
  };
  const { folder_id: folder, topics_policy: topics, default_push_notifications: push } = channel;
  if (folder !== undefined) fields.folder = folder === null ? null : (folders.get(folder) ?? `folder:${folder}`);
  if (topics !== undefined) fields.topics_policy = topics;
  if (typeof push === "boolean") fields.default_push_notifications = push;
  const subscribers = realm.snapshot.subscribers?.[String(channel.stream_id)];
  if (subscribers !== undefined) {
    // Deactivated accounts stay subscribed unseen (zulip-api.md §5.3).
    lazily(fields, "subscribers", () => realm.namesOfActive(subscribers));
  }
  for (const setting of [...PERMISSION_SETTINGS, ...otherRights("stream", realm.snapshot)]) {
    const value = liveGroupSetting(channel, setting);
    if (value !== undefined) fields[setting] = realm.canonical(value);
  }
  return fields;
}

function retentionWord(days: number | null | undefined): number | string | undefined {
  if (days === null) return "realm_default";
  return days === -1 ? "unlimited" : days;
}

/** Whether there may be private channels that the account does not see. */
export const unseenChannels = (realm: Realm) => unseenOf(realm, "private-channels");
