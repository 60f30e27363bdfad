/**
 * Finds cycles of names: each object takes the name that the next one frees, and the last that of the first.
 * @param moves the name that an object frees → the name that it takes
 * @returns each cycle as the freed names, in the order in which they are taken; every name is in at most one cycle
 */
export function nameCycles(moves: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const cycles: string[][] = [];
  const seen = new Set<string>();
  for (const start of moves.keys()) {
    const path: string[] = [];
    let name = start;
    for (let next = moves.get(name); next !== undefined && !seen.has(name); next = moves.get(name)) {
      seen.add(name);
      path.push(name);
      name = next;
    }
    const closed = path.indexOf(name);
    if (closed >= 0) cycles.push(path.slice(closed));
  }
  return cycles;
}
