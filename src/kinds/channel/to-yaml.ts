import { quote } from "../../model/diagnostics/values.ts";
import { type Json, sameJson } from "../../model/json.ts";
import type { InexpressibleFact } from "../../model/kind-facts.ts";
import type { LiveObject } from "../../model/objects.ts";
import { asGroupValue, type Realm } from "../../model/realm.ts";
import { writtenGroupValue } from "../references.ts";
import { standingDefaults, WORDS } from "./outcome.ts";
import { isPrivacy, isPrivate } from "./privacy.ts";
import { PERMISSION_SETTINGS } from "./schema.ts";
import { subscribersToYaml } from "./subscribers-to-yaml.ts";

/**
 * A channel as a person would write it: the values of new channels are left out, and so is the right of its creator. The subscribers of a private
 * channel are its access list, so they are written, as a whole list.
 */
export function channelToYaml(live: LiveObject, realm: Realm): Json {
  const item: { [field: string]: Json } = {};
  const usual = standingDefaults(realm, live);
  for (const field of WORDS) {
    const value = live.fields[field];
    if (value === undefined || sameJson(value, usual[field] ?? null)) continue;
    // A combination that creation accepts and no file can express (zulip-api.md §3.3 quirk 5).
    if (field === "privacy" && !isPrivacy(value)) continue;
    // An archived folder cannot be named; the channel that is in it stays there.
    if (field === "folder" && inexpressibleFolder(value, realm) !== undefined) continue;
    item[field] = value;
  }
  if (live.inactive) item.archived = true;
  const permissions: { [setting: string]: Json } = {};
  for (const setting of PERMISSION_SETTINGS) {
    const value = asGroupValue(live.fields[setting] ?? null);
    if (value === undefined || sameJson(value, usual[setting] ?? null)) continue;
    permissions[setting] = writtenGroupValue(value);
  }
  if (Object.keys(permissions).length > 0) item.permissions = permissions;
  const { privacy, subscribers } = live.fields;
  if (isPrivate(String(privacy)) && subscribers !== undefined)
    item.subscribers = { ...subscribersToYaml(subscribers, undefined, undefined, realm), exact: true };
  return item;
}

/** Why a file cannot name the channel's folder. */
export function inexpressibleFolder(name: Json, realm: Realm): InexpressibleFact | undefined {
  if (name === null) return undefined;
  const isInUse =
    realm.snapshot.channel_folders?.some((folder) => folder.name === name && !folder.is_archived) === true;
  return isInUse ? undefined : { why: "folder-not-in-use", folder: quote(String(name), "channel_folder") };
}
