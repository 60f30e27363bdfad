import { cases, type FactIn } from "../cases.ts";
import { listNames } from "../words.ts";
import type { Person, Quoted } from "./values.ts";
import { accountThatRuns, bare, didYouMean, q, say, type Words } from "./words.ts";

/** Another object has the name already. */
export interface NameTaken {
  readonly name: Quoted;
  /** The name of the other object, in its own spelling. */
  readonly held_by: Quoted;
  readonly is_inactive: boolean;
  /** The other object was left under a temporary name by a run that ended early. */
  readonly is_left_over: boolean;
  /** The id that the entry has, the name of the object with that id, and the id of the other object. */
  readonly pinned?: { readonly id: number; readonly is: Quoted; readonly right: number };
}

/** Names that the account cannot look up, because it does not see everything. */
export interface Unseen {
  readonly account: Person;
  readonly names: readonly Quoted[];
}

/** Why the server does not accept the name of an object. */
export const nameCause = cases("cause", {
  empty: (_: object, noun: string) => say(`the name of a ${noun} must not be empty`, "write a name before the colon"),
  "too-long": ({ length, limit }: { length: number; limit: number }, noun: string, shorten = "shorten it") =>
    say(`the name of a ${noun} has at most ${limit} characters; this one has ${length}`, shorten),
  /** @property position the position, counted from 1, of a character that no name may have */
  character: ({ position }: { position: number }, noun: string) =>
    say(
      `the name of a ${noun} cannot contain the character at position ${position}`,
      "delete control characters, and characters that Unicode does not allow in text",
    ),
});
export type NameCause = FactIn<typeof nameCause>;

/** @param inactive "archived", and the field that says so */
export function nameTaken(
  { name, held_by, is_inactive, is_left_over, pinned }: NameTaken,
  { noun, section, inactive }: { readonly noun: string; readonly section: string; readonly inactive: string },
): Words {
  const other = !is_inactive ? "another" : /^[aeiou]/.test(inactive) ? `an ${inactive}` : `a ${inactive}`;
  if (pinned !== undefined && !is_left_over)
    return say(
      `the id ${pinned.id} is that of the ${noun} ${q(pinned.is)}, and ${q(name)} is the name of ${other} ${noun}, with the id ${pinned.right}`,
      `write id: ${pinned.right}, or delete the id; to give this name to ${q(pinned.is)}, rename the other one: declare it with was: ${q(held_by)}${is_inactive ? ` and ${inactive}: true` : ""}`,
    );
  return say(
    `${q(name)} is the name of ${other} ${noun}`,
    is_left_over
      ? `an interrupted run left it: declare it under ${section} with a name`
      : `rename that one first: declare it with was: ${q(held_by)}${is_inactive ? ` and ${inactive}: true` : ""}`,
  );
}

const NAME_A_ROLE = "name one of the groups that start with role:";

/** A group that a permission setting cannot name: "can_send_message_group cannot be role:nobody" */
export const groupRefused = cases("refused", {
  list: (_: object, field: string) => say(`${field} cannot be a list of groups and people`, NAME_A_ROLE),
  "not-a-role": ({ group }: { group: Quoted }, field: string) =>
    say(`${field} cannot be the group ${q(group)}`, NAME_A_ROLE),
  "in-list": ({ group }: { group: Quoted }, field: string) =>
    say(`${field} cannot be ${bare(group)}`, `delete ${bare(group)} from the list: ${whyNot(bare(group))}`),
  group: ({ group }: { group: Quoted }, field: string) => say(`${field} cannot be ${bare(group)}`, whyNot(bare(group))),
});
export type GroupRefused = FactIn<typeof groupRefused>;

function whyNot(group: string): string {
  if (group === "role:everyone") return "guests cannot have this right; role:members has everybody who is no guest";
  if (group === "role:internet") return "people without an account cannot have this right";
  if (group === "role:nobody") return "somebody must have this right";
  return "the server does not offer this group here";
}

/** "…, the account that runs this, does not see every private channel: it is not known whether a and b are free" */
export function unseen({ account, names }: Unseen, sign: string, ends: string, way: string): Words {
  const list = listNames(
    names.map((name) => `${sign}${bare(name)}`),
    4,
  );
  return say(
    `${accountThatRuns(account)} does not see every private channel, so it is not known whether ${list} ${names.length === 1 ? "is" : "are"} ${ends}`,
    way,
  );
}

/** What may be meant by the name of a channel that does not exist. */
export interface UnknownChannel {
  readonly meant?: Quoted;
  /** Channels that the file does not declare: one of them may have had the name. The first, and the number of the others. */
  readonly known: readonly Quoted[];
  readonly more: number;
}

/** A name that does not resolve any more is more often renamed than never created: the advice to declare it would make a second object. */
export function ifRenamed(known: readonly Quoted[], more: number, declare: string): string {
  const names = [...known.map(bare), ...(more === 0 ? [] : [`${more} more`])];
  return names.length === 0
    ? declare
    : `if it was renamed, write its name of today: ${listNames(names).replace(/ and (?!.* and )/, " or ")}; to create a new one, ${declare}`;
}

export const unknownChannel = ({ name, meant, known, more }: { readonly name: Quoted } & UnknownChannel): Words =>
  say(`there is no channel ${q(name)} here`, didYouMean(meant, ifRenamed(known, more, "declare it under channels")));
