import type { Path, Span } from "../model/diagnostic.ts";
import type { ResourceKind } from "../model/kind.ts";
import { isTree } from "../source/tree.ts";
import { isLeaving } from "./defaults.ts";
import type { Report } from "./report.ts";
import type { Shape } from "./shape.ts";

/** An item whose form is right, or whose name at least is known. */
export interface Item {
  readonly kind: ResourceKind;
  /** The map or list that contains it, and its key there. */
  readonly section: object;
  readonly entry: string | number;
  /** If the entry stands for several objects: the path of this one below the entry. */
  readonly part?: Path;
  /** As written, with profiles and defaults merged in. */
  readonly raw: unknown;
  readonly name: string;
  readonly key: string;
  readonly inactive: boolean;
  /** The value that the schema returned; undefined if the item has errors. */
  readonly decoded: { readonly value: unknown } | undefined;
  /** A field that is part of the name is wrong: the name is made from the other fields. */
  readonly isNameGuessed: boolean;
  /** Where a path of the decoded value is in `raw`, if parts of `raw` were left out. */
  readonly original?: (path: Path) => Path;
  /** Errors already reported, if the entry stands for several objects: they share this set. */
  readonly reported?: Set<string>;
}

/** Whether the file says that this object is absent, archived or deactivated. */
export function isInactive(kind: ResourceKind, raw: unknown): boolean {
  return isTree(raw) && isLeaving(kind, raw);
}

/** The map or list that an entry is in, its key there, and what is written. */
export type Entry = Pick<Item, "section" | "entry" | "raw" | "part">;

/**
 * Where a path below an entry is: in the entry, in one of its profiles, or else at the entry itself. If it stands for several objects, the object itself is at
 * the part that names it.
 */
export function placeOf(
  report: Report,
  { section, entry, raw, part }: Entry,
  path: Path,
  on: "key" | "value",
): Span | undefined {
  if (path.length === 0 && part !== undefined) return placeOf(report, { section, entry, raw }, part, "value");
  const { places } = report.document;
  if (path.length > 0 && typeof raw === "object" && raw !== null) {
    const inside = on === "key" ? places.keySpan(raw, path) : places.valueSpan(raw, path);
    if (inside !== undefined) return inside;
  }
  return path.length === 0 && on === "value" && (typeof raw !== "object" || Array.isArray(raw))
    ? places.valueSpan(section, [entry])
    : places.keySpan(section, [entry]);
}

/** Whether an entry is named like a field, and has the value of one. */
export function isFieldOfAbove(shape: Shape, entry: string | number, raw: unknown): boolean {
  if (typeof entry !== "string" || raw === null || isTree(raw)) return false;
  return shape.pathsOf(entry).length > 0 || shape.fieldsAt([]).includes(entry);
}
