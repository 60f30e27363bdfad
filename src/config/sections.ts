import type { Path, Span } from "../model/diagnostic.ts";
import {
  canonicalName,
  type DeclaredObject,
  type DecodeContext,
  keyOf,
  type ResourceKind,
  SINGLETON,
} from "../model/kind.ts";
import type { Realm } from "../model/realm.ts";
import { listNames } from "../model/suggest.ts";
import type { SourceDocument } from "../source/load.ts";
import { isTree, type Tree } from "../source/tree.ts";
import { type Defaults, isLeaving } from "./defaults.ts";
import { describe, fieldProblems, valueAt } from "./issues.ts";
import type { NamedFiles } from "./named-files.ts";
import { PROFILED_SECTION, type Profiles } from "./profiles.ts";
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
  /** What the schema made of it; undefined when it has mistakes. */
  readonly decoded: { readonly value: unknown } | undefined;
  /** Mistakes that were reported; the objects of one entry share it. */
  readonly told: Set<string>;
}

/**
 * Every section that the file has. First all forms are checked and names collected, then each kind resolves what its items name:
 * a channel may name a group that stands further down, or has mistakes of its own.
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
    const awake = list.filter((item) => !item.inactive);
    leaving.set(kind.name, new Map(list.flatMap((item) => (item.inactive ? [[item.key, item] as const] : []))));
    names.set(
      kind.name,
      awake.map((item) => item.name),
    );
    keys.set(kind.name, new Map(awake.map((item) => [item.key, item.name])));
  }
  const renames = new Map([...items].map(([{ name }, list]) => [name, claimsOf(list)]));
  const shared = {
    realm: input.realm,
    patience: input.report.patience,
    declares: (kind: string, key: string): boolean => keys.get(kind)?.has(key) ?? false,
    declaredNames: (kind: string): readonly string[] => names.get(kind) ?? NO_NAMES,
    declaredName: (kind: string, key: string): string | undefined => keys.get(kind)?.get(key),
    putAwayAt: (kind: string, key: string): Span | undefined => {
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
  for (const kind of written) checkNamed(kind, sections.get(kind.section) ?? [], shared.putAwayAt, input);
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
    const empty = isMap ? "{}" : "[]";
    const form = { map: `a map from names to ${many}`, list: `a list of ${many}`, singleton: "a map of fields" };
    report.atValue(document.root, [kind.section], {
      code: "config/section",
      message:
        section === null
          ? `${kind.section} is empty`
          : `${kind.section} is ${form[kind.shape]}, not ${describe(section)}`,
      hint:
        section === null
          ? `write ${kind.section}: ${empty} if there are none, or take the line out to leave them alone`
          : isMap
            ? `write each ${kind.shape === "map" ? "name" : "field"} on a line of its own, followed by a colon`
            : 'start every entry with "- "',
    });
    return [];
  }
  const shape = shapeOf(kind.file.schema, kind.section === PROFILED_SECTION ? ["profile"] : []);
  // The section of a singleton is its item.
  if (kind.shape === "singleton") return one(kind, shape, document.root, kind.section, section, input);
  return document.places.entries(section).flatMap(({ key, value }) => one(kind, shape, section, key, value, input));
}

function one(
  kind: ResourceKind,
  shape: Shape,
  section: object,
  entry: string | number,
  value: unknown,
  { report, profiles, defaults }: SectionsInput,
): Item[] {
  // `general:` alone declares a channel and says nothing about it.
  const written = value === null && kind.shape === "map" ? {} : value;
  const profiled = kind.section === PROFILED_SECTION && isTree(written) ? profiles.expand(written) : written;
  const raw = isTree(profiled) ? defaults.apply(kind, profiled) : profiled;
  const whole = kind.file.schema.safeParse(raw);
  if (!whole.success) reportIssues(kind, shape, section, entry, raw, whole.error.issues, report);
  // What is left without the fields that are wrong may hold mistakes of other sorts: all of them in one run.
  if (isTree(raw)) checkContradiction(kind, section, entry, raw, report);
  const result = whole.success ? whole : kind.file.schema.safeParse(withoutFaults(raw, whole.error.issues));
  const objects = result.success ? kind.identity?.parts?.(result.data) : undefined;
  const nameInItem = result.success ? kind.identity?.nameOf?.(result.data) : undefined;
  const name = { map: String(entry), list: nameInItem, singleton: SINGLETON }[kind.shape];
  const parts = objects ?? (name === undefined ? [] : [{ name, path: undefined }]);
  const told = new Set<string>();
  return parts.map((part) => ({
    kind,
    section,
    entry,
    ...(part.path === undefined ? {} : { part: part.path }),
    raw,
    name: canonicalName(kind, part.name),
    key: keyOf(kind, part.name),
    inactive: isInactive(kind, raw),
    decoded: result.success ? { value: result.data } : undefined,
    told,
  }));
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
  report.add(
    {
      code: "config/contradiction",
      message: `absent: ${raw.absent} and ${inactivity}: ${!raw.absent} cannot both hold: each of them says whether it is put away`,
      hint: `keep one: ${inactivity}: true to put it away, ${inactivity}: false to have it in use`,
      ...(other === undefined ? {} : { notes: [{ at: other, message: "and the opposite here" }] }),
    },
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
  for (const { path, on, problem } of fieldProblems(issues, { value: raw, shape, noun, patience: report.patience })) {
    const at = placeOf(report, section, entry, raw, path, on);
    const hint = path.length === 0 && problem.hint === undefined ? noMapHint(shape, noun, entry, raw) : undefined;
    const said = hint === undefined ? problem : { ...problem, hint };
    report.add(valueAt(raw, path) === null ? commentHint(report, at, said) : said, at);
  }
}

/** An item that is no map: a field that stands one level too far out, or the one field that it would have. */
function noMapHint(shape: Shape, noun: string, entry: string | number, raw: unknown): string | undefined {
  if (isTree(raw)) return undefined;
  const fields = shape.fieldsAt([]);
  if (typeof entry === "string" && (shape.pathsOf(entry).length > 0 || fields.includes(entry)))
    return `${JSON.stringify(entry)} is a field: if it belongs to the ${noun} above, indent it more`;
  if (typeof raw === "string" && raw.includes(" ") && fields.includes("description"))
    return "a text about it is written {description: …}";
  const isOfPeople = Array.isArray(raw) && raw.every((name) => typeof name === "string" && name.includes("@"));
  const field = ["members", "emails"].find((name) => fields.includes(name));
  if (isOfPeople && field !== undefined) return `people are written {${field}: [${raw.join(", ")}]}`;
  return `write its fields: ${listNames(fields, 20)}`;
}

type Words = ReturnType<typeof fieldProblems>[number]["problem"];

/** `- #general` is an empty entry with a comment behind it, which is what people who know channels by "#" write. */
function commentHint(report: Report, at: Span | undefined, problem: Words): Words {
  if (at === undefined) return problem;
  const line = report.document.files.find((source) => source.file === at.file)?.line(at.line) ?? "";
  const comment = /(^|[\s:[,-])(#[^\s#][^\s,\]}]*)/.exec(line.slice(Math.max(0, at.column - 2)))?.[2];
  if (comment === undefined) return problem;
  return {
    ...problem,
    hint: `"${comment}" is a comment in YAML: write ${comment.slice(1)} without "#", or put it in quotes`,
  };
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
      const told = JSON.stringify([problem, path]);
      if (path.length > 0 && item.part !== undefined && item.told.has(told)) return;
      item.told.add(told);
      report.add(problem, place(path, path.length === 0 ? "key" : "value"));
    },
    file: (path) => {
      const wanted = path.length === 0 ? item.raw : valueAt(item.raw, path);
      const at = place(path);
      return at === undefined || typeof wanted !== "string" ? undefined : files.get(at.file, wanted);
    },
  });
  const spans: { [field: string]: Span } = {};
  const named = { ...(was === undefined ? {} : { was }), ...(id === undefined ? {} : { id }) };
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
      ...(settled === true ? { settled } : {}),
      fields,
      ...(creation === undefined ? {} : { creation }),
      at,
      spans,
    },
  ];
}

/** Two names that the server takes for one. */
function checkKeys(items: readonly Item[], { report }: SectionsInput): void {
  const first = new Map<string, Item>();
  for (const item of items) {
    const before = first.get(item.key);
    if (before === undefined) {
      first.set(item.key, item);
      continue;
    }
    const noun = item.kind.noun[0];
    const same = before.name === item.name;
    const note = placeOfItem(report, before, [], "key");
    const problem: Words = {
      code: "config/declared-twice",
      message: same
        ? `the ${noun} ${JSON.stringify(item.name)} is declared twice`
        : `${JSON.stringify(item.name)} and ${JSON.stringify(before.name)} are the same ${noun} to the server`,
      hint: "keep one of the two",
      ...(note === undefined ? {} : { notes: [{ at: note, message: "first declared here" }] }),
    };
    report.add(problem, placeOfItem(report, item, [], "key"));
  }
}

/** Two objects that claim the same object of the server. */
function checkIdentities(kind: ResourceKind, declared: readonly DeclaredObject[], report: Report): void {
  const noun = kind.noun[0];
  const renamed = new Map<string, DeclaredObject>();
  const pinned = new Map<number, DeclaredObject>();
  const twice = (
    code: Words["code"],
    message: string,
    field: "was" | "id",
    item: DeclaredObject,
    before: DeclaredObject,
  ): void => {
    const note = before.spans[field];
    report.add(
      {
        code,
        message,
        hint: "keep one of the two",
        ...(note === undefined ? {} : { notes: [{ at: note, message: "first claimed here" }] }),
      },
      item.spans[field] ?? item.at,
    );
  };
  for (const item of declared) {
    if (item.was !== undefined) {
      const key = keyOf(kind, item.was);
      const before = renamed.get(key);
      if (before === undefined) renamed.set(key, item);
      else
        twice(
          "config/renamed-twice",
          `two of the file's objects were the ${noun} ${JSON.stringify(item.was)}`,
          "was",
          item,
          before,
        );
    }
    if (item.id !== undefined) {
      const before = pinned.get(item.id);
      if (before === undefined) pinned.set(item.id, item);
      else
        twice("config/same-id", `two of the file's objects are the ${noun} with the id ${item.id}`, "id", item, before);
    }
  }
}

/** What the file names and puts away at once, where no kind said so with words of its own. */
function checkNamed(
  kind: ResourceKind,
  declared: readonly DeclaredObject[],
  putAwayAt: (kind: string, key: string) => Span | undefined,
  { kinds, report }: SectionsInput,
): void {
  for (const object of declared)
    for (const { kind: other, name, field } of kind.file.names?.(object) ?? []) {
      const named = kinds.find((candidate) => candidate.name === other);
      const leaves = named === undefined || name === undefined ? undefined : putAwayAt(other, keyOf(named, name));
      const at = object.spans[field] ?? object.at;
      if (named === undefined || leaves === undefined || report.isToldAt(at)) continue;
      const noun = named.noun?.[0] ?? other;
      const problem: Words = {
        code: "reference/removed",
        message: `this file puts the ${noun} ${JSON.stringify(name)} away, and names it here`,
        hint: "leave it in use, or name another one",
        notes: [{ at: leaves, message: "put away here" }],
      };
      report.add(problem, at);
    }
}

/** A profile that no channel uses is still held against the form of a channel. */
function checkUnusedBundles({ kinds, profiles, report }: SectionsInput): void {
  const kind = kinds.find((candidate) => candidate.section === PROFILED_SECTION);
  if (kind === undefined) return;
  const shape = shapeOf(kind.file.schema, ["profile"]);
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
    reportIssues(kind, shapeOf(kind.file.schema), written, section, fields, here, report);
  }
}
