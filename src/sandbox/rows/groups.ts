import type { Json } from "../../model/json.ts";
import type { RightScope } from "../../model/permission-settings.ts";
import type { PermissionRule as SentRule } from "../../model/snapshot.ts";
import type { GroupValue } from "./values.ts";

export const GROUP_SETTINGS = [
  "can_add_members_group",
  "can_join_group",
  "can_leave_group",
  "can_manage_group",
  "can_mention_group",
  "can_remove_members_group",
] as const;

export type GroupSetting = (typeof GROUP_SETTINGS)[number];

export interface UserGroup extends Readonly<Record<GroupSetting, GroupValue>> {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Direct members, including deactivated people (who are members again when they are reactivated). */
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
  readonly is_system_group: boolean;
  readonly deactivated: boolean;
  readonly creator_id: number | null;
  readonly date_created: number | null;
  readonly other_rights?: OtherValues;
  readonly other_keys?: OtherKeys;
}

/** Which groups a setting may name (`server_supported_permission_settings`). */
export type PermissionRule = Readonly<SentRule>;

/** The rules of permission settings that this sandbox does not know by name. */
export type OtherRules = Readonly<Record<RightScope, { readonly [setting: string]: PermissionRule }>>;
/** The values of such settings of a channel or a group. A setting without a value has its default. */
export type OtherValues = { readonly [setting: string]: GroupValue };

/** Keys of a channel or a group that this sandbox does not know: shown as its snapshot has them. */
export type OtherKeys = { readonly [key: string]: Json };
