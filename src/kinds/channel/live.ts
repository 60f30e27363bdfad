import { isOpeningSetting, SPECTATORS } from "../../access/rules.ts";
import { isPrivacy } from "../../access/state.ts";
import { defined } from "../../model/defined.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { asMap, isList, type Json, sameJson } from "../../model/json.ts";
import type { InexpressibleFact } from "../../model/kind-facts.ts";
import { lazily } from "../../model/lazy.ts";
import type { DeclaredObject, LiveObject } from "../../model/objects.ts";
import { allRights, KNOWN_RIGHTS } from "../../model/permission-settings.ts";
import type { Call, FieldChange } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import { type Snapshot, SnapshotChannel } from "../../model/snapshot.ts";
import { listed } from "../../model/texts.ts";
import { channelsIn } from "../channels-by-name.ts";
import { exceptedByGroup, listToYaml, namesEverybody } from "../list-to-yaml.ts";
import { foldCase } from "../names.ts";
import { liveGroupSetting, permissionsToYaml } from "../permissions.ts";
import { keysBeyond, unseenOf } from "../readings.ts";
import { isPrivate, standingDefaults } from "./outcome.ts";
import { CHANNEL_FIELDS } from "./properties.ts";
import { privacyWord } from "./schema.ts";

/** The settings of channels that this version does not know (zulip-api.md §3.1). */
export const newerOfChannels = keysBeyond(
  ({ snapshot }) => snapshot.channels,
  [
    ...KNOWN_RIGHTS.stream,
    ...Object.keys(SnapshotChannel.shape),
    "default_push_notifications",
    "is_announcement_only",
    "is_default",
    "stream_post_policy",
    "subscriber_count",
  ],
);

/** Every channel, also archived ones, with its fields as a file would write them. Fields that the server does not have are left out. */
export function liveChannels(realm: Realm): readonly LiveObject[] {
  const folders = folderNames(realm.snapshot.channel_folders ?? []);
  return realm.snapshot.channels.map((channel) => {
    const { name, stream_id: id, is_archived: inactive } = channel;
    return { key: foldCase(name), name, id, fields: fieldsOf(channel, realm, folders), inactive };
  });
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

/**
 * A channel as a person would write it: the values of new channels are left out, and so is the right of its creator. The subscribers of a private
 * channel are its access list, so they are written, as a whole list, and so are the settings by which people let themselves in. Of an archived channel,
 * `unset: default` watches nothing, so its privacy is written in any case, and who may administer it: those can open it, or bring it back.
 */
export function channelToYaml(live: LiveObject, realm: Realm): Json {
  const item: { [field: string]: Json } = {};
  const usual = standingDefaults(realm, live);
  const isClosed = isPrivate(String(live.fields.privacy));
  const opens = (field: string): boolean =>
    (live.inactive && UNLOCKING.includes(field)) || (isClosed && isOpeningSetting(field));
  for (const field of Object.keys(CHANNEL_FIELDS.rows)) {
    const value = live.fields[field];
    if (value === undefined || (sameJson(value, usual[field] ?? null) && !opens(field))) continue;
    // A combination that creation accepts and no file can express (zulip-api.md §3.3 quirk 5).
    if (field === "privacy" && !isPrivacy(value)) continue;
    // An archived folder cannot be named; the channel that is in it stays there.
    if (field === "folder" && inexpressibleFolder(value, realm) !== undefined) continue;
    item[field] = value;
  }
  if (live.inactive) item.archived = true;
  const isUsual = (setting: string, value: Json): boolean => sameJson(value, usual[setting] ?? null) && !opens(setting);
  Object.assign(item, permissionsToYaml("stream", live.fields, isUsual));
  const { subscribers } = live.fields;
  if (isClosed && subscribers !== undefined)
    item.subscribers = { ...subscribersToYaml(subscribers, undefined, undefined, realm), exact: true };
  return item;
}

/** What decides who reads an archived channel, and who decides that. */
const UNLOCKING: readonly string[] = ["privacy", "can_administer_channel_group"];

/**
 * Whether somebody could gain something if an archived channel were opened by hand: it can be read (zulip-api.md §16.21). Such channels are written, so
 * that drift sees it (docs/internals/decisions/0004-lists-of-private-channels-are-exact.md). Members read a public one already; it can only become web-public.
 */
export function canBeOpened({ fields: { privacy } }: LiveObject, realm: Realm): boolean {
  return privacy === "public" ? realm.setting(SPECTATORS) === true : privacy !== "web_public";
}

/** Why a file cannot name the channel's folder. */
export function inexpressibleFolder(name: Json, realm: Realm): InexpressibleFact | undefined {
  if (name === null) return undefined;
  const isInUse =
    realm.snapshot.channel_folders?.some((folder) => folder.name === name && !folder.is_archived) === true;
  return isInUse ? undefined : { why: "folder-not-in-use", folder: quote(String(name), "channel_folder") };
}

/**
 * Whether the entry of a private channel does not name somebody who is subscribed and stays: it has no list, says `exact: false`, or is of a channel
 * that stays archived (docs/internals/decisions/0004-lists-of-private-channels-are-exact.md).
 */
export function leavesSubscribersOpen(declared: DeclaredObject, live: LiveObject, realm: Realm): boolean {
  const { subscribers } = live.fields;
  const wish = declared.creation?.subscribers;
  const staysArchived = declared.absent && live.inactive;
  if (subscribers === undefined || declared.absent !== staysArchived || !isClosedNow(declared, realm)) return false;
  if (wish !== undefined && asMap(wish).exact !== false && !staysArchived) return false;
  return !namesEverybody(subscribers, wish, realm);
}

/**
 * The subscribers in the form of the file. A list that is not exact says nothing about people whom it does not name, so nobody is added, unless the list
 * of a private channel differs in nothing else.
 * @param live people by name
 * @param raw the current value of the item; undefined if it inherits its value, which is then overridden as a whole
 */
export function subscribersToYaml(
  live: Json,
  raw: Json | undefined,
  declared: DeclaredObject | undefined,
  realm: Realm,
): { readonly [key: string]: Json } {
  const before = asMap(raw);
  const wish = asMap(declared?.creation?.subscribers);
  const isClosed = isClosedNow(declared, realm);
  const isAll = raw === undefined || wish.exact === true;
  const list = listToYaml(
    live,
    before,
    {
      isExact: isAll || (isClosed && wish.exact !== false),
      isWhole: (isComplete) => isAll || (isClosed && (wish.exact === undefined || isComplete)),
    },
    realm,
  );
  // What is written now is known to be the whole list.
  const exact = before.exact ?? wish.exact ?? (isClosed && raw === undefined ? true : undefined);
  return { ...defined({ ...list, exact }) };
}

/** Why an exact list cannot have everybody who is subscribed. */
export function exceptedSubscribers(
  live: Json,
  declared: DeclaredObject | undefined,
  realm: Realm,
): InexpressibleFact | undefined {
  const wish = declared?.creation?.subscribers;
  const isExact = asMap(wish).exact ?? isClosedNow(declared, realm);
  return isExact === true ? exceptedByGroup(live, wish, realm) : undefined;
}

/** Whether the channel is private on the server, whose state is written. */
function isClosedNow(declared: DeclaredObject | undefined, realm: Realm): boolean {
  if (declared === undefined) return false;
  const { id, was, key } = declared;
  const live =
    id === undefined ? channelsIn(realm).byKey.get(was === undefined ? key : foldCase(was)) : realm.channel(id);
  return live?.invite_only === true;
}
