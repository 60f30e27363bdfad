import type { Path } from "../model/diagnostic.ts";
import { isTree, type Tree } from "../source/tree.ts";
import type { placedFindings } from "./issues.ts";
import { valueAt } from "./value-at.ts";

type Issues = Parameters<typeof placedFindings>[0];

/** An item without the parts that its schema rejected, so that one run also reports the errors in the other parts. */
interface Remains {
  readonly value: unknown;
  /** Where a path of the remains is in the item: entries of lists move up when one before them is left out. */
  original(path: Path): Path;
}

/**
 * Leaves out the fields that the schema rejected, two levels deep, as permissions are. Of a list in which only entries are wrong, it leaves out these
 * entries.
 * @param faults the paths of the errors, as precise as they are reported
 */
export function withoutFaults(raw: unknown, issues: Issues, faults: readonly Path[]): Remains {
  if (!isTree(raw)) return { value: raw, original: (path) => path };
  const lists = keptEntries(raw, faults).filter(({ list }) =>
    issues.every((issue) => isOnlyInLists(issue, list, faults)),
  );
  let value: Tree = { ...raw };
  for (const { list, indexes } of lists) {
    const entries = valueAt(raw, list);
    const kept = Array.isArray(entries) ? indexes.map((index): unknown => entries[index]) : undefined;
    if (kept !== undefined) value = withList(value, list, kept);
  }
  const others = issues.filter(({ path }) => !lists.some(({ list }) => isBelow(list, path) || isBelow(path, list)));
  return {
    value: withoutFields(value, others),
    original: (path) =>
      lists.reduce((found, { list, indexes }) => {
        const at = list.length;
        const index = found[at];
        if (!isBelow(found, list) || typeof index !== "number") return found;
        return [...found.slice(0, at), indexes[index] ?? index, ...found.slice(at + 1)];
      }, path),
  };
}

const isBelow = (path: readonly PropertyKey[], above: readonly PropertyKey[]): boolean =>
  above.every((step, index) => path[index] === step);

/** Of each list with faulty entries, the indexes of the others. */
function keptEntries(raw: Tree, faults: readonly Path[]) {
  const faulty = new Map<string, { readonly list: Path; readonly wrong: Set<number> }>();
  for (const path of faults) {
    const at = entryAt(path);
    const index = path[at];
    if (at < 1 || typeof index !== "number") continue;
    const list = path.slice(0, at);
    const known = faulty.get(JSON.stringify(list)) ?? { list, wrong: new Set() };
    known.wrong.add(index);
    faulty.set(JSON.stringify(list), known);
  }
  return [...faulty.values()].map(({ list, wrong }) => {
    const entries = valueAt(raw, list);
    const all = Array.isArray(entries) ? [...entries.keys()] : [];
    return { list, indexes: all.filter((index) => !wrong.has(index)) };
  });
}

/** Whether an issue does not touch the list, or is about entries of lists alone. */
function isOnlyInLists({ path }: Issues[number], list: Path, faults: readonly Path[]): boolean {
  // A list that can also be a map has one issue for all of its entries.
  if (isBelow(path, list) && path.length > list.length) return typeof path[list.length] === "number";
  if (!isBelow(list, path)) return true;
  return faults.filter((fault) => isBelow(fault, path)).every((fault) => entryAt(fault) > 0);
}

/** The step that is the first index of an entry; -1 if the path leads into no list. */
const entryAt = (path: Path): number => path.findIndex((step) => typeof step === "number");

function withList(tree: Tree, [first = "", ...rest]: Path, list: readonly unknown[]): Tree {
  const inner = tree[String(first)];
  return { ...tree, [String(first)]: rest.length > 0 && isTree(inner) ? withList(inner, rest, list) : list };
}

function withoutFields(raw: Tree, issues: Issues): Tree {
  const copy: Tree = { ...raw };
  const copied = new Set<unknown>();
  for (const issue of issues) {
    const paths = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    for (const [first, second] of paths) {
      if (first === undefined) continue;
      const field = String(first);
      const inner = copy[field];
      if (second === undefined || !isTree(inner)) delete copy[field];
      else {
        const own = copied.has(inner) ? inner : { ...inner };
        copied.add(own);
        delete own[String(second)];
        copy[field] = own;
      }
    }
  }
  return copy;
}
