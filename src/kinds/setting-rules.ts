import type { GroupRefused } from "../model/diagnostics/names.ts";
import { quote } from "../model/diagnostics/values.ts";
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

/** Which parts of a value the setting cannot have, and why. */
export function refusedBy(rule: SettingRule, value: GroupValue): readonly GroupRefused[] {
  if (typeof value !== "string") {
    if (rule.require_system_group) return [{ refused: "list" }];
    // The server looks at single groups only, and lets these through to no effect.
    return value.groups
      .filter((group) => !isAllowed(group, { ...rule, allow_nobody_group: true, allowed_system_groups: [] }))
      .map((group) => ({ refused: "in-list", group: quote(group, "user_group") }));
  }
  const group = quote(value, "user_group");
  if (!isAllowed(value, rule)) return [{ refused: "group", group }];
  if (rule.require_system_group && !value.startsWith("role:")) return [{ refused: "not-a-role", group }];
  return [];
}

function isAllowed(group: string, rule: SettingRule): boolean {
  if (group === "role:internet") return rule.allow_internet_group;
  if (group === "role:everyone") return rule.allow_everyone_group;
  if (group === "role:nobody") return rule.allow_nobody_group;
  const { allowed_system_groups: allowed } = rule;
  return allowed.length === 0 || !group.startsWith("role:") || allowed.includes(group);
}
