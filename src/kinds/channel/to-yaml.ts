import { type Json, sameJson } from "../../model/json.ts";
import type { LiveObject } from "../../model/kind.ts";
import { asGroupValue, type GroupValue, type Realm } from "../../model/realm.ts";
import { writtenGroupValue } from "../references.ts";
import { atCreation } from "./outcome.ts";
import { isPrivacy } from "./privacy.ts";
import { PERMISSION_SETTINGS } from "./schema.ts";

/** A channel as a person would write it: what every new channel has anyway is left out, and so is the right of its creator. */
export function channelToYaml(live: LiveObject, realm: Realm): Json {
  const item: { [field: string]: Json } = {};
  for (const field of ["description", "privacy", "folder", "topics_policy", "message_retention_days"]) {
    const value = live.fields[field];
    if (value === undefined || sameJson(value, atCreation(field, realm) ?? null)) continue;
    // A combination that creation lets through and no file can ask for (zulip-api.md §3.3 quirk 5).
    if (field === "privacy" && !isPrivacy(value)) continue;
    // An archived folder cannot be named; the channel that is in it stays there.
    if (field === "folder" && inexpressibleFolder(value, realm) !== undefined) continue;
    item[field] = value;
  }
  if (live.inactive) item.archived = true;
  const permissions: { [setting: string]: Json } = {};
  for (const setting of PERMISSION_SETTINGS) {
    const value = asGroupValue(live.fields[setting] ?? null);
    if (value === undefined || isDefault(setting, value, live, realm)) continue;
    permissions[setting] = writtenGroupValue(value);
  }
  if (Object.keys(permissions).length > 0) item.permissions = permissions;
  return item;
}

/** Why a file may not name the folder that a channel is in. */
export function inexpressibleFolder(name: Json, realm: Realm): string | undefined {
  if (name === null) return undefined;
  const isInUse =
    realm.snapshot.channel_folders?.some((folder) => folder.name === name && !folder.is_archived) === true;
  return isInUse ? undefined : `the folder ${String(name)} is not in use on the server`;
}

function isDefault(setting: string, value: GroupValue, live: LiveObject, realm: Realm): boolean {
  if (setting !== "can_administer_channel_group") return sameJson(value, atCreation(setting, realm) ?? null);
  const creator = live.id === null ? undefined : realm.channel(live.id)?.creator_id;
  if (creator === undefined || creator === null) return value === "role:nobody";
  return sameJson(value, { groups: [], users: [realm.userName(creator)] });
}
