import { own } from "./defined.ts";
import { didYouMean } from "./suggest.ts";

/** What a policy counts. A name that ends with `_percent` means a percentage of the existing objects. */
export const COUNTED = [
  "changes",
  "removals",
  "demotions",
  "people_losing_access",
  "unlisted_subscribers",
  "people_gaining_access",
  "opened",
  "administrators",
  "emails",
  "messages_deleted",
  "data_deleted",
  "renames",
  "irreversible",
] as const;
export type Counted = (typeof COUNTED)[number];

/** What they count is that somebody comes to have something. */
export const GAINS: ReadonlySet<Counted> = new Set<Counted>(["people_gaining_access", "opened", "administrators"]);

/** Names of limits in `policy:`. */
export const LIMITS: readonly string[] = COUNTED.flatMap((name) =>
  name === "irreversible" ? [name] : [name, `${name}_percent`],
);
/** The limits that a single section can have. Mails are only counted for the whole plan. */
export const SECTION_LIMITS = LIMITS.filter((name) => !name.startsWith("emails"));

/** What people call a limit or another guard → its name. */
const OTHER_WORDS: { readonly [word: string]: string } = {
  deletions: "removals",
  deletes: "removals",
  deleted: "removals",
  destroy: "removals",
  archived: "removals",
  mails: "emails",
  notifications: "emails",
  owners: "min_owners",
  renamed: "renames",
};

/** The guard or limit that a word means. @param known those that can be named there */
export function guardMeant(word: string, known: readonly string[]): string | undefined {
  const other = own(OTHER_WORDS, word.toLowerCase());
  return other !== undefined && known.includes(other) ? other : didYouMean(word, known);
}
