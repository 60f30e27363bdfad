import type { Path, Span } from "../model/diagnostic.ts";
import type { ResourceKind } from "../model/kind.ts";
import { isTree } from "../source/tree.ts";
import { isLeaving } from "./defaults.ts";
import type { Report } from "./report.ts";

/** An item whose form is right, or of which at least the name is known. */
export interface Item {
  readonly kind: ResourceKind;
  /** The map or list it stands in, and its key there. */
  readonly section: object;
  readonly entry: string | number;
  /** Where below that the object is written, when the entry stands for several. */
  readonly part?: Path;
  /** As written, profiles and defaults merged in. */
  readonly raw: unknown;
  readonly name: string;
  readonly key: string;
  readonly inactive: boolean;
  /** What the schema made of it; undefined when it has errors. */
  readonly decoded: { readonly value: unknown } | undefined;
  /** A field that makes up the name is wrong: it is the name of what is left. */
  readonly isNameGuessed: boolean;
  /** Errors that were reported; the objects of one entry share it. */
  readonly reported: Set<string>;
}

/** Whether the file says that this object is absent, archived or deactivated. */
export function isInactive(kind: ResourceKind, raw: unknown): boolean {
  return isTree(raw) && isLeaving(kind, raw);
}

/** Where a path below an item stands: in the item, in a profile of it, or else the item itself. */
export function placeOf(
  report: Report,
  section: object,
  entry: string | number,
  raw: unknown,
  path: Path,
  on: "key" | "value",
): Span | undefined {
  const { places } = report.document;
  if (path.length > 0 && typeof raw === "object" && raw !== null) {
    const inside = on === "key" ? places.keySpan(raw, path) : places.valueSpan(raw, path);
    if (inside !== undefined) return inside;
  }
  return path.length === 0 && on === "value" && (typeof raw !== "object" || Array.isArray(raw))
    ? places.valueSpan(section, [entry])
    : places.keySpan(section, [entry]);
}

/** A path below the object; the object itself, where its entry stands for several, is the part that names it. */
export function placeOfItem(
  report: Report,
  item: Pick<Item, "section" | "entry" | "raw" | "part">,
  path: Path,
  on: "key" | "value",
): Span | undefined {
  const { section, entry, raw, part } = item;
  if (path.length === 0 && part !== undefined) return placeOf(report, section, entry, raw, part, "value");
  return placeOf(report, section, entry, raw, path, on);
}
