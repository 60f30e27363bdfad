import { invisibleIn } from "../model/clean.ts";
import type { DecodeContext, Decoded } from "../model/decoding.ts";
import { defined, own } from "../model/defined.ts";
import { type Finding, type Note, type Path, type Span, STOPS, type Unresolved } from "../model/diagnostic.ts";
import { named, quote } from "../model/diagnostics/values.ts";
import { GROUP } from "../model/facets.ts";
import { canonicalName, keyOf, liveObjects, type ResourceKind, removalVerb } from "../model/kind.ts";
import { addTo, once, oncePer } from "../model/lazy.ts";
import { lookOf } from "../model/look-alike.ts";
import { namedIn } from "../model/named-in.ts";
import type { DeclaredObject, Gap, LiveObject } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";
import type { FieldSpans } from "../model/span.ts";
import { isTree } from "../source/tree.ts";
import { formOf } from "./form.ts";
import { type Entry, type Item, placeOf } from "./item.ts";
import { reportIssues } from "./item-issues.ts";
import { collect, type SectionsInput } from "./items.ts";
import { profileFields } from "./profiles.ts";
import type { Report } from "./report.ts";
import { shapeOf } from "./shape.ts";
import { valueAt } from "./value-at.ts";

/**
 * Every section of the file. First the form of all items is checked and names are collected, then each kind resolves the names in its items: a
 * channel may name a group that is declared further down, or that has errors.
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
  const returning = new Map<string, ReadonlySet<string>>();
  for (const [kind, list] of items) {
    const inUse = list.filter((item) => !item.inactive);
    leaving.set(kind.name, new Map(list.flatMap((item) => (item.inactive ? [[item.key, item] as const] : []))));
    const { inactivity } = kind;
    if (inactivity !== undefined)
      returning.set(
        kind.name,
        new Set(inUse.flatMap(({ key, raw }) => (isTree(raw) && raw[inactivity.field] === false ? [key] : []))),
      );
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
      return item && placeOf(input.report, item, field === undefined ? [] : [field], "value");
    },
    bringsBack: (kind: string, key: string): boolean => returning.get(kind)?.has(key) ?? false,
    renamedTo: (kind: string, key: string, id: number): string | undefined =>
      (renames.get(kind)?.get(id) ?? renames.get(kind)?.get(key))?.find((item) => item.key !== key)?.name,
  };

  const sections = new Map<string, readonly DeclaredObject[]>();
  for (const [kind, list] of items) {
    checkKeys(list, input);
    checkLetters(list, input);
    const declared = list.flatMap((item) => decode(item, shared, input));
    checkIdentities(kind, declared, input.report);
    sections.set(kind.section, declared);
  }
  for (const kind of written) {
    const sectionOf = (name: string): readonly DeclaredObject[] => sections.get(name) ?? [];
    const diagnostics = kind.file.check?.(sectionOf(kind.section), sectionOf, input.realm) ?? [];
    for (const { at, ...finding } of diagnostics) input.report.addFound(finding, at);
  }
  checkLettersOfGroups(written, ({ section }) => sections.get(section) ?? [], input);
  // Most files remove nothing, and asking every object for the names in it takes long.
  if ([...leaving.values()].some(({ size }) => size > 0))
    for (const kind of written) checkNamed(kind, sections.get(kind.section) ?? [], shared.removedAt, input);
  return sections;
}

/** One list, by which its diagnostics are found again. */
const NO_NAMES: readonly string[] = [];

/** The items that claim an object of the server, by the id or by the key of its name there. */
function claimsOf(items: readonly Item[]): ReadonlyMap<string | number, readonly Item[]> {
  const claims = new Map<string | number, Item[]>();
  const claim = (by: string | number, item: Item): void => {
    addTo(claims, by, item);
  };
  for (const item of items) {
    const { kind, raw } = item;
    if (!isTree(raw)) continue;
    if (typeof raw.id === "number") claim(raw.id, item);
    if (typeof raw.was === "string") claim(keyOf(kind, raw.was), item);
  }
  return claims;
}

function decode(
  item: Item,
  shared: Omit<DecodeContext, "report" | "file">,
  { report, files }: SectionsInput,
): DeclaredObject[] {
  if (item.decoded === undefined) return [];
  const { kind, name } = item;
  const place = (path: Path, on: "key" | "value" = "value") => placeOf(report, item, path, on);
  const gaps: Gap[] = [];
  const alone = once(() => errorsWithoutRealm(item, shared, (path) => fileAt(path)));
  const fileAt: NonNullable<DecodeContext["file"]> = (path) => {
    const wanted = path.length === 0 ? item.raw : valueAt(item.raw, path);
    const at = place(path);
    return at === undefined || typeof wanted !== "string" ? undefined : files.get(at.file, wanted);
  };
  const decoded = kind.file.decode(item.decoded.value, name, {
    ...shared,
    report: (path, finding, on) => {
      const isError = (finding.severity ?? "error") === "error" && !STOPS.has(finding.code);
      const isOfRealm = isError && shared.realm !== undefined;
      const unresolved: Unresolved | undefined =
        finding.unresolved ??
        (isOfRealm && !alone().has(errorKey(path, finding))
          ? { kind: kind.name, isGone: true, isHeld: true }
          : undefined);
      const written = item.original?.(path) ?? path;
      // Of a list, entries with errors were left out: what is said about the rest of it would be a consequence.
      if (item.original !== undefined && isShorter(valueAt(item.decoded?.value, path), valueAt(item.raw, written)))
        return;
      const gap = unresolved && gapAt(written, unresolved, kind);
      if (gap !== undefined) gaps.push(gap);
      // An error in an entry applies to each object that it stands for.
      if (path.length > 0 && item.part !== undefined) {
        const key = JSON.stringify([finding, path]);
        if (item.reported?.has(key) === true) return;
        item.reported?.add(key);
      }
      const by = named(kind.name, canonicalName(kind, name));
      const known =
        gap === undefined
          ? finding
          : { ...finding, unresolved: { ...unresolved, ...exceptedBy(gap), kind: gap.kind, in: by, field: gap.field } };
      report.addFound(known, place(written, on ?? (path.length === 0 ? "key" : "value")));
    },
    file: fileAt,
  });
  const at = place([], "key");
  return at === undefined ? [] : [objectOf(item, decoded, gaps, at, report)];
}

function objectOf(item: Item, decoded: Decoded, gaps: readonly Gap[], at: Span, report: Report): DeclaredObject {
  const { kind, section, entry, raw, part } = item;
  const { was, id, absent, settled, partial, name = item.name } = decoded;
  const left = gaps.flatMap(({ field, isHeld }) => (isHeld === true && field !== "" ? [field] : []));
  const given = defined({
    was,
    id,
    settled: settled === true ? settled : undefined,
    creation: decoded.creation && without(decoded.creation, left),
    gaps: gaps.length > 0 ? gaps : undefined,
    partial,
  });
  // Not the item itself, with everything that was decoded from it: this is kept as long as the object.
  const written = { section, entry, raw, ...defined({ part }) };
  return {
    key: decoded.name === undefined ? item.key : keyOf(kind, name),
    name,
    absent,
    fields: without(decoded.fields, left),
    at,
    spans: new ItemSpans(report, written, decoded),
    ...given,
  };
}

const isShorter = (list: unknown, written: unknown): boolean =>
  Array.isArray(list) && Array.isArray(written) && list.length < written.length;

function without<Value>(fields: { readonly [field: string]: Value }, left: readonly string[]): typeof fields {
  return left.length === 0
    ? fields
    : Object.fromEntries(Object.entries(fields).filter(([field]) => !left.includes(field)));
}

/**
 * The errors that the item has without a server. All others come from the server's state, which people change: such an item is left alone, and no mistake
 * of the file (docs/internals/decisions/0005-unresolved-names-are-findings.md).
 */
function errorsWithoutRealm(
  { kind, name, decoded }: Item,
  shared: Omit<DecodeContext, "report" | "file">,
  file: NonNullable<DecodeContext["file"]>,
): ReadonlySet<string> {
  const errors = new Set<string>();
  const report: DecodeContext["report"] = (path, finding) => {
    if ((finding.severity ?? "error") === "error") errors.add(errorKey(path, finding));
  };
  kind.file.decode(decoded?.value, name, { ...shared, realm: undefined, report, file });
  return errors;
}

const errorKey = (path: Path, { code }: Finding): string => JSON.stringify([code, path]);

/** Fields of `permissions` are fields of the object. What is wrong with a name or an id concerns the whole object. */
function gapAt(path: Path, { kind, isGone, isHeld, returns, isUnseen }: Unresolved, of: ResourceKind): Gap {
  const [first = "", second = ""] = path;
  const field = String(first === "permissions" ? second : first);
  const isWhole = isHeld === true && first !== "permissions" && !Object.hasOwn(of.file.fields, field);
  return {
    field: isWhole ? "" : field,
    path,
    kind,
    isGone: isGone === true,
    ...defined({ isHeld, returns, isUnseen }),
  };
}

const exceptedBy = ({ path }: Gap) => (path.includes("except") ? ({ isExcepted: true } as const) : {});

/** For most objects nobody needs the places of fields. */
class ItemSpans implements FieldSpans {
  private readonly report: Report;
  private readonly item: Entry;
  private readonly decoded: Decoded;

  constructor(report: Report, item: Entry, decoded: Decoded) {
    this.report = report;
    this.item = item;
    this.decoded = decoded;
  }

  of(field: string): Span | undefined {
    const { fields, creation = {}, partial = {}, paths = {}, was, id } = this.decoded;
    const isSet = [fields, creation, partial, defined({ was, id })].some((values) => Object.hasOwn(values, field));
    // In lists, the name is a field of its entry.
    const isName = field === "name" && isTree(this.item.raw) && Object.hasOwn(this.item.raw, "name");
    return isSet || isName ? placeOf(this.report, this.item, own(paths, field) ?? [field], "value") : undefined;
  }
}

/** An unused profile is still checked. */
function checkUnusedBundles({ kinds, profiles, ...input }: SectionsInput): void {
  const kind = kinds.find((candidate) => candidate.file.profiles === true);
  if (kind === undefined) return;
  for (const { name, fields } of profiles.bundles)
    checkFields(kind, { section: profiles.declared, entry: name, raw: fields }, input);
}

/** Also defaults of a section without items; fields that they leave out are the items' part. */
function checkUnusedDefaults({ document, kinds, defaults, ...input }: SectionsInput): void {
  const { defaults: written } = document.root;
  for (const [section, fields] of defaults.sections) {
    const kind = kinds.find((candidate) => candidate.section === section);
    if (kind === undefined || !isTree(written)) continue;
    checkFields(kind, { section: written, entry: section, raw: fields }, input, ({ code, path }) => {
      return code === "unrecognized_keys" || valueAt(fields, path.map(String)) !== undefined;
    });
  }
}

/** Reports errors in fields of no item in the form of items: one error in the defaults of a section with items is the same error. */
function checkFields(
  kind: ResourceKind,
  entry: Entry,
  { realm, report }: Pick<SectionsInput, "realm" | "report">,
  counts: (issue: Parameters<typeof reportIssues>[2][number]) => boolean = () => true,
): void {
  const form = formOf(kind, realm);
  const { error } = form.safeParse(entry.raw);
  if (error === undefined) return;
  const shape = shapeOf(form, profileFields(kind), kind.file);
  reportIssues({ kind, form, shape, realm }, entry, error.issues.filter(counts), report);
}

/** Two names that the server takes for one. */
function checkKeys(items: readonly Item[], { report }: SectionsInput): void {
  const first = new Map<string, Item>();
  for (const item of items) {
    // Without the field that is wrong, it may be another object.
    if (item.isNameGuessed) continue;
    const before = first.get(item.key);
    if (before === undefined) {
      first.set(item.key, item);
      continue;
    }
    const noun = item.kind.noun[0];
    const note = placeOf(report, before, [], "key");
    const notes = note === undefined ? [] : [{ at: note, note: "declared-here" } as const];
    const { knownBy } = item.kind.identity ?? {};
    const fact = {
      noun,
      name: quote(item.name, item.kind.name),
      other: quote(before.name, item.kind.name),
      ...defined({ known_by: knownBy }),
    };
    report.add("config/declared-twice", fact, placeOf(report, item, [], "key"), { notes });
  }
}

/** What a name looks like, and, where the server tells names apart by case (user groups), what it looks like in capitals. */
function looksOf(kind: ResourceKind, name: string): readonly string[] {
  const shape = keyOf(kind, lookOf(name));
  const isByCase = kind.shape === "map" && keyOf(kind, "a") !== keyOf(kind, "A");
  return isByCase ? [shape, `A=a:${lookOf(name.toUpperCase())}`] : [shape];
}

/**
 * Names that look the same and are two to the server: a letter of another script, two encodings of an é, characters that nobody sees, capitals. In the file,
 * and among the names of the server, archived and deactivated ones, too.
 */
function checkLetters(items: readonly Item[], { report, realm }: SectionsInput): void {
  const first = new Map<string, Item>();
  for (const item of items) {
    const { kind, name, key } = item;
    const looks = looksOf(kind, name);
    const before = looks.map((look) => first.get(look)).find((one) => one !== undefined);
    for (const shape of looks) if (!first.has(shape)) first.set(shape, item);
    checkInvisible(item, report);
    const isInFile = before !== undefined && before.key !== key;
    const other = isInFile ? before.name : lookalikeIn(realm, item, looks);
    // What is to be removed gets no name.
    if (other === undefined || (isTree(item.raw) && item.raw.absent === true)) continue;
    const note = isInFile ? placeOf(report, before, [], "key") : undefined;
    const fact = {
      noun: kind.noun[0],
      name: quote(name, kind.name),
      other: quote(other, kind.name),
      where: isInFile ? "file" : "organization",
      ...defined({ by_case: keyOf(kind, lookOf(name)) === keyOf(kind, lookOf(other)) ? undefined : (true as const) }),
    } as const;
    const notes = note === undefined ? [] : [{ at: note, note: "declared-here" } as const];
    const at = placeOf(report, item, [], "key");
    report.add("config/same-letters", fact, at, { severity: "warning", notes });
  }
}

/** Groups in permissions and lists whose names are not what they look like, if the organization has another group with that look. What the file declares is told there. */
function checkLettersOfGroups(
  written: readonly ResourceKind[],
  declaredOf: (kind: ResourceKind) => readonly DeclaredObject[],
  { kinds, realm, report }: SectionsInput,
): void {
  const groups = kinds.find(({ name }) => name === GROUP);
  const live = groups && realm && liveObjects(groups, realm);
  if (groups === undefined || live === undefined) return;
  const byLook = new Map<string, LiveObject[]>();
  for (const object of live) addTo(byLook, keyOf(groups, lookOf(object.name)), object);
  const lookalikes = new Map([...byLook].filter(([, objects]) => objects.length > 1));
  // Nearly all organizations: asking every object for the names in it takes long.
  if (lookalikes.size === 0) return;
  const reported = new Set(declaredOf(groups).map(({ key }) => key));
  for (const kind of written)
    for (const object of declaredOf(kind))
      for (const { kind: of, name = "", field } of namedIn(kind.file, object)) {
        const key = keyOf(groups, name);
        if (of !== GROUP || reported.has(key) || isPlain(groups, key)) continue;
        const other = lookalikes.get(keyOf(groups, lookOf(name)))?.find((one) => one.key !== key);
        if (other === undefined) continue;
        reported.add(key);
        const names = { name: quote(name, GROUP), other: quote(other.name, GROUP) };
        const fact = { noun: groups.noun[0], ...names, where: "organization" } as const;
        report.add("config/same-letters", fact, object.spans.of(field) ?? object.at, { severity: "warning" });
      }
}

/** Control characters are errors in names. */
const hides = (text: string): boolean => [...invisibleIn(text)].some(({ character }) => !/\p{Cc}/u.test(character));

/** Only for names with escapes: in the text of a file, such characters are found without them (`yaml/invisible-character`, a few of many). */
function checkInvisible(item: Item, report: Report): void {
  const { kind, name } = item;
  if (!hides(name)) return;
  const at = placeOf(report, item, [], "key");
  if (hides(report.lineAt(at))) return;
  const fact = { noun: kind.noun[0], name: quote(name, kind.name) };
  report.add("config/invisible-in-name", fact, at, { severity: "warning" });
}

/** Whether a name is what it looks like. Of two live names that look the same, one of them at most is: the other one may be a stranger's. */
const isPlain = (kind: ResourceKind, key: string): boolean => keyOf(kind, lookOf(key)) === key;

/** The name of another object on the server that looks like an item which is new, gets a new name, or is not what it looks like. */
function lookalikeIn(realm: Realm | undefined, { kind, key, raw }: Item, looks: readonly string[]): string | undefined {
  const live = realm && liveObjects(kind, realm);
  if (live === undefined) return undefined;
  const { keys, byLook } = looksIn(kind)(live);
  const { was, id } = isTree(raw) ? raw : {};
  if (was === undefined && id === undefined && keys.has(key) && isPlain(kind, key)) return undefined;
  const own = typeof was === "string" ? keyOf(kind, was) : key;
  return looks
    .flatMap((look) => byLook.get(look) ?? [])
    .find((other) => other.key !== key && other.key !== own && other.id !== id)?.name;
}

/** An index, since each of thousands of new names asks. */
const looksIn = oncePer((kind: ResourceKind) =>
  oncePer((live: readonly LiveObject[]) => {
    const byLook = new Map<string, LiveObject[]>();
    for (const object of live) for (const shape of looksOf(kind, object.name)) addTo(byLook, shape, object);
    return { keys: new Set(live.map(({ key }) => key)), byLook };
  }),
);

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
        report.add("config/renamed-twice", fact, item.spans.of("was") ?? item.at, {
          notes: claimed(before.spans.of("was")),
        });
    }
    if (item.id !== undefined) {
      const before = pinned.get(item.id);
      const fact = { noun, id: item.id };
      if (before === undefined) pinned.set(item.id, item);
      else
        report.add("config/same-id", fact, item.spans.of("id") ?? item.at, { notes: claimed(before.spans.of("id")) });
    }
  }
}

const claimed = (at: Span | undefined): readonly Note[] => (at === undefined ? [] : [{ at, note: "claimed-here" }]);

/** Objects that the file names and removes at once, if no kind reported it. */
function checkNamed(
  kind: ResourceKind,
  declared: readonly DeclaredObject[],
  removedAt: (kind: string, key: string) => Span | undefined,
  { kinds, report }: SectionsInput,
): void {
  for (const object of declared)
    for (const { kind: other, name, field } of namedIn(kind.file, object)) {
      const named = kinds.find((candidate) => candidate.name === other);
      const leaves = named === undefined || name === undefined ? undefined : removedAt(other, keyOf(named, name));
      if (named === undefined || leaves === undefined) continue;
      const at = object.spans.of(field) ?? object.at;
      if (report.isToldAt(at)) continue;
      const fact = {
        noun: named.noun[0],
        name: quote(name ?? "", other),
        removal: removalVerb(named),
        section: named.section,
        is_declared: true,
        by: "file",
      } as const;
      report.add("reference/removed", fact, at, { notes: [{ at: leaves, note: "removed-here" }] });
    }
}
