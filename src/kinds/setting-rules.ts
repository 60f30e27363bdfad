import type { GroupValue, Realm } from "../model/realm.ts";

/** Which groups a permission setting may name: the server's own table, where it has one for the setting (zulip-api.md §2.3, §3.7). */
export interface SettingRule {
  readonly require_system_group: boolean;
  readonly allow_internet_group: boolean;
  readonly allow_nobody_group: boolean;
  readonly allow_everyone_group: boolean;
  readonly allowed_system_groups: readonly string[];
}

/** @param everyone may the setting be `role:everyone` on servers that have no table? */
export function settingRule(
  scope: "stream" | "group" | "realm",
  setting: string,
  everyone: boolean,
  realm: Realm,
): SettingRule {
  return (
    realm.permissionRule(scope, setting) ?? {
      require_system_group: false,
      allow_internet_group: false,
      allow_nobody_group: true,
      allow_everyone_group: everyone,
      allowed_system_groups: [],
    }
  );
}

export interface Refused {
  /** What the setting cannot be, in words. */
  readonly what: string;
  readonly hint: string;
}

export function refusedBy(rule: SettingRule, value: GroupValue): readonly Refused[] {
  if (typeof value !== "string") {
    if (rule.require_system_group)
      return [{ what: "a list of groups and people", hint: "name one of the groups that start with role:" }];
    // The server looks at single groups only, and lets these through to no effect.
    return value.groups
      .filter((group) => !isAllowed(group, { ...rule, allow_nobody_group: true, allowed_system_groups: [] }))
      .map((group) => ({ what: group, hint: `take ${group} out of the list: ${whyNot(group)}` }));
  }
  if (!isAllowed(value, rule)) return [{ what: value, hint: whyNot(value) }];
  if (rule.require_system_group && !value.startsWith("role:"))
    return [{ what: `the group "${value}"`, hint: "name one of the groups that start with role:" }];
  return [];
}

function isAllowed(group: string, rule: SettingRule): boolean {
  if (group === "role:internet") return rule.allow_internet_group;
  if (group === "role:everyone") return rule.allow_everyone_group;
  if (group === "role:nobody") return rule.allow_nobody_group;
  const { allowed_system_groups: allowed } = rule;
  return allowed.length === 0 || !group.startsWith("role:") || allowed.includes(group);
}

function whyNot(group: string): string {
  if (group === "role:everyone") return "guests never get this right; role:members are all others";
  if (group === "role:internet") return "nobody without an account gets rights here";
  if (group === "role:nobody") return "somebody has to have this right";
  return "the server does not offer this group here";
}
