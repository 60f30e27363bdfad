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
