/** What a policy counts. With `_percent` behind it: as a percentage of the existing objects. */
export const COUNTED = [
  "changes",
  "removals",
  "demotions",
  "people_losing_access",
  "people_gaining_access",
  "opened",
  "administrators",
  "emails",
  "messages_deleted",
  "irreversible",
] as const;
export type Counted = (typeof COUNTED)[number];

/** Names of limits in `policy:`. */
export const LIMITS: readonly string[] = COUNTED.flatMap((name) =>
  name === "irreversible" ? [name] : [name, `${name}_percent`],
);
/** What can be counted for each kind: only the realm counts mail. */
export const SECTION_LIMITS = LIMITS.filter((name) => !name.startsWith("emails"));
