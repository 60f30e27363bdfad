import { byWord, own } from "./defined.ts";

/*
 * What people write in the place of one name: the words of Zulip's settings page for a role, several names in one text, an address with something
 * around it. Only errors ask.
 */

const SEPARATOR = /\s+(?:-|or|and)\s+|[\s,;+|&]+/;

/** The names in a text that has several, with other signs between them than a list has; undefined if it is one. */
export function severalIn(text: string, isName: (part: string) => boolean): readonly string[] | undefined {
  const parts = text
    .trim()
    .replace(/^\(|\)$/g, "")
    .split(SEPARATOR)
    .filter((part) => part !== "");
  if (parts.length < 2) return undefined;
  // A space alone may belong to a name.
  const isMarked = /[,;+|&]|\s-\s/.test(text);
  const isFit = isMarked
    ? parts.some(isName) && parts.every((part) => isName(part) || /^[\w.-]+$/.test(part))
    : parts.every(isName);
  return isFit ? parts : undefined;
}

/** The only address in a text that has more than it: `Ada <ada@example.org>`, `mailto:ada@example.org`. */
export function addressWithin(text: string): string | undefined {
  const [first, ...others] = new Set(text.match(/[^\s<>()[\]:;,"'|]+@[^\s<>()[\]:;,"'|]+/g));
  return first === text || others.length > 0 ? undefined : first;
}

/** The roles from the fewest people to the most: each contains the ones before it. */
const ROLES = ["owners", "administrators", "moderators", "fullmembers", "members", "everyone"];
const IN_SPEECH = byWord({
  administrators: ["admin", "admins"],
  moderators: ["mod", "mods"],
  members: ["user", "users"],
  everyone: ["*", "all", "true", "yes", "public", "people", "anyone", "everybody"],
  nobody: ["false", "no", "-", "none", "noone"],
});
const FILLER = /^(?:and|or|only|all|the|role|roles|system|organization|organisation|above|up|group|plus)$/;

/** The role that a word or a phrase stands for: `@all`, `Admins and moderators`, `Everyone except guests`. */
export function roleMeant(text: string): string | undefined {
  const said = text.toLowerCase().replace(/^role[:/ ]*/, "");
  const word = wordFor(said.replaceAll(/[\s_-]/g, ""));
  if (word !== undefined) return `role:${word}`;
  const isWithoutGuests = /\b(?:except|excluding|without|but|not|no) (?:\w+ )?guests?\b/.test(said);
  const words = said
    .replace(/\b(?:(?:except|excluding|including|without|but|not|no|with) )+(?:\w+ )?guests?\b/, "")
    .replaceAll(/\bfull[ _-]members?\b/g, "fullmembers")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((one) => one !== "");
  const named = words.filter((one) => !FILLER.test(one)).map(wordFor);
  if (words.length < 2 && !isWithoutGuests) return undefined;
  const places = named.map((one) => ROLES.indexOf(one ?? ""));
  if (places.includes(-1)) return undefined;
  if (isWithoutGuests) return places.every((at) => at === ROLES.indexOf("everyone")) ? "role:members" : undefined;
  const widest = ROLES[Math.max(...places)];
  return widest === undefined ? undefined : `role:${widest}`;
}

function wordFor(word: string): string | undefined {
  const said = own(IN_SPEECH, word);
  if (said !== undefined) return said;
  return ["nobody", "internet", ...ROLES].find((role) => role === word || role === `${word}s`);
}
