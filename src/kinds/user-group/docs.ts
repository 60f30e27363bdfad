import type { DocsFacet } from "../../model/facets.ts";
import { GROUP_PERMISSIONS } from "../../model/permission-settings.ts";
import { creationDefaults } from "../creation-defaults.ts";

export const docs: DocsFacet = {
  who: "Everybody whom the group's `can_manage_group` or the organization's `can_manage_all_groups` names (owners, if nobody changed it): no role is enough. To create a group, the account must be in the organization's `can_create_groups`. Bots may from feature level 496 on, guests never.",
  whoMay: {
    members:
      "to add: `can_add_members_group` too; to remove: `can_remove_members_group` too; to add or remove oneself: `can_join_group` and `can_leave_group`",
    subgroups: "to add: `can_add_members_group` too; to remove: as above",
  },
  defaults: {
    name: "–",
    description: "empty",
    members: "nobody",
    subgroups: "none",
    deactivated: "`false`",
    ...creationDefaults(GROUP_PERMISSIONS),
  },
  example: `user_groups:
  staff: {description: Employees, members: [ada@example.org], subgroups: [leads]}
  leads: {description: '', permissions: {can_manage_group: role:owners}}`,
};
