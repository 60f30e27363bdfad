import { sameJson } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";

/** Sections that are spread over several files. */

/** Objects by the file that declares them, in the order in which the files are read. */
export function blocksOf(declared: readonly DeclaredObject[]): ReadonlyMap<string, readonly DeclaredObject[]> {
  const blocks = new Map<string, DeclaredObject[]>();
  for (const object of declared) {
    const block = blocks.get(object.at.file);
    if (block === undefined) blocks.set(object.at.file, [object]);
    else block.push(object);
  }
  return blocks;
}

/** Whether every number of a list is less than all numbers of the next lists. */
export function followsEachOther(blocks: readonly (readonly number[])[]): boolean {
  let highest = -1;
  for (const block of blocks) {
    if (block.some((rank) => rank < highest)) return false;
    for (const rank of block) highest = Math.max(highest, rank);
  }
  return true;
}

/**
 * The declared object beside which a new one belongs: where order means something the one before it on the server, so that the order
 * can still be written; else the last one in its folder.
 * @param all in the server's order
 */
export function neighbourOf(
  object: LiveObject,
  all: readonly LiveObject[],
  { diff }: ResourceKind,
  declared: readonly DeclaredObject[],
): DeclaredObject | undefined {
  const byKey = new Map(declared.map((item) => [item.key, item]));
  const { folder } = object.fields;
  const at = all.indexOf(object);
  const near =
    diff?.ordered !== undefined
      ? [...all.slice(0, at).reverse(), ...all.slice(at + 1)]
      : folder === undefined
        ? []
        : all.filter(({ fields }) => sameJson(fields.folder ?? null, folder)).reverse();
  const neighbour = near.find(({ key }) => byKey.has(key));
  return neighbour && byKey.get(neighbour.key);
}
