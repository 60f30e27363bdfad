import type { JsonObject } from "../model/json.ts";
import {
  CHANNEL_PERMISSIONS as CHANNEL_ROWS,
  GROUP_PERMISSIONS as GROUP_ROWS,
  ORGANIZATION_PERMISSIONS,
  type RightScope,
} from "../model/permission-settings.ts";
import type { OtherRules, PermissionRule } from "./rows/groups.ts";

/**
 * Which groups a setting may name, and from which feature level it exists as a group value (zulip-api.md §3.7, §10.5, §12.1). Levels and standards are in one
 * table for all; recordings of servers of 384 and 442 show both.
 */
interface LevelledRule extends PermissionRule {
  readonly level: number;
}
interface Row {
  readonly server: {
    readonly level: number;
    readonly everyone: boolean;
    readonly standard: string;
    readonly nobody?: false;
    readonly only?: readonly string[];
  };
}

function rulesOf<Setting extends string>(
  rows: Readonly<Record<Setting, Row>>,
  forSystemGroups?: string,
): Readonly<Record<Setting, LevelledRule>>;
function rulesOf(rows: { readonly [setting: string]: Row }, forSystemGroups: string | null = null): object {
  const ruleOf = ({ server: { level, everyone, standard, nobody, only } }: Row): LevelledRule => ({
    level,
    allow_nobody_group: nobody !== false && only?.includes("role:nobody") !== false,
    allow_everyone_group: everyone,
    default_group_name: standard,
    require_system_group: only !== undefined,
    allow_internet_group: false,
    default_for_system_groups: forSystemGroups,
    allowed_system_groups: [...(only ?? [])],
  });
  return Object.fromEntries(Object.entries(rows).map(([setting, row]) => [setting, ruleOf(row)]));
}

export const REALM_PERMISSIONS: { readonly [setting: string]: LevelledRule } = rulesOf(
  Object.fromEntries(Object.entries(ORGANIZATION_PERMISSIONS).sort(([, a], [, b]) => a.server.place - b.server.place)),
);
/** The settings of channels in the order of `server_supported_permission_settings`. */
export const CHANNEL_PERMISSIONS = rulesOf(CHANNEL_ROWS);
export const GROUP_PERMISSIONS = rulesOf(GROUP_ROWS, "role:nobody");

/** `server_supported_permission_settings` as the level shows it. */
export function supportedPermissions(level: number, others?: OtherRules): JsonObject {
  const shown = (table: { readonly [setting: string]: LevelledRule }): JsonObject => {
    const out: { [setting: string]: JsonObject } = {};
    for (const [setting, { level: since, ...known }] of Object.entries(table))
      if (level >= since)
        out[setting] = {
          ...known,
          default_group_name: nameAt(level, known.default_group_name),
          allowed_system_groups: [...known.allowed_system_groups],
        };
    return out;
  };
  const othersOf = (rules: OtherRules[RightScope] = {}): JsonObject =>
    Object.fromEntries(
      Object.entries(rules).map(([setting, rule]) => [
        setting,
        { ...rule, allowed_system_groups: [...rule.allowed_system_groups] },
      ]),
    );
  return {
    realm: { ...shown(REALM_PERMISSIONS), ...othersOf(others?.realm) },
    stream: { ...shown(CHANNEL_PERMISSIONS), ...othersOf(others?.stream) },
    group: { ...shown(GROUP_PERMISSIONS), ...othersOf(others?.group) },
  };
}
const nameAt = (level: number, name: string): string =>
  name === "channel_creator" && level < 427 ? "stream_creator_or_nobody" : name;
