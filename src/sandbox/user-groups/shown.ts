import type { Json, JsonObject } from "../../model/json.ts";
import { type Showing, shownValue } from "../channels/shown.ts";
import { shownOtherRights } from "../other-rights.ts";
import { GROUP_PERMISSIONS } from "../permissions.ts";
import { GROUP_SETTINGS, type UserGroup } from "../rows/groups.ts";
import { rows } from "../rows/values.ts";

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
