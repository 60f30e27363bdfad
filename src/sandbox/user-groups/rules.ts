import type { Json, JsonObject } from "../../model/json.ts";
import { isGuest, mayInRealm, realmGroup } from "../access.ts";
import type { Call } from "../call.ts";
import { type Showing, shownValue } from "../channels/shown.ts";
import { ApiError, insufficientPermission } from "../errors.ts";
import { groupById, isChanged, isIn, writtenGroupValue } from "../groups.ts";
import { otherRightsNaming, shownOtherRights } from "../other-rights.ts";
import { codePoints, type SentGroupChange, type SentGroupValue } from "../params.ts";
import { GROUP_PERMISSIONS, REALM_PERMISSIONS } from "../permissions.ts";
import { stripped } from "../python.ts";
import type { User } from "../rows/accounts.ts";
import { CHANNEL_SETTINGS } from "../rows/channels.ts";
import { GROUP_SETTINGS, type GroupSetting, type UserGroup } from "../rows/groups.ts";
import { type GroupValue, rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";

const MAX_NAME_LENGTH = 100;
const FORBIDDEN_PREFIXES = ["@", "role:", "user:", "stream:", "channel:"];

/** Checks a name, which is not stripped; the comparison is case-sensitive. @throws ApiError */
export function checkGroupName(name: string): void {
  if (stripped(name) === "") throw new ApiError("User group name can't be empty!");
  if (codePoints(name) > MAX_NAME_LENGTH)
    throw new ApiError(`User group name cannot exceed ${MAX_NAME_LENGTH} characters.`);
  const prefix = FORBIDDEN_PREFIXES.find((each) => name.startsWith(each));
  if (prefix !== undefined) throw new ApiError(`User group name cannot start with '${prefix}'.`);
}
/** Deactivated groups keep their names. @throws ApiError */
export function checkGroupNameFree(state: RealmState, name: string): void {
  if (rows(state.user_groups).some((group) => group.name === name))
    throw new ApiError(`User group '${name}' already exists.`);
}

/** Whether one of the group's settings, or the right to manage it, allows the user. Administrators have no right of their own. */
function mayInGroup(state: RealmState, user: User, group: UserGroup, setting: GroupSetting): boolean {
  if (mayInRealm(state, user, "can_manage_all_groups")) return true;
  const lets = (each: GroupSetting): boolean =>
    !(isGuest(user) && !GROUP_PERMISSIONS[each].allow_everyone_group) && isIn(state, group[each], user.user_id);
  return lets("can_manage_group") || lets(setting);
}

/** The group, if the caller may change this aspect of it; nobody can change system groups. @throws ApiError */
export function groupToChange(
  call: Call,
  id: number,
  settings: readonly GroupSetting[],
  deactivatedToo = true,
): UserGroup {
  const group = groupById(call.state, id, true);
  if (group.is_system_group) throw insufficientPermission();
  if (group.deactivated && !deactivatedToo) throw new ApiError("User group is deactivated.");
  if (!settings.some((setting) => mayInGroup(call.state, call.user, group, setting))) throw insufficientPermission();
  return group;
}

type SentValues = { readonly [setting in GroupSetting]: SentGroupValue | undefined };
/** The group settings of a new group, looked up. @throws ApiError */
export function checkedSettings(call: Call, sent: SentValues): Partial<Record<GroupSetting, GroupValue>> {
  const out: Partial<Record<GroupSetting, GroupValue>> = {};
  for (const setting of GROUP_SETTINGS) {
    const value = sent[setting];
    if (value !== undefined) out[setting] = writtenGroupValue(call, setting, GROUP_PERMISSIONS[setting], value);
  }
  return out;
}

/** The new value of a setting; undefined if it does not change. @throws ApiError */
export function changedSetting(
  call: Call,
  group: UserGroup,
  setting: GroupSetting,
  sent: SentGroupChange,
): GroupValue | undefined {
  if (!isChanged(call.state, group[setting], sent)) return undefined;
  return writtenGroupValue(call, setting, GROUP_PERMISSIONS[setting], sent.new, group[setting]);
}

const names = (value: GroupValue, id: number): boolean =>
  typeof value === "number" ? value === id : value.direct_subgroups.includes(id);

/** The places where a group is still in use (§10.4); archived channels and deactivated groups do not count. */
export function objectionsTo(state: RealmState, id: number) {
  const supergroups = rows(state.user_groups).filter(
    (group) => !group.deactivated && group.direct_subgroup_ids.includes(id),
  );
  const inChannels = rows(state.channels)
    .filter((channel) => !channel.is_archived)
    .map((channel) => ({
      type: "channel",
      channel_id: channel.stream_id,
      settings: [
        ...CHANNEL_SETTINGS.filter((setting) => names(channel[setting], id)),
        ...otherRightsNaming(state, "stream", id, channel),
      ],
    }));
  const inGroups = rows(state.user_groups)
    .filter((group) => !group.deactivated)
    .map((group) => ({
      type: "user_group",
      group_id: group.id,
      settings: [
        ...GROUP_SETTINGS.filter((setting) => names(group[setting], id)),
        ...otherRightsNaming(state, "group", id, group),
      ],
    }));
  const inRealm = [
    ...Object.keys(REALM_PERMISSIONS).filter((setting) => names(realmGroup(state, setting), id)),
    ...otherRightsNaming(state, "realm", id),
  ];
  return [
    ...(supergroups.length > 0 ? [{ type: "subgroup", supergroup_ids: supergroups.map((group) => group.id) }] : []),
    ...inChannels.filter(({ settings }) => settings.length > 0),
    ...inGroups.filter(({ settings }) => settings.length > 0),
    ...(inRealm.length > 0 ? [{ type: "realm", settings: inRealm }] : []),
  ];
}

/** A group as the level shows it (zulip-api.md §10.2), without deactivated people. */
export function shownGroup({ state, level }: Showing, group: UserGroup): JsonObject {
  const out: { [key: string]: Json } = {
    ...group.other_keys,
    id: group.id,
    name: group.name,
    description: group.description,
    members: group.members.filter((id) => state.users[id]?.is_active === true),
    direct_subgroup_ids: [...group.direct_subgroup_ids],
    is_system_group: group.is_system_group,
    creator_id: group.creator_id,
    date_created: group.date_created,
    deactivated: group.deactivated,
  };
  for (const setting of GROUP_SETTINGS)
    if (level >= GROUP_PERMISSIONS[setting].level) out[setting] = shownValue(state, group[setting]);
  return Object.assign(out, shownOtherRights(state, "group", group));
}

/** The groups, sorted by id. */
export function shownGroups(showing: Showing, deactivatedToo: boolean): JsonObject[] {
  return rows(showing.state.user_groups)
    .filter((group) => deactivatedToo || !group.deactivated)
    .map((group) => shownGroup(showing, group));
}
