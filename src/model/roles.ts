import { keysOf } from "./defined.ts";
import type { Json } from "./json.ts";

/** Roles by their words, from the most to the least powerful, as the server numbers them (zulip-api.md §17). */
export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type RoleWord = keyof typeof ROLE;
export type RoleNumber = (typeof ROLE)[RoleWord];

/** The words for roles, from the most to the least powerful. */
export const ROLE_WORDS = keysOf(ROLE);

export const isRole = (value: unknown): value is RoleWord => typeof value === "string" && Object.hasOwn(ROLE, value);

/** @throws RangeError for a number that is not a role: a reading never has one */
export function roleWord(role: number): RoleWord {
  const word = ROLE_WORDS.find((candidate) => ROLE[candidate] === role);
  if (word === undefined) throw new RangeError(`no role ${role}`);
  return word;
}

const NUMBERS: ReadonlySet<unknown> = new Set(Object.values(ROLE));
/** Whether it can be the number of a role that this version does not know. */
export const isUnknownRole = (role: Json | undefined): role is number =>
  typeof role === "number" && Number.isInteger(role) && !NUMBERS.has(role);

/** A role as a snapshot has it. */
export function knownRole<T extends Json | undefined>(
  role: T,
): { readonly role: T | RoleNumber; readonly unknown_role?: number } {
  return isUnknownRole(role) ? { role: countsAs(role), unknown_role: role } : { role };
}

/** Whether the change of role takes rights away. */
export const isDemotion = (from: RoleWord, to: RoleWord): boolean => ROLE[to] > ROLE[from];
export const losesRights = (role: { readonly before: Json; readonly after: Json } | undefined): boolean =>
  isRole(role?.before) && isRole(role.after) && isDemotion(role.before, role.after);

/**
 * What a role counts as that this version does not know: the next less powerful one that it knows, since a role may do at least what those below it
 * may. Nothing is below guests.
 */
export const countsAs = (role: number): RoleNumber =>
  Object.values(ROLE)
    .sort((one, other) => one - other)
    .find((known) => known >= role) ?? ROLE.guest;
