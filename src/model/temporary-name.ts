/**
 * Names that objects carry between two calls while names are swapped. A temporary name says which object it is and where it
 * goes, so that the next plan finds it again when a run ends in between.
 */
export function temporaryName(target: string, id: number, limit = SHORTEST_LIMIT): string {
  const suffix = `${MARK}${id}`;
  return `${[...target].slice(0, limit - suffix.length).join("")}${suffix}`;
}

/** Could this be a temporary name of the object with that id? */
export function isTemporaryName(name: string, id: number): boolean {
  return name.endsWith(`${MARK}${id}`);
}

const MARK = " ~realmctl~";

/** No kind that says nothing else allows shorter names (zulip-api.md §3.10, §13.7). */
const SHORTEST_LIMIT = 60;
