import type { OtherKeys, OtherValues } from "./rights.ts";
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
