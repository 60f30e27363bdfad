import type { Desired } from "../model/desired.ts";
import { type Diagnostic, warning } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { namedOf } from "../model/facts.ts";
import { addTo } from "../model/indexed.ts";
import { canonicalJson, isList, type Json, sameJson } from "../model/json.ts";
import { keyOf, liveObjects, type ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
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
  return new Map(
    kinds.flatMap((kind) => [...renamesOf(kind, changes, desired.sections.get(kind.section) ?? [], realm)]),
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
  declared: readonly DeclaredObject[],
  realm: Realm,
): Iterable<readonly [Change, LiveObject]> {
  const created = changes.filter((change) => change.kind === kind.name && change.action === "create");
  if (created.length === 0 || kind.shape !== "map") return;
  const known = new Set(declared.flatMap(({ key, was }) => [key, ...(was === undefined ? [] : [keyOf(kind, was)])]));
  const pinned = new Set(declared.map(({ id }) => id));
  const strangers = (liveObjects(kind, realm) ?? []).filter(
    ({ key, id, inactive }) => id !== null && !inactive && !known.has(key) && !pinned.has(id),
  );
  const objects = new Map(declared.map((object) => [object.key, object]));
  const lookup = new Lookup(strangers);
  const fits = created.map((change) => {
    const object = objects.get(keyOf(kind, change.name));
    const found = object === undefined ? [] : lookup.to(object).filter((live) => isSame(kind, object, live));
    return { change, found };
  });
  const times = new Map<LiveObject, number>();
  for (const live of fits.flatMap(({ found }) => found)) times.set(live, (times.get(live) ?? 0) + 1);
  for (const { change, found } of fits) {
    const [live, ...others] = found;
    if (live !== undefined && others.length === 0 && times.get(live) === 1) yield [change, live];
  }
}

/** Live objects by the values of one field after the other, so that thousands of objects are not compared in pairs. */
class Lookup {
  private readonly live: readonly LiveObject[];
  private readonly byField = new Map<string, Map<string, LiveObject[]>>();

  constructor(live: readonly LiveObject[]) {
    this.live = live;
  }

  /** The objects that agree with this one in its most distinctive field; empty if no field distinguishes objects. */
  to({ fields }: DeclaredObject): readonly LiveObject[] {
    const telling = Object.entries(fields).find(isTelling);
    if (telling === undefined) return [];
    const [field, value] = telling;
    const known = this.byField.get(field) ?? this.index(field);
    return known.get(canonicalJson(value)) ?? [];
  }

  private index(field: string): Map<string, LiveObject[]> {
    const index = new Map<string, LiveObject[]>();
    for (const object of this.live) {
      const key = canonicalJson(object.fields[field] ?? null);
      addTo(index, key, object);
    }
    this.byField.set(field, index);
    return index;
  }
}

/** Whether all fields that the file sets are equal. */
function isSame(kind: ResourceKind, declared: DeclaredObject, live: LiveObject): boolean {
  // A value with the object's own name has the new name there, too.
  const nameOf = (other: string, name: string) => (other === kind.name && name === declared.name ? live.name : name);
  const { fields } = kind.file.withNames?.(declared, nameOf) ?? declared;
  return Object.entries(fields).every(
    ([field, value]) => field === kind.inactivity?.field || sameJson(live.fields[field] ?? null, value),
  );
}

/** Whether the value is specific to this object: text about it, or people. */
function isTelling([field, value]: readonly [string, Json]): boolean {
  return (field === "description" && value !== "") || (isList(value) && value.length > 0);
}
