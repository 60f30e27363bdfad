import type { Synonyms } from "../../model/synonyms.ts";
import { GROUP_VALUE_WORDS } from "../group-value-words.ts";

export const synonyms: Synonyms = {
  section: ["groups", "group", "realm_user_groups", "teams"],
  fields: {
    ...GROUP_VALUE_WORDS,
    permissions: ["rights", "settings", "acl", "can"],
    can_manage_group: ["admins", "administrators", "owners", "managers", "can_manage"],
    can_mention_group: ["mention", "can_mention"],
    members: ["users", "people", "user_ids", "direct_members", "emails"],
    subgroups: ["groups", "children", "direct_subgroups", "direct_subgroup_ids", "nested"],
  },
};
