import { invisibleIn } from "../model/clean.ts";
import { defined } from "../model/defined.ts";
import type { Note, Span } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { GROUP } from "../model/facets.ts";
import { keyOf, liveObjects, type ResourceKind, removalVerb } from "../model/kind.ts";
import { addTo, oncePer } from "../model/lazy.ts";
import { lookOf } from "../model/look-alike.ts";
import { namedIn } from "../model/named-in.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";
import { isTree } from "../source/tree.ts";
import { type Item, placeOfItem } from "./item.ts";
import type { SectionsInput } from "./items.ts";
import type { Report } from "./report.ts";

/** Two names that the server takes for one. */
export function checkKeys(items: readonly Item[], { report }: SectionsInput): void {
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
    const note = placeOfItem(report, before, [], "key");
    const notes = note === undefined ? [] : [{ at: note, note: "declared-here" } as const];
    const { knownBy } = item.kind.identity ?? {};
    const fact = {
      noun,
      name: quote(item.name, item.kind.name),
      other: quote(before.name, item.kind.name),
      ...defined({ known_by: knownBy }),
    };
    report.add("config/declared-twice", fact, placeOfItem(report, item, [], "key"), { notes });
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
export function checkLetters(items: readonly Item[], { report, realm }: SectionsInput): void {
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
    const note = isInFile ? placeOfItem(report, before, [], "key") : undefined;
    const fact = {
      noun: kind.noun[0],
      name: quote(name, kind.name),
      other: quote(other, kind.name),
      where: isInFile ? "file" : "organization",
      ...defined({ by_case: keyOf(kind, lookOf(name)) === keyOf(kind, lookOf(other)) ? undefined : (true as const) }),
    } as const;
    const notes = note === undefined ? [] : [{ at: note, note: "declared-here" } as const];
    const at = placeOfItem(report, item, [], "key");
    report.add("config/same-letters", fact, at, { severity: "warning", notes });
  }
}

/** Groups in permissions and lists whose names are not what they look like, if the organization has another group with that look. What the file declares is told there. */
export function checkLettersOfGroups(
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
  const at = placeOfItem(report, item, [], "key");
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
export function checkIdentities(kind: ResourceKind, declared: readonly DeclaredObject[], report: Report): void {
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
export function checkNamed(
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
