import type { DecodeContext } from "../model/decoding.ts";
import { defined } from "../model/defined.ts";
import { type Finding, finding, type Note, type Path, type Span } from "../model/diagnostic.ts";
import type { NotAnItem } from "../model/diagnostics/config.ts";
import { foundValue, type Quoted, quote, quoteAll } from "../model/diagnostics/values.ts";
import { canonicalName, keyOf, type ResourceKind, SINGLETON } from "../model/kind.ts";
import type { DeclaredObject } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";
import type { SourceDocument } from "../source/load.ts";
import { isTree, type Tree } from "../source/tree.ts";
import { type Defaults, isLeaving } from "./defaults.ts";
import { type FieldFinding, fieldProblems, valueAt } from "./issues.ts";
import type { NamedFiles } from "./named-files.ts";
import { type Profiles, profileFields } from "./profiles.ts";
import type { Report } from "./report.ts";
import { type Shape, shapeOf } from "./shape.ts";

export interface SectionsInput {
  readonly document: SourceDocument;
  readonly kinds: readonly ResourceKind[];
  readonly files: NamedFiles;
  readonly realm: Realm | undefined;
  readonly profiles: Profiles;
  readonly defaults: Defaults;
  readonly report: Report;
}

/** An item whose form is right, or of which at least the name is known. */
interface Item {
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

/**
 * Every section that the file has. First all forms are checked and names collected, then each kind resolves what its items name:
 * a channel may name a group that stands further down, or has errors of its own.
 */
export function readSections(input: SectionsInput): ReadonlyMap<string, readonly DeclaredObject[]> {
  const { root } = input.document;
  const written = input.kinds.filter((kind) => Object.hasOwn(root, kind.section));
  const items = new Map(written.map((kind) => [kind, collect(kind, root[kind.section], input)]));
  checkUnusedBundles(input);
  checkUnusedDefaults(input);

  const names = new Map<string, readonly string[]>();
  const keys = new Map<string, ReadonlyMap<string, string>>();
  const leaving = new Map<string, ReadonlyMap<string, Item>>();
  for (const [kind, list] of items) {
    const inUse = list.filter((item) => !item.inactive);
    leaving.set(kind.name, new Map(list.flatMap((item) => (item.inactive ? [[item.key, item] as const] : []))));
    names.set(
      kind.name,
      inUse.map((item) => item.name),
    );
    keys.set(kind.name, new Map(inUse.map((item) => [item.key, item.name])));
  }
  const renames = new Map([...items].map(([{ name }, list]) => [name, claimsOf(list)]));
  const shared = {
    realm: input.realm,
    patience: input.report.patience,
    declares: (kind: string, key: string): boolean => keys.get(kind)?.has(key) ?? false,
    declaredNames: (kind: string): readonly string[] => names.get(kind) ?? NO_NAMES,
    declaredName: (kind: string, key: string): string | undefined => keys.get(kind)?.get(key),
    removedAt: (kind: string, key: string): Span | undefined => {
      const item = leaving.get(kind)?.get(key);
      const field = isTree(item?.raw) && item.raw.absent === true ? "absent" : item?.kind.inactivity?.field;
      return item && placeOfItem(input.report, item, field === undefined ? [] : [field], "value");
    },
    renamedTo: (kind: string, key: string, id: number): string | undefined =>
      (renames.get(kind)?.get(id) ?? renames.get(kind)?.get(key))?.find((item) => item.key !== key)?.name,
  };

  const sections = new Map<string, readonly DeclaredObject[]>();
  for (const [kind, list] of items) {
    checkKeys(list, input);
    const declared = list.flatMap((item) => decode(item, shared, input));
    checkIdentities(kind, declared, input.report);
    sections.set(kind.section, declared);
  }
  for (const kind of written) {
    const problems = kind.file.check?.(sections.get(kind.section) ?? [], (name) => sections.get(name) ?? []) ?? [];
    for (const { at, ...problem } of problems) input.report.add(problem, at);
  }
  for (const kind of written) checkNamed(kind, sections.get(kind.section) ?? [], shared.removedAt, input);
  return sections;
}

/** One list, by which what was said about it is found again. */
const NO_NAMES: readonly string[] = [];

/** The items that claim an object of the server, by the id or by the key of the name that they say it has there. */
function claimsOf(items: readonly Item[]): ReadonlyMap<string | number, readonly Item[]> {
  const claims = new Map<string | number, Item[]>();
  const claim = (by: string | number, item: Item): void => {
    const others = claims.get(by);
    if (others === undefined) claims.set(by, [item]);
    else others.push(item);
  };
  for (const item of items) {
    const { kind, raw } = item;
    if (!isTree(raw)) continue;
    if (typeof raw.id === "number") claim(raw.id, item);
    if (typeof raw.was === "string") claim(keyOf(kind, raw.was), item);
  }
  return claims;
}

function collect(kind: ResourceKind, section: unknown, input: SectionsInput): Item[] {
  const { report, document } = input;
  const [, many] = kind.noun;
  const isMap = kind.shape !== "list";
  const fits = isMap ? isTree(section) : Array.isArray(section);
  if (!fits || typeof section !== "object" || section === null) {
    const fact = { section: kind.section, many, shape: kind.shape, found: foundValue(section) };
    report.atValue(document.root, [kind.section], finding("config/section", fact));
    return [];
  }
  const shape = shapeOf(kind.file.schema, profileFields(kind), kind.file.synonyms);
  // The section of a singleton is its item.
  if (kind.shape === "singleton") return itemsOfEntry(kind, shape, document.root, kind.section, section, input);
  return document.places
    .entries(section)
    .flatMap(({ key, value }) => itemsOfEntry(kind, shape, section, key, value, input));
}

function itemsOfEntry(
  kind: ResourceKind,
  shape: Shape,
  section: object,
  entry: string | number,
  value: unknown,
  { report, profiles, defaults }: SectionsInput,
): Item[] {
  // `general:` alone declares a channel and says nothing about it.
  const written = value === null && kind.shape === "map" ? {} : value;
  const profiled = kind.file.profiles === true && isTree(written) ? profiles.expand(written) : written;
  const raw = isTree(profiled) ? defaults.apply(kind, profiled) : profiled;
  const whole = kind.file.schema.safeParse(raw);
  if (!whole.success) reportIssues(kind, shape, section, entry, raw, whole.error.issues, report);
  // What is left without the fields that are wrong may hold errors of other sorts: all of them in one run.
  if (isTree(raw)) checkContradiction(kind, section, entry, raw, report);
  const result = whole.success ? whole : kind.file.schema.safeParse(withoutFaults(raw, whole.error.issues));
  const objects = result.success ? kind.identity?.parts?.(result.data) : undefined;
  const nameInItem = result.success ? kind.identity?.nameOf?.(result.data) : undefined;
  const name = { map: String(entry), list: nameInItem, singleton: SINGLETON }[kind.shape];
  const isNameGuessed =
    !whole.success && kind.shape === "list" && isNamedByFault(kind.identity.nameOf, result.data, whole.error.issues);
  const parts = objects ?? (name === undefined ? [] : [{ name, path: undefined }]);
  const reported = new Set<string>();
  return parts.map((part) => ({
    kind,
    section,
    entry,
    ...defined({ part: part.path }),
    raw,
    name: canonicalName(kind, part.name),
    key: keyOf(kind, part.name),
    inactive: isInactive(kind, raw),
    decoded: result.success ? { value: result.data } : undefined,
    isNameGuessed,
    reported,
  }));
}

/** Whether the name of an entry depends on a field with an error, so that it would be another name. */
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

/** `absent` and `archived` say the same of a channel: one of them yes and the other no says nothing. */
function checkContradiction(
  kind: ResourceKind,
  section: object,
  entry: string | number,
  raw: Tree,
  report: Report,
): void {
  const inactivity = kind.inactivity?.field;
  if (inactivity === undefined || typeof raw.absent !== "boolean") return;
  if (typeof raw[inactivity] !== "boolean" || raw[inactivity] === raw.absent) return;
  const stays = raw.absent ? inactivity : "absent";
  const other = placeOf(report, section, entry, raw, [stays], "value");
  const notes = other === undefined ? [] : [{ at: other, note: "opposite-here" } as const];
  report.add(
    finding("config/contradiction", { absent: raw.absent, field: inactivity }, { notes }),
    placeOf(report, section, entry, raw, [raw.absent ? "absent" : inactivity], "value"),
  );
}

/** A copy without the fields that a schema complained about; two levels deep, as permissions are. */
function withoutFaults(raw: unknown, issues: Parameters<typeof fieldProblems>[0]): unknown {
  if (!isTree(raw)) return raw;
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

function isInactive(kind: ResourceKind, raw: unknown): boolean {
  return isTree(raw) && isLeaving(kind, raw);
}

function reportIssues(
  kind: ResourceKind,
  shape: Shape,
  section: object,
  entry: string | number,
  raw: unknown,
  issues: Parameters<typeof fieldProblems>[0],
  report: Report,
): void {
  const noun = kind.noun[0];
  for (const { path, on, problem } of fieldProblems(issues, {
    value: raw,
    shape,
    noun,
    isPlural: kind.shape === "singleton",
    patience: report.patience,
  })) {
    const at = placeOf(report, section, entry, raw, path, on);
    const more = {
      ...(path.length === 0 && notAnItem(shape, noun, entry, raw)),
      ...(valueAt(raw, path) === null && comment(report, at)),
    };
    report.add(withMore(problem, more), at);
  }
}

interface More {
  readonly instead?: NotAnItem;
  readonly comment?: Quoted;
}

function withMore(problem: FieldFinding, more: More): Finding {
  switch (problem.code) {
    case "field/missing":
      return finding(problem.code, { ...problem.fact, ...more });
    case "field/type":
      return finding(problem.code, { ...problem.fact, ...more });
    case "field/value":
      return finding(problem.code, { ...problem.fact, ...more });
    case "field/unknown":
      return problem;
  }
}

/** An item that is no map: a field that stands one level too far out, or the one field that it would have. */
function notAnItem(shape: Shape, noun: string, entry: string | number, raw: unknown): { readonly instead?: NotAnItem } {
  if (isTree(raw)) return {};
  const fields = shape.fieldsAt([]);
  if (typeof entry === "string" && (shape.pathsOf(entry).length > 0 || fields.includes(entry)))
    return { instead: { meant: "field-of-above", entry: quote(entry), noun } };
  if (typeof raw === "string" && raw.includes(" ") && fields.includes("description"))
    return { instead: { meant: "description" } };
  const people = Array.isArray(raw) ? raw.filter((name) => typeof name === "string" && name.includes("@")) : [];
  const field = ["members", "emails"].find((name) => fields.includes(name));
  if (Array.isArray(raw) && people.length === raw.length && field !== undefined)
    return { instead: { meant: "people", field, people: quoteAll(people) } };
  return { instead: { meant: "fields", fields } };
}

/** `- #general` is an empty entry with a comment after it, which is what people write who know channels by "#". */
function comment(report: Report, at: Span | undefined): { readonly comment?: Quoted } {
  if (at === undefined) return {};
  const line = report.document.files.find((source) => source.file === at.file)?.line(at.line) ?? "";
  const found = /(^|[\s:[,-])(#[^\s#][^\s,\]}]*)/.exec(line.slice(Math.max(0, at.column - 2)))?.[2];
  return found === undefined ? {} : { comment: quote(found) };
}

/** Where a path below an item stands: in the item, in a profile of it, or else the item itself. */
function placeOf(
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
function placeOfItem(report: Report, item: Item, path: Path, on: "key" | "value"): Span | undefined {
  const { section, entry, raw, part } = item;
  if (path.length === 0 && part !== undefined) return placeOf(report, section, entry, raw, part, "value");
  return placeOf(report, section, entry, raw, path, on);
}

function decode(
  item: Item,
  shared: Omit<DecodeContext, "problem" | "file">,
  { report, files }: SectionsInput,
): DeclaredObject[] {
  if (item.decoded === undefined) return [];
  const { kind, name, key } = item;
  const place = (path: Path, on: "key" | "value" = "value") => placeOfItem(report, item, path, on);
  const { was, id, absent, settled, fields, creation, paths } = kind.file.decode(item.decoded.value, name, {
    ...shared,
    problem: (path, problem) => {
      // What is wrong with an entry is wrong for each object that it stands for.
      if (path.length > 0 && item.part !== undefined) {
        const problemKey = JSON.stringify([problem, path]);
        if (item.reported.has(problemKey)) return;
        item.reported.add(problemKey);
      }
      report.add(problem, place(path, path.length === 0 ? "key" : "value"));
    },
    file: (path) => {
      const wanted = path.length === 0 ? item.raw : valueAt(item.raw, path);
      const at = place(path);
      return at === undefined || typeof wanted !== "string" ? undefined : files.get(at.file, wanted);
    },
  });
  const spans: { [field: string]: Span } = {};
  const named = { ...defined({ was, id }) };
  for (const field of [...Object.keys(fields), ...Object.keys(named), ...Object.keys(creation ?? {})]) {
    const at = place(paths?.[field] ?? [field]);
    if (at !== undefined) spans[field] = at;
  }
  const at = place([], "key");
  if (at === undefined) return [];
  return [
    {
      key,
      name,
      ...named,
      absent,
      ...defined({ settled: settled === true ? settled : undefined }),
      fields,
      ...defined({ creation }),
      at,
      spans,
    },
  ];
}

/** Two names that the server takes for one. */
function checkKeys(items: readonly Item[], { report }: SectionsInput): void {
  const first = new Map<string, Item>();
  for (const item of items) {
    // Named without the field that is wrong, it may be another one.
    if (item.isNameGuessed) continue;
    const before = first.get(item.key);
    if (before === undefined) {
      first.set(item.key, item);
      continue;
    }
    const noun = item.kind.noun[0];
    const note = placeOfItem(report, before, [], "key");
    const notes = note === undefined ? [] : [{ at: note, note: "declared-here" } as const];
    const fact = { noun, name: quote(item.name, item.kind.name), other: quote(before.name, item.kind.name) };
    report.add(finding("config/declared-twice", fact, { notes }), placeOfItem(report, item, [], "key"));
  }
}

/** Two objects that claim the same object of the server. */
function checkIdentities(kind: ResourceKind, declared: readonly DeclaredObject[], report: Report): void {
  const noun = kind.noun[0];
  const renamed = new Map<string, DeclaredObject>();
  const pinned = new Map<number, DeclaredObject>();
  for (const item of declared) {
    if (item.was !== undefined) {
      const key = keyOf(kind, item.was);
      const before = renamed.get(key);
      const fact = { noun, was: quote(item.was, kind.name) };
      if (before === undefined) renamed.set(key, item);
      else
        report.add(
          finding("config/renamed-twice", fact, { notes: claimed(before.spans.was) }),
          item.spans.was ?? item.at,
        );
    }
    if (item.id !== undefined) {
      const before = pinned.get(item.id);
      const fact = { noun, id: item.id };
      if (before === undefined) pinned.set(item.id, item);
      else report.add(finding("config/same-id", fact, { notes: claimed(before.spans.id) }), item.spans.id ?? item.at);
    }
  }
}

const claimed = (at: Span | undefined): readonly Note[] => (at === undefined ? [] : [{ at, note: "claimed-here" }]);

/** What the file names and puts away at once, where no kind said so itself. */
function checkNamed(
  kind: ResourceKind,
  declared: readonly DeclaredObject[],
  removedAt: (kind: string, key: string) => Span | undefined,
  { kinds, report }: SectionsInput,
): void {
  for (const object of declared)
    for (const { kind: other, name, field } of kind.file.names?.(object) ?? []) {
      const named = kinds.find((candidate) => candidate.name === other);
      const leaves = named === undefined || name === undefined ? undefined : removedAt(other, keyOf(named, name));
      const at = object.spans[field] ?? object.at;
      if (named === undefined || leaves === undefined || report.isToldAt(at)) continue;
      const fact = {
        noun: named.noun[0],
        name: quote(name ?? "", other),
        removal: REMOVALS[named.inactivity?.field ?? ""] ?? "removes",
        section: named.section,
        is_declared: true,
        by: "file",
      } as const;
      report.add(finding("reference/removed", fact, { notes: [{ at: leaves, note: "removed-here" }] }), at);
    }
}

const REMOVALS: { readonly [field: string]: "archives" | "deactivates" } = {
  archived: "archives",
  deactivated: "deactivates",
};

/** A profile that no item uses is still held against the form of one. */
function checkUnusedBundles({ kinds, profiles, report }: SectionsInput): void {
  const kind = kinds.find((candidate) => candidate.file.profiles === true);
  if (kind === undefined) return;
  const shape = shapeOf(kind.file.schema, profileFields(kind), kind.file.synonyms);
  for (const { name, fields } of profiles.bundles) {
    const result = kind.file.schema.safeParse(fields);
    if (!result.success) reportIssues(kind, shape, profiles.declared, name, fields, result.error.issues, report);
  }
}

/** Defaults of a section without items, too; what they leave out is the items' part. */
function checkUnusedDefaults({ document, kinds, defaults, report }: SectionsInput): void {
  const { defaults: written } = document.root;
  for (const [section, fields] of defaults.sections) {
    const kind = kinds.find((candidate) => candidate.section === section);
    if (kind === undefined || !isTree(written)) continue;
    const result = kind.file.schema.safeParse(fields);
    if (result.success) continue;
    const here = result.error.issues.filter(
      (issue) => issue.code === "unrecognized_keys" || valueAt(fields, issue.path.map(String)) !== undefined,
    );
    reportIssues(kind, shapeOf(kind.file.schema, [], kind.file.synonyms), written, section, fields, here, report);
  }
}
