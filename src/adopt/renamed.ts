import type { Desired } from "../model/desired.ts";
import { isList, type Json, sameJson } from "../model/json.ts";
import type { DeclaredObject, LiveObject, ResourceKind } from "../model/kind.ts";
import type { Change } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";

/**
 * Objects that are gone under their name while one that the file does not know is in everything else what the file says: they have
 * another name now. Only where one fits one, and where what fits is more than what every new object has.
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

function* renamesOf(
  kind: ResourceKind,
  changes: readonly Change[],
  declared: readonly DeclaredObject[],
  realm: Realm,
): Iterable<readonly [Change, LiveObject]> {
  const gone = changes.filter((change) => change.kind === kind.name && change.action === "create");
  if (gone.length === 0 || kind.shape !== "map") return;
  const known = new Set(declared.flatMap(({ key, was }) => [key, ...(was === undefined ? [] : [kind.keyOf(was)])]));
  const pinned = new Set(declared.map(({ id }) => id));
  const strangers = (kind.live(realm) ?? []).filter(
    ({ key, id, dormant }) => id !== null && !dormant && !known.has(key) && !pinned.has(id),
  );
  const fits = gone.map((change) => {
    const object = declared.find(({ key }) => key === kind.keyOf(change.name));
    return object === undefined ? [] : strangers.filter((live) => isSame(kind, object, live));
  });
  for (const [index, change] of gone.entries()) {
    const [live, ...others] = fits[index] ?? [];
    if (live === undefined || others.length > 0) continue;
    if (fits.filter((list) => list.includes(live)).length === 1) yield [change, live];
  }
}

function isSame(kind: ResourceKind, declared: DeclaredObject, live: LiveObject): boolean {
  // What names itself has its new name there, too.
  const nameOf = (other: string, name: string) => (other === kind.name && name === declared.name ? live.name : name);
  const { fields } = kind.withNames?.(declared, nameOf) ?? declared;
  const entries = Object.entries(fields).filter(([field]) => field !== kind.dormancy);
  return entries.some(isTelling) && entries.every(([field, value]) => sameJson(live.fields[field] ?? null, value));
}

/** Says something about this one object: words about it, or people. */
function isTelling([field, value]: readonly [string, Json]): boolean {
  return (field === "description" && value !== "") || (isList(value) && value.length > 0);
}
