import { ROLE } from "../model/realm.ts";

/** Roles by the words of the file, from the most to the least powerful (zulip-api.md §17). */
export const ROLE_WORDS = ["owner", "administrator", "moderator", "member", "guest"] as const;
export type RoleWord = (typeof ROLE_WORDS)[number];

/** @throws RangeError for a number that is not a role: a reading never has one */
export function roleWord(role: number): RoleWord {
  const word = ROLE_WORDS.find((candidate) => ROLE[candidate] === role);
  if (word === undefined) throw new RangeError(`no role ${role}`);
  return word;
}

/** Whether the change of role takes rights away. */
export const isDemotion = (from: RoleWord, to: RoleWord): boolean => ROLE[to] > ROLE[from];
