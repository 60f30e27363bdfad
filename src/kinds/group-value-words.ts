/** Other words for what is left out of a list of people. */
export const EXCEPT_WORDS = ["exclude", "excludes", "excluded", "excluding", "without", "not", "but", "minus"] as const;

/** Other words for the fields of a value that names groups and people. */
export const GROUP_VALUE_WORDS = {
  users: ["members", "people", "emails", "user_ids", "direct_members", "persons"],
  groups: ["roles", "role", "user_groups", "subgroups", "direct_subgroups", "group_ids"],
} as const;
