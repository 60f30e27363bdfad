/** What a policy counts. With `_percent` behind it: in hundredths of what there is. */
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
/** What can be counted for each kind: mail is the realm's. */
export const SECTION_LIMITS = LIMITS.filter((name) => !name.startsWith("emails"));
