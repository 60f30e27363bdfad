import type { Newcomer } from "../../access/difference.ts";
import { isChannelAddress } from "../../access/scope.ts";
import type { Named } from "../../model/facts.ts";
import { ROLE } from "../../model/roles.ts";
import { people } from "../../model/words.ts";

/** For a renamed object also its current name, which another object may have afterwards, unless both are hidden. Channels have a sign. */
export function called({ address, name, was }: Named): string {
  const sign = isChannelAddress(address) ? "#" : "";
  return was === undefined || was === name ? `${sign}${name}` : `${sign}${name} (now ${sign}${was})`;
}

/** What a right allows that only the server knows. */
export const otherDeed = (setting: string): string => `use ${setting} (a right that this version does not know)`;

/** "3 more people and everybody who joins later", "every guest who joins later", "whoever is invited as a moderator" */
export function gainers(number: number, newcomers: readonly Newcomer[] = []): string {
  const later = laterText(newcomers);
  if (later === "") return people(number, "more ");
  return number === 0 ? later : `${people(number, "more ")} and ${later}`;
}

function laterText(newcomers: readonly Newcomer[]): string {
  const first = newcomers.find((newcomer) => newcomer === "member" || newcomer === "full_member");
  if (first !== undefined) return `everybody who joins later${first === "member" ? "" : ", after the waiting period"}`;
  const invited = newcomers.filter((newcomer) => newcomer !== "guest");
  return [
    ...(newcomers.includes("guest") ? ["every guest who joins later"] : []),
    ...(invited.length > 0 ? [`whoever accepts an open invitation as ${invited.join(" or ")}`] : []),
  ].join(" and ");
}

export const IS_BOT = "bot";

/** `owner`, `administrator`, …; of an account with another role, its number. */
export function roleName({
  role,
  unknown_role,
}: {
  readonly role: number;
  readonly unknown_role?: number | undefined;
}): string {
  const word = Object.entries(ROLE).find(([, number]) => number === role)?.[0];
  return unknown_role === undefined && word !== undefined
    ? word
    : `role ${unknown_role ?? role}, which this version does not know`;
}
