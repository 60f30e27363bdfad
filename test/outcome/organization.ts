import { realmGroup } from "../../src/sandbox/access.ts";
import { realmDefaults } from "../../src/sandbox/defaults.ts";
import { CHANNEL_VALUED, REALM_GROUP_SETTINGS, realmParams } from "../../src/sandbox/realm-settings/params.ts";
import type { User } from "../../src/sandbox/rows/accounts.ts";
import { type GroupValue, rows } from "../../src/sandbox/rows/values.ts";
import type { RealmState } from "../../src/sandbox/state.ts";
import { hasWaited, localPart } from "./accounts.ts";
import { asFields, type Fields, type File } from "./file.ts";
import type { After } from "./objects.ts";
import { whoIs } from "./people.ts";
import { ascending, type Ref, type Row, type Rows, type Seen } from "./seen.ts";

/** Words of docs/reference/settings.md and user_defaults.md, and their numbers or letters from zulip-api.md §12. */
const NUMBERS: { readonly [field: string]: readonly (readonly [word: string, value: number | string])[] } = {
  org_type: [
    ["unspecified", 0],
    ["business", 10],
    ["open_source", 20],
    ["research", 40],
    ["community", 90],
  ],
  digest_weekday: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].map((day, index) => [
    day,
    index,
  ]),
  video_chat_provider: [
    ["disabled", 0],
    ["jitsi_meet", 1],
    ["newest_calls", 9],
  ],
  default_avatar_source: [
    ["gravatar", "G"],
    ["jdenticon", "J"],
  ],
  gif_rating_policy: ["disabled", "g", "pg", "pg-13", "r"].map((rating, index) => [rating, index]),
};
const SECONDS: { readonly [unit: string]: number } = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** The organization's own settings as a file writes them (docs/reference/settings.md). */
export function organizationAfter(
  file: File,
  state: RealmState,
  now: Seen,
  { groups, channels }: { readonly groups: After; readonly channels: After },
): Row {
  const after: { [setting: string]: unknown } = { ...now.organization };
  if (file.isExact("settings"))
    for (const [setting, value] of Object.entries(realmDefaults(rows(state.user_groups))))
      if (setting in after && !KEPT.has(setting) && isKnown(setting, state)) after[setting] = value;
  for (const [field, value] of Object.entries(file.fieldsOf("settings"))) {
    const [setting, sent] = spoken(field, value, channels);
    if (PICTURES.some((picture) => picture === field)) after[field] = pictureAfter(after[field], value);
    else if (field === "permissions")
      for (const [permission, who] of Object.entries(asFields(value)))
        after[permission] = whoIs(state, who, groups.called);
    else if (field === "authentication_methods") after[setting] = methods(after[setting], asFields(value));
    else after[setting] = sent;
  }
  // The server takes the language back when it has a playground of that language (zulip-api.md §12.5); playgrounds are not checked here.
  if (file.items("playgrounds") !== undefined && !("default_code_block_language" in file.fieldsOf("settings")))
    delete after.default_code_block_language;
  // Archiving a channel clears the settings that name it (zulip-api.md §3.12).
  for (const setting of CHANNEL_VALUED)
    if (channels.rows[String(after[setting])]?.inactive === true) after[setting] = "none";
  return after;
}

const PICTURES = ["icon", "logo", "night_logo"] as const;

/** Every upload and every removal counts (zulip-api.md §19). */
function pictureIn({ realm, image_versions }: RealmState, picture: (typeof PICTURES)[number]): Fields {
  const version = /version=(\d+)/.exec(String(realm[`${picture}_url`]))?.[1];
  return { there: realm[`${picture}_source`] === "U", count: image_versions?.[picture] ?? (Number(version ?? 0) || 1) };
}

/**
 * The existing picture stays, unless the file names its version; if that version does not exist, nothing is uploaded
 * (docs/internals/decisions/0027-pictures-are-uploaded-by-version.md).
 */
function pictureAfter(now: unknown, said: unknown): Fields {
  const { there, count } = asFields(now);
  const { replaces } = asFields(said);
  const isWanted = replaces === undefined ? there === false : there === true && replaces === count;
  const goes = said === null ? there === true : isWanted;
  return goes ? { there: said !== null, count: Number(count) + 1 } : { there, count };
}

/** Does the server support it at its level? Nobody can choose a setting that it does not show. */
function isKnown(setting: string, { server }: RealmState): boolean {
  const levels = new Map(Object.entries(realmParams).map(([name, { level }]) => [name, level]));
  return (levels.get(setting) ?? 0) <= Number(server.zulip_feature_level);
}

/** Nobody chooses these for an organization, whether the section is `exact` or not. */
const KEPT: ReadonlySet<string> = new Set(["name", "authentication_methods", ...CHANNEL_VALUED]);

/** New accounts have ids below zero (accounts.ts). */
const refOf = (user: User): Ref => (user.user_id < 0 ? `new:${localPart(user)}` : user.user_id);

/** Who is a full member after a change of the waiting period (zulip-api.md §12.1). */
export function fullMembersAfter(state: RealmState, now: Seen, groups: Rows, days: unknown): Rows {
  if (days === now.organization.waiting_period_threshold || typeof days !== "number") return groups;
  const group = rows(state.user_groups).find(({ name }) => name === "role:fullmembers");
  const members = rows(state.users).filter(
    (user) => user.role === 400 && user.is_active && !user.is_system_bot && hasWaited(user, days),
  );
  if (group === undefined) return groups;
  return { ...groups, [group.id]: { ...groups[group.id], members: ascending(members.map(refOf)) } };
}

function spoken(field: string, value: unknown, channels: After): readonly [setting: string, value: unknown] {
  if (field.endsWith("_channel")) {
    const setting = CHANNEL_VALUED.find((name) => name.startsWith(field.slice(0, -"_channel".length)));
    return [setting ?? field, value === null ? "none" : channels.called(String(value))];
  }
  if (field.endsWith("_limit")) return [`${field}_seconds`, value === "unlimited" ? null : seconds(String(value))];
  if (field === "waiting_period_threshold") return [field, value === "none" ? 0 : seconds(String(value)) / 86_400];
  if (field === "message_retention_days") return [field, value === "unlimited" ? -1 : value];
  if (field === "jitsi_server_url") return [field, value === "default" ? null : value];
  const number = NUMBERS[field]?.find(([word]) => word === value)?.[1];
  if (number !== undefined) return [field === "gif_rating_policy" ? "giphy_rating" : field, number];
  return [field, value ?? ""];
}

function seconds(text: string): number {
  return Number(text.slice(0, -1)) * (SECONDS[text.slice(-1)] ?? Number.NaN);
}

function methods(now: unknown, said: Fields): unknown {
  return Object.fromEntries(Object.entries(asFields(now)).map(([name, on]) => [name, said[name] ?? on]));
}

/** The parameters of PATCH /realm, under the names by which the sandbox stores them: settings of the organization, and nothing else. */
export function organizationIn(
  state: RealmState,
  who: (value: GroupValue) => unknown,
  channel: (id: number) => unknown,
): Row {
  const { realm } = state;
  const shown = (name: string): unknown => {
    const value = realm[name];
    if (REALM_GROUP_SETTINGS.some((setting) => setting === name)) return who(realmGroup(state, name));
    if (CHANNEL_VALUED.some((setting) => setting === name))
      return typeof value === "number" && value >= 0 ? channel(value) : "none";
    if (name !== "authentication_methods") return value;
    return Object.fromEntries(Object.entries(asFields(value)).map(([method, on]) => [method, asFields(on).enabled]));
  };
  const names = Object.keys(realmParams).filter((name) => realm[name] !== undefined);
  return Object.fromEntries([
    ...names.map((name) => [name, shown(name)] as const),
    ...PICTURES.map((picture) => [picture, pictureIn(state, picture)] as const),
  ]);
}
