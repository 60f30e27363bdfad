import type { Json } from "../../model/json.ts";
import type { RightScope } from "../../model/permission-settings.ts";
import type { GroupValue } from "./values.ts";

/** Which groups a setting may name (`server_supported_permission_settings`). */
export interface PermissionRule {
  readonly require_system_group: boolean;
  readonly allow_internet_group: boolean;
  readonly allow_nobody_group: boolean;
  readonly allow_everyone_group: boolean;
  readonly default_group_name: string;
  readonly default_for_system_groups: string | null;
  readonly allowed_system_groups: readonly string[];
}

/** The rules of permission settings that this sandbox does not know by name. */
export type OtherRules = Readonly<Record<RightScope, { readonly [setting: string]: PermissionRule }>>;
/** The values of such settings of a channel or a group. A setting without a value has its default. */
export type OtherValues = { readonly [setting: string]: GroupValue };

/** Keys of a channel or a group that this sandbox does not know: shown as its snapshot has them. */
export type OtherKeys = { readonly [key: string]: Json };
