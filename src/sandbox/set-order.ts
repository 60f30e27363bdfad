/**
 * Some of the server's answers list ids in the order of its hash sets. Small integers are their own hashes, so clients can see an order that depends
 * only on the numbers. This function computes it.
 */
export function setOrder(ids: readonly number[]): number[] {
  let slots: (number | undefined)[] = new Array(8).fill(undefined);
  let used = 0;
  for (const id of new Set(ids)) {
    place(slots, id);
    used += 1;
    if (used * 5 >= (slots.length - 1) * 3) {
      const kept = slots.filter((slot) => slot !== undefined);
      let size = 8;
      while (size <= used * (used > 50_000 ? 2 : 4)) size *= 2;
      slots = new Array(size).fill(undefined);
      for (const each of kept) place(slots, each);
    }
  }
  return slots.filter((slot) => slot !== undefined);
}

/** The number of neighboring slots that are tried before a jump elsewhere. */
const LINEAR_PROBES = 9;

function place(slots: (number | undefined)[], id: number): void {
  const mask = slots.length - 1;
  let perturb = Math.abs(id);
  // Negative ids do not exist, but requests can contain them. The hash −1 is reserved.
  const hash = id === -1 ? -2 : id;
  let at = ((hash % slots.length) + slots.length) % slots.length;
  for (;;) {
    const last = at + LINEAR_PROBES <= mask ? at + LINEAR_PROBES : at;
    for (let probe = at; probe <= last; probe += 1) {
      if (slots[probe] !== undefined) continue;
      slots[probe] = id;
      return;
    }
    perturb = Math.floor(perturb / 32);
    at = (at * 5 + 1 + perturb) & mask;
  }
}
