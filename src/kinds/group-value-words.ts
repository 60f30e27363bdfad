/** Other words for the fields of a value that names groups and people. */
export const GROUP_VALUE_WORDS = {
  users: ["members", "people", "emails", "user_ids", "direct_members", "persons"],
  groups: ["roles", "role", "user_groups", "subgroups", "direct_subgroups", "group_ids"],
} as const;
