import { defined } from "../../model/defined.ts";
import { isList, type Json } from "../../model/json.ts";
import { lazily } from "../../model/lazy.ts";
import type { LiveObject } from "../../model/objects.ts";
import { allRights, KNOWN_RIGHTS } from "../../model/permission-settings.ts";
import type { Call, FieldChange } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import type { Snapshot, SnapshotChannel } from "../../model/snapshot.ts";
import { listed } from "../../model/texts.ts";
import { foldCase } from "../names.ts";
import { liveGroupSetting } from "../permissions.ts";
import { keysBeyond } from "../rows.ts";
import { unseenOf } from "../sight.ts";
import { privacyWord } from "./schema.ts";

/** What a channel of a reading has, besides its permission settings (zulip-api.md §3.1). */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...KNOWN_RIGHTS.stream,
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
  for (const setting of allRights("stream", realm.snapshot)) {
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

/**
 * Whether a list of subscribers shows the effect of a call, or an intermediate state of the plan. One call subscribes people, another unsubscribes
 * others, and it is possible that only one of them was carried out.
 */
export function showsSubscribing(change: FieldChange, live: Json, by: { call?: Call; realm: Realm }): boolean {
  if (change.field !== "subscribers") return false;
  const there = new Set(listed(live));
  if (by.call === undefined) return isBetween(there, change, by.realm);
  const { operation, params } = by.call;
  const { principals } = params;
  if ((operation !== "subscribe" && operation !== "unsubscribe") || !isList(principals)) return false;
  return principals.every((id) => there.has(by.realm.userName(Number(id))) === (operation === "subscribe"));
}

/** Only people who were subscribed or will be, and all of those who were and stay: subscribers with inactive accounts are not shown. */
function isBetween(there: ReadonlySet<string>, { before, after }: FieldChange, realm: Realm): boolean {
  const had = listed(before);
  const wanted = new Set(listed(after));
  const known = new Set([...had, ...wanted]);
  const missing = had.filter((name) => wanted.has(name) && !there.has(name));
  const inUse = missing.length === 0 ? [] : realm.snapshot.users.filter(({ is_active }) => is_active);
  const shown = new Set(inUse.map(({ user_id }) => realm.userName(user_id)));
  return [...there].every((name) => known.has(name)) && missing.every((name) => !shown.has(name));
}

type Folders = NonNullable<Snapshot["channel_folders"]>;

/**
 * Names of folders as values of channels, by id. Archived folders do not occupy their names (zulip-api.md §11): an archived folder that shares its
 * name with another one is shown with its id, since a file that uses the name means the other.
 */
function folderNames(folders: Folders): ReadonlyMap<number, string> {
  const count = new Map<string, number>();
  for (const { name } of folders) count.set(foldCase(name), (count.get(foldCase(name)) ?? 0) + 1);
  return new Map(
    folders.map(({ id, name, is_archived }) => [
      id,
      is_archived && (count.get(foldCase(name)) ?? 0) > 1 ? `${name} (archived, id ${id})` : name,
    ]),
  );
}

/** The id in such a name, for an undo. */
export function idInFolderName(name: string): number | undefined {
  const id = / \(archived, id (\d+)\)$/.exec(name)?.[1];
  return id === undefined ? undefined : Number(id);
}
