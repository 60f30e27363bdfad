import type { Desired } from "../model/desired.ts";
import { type Diagnostic, warning } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { namedOf } from "../model/facts.ts";
import { addTo } from "../model/indexed.ts";
import { canonicalJson, isList, type Json, sameJson } from "../model/json.ts";
import { keyOf, liveObjects, type ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, Fields, LiveObject } from "../model/objects.ts";
import type { Change } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";

/**
 * Finds pairs of a missing object and an undeclared object that has the same values in every other field: it was probably renamed. A pair counts only
 * if neither has another match, and if the objects share more than the values of every new object.
 */
export function renamesIn(
  changes: readonly Change[],
  desired: Desired,
  kinds: readonly ResourceKind[],
  realm: Realm,
): ReadonlyMap<Change, LiveObject> {
  if (!changes.some(({ action }) => action === "create")) return new Map();
  const names = new ComparedNames(desired, realm);
  // A kind comes after those that it names, whose renames are known by then.
  return new Map(
    kinds.flatMap((kind) => {
      const found = [...renamesOf(kind, changes, names)];
      for (const [change, live] of found) names.pair(kind, change.name, live);
      return found;
    }),
  );
}

/** At most this number of warnings; more would only repeat a pattern. */
const MOST_SAID = 10;

/** New objects that seem to be on the server under another name. Without `was`, the old one stays, or is removed. */
export function renameWarnings(...input: Parameters<typeof renamesIn>): readonly Diagnostic[] {
  const [, , kinds] = input;
  const found = [...renamesIn(...input)];
  return found.slice(0, MOST_SAID).map(([change, live], index): Diagnostic => {
    const noun = kinds.find(({ name }) => name === change.kind)?.noun[0] ?? change.kind;
    const more = index === MOST_SAID - 1 ? found.length - MOST_SAID : 0;
    const { name, id } = live;
    return warning(
      "plan/looks-renamed",
      { noun, object: namedOf(change), live: { name: quote(name, change.kind), id }, more },
      change.at,
    );
  });
}

function* renamesOf(
  kind: ResourceKind,
  changes: readonly Change[],
  names: ComparedNames,
): Iterable<readonly [Change, LiveObject]> {
  // Also of kinds without new objects: those of other kinds name them.
  const { declared, strangers } = names.of(kind);
  const created = changes.filter((change) => change.kind === kind.name && change.action === "create");
  if (created.length === 0 || kind.shape !== "map") return;
  const objects = new Map(declared.map((object) => [object.key, object]));
  const lookup = new Lookup(strangers.map((live) => ({ live, fields: names.onServer(kind, live) })));
  const fits = created.map((change) => {
    const object = objects.get(keyOf(kind, change.name));
    return { change, found: object === undefined ? [] : lookup.to(kind, names.inFile(kind, object)) };
  });
  const times = new Map<LiveObject, number>();
  for (const live of fits.flatMap(({ found }) => found)) times.set(live, (times.get(live) ?? 0) + 1);
  for (const { change, found } of fits) {
    const [live, ...others] = found;
    if (live !== undefined && others.length === 0 && times.get(live) === 1) yield [change, live];
  }
}

/** Stands for the name of an object that only one side has: each of these may be a renamed one of the other side. */
const UNPAIRED = "\u0000";
/** Stands for the name of the object itself. */
const OWN_NAME = "\u0001";

/** What a comparison needs to know about the objects of a kind. */
interface ComparedKind {
  readonly declared: readonly DeclaredObject[];
  /** Live objects that the file does not mention. */
  readonly strangers: readonly LiveObject[];
  /** Name in the file → name on the server, or {@link UNPAIRED}, if they differ. */
  readonly inFile: Map<string, string>;
  readonly onServer: Map<string, string>;
}

/**
 * The names of other objects in the fields of both sides, so that they are equal if they mean the same object: an object that was renamed together
 * with its folder still looks the same.
 */
class ComparedNames {
  private readonly kinds = new Map<string, ComparedKind>();
  private readonly desired: Desired;
  private readonly realm: Realm;

  constructor(desired: Desired, realm: Realm) {
    this.desired = desired;
    this.realm = realm;
  }

  of(kind: ResourceKind): ComparedKind {
    const known = this.kinds.get(kind.name);
    if (known !== undefined) return known;
    const declared = this.desired.sections.get(kind.section) ?? [];
    const live = kind.shape === "map" ? (liveObjects(kind, this.realm) ?? []) : [];
    const byKey = new Map(live.map((object) => [object.key, object]));
    const byId = new Map(live.map((object) => [object.id, object]));
    const mentioned = new Set(
      declared.flatMap(({ key, was }) => [key, ...(was === undefined ? [] : [keyOf(kind, was)])]),
    );
    const pinned = new Set(declared.map(({ id }) => id));
    const strangers = live.filter(
      ({ key, id, inactive }) => id !== null && !inactive && !mentioned.has(key) && !pinned.has(id),
    );
    const inFile = new Map<string, string>();
    for (const { name, key, id, was } of declared) {
      const found =
        (id === undefined ? undefined : byId.get(id)) ??
        (was === undefined ? undefined : byKey.get(keyOf(kind, was))) ??
        byKey.get(key);
      if (found?.name !== name) inFile.set(name, found?.name ?? UNPAIRED);
    }
    const compared = {
      declared,
      strangers,
      inFile,
      onServer: new Map(strangers.map(({ name }) => [name, UNPAIRED])),
    };
    this.kinds.set(kind.name, compared);
    return compared;
  }

  /** From now on, this name in the file means this object. */
  pair(kind: ResourceKind, name: string, live: LiveObject): void {
    const { inFile, onServer } = this.of(kind);
    inFile.set(name, live.name);
    onServer.delete(live.name);
  }

  /** The fields of an object of the file. */
  inFile(kind: ResourceKind, object: DeclaredObject): Fields {
    const nameOf = (other: string, name: string): string => {
      if (other === kind.name && name === object.name) return OWN_NAME;
      return this.kinds.get(other)?.inFile.get(name) ?? name;
    };
    return (kind.file.withNames?.(object, nameOf) ?? object).fields;
  }

  /** The fields of an object of the server. */
  onServer(kind: ResourceKind, { name: own, fields }: LiveObject): Fields {
    const [any] = this.of(kind).declared;
    const nameOf = (other: string, name: string): string => {
      if (other === kind.name && name === own) return OWN_NAME;
      return this.kinds.get(other)?.onServer.get(name) ?? name;
    };
    return any === undefined ? fields : (kind.file.withNames?.({ ...any, fields }, nameOf).fields ?? fields);
  }
}

/** Live objects by the values of one field after the other, so that thousands of objects are not compared in pairs. */
class Lookup {
  private readonly live: readonly Compared[];
  private readonly byField = new Map<string, Map<string, Compared[]>>();

  constructor(live: readonly Compared[]) {
    this.live = live;
  }

  /** The objects with the same values in all fields that the file sets; empty if no field distinguishes objects. */
  to(kind: ResourceKind, fields: Fields): readonly LiveObject[] {
    const telling = Object.entries(fields).find(isTelling);
    if (telling === undefined) return [];
    const [field, value] = telling;
    const known = this.byField.get(field) ?? this.index(field);
    const found = known.get(canonicalJson(value)) ?? [];
    return found.filter((compared) => isSame(kind, fields, compared.fields)).map(({ live }) => live);
  }

  private index(field: string): Map<string, Compared[]> {
    const index = new Map<string, Compared[]>();
    for (const object of this.live) {
      const key = canonicalJson(object.fields[field] ?? null);
      addTo(index, key, object);
    }
    this.byField.set(field, index);
    return index;
  }
}

interface Compared {
  readonly live: LiveObject;
  /** Its fields, with names that can be compared. */
  readonly fields: Fields;
}

/** Whether all fields that the file sets are equal. */
function isSame(kind: ResourceKind, declared: Fields, live: Fields): boolean {
  return Object.entries(declared).every(
    ([field, value]) => field === kind.inactivity?.field || sameJson(live[field] ?? null, value),
  );
}

/** Whether the value is specific to this object: text about it, people, or objects that both sides have. */
function isTelling([field, value]: readonly [string, Json]): boolean {
  return (field === "description" && value !== "") || (isList(value) && value.some((item) => item !== UNPAIRED));
}
