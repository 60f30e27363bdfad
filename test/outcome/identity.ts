import type { Item } from "./file.ts";
import { stripped } from "./names.ts";

/** An object of the realm that has an id and a name. */
export interface Thing {
  readonly id: number;
  readonly name: string;
  /** Archived or deactivated. */
  readonly sleeps: boolean;
}

export interface Rules {
  /** Equal for names that the server takes for one. */
  readonly key: (name: string) => string;
  /** Is it the name under which the object waited for that one, when a run ended in between? */
  readonly isWaitingFor?: (thing: Thing, name: string) => boolean;
  /** How many fields of the item the object does not have; renamings in a ring are told apart by it, and sleepers of one name. */
  readonly distance: (item: Item, thing: Thing) => number;
}

/**
 * Which object each item means (docs/decisions/0013-renames-without-state.md): by `id`, else the temporary name that an interrupted run
 * left, else by `was`, else by name. Of two with one name, the one in use; of sleepers, the one nearest to what the item says (decision 21).
 */
export function whoIsWho(items: readonly Item[], things: readonly Thing[], rules: Rules): ReadonlyMap<Item, Thing> {
  const found = new Map<Item, Thing>();
  const free = new Set(things);
  const take = (item: Item, thing: Thing | undefined): void => {
    if (thing === undefined) return;
    found.set(item, thing);
    free.delete(thing);
  };
  const called = (name: string, item: Item): Thing | undefined => {
    const all = [...free].filter((thing) => rules.key(thing.name) === rules.key(name));
    const distance = (thing: Thing): number =>
      2 * rules.distance(item, thing) + (thing.name === stripped(item.name) ? 0 : 1);
    return all.find(({ sleeps }) => !sleeps) ?? all.sort((a, b) => distance(a) - distance(b))[0];
  };
  const open = (): readonly Item[] => items.filter((item) => item.fields.id === undefined && !found.has(item));

  for (const item of items) {
    if (item.fields.id === undefined) continue;
    take(
      item,
      things.find(({ id }) => id === item.fields.id),
    );
  }
  for (const item of open()) {
    take(
      item,
      [...free].find((thing) => (rules.isWaitingFor ?? waitsFor)(thing, item.name)),
    );
  }
  const renames = renamesThatCount(open(), called, rules);
  const sources = renames.map((item) => [item, called(wasOf(item), item)] as const);
  for (const [item, thing] of sources) take(item, thing);
  for (const item of open()) take(item, called(item.name, item));
  return found;
}

function wasOf(item: Item): string {
  return typeof item.fields.was === "string" ? item.fields.was : item.name;
}

/** `was` counts while the new name is free, or is given up by another that counts. In a ring the nearer reading is right. */
function renamesThatCount(
  items: readonly Item[],
  called: (name: string, item: Item) => Thing | undefined,
  rules: Rules,
): readonly Item[] {
  const possible = items.filter(
    (item) => rules.key(wasOf(item)) !== rules.key(item.name) && called(wasOf(item), item) !== undefined,
  );
  const whoGivesUp = (name: string): Item | undefined =>
    possible.find((item) => rules.key(wasOf(item)) === rules.key(name));
  const counts = new Set<Item>();
  for (let before = -1; before !== counts.size; ) {
    before = counts.size;
    for (const item of possible) {
      const other = whoGivesUp(item.name);
      if (called(item.name, item) === undefined || (other !== undefined && counts.has(other))) counts.add(item);
    }
  }
  for (const start of possible) {
    const ring = ringFrom(start, (item) => whoGivesUp(item.name));
    if (ring === undefined || ring.some((item) => counts.has(item))) continue;
    const distance = (nameOf: (item: Item) => string): number =>
      ring.reduce((sum, item) => {
        const thing = called(nameOf(item), item);
        return thing === undefined ? sum : sum + rules.distance(item, thing);
      }, 0);
    if (distance(wasOf) < distance(({ name }) => name)) for (const item of ring) counts.add(item);
  }
  return [...counts];
}

function ringFrom(start: Item, next: (item: Item) => Item | undefined): readonly Item[] | undefined {
  const ring = [start];
  for (let item = next(start); item !== start; item = next(item)) {
    if (item === undefined || ring.includes(item)) return undefined;
    ring.push(item);
  }
  return ring;
}

/** `red ~realmctl~101`: cut off where 60 characters do not hold both. */
function waitsFor({ id, name }: Thing, wanted: string): boolean {
  const mark = ` ~realmctl~${id}`;
  if (!name.endsWith(mark)) return false;
  const target = name.slice(0, -mark.length);
  return wanted === target || ([...name].length === 60 && wanted.startsWith(target));
}
