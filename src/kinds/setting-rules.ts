import type { Span } from "../model/diagnostic.ts";
import type { GroupRefused } from "../model/diagnostics/names.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { DeclaredObject } from "../model/objects.ts";
import { asGroupValue, type GroupValue, type Realm } from "../model/realm.ts";

/** Which groups a permission setting may name: from the server's own table, if it has one for the setting (zulip-api.md §2.3, §3.7). */
interface SettingRule {
  readonly require_system_group: boolean;
  readonly allow_internet_group: boolean;
  readonly allow_nobody_group: boolean;
  readonly allow_everyone_group: boolean;
  readonly allowed_system_groups: readonly string[];
}

/** What is known about a setting if no server says it; undefined for a setting that only a server knows. */
interface KnownRule {
  /** Whether the value may be `role:everyone`. */
  readonly everyone?: boolean;
  /** Whether the value may be `role:nobody`. Default: yes. */
  readonly nobody?: boolean;
  /** The only groups that the value may be. */
  readonly only?: readonly string[];
}

/** @param realm its own table of rules is used; without a realm, or without a table in it, the built-in one */
export function settingRule(
  scope: "stream" | "group" | "realm",
  setting: string,
  known: KnownRule | undefined,
  realm: Realm | undefined,
): SettingRule {
  const { everyone = false, nobody = true, only } = known ?? {};
  return (
    realm?.permissionRule(scope, setting) ?? {
      require_system_group: only !== undefined,
      allow_internet_group: false,
      allow_nobody_group: nobody,
      allow_everyone_group: everyone,
      allowed_system_groups: only ?? [],
    }
  );
}

/**
 * Errors in permission settings that the file alone shows: single groups that a setting cannot be. Groups within a list are checked when the
 * organization is known: the server accepts them without effect.
 */
export function neverAllowed(
  declared: readonly DeclaredObject[],
  ruleOf: (field: string) => SettingRule | undefined,
): readonly { readonly field: string; readonly refused: GroupRefused; readonly at: Span | undefined }[] {
  return declared
    .filter(({ absent }) => !absent)
    .flatMap(({ fields, spans, at }) =>
      Object.entries(fields).flatMap(([field, written]) => {
        const rule = ruleOf(field);
        const value = rule === undefined ? undefined : asGroupValue(written);
        if (rule === undefined || value === undefined) return [];
        return refusedBy(rule, value)
          .filter(({ refused }) => refused !== "in-list")
          .map((refused) => ({ field, refused, at: spans.of(field) ?? at }));
      }),
    );
}

/** The parts of a value that the setting cannot have, and why. */
export function refusedBy(rule: SettingRule, value: GroupValue): readonly GroupRefused[] {
  if (typeof value !== "string") {
    if (rule.require_system_group) return [{ refused: "list" }];
    // The server checks only single groups, and accepts these without effect.
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
