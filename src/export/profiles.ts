import { isObject, type Json, mapOf } from "../model/json.ts";
import { knownRight } from "../model/permission-settings.ts";
import { isDeviceName } from "../model/repository-file.ts";
import { type ProfiledItem, type SharedSettings, sharedSettings } from "./bundles.ts";

export interface FoundProfile {
  readonly name: string;
  readonly fields: { readonly [field: string]: Json };
  readonly members: ReadonlySet<string>;
}

/**
 * Settings that three or more channels share, as profiles: always the one that shortens the file most, as long as one does. A channel has at most one
 * profile.
 */
export function findProfiles(items: readonly ProfiledItem[]): readonly FoundProfile[] {
  const found: FoundProfile[] = [];
  const taken = new Set<string>();
  for (const { settings, members } of sharedSettings(items)) {
    const fields = fieldsOf(settings);
    found.push({ name: profileName(fields, taken), fields, members });
  }
  return found;
}

/** The item without the values of its profile, and with the profile's name. */
export function withProfile(value: ProfiledItem["value"], profile: FoundProfile): ProfiledItem["value"] {
  const rest: { [field: string]: Json } = { profile: profile.name };
  for (const [field, own] of Object.entries(value)) {
    const shared = profile.fields[field];
    if (shared === undefined) rest[field] = own;
    else if (field === "permissions" && isObject(shared)) {
      const left = Object.entries(mapOf(own) ?? {}).filter(([setting]) => !Object.hasOwn(shared, setting));
      if (left.length > 0) rest[field] = Object.fromEntries(left);
    }
  }
  return rest;
}

function fieldsOf(settings: SharedSettings["settings"]): FoundProfile["fields"] {
  const fields: { [field: string]: Json } = {};
  const permissions: { [setting: string]: Json } = {};
  for (const [path, value] of settings) {
    const [field, setting] = path;
    if (setting === undefined) fields[field] = value;
    else permissions[setting] = value;
  }
  return Object.keys(permissions).length === 0 ? fields : { ...fields, permissions };
}

/** A name for a profile, made from its most conspicuous setting. */
function profileName(fields: FoundProfile["fields"], taken: Set<string>): string {
  const permissions = mapOf(fields.permissions) ?? {};
  const parts: string[] = [];
  if (fields.privacy === "web_public") parts.push("open-to-the-web");
  else if (fields.privacy === "public") parts.push("public");
  else if (typeof fields.privacy === "string") parts.push("private");
  const all = permissions.can_send_message_group;
  const posting = all === "role:everyone" ? undefined : all;
  if (posting !== undefined) parts.push("announcement");
  const retention = fields.message_retention_days;
  if (parts.length < 2 && typeof retention === "number") parts.push(`kept-${retention}-days`);
  if (parts.length < 2 && retention === "unlimited") parts.push("kept-forever");
  const topics = typeof fields.topics_policy === "string" ? TOPIC_WORDS[fields.topics_policy] : undefined;
  if (parts.length < 2 && topics !== undefined) parts.push(topics);
  // What every new channel has says nothing.
  const first = Object.entries(permissions).find(([setting, who]) => who !== knownRight("stream", setting)?.standard);
  if (parts.length === 0 && first !== undefined) {
    const [setting, who] = first;
    parts.push(`${typeof who === "string" ? slug(who.replace(/^role:/, "")) : "some"}-${deed(setting)}`);
  }
  const name = parts.join("-") || "shared";
  const who = typeof posting === "string" ? `${name}-by-${slug(posting.replace(/^role:/, ""))}` : name;
  return free(taken.has(name) ? who : name, taken);
}

const TOPIC_WORDS: { readonly [policy: string]: string } = {
  allow_empty_topic: "topics-optional",
  disable_empty_topic: "topics-required",
  empty_topic_only: "without-topics",
};
const deed = (setting: string): string =>
  setting
    .replace(/^can_/, "")
    .replace(/_group$/, "")
    .replaceAll("_", "-");

/** A name in small letters, digits and dashes, which a file can have on every system. */
export function slug(name: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .normalize("NFC");
  const short = [...plain].slice(0, LONGEST_SLUG).join("").replaceAll(/^-|-$/g, "") || "other";
  return isDeviceName(short) ? `${short}-other` : short;
}
/** In characters of up to four bytes: names of files have at most 255 bytes. */
const LONGEST_SLUG = 50;

/** The name, or with a number at the end if one is taken that differs at most in capital letters, and adds it to those. */
export function free(name: string, taken: Set<string>): string {
  const folded = (text: string): string => text.toUpperCase().toLowerCase();
  let candidate = name;
  for (let number = 2; taken.has(folded(candidate)); number += 1) candidate = `${name}-${number}`;
  taken.add(folded(candidate));
  return candidate;
}
