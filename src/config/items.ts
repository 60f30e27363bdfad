import type * as z from "zod";
import { defined } from "../model/defined.ts";
import { foundValue, type Quoted, quote } from "../model/diagnostics/values.ts";
import { canonicalName, keyOf, type ResourceKind, SINGLETON } from "../model/kind.ts";
import { isQuicklyValid } from "../model/quick-check.ts";
import type { Realm } from "../model/realm.ts";
import type { SourceDocument } from "../source/load.ts";
import { isTree } from "../source/tree.ts";
import type { Defaults } from "./defaults.ts";
import { formOf } from "./form.ts";
import { entriesBelow, HEADER_KEYS } from "./header.ts";
import { type Entry, type Item, isFieldOfAbove, isInactive, placeOf } from "./item.ts";
import { reportIssues } from "./item-issues.ts";
import { besidesIn, listEntry, mapEntry } from "./list-entries.ts";
import { POLICIES } from "./manage.ts";
import type { NamedFiles } from "./named-files.ts";
import { type Profiles, profileFields } from "./profiles.ts";
import type { Report } from "./report.ts";
import { type Shape, shapeOf } from "./shape.ts";
import { withoutFaults } from "./without-faults.ts";

/** What a file contains besides its sections, and where errors are reported. */
export interface SectionsInput {
  readonly document: SourceDocument;
  readonly kinds: readonly ResourceKind[];
  readonly files: NamedFiles;
  readonly realm: Realm | undefined;
  readonly profiles: Profiles;
  readonly defaults: Defaults;
  readonly report: Report;
}

/** The items of one section. Errors in the form of an item are reported. */
export function collect(kind: ResourceKind, section: unknown, input: SectionsInput): Item[] {
  const { report, document } = input;
  const [, many] = kind.noun;
  const isMap = kind.shape !== "list";
  const fits = isMap ? isTree(section) : Array.isArray(section);
  if (!fits || typeof section !== "object" || section === null) {
    // The header has told that the entries below it are not indented.
    if (section === null && entriesBelow(document, input.kinds, kind.section).length > 0) return [];
    const entry =
      typeof section === "object" && section !== null
        ? firstEntry(kind, section, input)
        : kind.shape === "map" && typeof section === "string" && !/[\s:]/.test(section)
          ? mapEntry(section, shapeOf(kind.file.schema()))
          : undefined;
    const besides = entry && besidesIn(entry, kind.file.synonyms?.() ?? {});
    const fact = {
      section: kind.section,
      many,
      shape: kind.shape,
      found: foundValue(section),
      ...defined({ entry, besides }),
    };
    report.atValue(document.root, [kind.section], "config/section", fact);
    return [];
  }
  const form = formOf(kind, input.realm);
  const shape = shapeOf(form, profileFields(kind), kind.file);
  // The section of a singleton is its only item.
  if (kind.shape === "singleton")
    return itemsOfEntry(kind, { form, shape }, document.root, kind.section, section, input);
  let isInRun = false;
  return document.places.entries(section).flatMap(({ key, value }) => {
    // Fields one level too far out have one cause: the first of them tells it.
    const isField = kind.shape === "map" && isFieldOfAbove(shape, key, value);
    const isTold = isField && isInRun;
    isInRun = isField;
    return isTold ? [] : itemsOfEntry(kind, { form, shape }, section, key, value, input);
  });
}

/** The first entry of a map that should be a list, or of a list that should be a map; undefined if its keys are fields, whose dash is missing. */
function firstEntry(kind: ResourceKind, section: object, { document, realm }: SectionsInput): Quoted | undefined {
  const [first] = document.places.entries(section);
  if (first === undefined || kind.shape === "singleton") return undefined;
  const key = String(first.key);
  const shape = shapeOf(formOf(kind, realm), profileFields(kind), kind.file);
  if (kind.shape === "map") return Array.isArray(section) ? mapEntry(first.value, shape) : undefined;
  const isField = key.startsWith("-") || shape.fieldsAt([]).includes(key);
  return isField ? undefined : listEntry(key, first.value, shape);
}

function itemsOfEntry(
  kind: ResourceKind,
  { form, shape }: { readonly form: z.ZodType; readonly shape: Shape },
  section: object,
  entry: string | number,
  value: unknown,
  { realm, report, profiles, defaults, kinds }: SectionsInput,
): Item[] {
  // `general:` without a value declares a channel and sets none of its fields.
  const written = value === null && kind.shape === "map" ? {} : value;
  const profiled = kind.file.profiles === true && isTree(written) ? profiles.expand(written) : written;
  const raw = isTree(profiled) ? defaults.apply(kind, profiled) : profiled;
  const whole = parsed(form, raw);
  const sections = kinds.map((each) => each.section);
  if (!whole.success && kind.shape === "map" && isKeyOfFile(entry, raw, sections, shape)) {
    const manage = `manage: {${kind.section}: ${manageWord(raw)}}`;
    const fact = { label: { noun: kind.noun[1], path: [], isPlural: true }, field: quote(entry) } as const;
    report.atKey(section, [entry], "field/unknown", {
      ...fact,
      way: { kind: "section", ...defined({ line: entry === "manage" ? quote(manage) : undefined }) },
    });
    return [];
  }
  const place = { section, entry, raw };
  const faults = whole.success
    ? []
    : reportIssues({ kind, form, shape, realm, sections }, place, whole.error.issues, report);
  // Even the valid fields can contain errors of other types: one run reports all of them.
  checkContradiction(kind, place, report);
  const remains = whole.success ? undefined : withoutFaults(raw, whole.error.issues, faults);
  const result = whole.success ? whole : form.safeParse(remains?.value);
  const objects = result.success ? kind.identity?.parts?.(result.data) : undefined;
  const nameInItem = result.success ? kind.identity?.nameOf?.(result.data) : undefined;
  const name = { map: String(entry), list: nameInItem, singleton: SINGLETON }[kind.shape];
  const isNameGuessed =
    !whole.success && kind.shape === "list" && isNamedByFault(kind.identity.nameOf, result.data, whole.error.issues);
  const parts = objects ?? (name === undefined ? [] : [{ name, path: undefined }]);
  const shared = defined({ reported: objects && new Set<string>() });
  return parts.map((part) => ({
    kind,
    ...place,
    ...defined({ part: part.path }),
    name: canonicalName(kind, part.name),
    key: keyOf(kind, part.name),
    inactive: isInactive(kind, raw),
    decoded: result.success ? { value: result.data } : undefined,
    isNameGuessed,
    ...defined({ original: remains?.original }),
    ...shared,
  }));
}

/** Whether an entry that is wrong is a section, or another key of the file, which is indented too far: it has none of the fields of an entry. */
function isKeyOfFile(entry: string | number, raw: unknown, sections: readonly string[], shape: Shape): entry is string {
  if (typeof entry !== "string" || !(sections.includes(entry) || HEADER_KEYS.includes(entry))) return false;
  return !isTree(raw) || !Object.keys(raw).some((key) => shape.fieldsAt([]).includes(key));
}

const manageWord = (raw: unknown): string => POLICIES.find((policy) => policy === raw) ?? "exact";

/** Nearly every entry is right. Then the schema need not copy it. */
function parsed(form: z.ZodType, raw: unknown): ReturnType<z.ZodType["safeParse"]> {
  return isQuicklyValid(form, raw) ? { success: true, data: raw } : form.safeParse(raw);
}

/** Whether a field with an error is part of the entry's name: with another value, the name would be another. */
function isNamedByFault<Data>(
  nameOf: ((item: Data) => string) | undefined,
  data: Data | undefined,
  issues: readonly { readonly path: readonly PropertyKey[] }[],
): boolean {
  if (nameOf === undefined || data === undefined) return false;
  const name = nameOf(data);
  return issues.some(
    ({ path: [field] }) => typeof field === "string" && nameOf({ ...data, [field]: "\u0000" }) !== name,
  );
}

/** `absent` and `archived` mean the same for a channel: if one is true and the other false, they contradict each other. */
function checkContradiction({ inactivity: facet }: ResourceKind, written: Entry, report: Report): void {
  const { raw } = written;
  const inactivity = facet?.field;
  if (inactivity === undefined || !isTree(raw) || typeof raw.absent !== "boolean") return;
  if (typeof raw[inactivity] !== "boolean" || raw[inactivity] === raw.absent) return;
  const stays = raw.absent ? inactivity : "absent";
  const other = placeOf(report, written, [stays], "value");
  const notes = other === undefined ? [] : [{ at: other, note: "opposite-here" } as const];
  report.add(
    "config/contradiction",
    { absent: raw.absent, field: inactivity },
    placeOf(report, written, [raw.absent ? "absent" : inactivity], "value"),
    { notes },
  );
}
