import { isOpeningSetting } from "../../access/rules.ts";
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
 * channel are its access list, so they are written, as a whole list, and so are the settings by which people let themselves in. Of an archived channel,
 * `unset: default` watches nothing, so its privacy is written in any case, and who may administer it: those can open it, or bring it back.
 */
export function channelToYaml(live: LiveObject, realm: Realm): Json {
  const item: { [field: string]: Json } = {};
  const usual = standingDefaults(realm, live);
  const isClosed = isPrivate(String(live.fields.privacy));
  const opens = (field: string): boolean =>
    (live.inactive && UNLOCKING.includes(field)) || (isClosed && isOpeningSetting(field));
  for (const field of WORDS) {
    const value = live.fields[field];
    if (value === undefined || (sameJson(value, usual[field] ?? null) && !opens(field))) continue;
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
    if (value === undefined || (sameJson(value, usual[setting] ?? null) && !opens(setting))) continue;
    permissions[setting] = writtenGroupValue(value);
  }
  if (Object.keys(permissions).length > 0) item.permissions = permissions;
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
  return privacy === "public" ? realm.setting("enable_spectator_access") === true : privacy !== "web_public";
}

/** Why a file cannot name the channel's folder. */
export function inexpressibleFolder(name: Json, realm: Realm): InexpressibleFact | undefined {
  if (name === null) return undefined;
  const isInUse =
    realm.snapshot.channel_folders?.some((folder) => folder.name === name && !folder.is_archived) === true;
  return isInUse ? undefined : { why: "folder-not-in-use", folder: quote(String(name), "channel_folder") };
}
