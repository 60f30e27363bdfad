import { defined } from "../model/defined.ts";
import { foundValue, quote } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import { didYouMean } from "../model/suggest.ts";
import type { SourceDocument } from "../source/load.ts";
import { isTree, type Tree } from "../source/tree.ts";
import { OWN_FIELDS, overlay, profileFields } from "./profiles.ts";
import type { Report } from "./report.ts";
import { shapeOf } from "./shape.ts";

export interface Defaults {
  /** Section → its defaults, if they are fields. */
  readonly sections: ReadonlyMap<string, Tree>;
  /** An item of a section with the defaults for the fields that it does not have itself; an item that is removed stays as it is. */
  apply(kind: ResourceKind, item: Tree): Tree;
}

/**
 * Reads `defaults:`, the fields that every item of a section gets unless it or its profile sets them
 * (docs/internals/decisions/0031-one-file-for-each-organization.md).
 */
export function readDefaults(document: SourceDocument, kinds: readonly ResourceKind[], report: Report): Defaults {
  const { root, places } = document;
  const sections = new Map<string, Tree>();
  const { defaults } = root;
  if (Object.hasOwn(root, "defaults") && !isTree(defaults))
    report.atValue(root, ["defaults"], "defaults/not-a-map", { found: foundValue(defaults) });
  if (Object.hasOwn(root, "defaults") && isTree(defaults))
    for (const { key, value } of places.entries(defaults)) {
      const fields = readSection(String(key), value, defaults, kinds, report);
      if (fields !== undefined) sections.set(String(key), fields);
    }
  return {
    sections,
    apply(kind, item) {
      const fields = sections.get(kind.section);
      return fields === undefined || isLeaving(kind, item) ? item : overlay(places, fields, item);
    },
  };
}

/** `absent: true`, `archived: true` …: the other values of such an object do not matter. */
export function isLeaving(kind: ResourceKind, item: Tree): boolean {
  return item.absent === true || (kind.inactivity !== undefined && item[kind.inactivity.field] === true);
}

/** The only section whose objects have a field of this name. */
function holderOf(field: string, kinds: readonly ResourceKind[]): string | undefined {
  const [only, ...others] = kinds.filter(
    (kind) => kind.shape !== "singleton" && shapeOf(kind.file.schema()).fieldsAt([]).includes(field),
  );
  return others.length > 0 ? undefined : only?.section;
}

function readSection(
  section: string,
  value: unknown,
  defaults: Tree,
  kinds: readonly ResourceKind[],
  report: Report,
): Tree | undefined {
  const kind = kinds.find((each) => each.section === section);
  const many = kind?.noun?.[1] ?? section.replaceAll("_", " ");
  if (kind === undefined || takesNone(kind)) {
    const sections = kinds.filter((each) => !takesNone(each)).map((each) => each.section);
    const meant = kind === undefined ? didYouMean(section, sections, report.patience) : undefined;
    const fact = {
      section: quote(section),
      ...defined({
        many: kind === undefined ? undefined : many,
        is_one: kind?.shape === "singleton" ? true : undefined,
        meant,
        holder: kind === undefined && meant === undefined ? holderOf(section, kinds) : undefined,
      }),
      sections,
    };
    report.atKey(defaults, [section], "defaults/section", fact);
    return undefined;
  }
  if (!isTree(value)) {
    report.atValue(defaults, [section], "defaults/not-a-map", { found: foundValue(value), many });
    return undefined;
  }
  const own = ownFields(kind);
  const wrong = own.filter((field) => Object.hasOwn(value, field));
  for (const field of wrong) report.atKey(value, [field], "defaults/own-field", { field, noun: kind.noun[0] });
  if (wrong.length === 0) return value;
  return report.document.places.copy(value, (key) => (own.includes(key) ? undefined : key));
}

/** Fields that identify an object or remove it: a default for them would always be wrong. */
export function ownFields(kind: ResourceKind): readonly string[] {
  const naming = kind.shape === "list" ? shapeOf(kind.file.schema()).requiredFields() : [];
  return [
    ...OWN_FIELDS,
    "absent",
    ...(kind.inactivity === undefined ? [] : [kind.inactivity.field]),
    ...profileFields(kind),
    ...naming,
  ];
}

/** A singleton, a list of names, or of nothing but names. */
export function takesNone(kind: ResourceKind): boolean {
  return kind.shape === "singleton" || kind.file.schema().safeParse("a name").success;
}
