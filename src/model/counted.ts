import { byWord, keysOf, own } from "./defined.ts";
import { didYouMean } from "./suggest.ts";

/** Whom a plan adds to a list, or whom it takes out. */
export type ListPart = "additions" | "removals";

/** How a policy treats one thing that it counts. */
interface Counting {
  /** The limit, if no policy has one. */
  readonly most?: number;
  /** A single case needs a confirmation, unless a policy sets a limit. */
  readonly asks?: true;
  /** Somebody comes to have something. */
  readonly gains?: true;
  /** It counts people, so its percentage is one of people. */
  readonly ofPeople?: true;
  /** The direction in which a list leads to it. */
  readonly list?: ListPart;
  /** Whoever allows this allows it too, unless a policy has a separate limit for it. */
  readonly within?: string;
}
const counting = <Name extends string>(table: { readonly [name in Name]: Counting }) => table;

/** What a policy counts. A name that ends with `_percent` means a percentage of the existing objects. */
export const COUNTING = counting({
  changes: {},
  removals: { most: 10 },
  demotions: { most: 10 },
  people_losing_access: { most: 50, ofPeople: true, list: "removals" },
  unlisted_subscribers: { asks: true },
  people_gaining_access: { asks: true, gains: true, ofPeople: true, list: "additions" },
  opened: { asks: true, gains: true, list: "additions" },
  administrators: { asks: true, gains: true, ofPeople: true, list: "additions" },
  emails: { most: 50, ofPeople: true },
  messages_deleted: { asks: true, within: "irreversible" },
  data_deleted: { asks: true, within: "irreversible" },
  renames: { asks: true },
  irreversible: {},
});
export type Counted = keyof typeof COUNTING;
export const COUNTED = keysOf(COUNTING);

/** Names of limits in `policy:`. */
export const LIMITS: readonly string[] = COUNTED.flatMap((name) =>
  name === "irreversible" ? [name] : [name, `${name}_percent`],
);
/** The limits that a single section can have. Mails are only counted for the whole plan. */
export const SECTION_LIMITS = LIMITS.filter((name) => !name.startsWith("emails"));

/** What people call a limit or another guard → its name. */
const OTHER_WORDS = byWord({
  removals: ["deletions", "deletes", "deleted", "destroy", "archived"],
  emails: ["mails", "notifications"],
  min_owners: ["owners"],
  renames: ["renamed"],
});

/** The guard or limit that a word means. @param known those that can be named there */
export function guardMeant(word: string, known: readonly string[]): string | undefined {
  const other = own(OTHER_WORDS, word.toLowerCase());
  return other !== undefined && known.includes(other) ? other : didYouMean(word, known);
}
