/**
 * Names that change hands in a cycle: each object takes the name that the next gives up, and the last that of the first.
 * @param moves the name that an object gives up → the name that it takes
 * @returns each cycle as the names given up, in the order in which they are taken; every name is in one cycle at most
 */
export function nameCycles(moves: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const cycles: string[][] = [];
  const seen = new Set<string>();
  for (const start of moves.keys()) {
    const path: string[] = [];
    let name: string | undefined = start;
    while (name !== undefined && moves.has(name) && !seen.has(name)) {
      seen.add(name);
      path.push(name);
      name = moves.get(name);
    }
    const closed = name === undefined ? -1 : path.indexOf(name);
    if (closed >= 0) cycles.push(path.slice(closed));
  }
  return cycles;
}
