/**
 * Names that objects carry between two calls while names are swapped. A temporary name says which object it is and where it
 * goes, so that the next plan finds it again when a run ends in between.
 */
export function temporaryName(target: string, id: number, limit: number): string {
  const suffix = `${MARK}${id}`;
  return `${[...target].slice(0, limit - suffix.length).join("")}${suffix}`;
}

/** Could this be a temporary name of the object with that id? */
export function isTemporaryName(name: string, id: number): boolean {
  return name.endsWith(`${MARK}${id}`);
}

const MARK = " ~realmctl~";
