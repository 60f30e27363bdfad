import type { Item } from "./file.ts";
import { stripped } from "./names.ts";

/** An object of the realm that has an id and a name. */
export interface LiveItem {
  readonly id: number;
  readonly name: string;
  /** Archived or deactivated. */
  readonly inactive: boolean;
}

export interface Rules {
  /** Equal for names that the server considers the same. */
  readonly key: (name: string) => string;
  /** Is this the temporary name that the object had when a run was interrupted? */
  readonly isWaitingFor?: (thing: LiveItem, name: string) => boolean;
  /** How many fields of the item the object does not have; this distinguishes renames in a cycle, and inactive objects with one name. */
  readonly distance: (item: Item, thing: LiveItem) => number;
}

/**
 * Which object each item means (docs/internals/decisions/0001-no-state-file.md): by `id`, else the temporary name that an interrupted run left, else by
 * `was`, else by name. Of two with one name, the one in use; of inactive ones, the one that is most like the item (decision 3).
 */
export function whoIsWho(
  items: readonly Item[],
  things: readonly LiveItem[],
  rules: Rules,
): ReadonlyMap<Item, LiveItem> {
  const found = new Map<Item, LiveItem>();
  const free = new Set(things);
  const take = (item: Item, thing: LiveItem | undefined): void => {
    if (thing === undefined) return;
    found.set(item, thing);
    free.delete(thing);
  };
  const called = (name: string, item: Item): LiveItem | undefined => {
    const all = [...free].filter((thing) => rules.key(thing.name) === rules.key(name));
    const distance = (thing: LiveItem): number =>
      2 * rules.distance(item, thing) + (thing.name === stripped(item.name) ? 0 : 1);
    return all.find(({ inactive }) => !inactive) ?? all.sort((a, b) => distance(a) - distance(b))[0];
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

/** `was` counts if the new name is free, or is given up by another rename that counts. In a cycle the closer reading is right. */
function renamesThatCount(
  items: readonly Item[],
  called: (name: string, item: Item) => LiveItem | undefined,
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
    const cycle = cycleFrom(start, (item) => whoGivesUp(item.name));
    if (cycle === undefined || cycle.some((item) => counts.has(item))) continue;
    const distance = (nameOf: (item: Item) => string): number =>
      cycle.reduce((sum, item) => {
        const thing = called(nameOf(item), item);
        return thing === undefined ? sum : sum + rules.distance(item, thing);
      }, 0);
    if (distance(wasOf) < distance(({ name }) => name)) for (const item of cycle) counts.add(item);
  }
  return [...counts];
}

function cycleFrom(start: Item, next: (item: Item) => Item | undefined): readonly Item[] | undefined {
  const cycle = [start];
  for (let item = next(start); item !== start; item = next(item)) {
    if (item === undefined || cycle.includes(item)) return undefined;
    cycle.push(item);
  }
  return cycle;
}

/** `red ~realmctl~101`: truncated if 60 characters are too few for both. */
function waitsFor({ id, name }: LiveItem, wanted: string): boolean {
  const mark = ` ~realmctl~${id}`;
  if (!name.endsWith(mark)) return false;
  const target = name.slice(0, -mark.length);
  return wanted === target || ([...name].length === 60 && wanted.startsWith(target));
}
