import * as z from "zod";
import type { Path, Span } from "../model/diagnostic.ts";
import type { ResourceKind } from "../model/kind.ts";
import { oncePer } from "../model/lazy.ts";
import { otherRights } from "../model/permission-settings.ts";
import type { Realm } from "../model/realm.ts";
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

/** Where a path below an item is: in the item, in one of its profiles, or else at the item itself. */
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

/** The place of a path below the object. If the entry stands for several objects, the object itself is at the part that names it. */
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

/** Whether an entry is named like a field, and has the value of one. */
export function isFieldOfAbove(shape: Shape, entry: string | number, raw: unknown): boolean {
  if (typeof entry !== "string" || raw === null || isTree(raw)) return false;
  return shape.pathsOf(entry).length > 0 || shape.fieldsAt([]).includes(entry);
}

/**
 * The form of a kind's items against an organization: with the permission settings that only its server knows. They have the form of the others.
 * @param realm without it, the form of every organization
 */
export function formOf(kind: ResourceKind, realm: Realm | undefined): z.ZodType {
  const { rights } = kind.file;
  const schema = kind.file.schema();
  const described = realm?.snapshot.permission_settings ?? null;
  if (rights === undefined || described === null) return schema;
  const others = otherRights(rights, { permission_settings: described });
  return others.length === 0 ? schema : formsOf(described[rights], kind, others);
}

const formsOf = oncePer((_described: object, { file }: ResourceKind, others: readonly string[]) => {
  const schema = file.schema();
  if (!(schema instanceof z.ZodObject)) return schema;
  const { permissions } = schema.shape;
  const known = permissions instanceof z.ZodOptional ? permissions.unwrap() : undefined;
  if (!(known instanceof z.ZodObject)) return schema;
  const [like] = Object.values(known.shape);
  return schema.extend({
    permissions: known.extend(Object.fromEntries(others.map((name) => [name, like]))).optional(),
  });
});
