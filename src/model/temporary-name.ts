/**
 * Names that objects have between two calls while names are swapped. A temporary name says which object it is and which name it will get, so that the
 * next plan recognises it if a run ends in between.
 * @param spare another temporary name of the same object, if somebody else has the first
 */
export function temporaryName(target: string, id: number, limit = SHORTEST_LIMIT, spare = 0): string {
  const suffix = `${"~".repeat(spare)}${MARK}${id}`;
  return `${[...target].slice(0, limit - suffix.length).join("")}${suffix}`;
}

/** The end of the name of every bot that realmctl names. */
export const BOT_SUFFIX = "-bot";

/** The same for a bot, whose name is a part of its address. */
export const temporaryBotName = (target: string, id: number, spare = 0): string =>
  `${temporaryName(target.replace(/-bot$/, ""), id, undefined, spare).replaceAll(" ", "")}${BOT_SUFFIX}`;

/** Whether this can be a temporary name of the object with that id. */
export function isTemporaryName(name: string, id: number): boolean {
  return name.endsWith(`${MARK}${id}`) || name.endsWith(`${MARK.trim()}${id}${BOT_SUFFIX}`);
}

/** How many temporary names an object can have: anybody who may create objects can take some of them. */
export const SPARES: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

const MARK = " ~realmctl~";

/** Unless a kind says otherwise, names may have this length (zulip-api.md §3.10, §13.7). */
const SHORTEST_LIMIT = 60;
