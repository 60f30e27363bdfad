/**
 * Names that objects have between two calls while names are swapped. A temporary name says which object it is and which name it will get, so that the
 * next plan recognises it if a run ends in between.
 */
export function temporaryName(target: string, id: number, limit = SHORTEST_LIMIT): string {
  const suffix = `${MARK}${id}`;
  return `${[...target].slice(0, limit - suffix.length).join("")}${suffix}`;
}

/** Whether this can be a temporary name of the object with that id. */
export function isTemporaryName(name: string, id: number): boolean {
  return name.endsWith(`${MARK}${id}`);
}

const MARK = " ~realmctl~";

/** Unless a kind says otherwise, names may have this length (zulip-api.md §3.10, §13.7). */
const SHORTEST_LIMIT = 60;
