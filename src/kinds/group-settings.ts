import { isList, isObject, type Json } from "../model/json.ts";
import type { Fields, Named } from "../model/objects.ts";
import { isRightName, knownRight } from "../model/permission-settings.ts";
import type { GroupValue, Realm } from "../model/realm.ts";
import type { GroupSettingValue } from "../model/snapshot.ts";
import { groupsIn } from "./tokens.ts";

/** A permission setting of a channel or a group in the server's own form; undefined when the server does not have it. */
export function liveGroupSetting(
  object: { readonly [key: string]: unknown },
  setting: string,
): GroupSettingValue | undefined {
  const value = object[setting];
  if (typeof value === "number") return value;
  if (!isObject(value) || !isList(value.direct_members) || !isList(value.direct_subgroups)) return undefined;
  return {
    direct_members: value.direct_members.filter(isNumber),
    direct_subgroups: value.direct_subgroups.filter(isNumber),
  };
}
/** Groups that settings of an object on the server name, where this version of realmctl does not know the settings. */
export function groupsInOtherSettings(
  object: { readonly [key: string]: unknown } | undefined,
  known: Fields,
  realm: Realm,
): readonly Named[] {
  if (object === undefined) return [];
  return Object.keys(object).flatMap((field) => {
    const value = !(field in known) && isRightName(field) ? liveGroupSetting(object, field) : undefined;
    if (value === undefined) return [];
    return groupsIn(groupValueJson(realm.canonical(value))).map((name) => ({ kind: "user_group", name, field }));
  });
}

const isNumber = (value: unknown): value is number => typeof value === "number";

/**
 * The value of a permission setting of an object that is created without it (zulip-api.md §3.7, §10.5): what the server says, or else what is known.
 * @param creator the account that creates the object; null: it no longer exists
 */
export function settingAtCreation(
  { scope, setting }: { readonly scope: "stream" | "group"; readonly setting: string },
  realm: Realm,
  creator: number | null = realm.snapshot.account.user_id,
): GroupValue {
  const name =
    realm.permissionRule(scope, setting)?.default_group_name ?? knownRight(scope, setting)?.standard ?? "role:nobody";
  if (name.startsWith("role:")) return name;
  // `channel_creator` (before level 427 `stream_creator_or_nobody`) and `group_creator` are only the account that creates the object.
  return realm.canonical({ direct_subgroups: [], direct_members: creator === null ? [] : [creator] });
}

export const groupValueJson = (value: GroupValue): Json => (typeof value === "string" ? value : { ...value });

/** The settings of a new object, in words for the reference. */
export const creationDefaults = (table: { readonly [setting: string]: { readonly standard: string } }) =>
  Object.fromEntries(
    Object.entries(table).map(([setting, { standard }]) => [
      setting,
      standard.startsWith("role:") ? `\`${standard}\`` : "the account that creates it",
    ]),
  );
