import { escaped, withField } from "../export/written.ts";
import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import type { Json } from "../model/json.ts";
import { canonicalName, keyOf, liveObjects, type ResourceKind } from "../model/kind.ts";
import type { InexpressibleFact } from "../model/kind-facts.ts";
import type { DeclaredObject, Fields, LiveObject } from "../model/objects.ts";
import type { Address, Change, FieldChange } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { asValue } from "./file-goal.ts";

/**
 * The changes of a plan, and what it does not compare: names that mean nothing on the server, and accounts that are deactivated although the file lists
 * them. For adopt, all of these are differences: the file takes what the server has. What an entry leaves open is one only if it is asked for by name.
 * @param asked the fields that are asked for by name
 */
export function withGaps(
  changes: readonly Change[],
  desired: Desired,
  realm: Realm,
  kinds: readonly ResourceKind[],
  asked: readonly string[],
): readonly Change[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  for (const kind of kinds) {
    const declared = desired.sections.get(kind.section) ?? [];
    const mayBeOpen = asked.length > 0 && kind.yaml?.open !== undefined;
    const { outdated } = kind.yaml ?? {};
    const open = declared.filter(
      (object) => mayBeOpen || outdated !== undefined || object.gaps !== undefined || mayBeInactive(kind, object),
    );
    if (open.length === 0) continue;
    const live = liveObjects(kind, realm) ?? [];
    const byKey = firstBy(live, ({ key }) => key);
    const byId = firstBy(live, ({ id }) => id);
    for (const object of open) {
      const found =
        object.id === undefined
          ? (byKey.get(object.key) ?? byKey.get(keyOf(kind, object.was ?? object.name)))
          : byId.get(object.id);
      const left = mayBeOpen && found !== undefined ? (kind.yaml?.open?.(object, found, realm) ?? []) : [];
      const old = found === undefined ? [] : (outdated?.(object, found) ?? []);
      const change = changeOf(kind, object, found, [...left.filter((field) => asked.includes(field)), ...old]);
      const before = change && byAddress.get(change.address);
      if (change === undefined || (before !== undefined && before.action !== "update")) continue;
      const known = new Set(before?.fields.map(({ field }) => field));
      const fields = [...(before?.fields ?? []), ...change.fields.filter(({ field }) => !known.has(field))];
      byAddress.set(change.address, { ...(before ?? change), fields });
    }
  }
  return [...byAddress.values()];
}

function changeOf(
  kind: ResourceKind,
  declared: DeclaredObject,
  live: LiveObject | undefined,
  left: readonly string[],
): Change | undefined {
  const { gaps = [], at } = declared;
  const name = canonicalName(kind, declared.name);
  const address: Address = `${kind.name}:${name}`;
  const common = { kind: kind.name, address, name, at, risks: [] };
  // A name that is an object itself, such as a default channel; of a person, nobody can tell who is meant.
  if (gaps.some(({ field }) => field === "")) {
    const isOpen = declared.absent || live !== undefined;
    return { ...common, action: isOpen ? "update" : "create", fields: [] };
  }
  if (live === undefined && !declared.absent) return undefined;
  const fields = [...new Set([...gaps.map(({ field }) => field), ...left])].map((field): FieldChange => {
    return { field, before: live?.fields[field] ?? null, after: declared.fields[field] ?? null, at };
  });
  const { inactivity } = kind;
  if (inactivity !== undefined && live?.inactive === true && mayBeInactive(kind, declared))
    fields.push({ field: inactivity.field, before: true, after: false, at });
  const more = defined({ id: live?.id ?? undefined, singleton: kind.shape === "singleton" || undefined });
  return fields.length === 0 ? undefined : { ...common, action: "update", ...more, fields };
}

/** Whether the file lists the object and does not say whether it is in use. */
const mayBeInactive = ({ inactivity }: ResourceKind, { absent, fields }: DeclaredObject): boolean =>
  inactivity !== undefined && !absent && !Object.hasOwn(fields, inactivity.field);

/** The server's objects of a kind, by each way of finding them; the first of two equal ones counts. */
interface LiveIndex {
  readonly all: readonly LiveObject[];
  readonly byName: ReadonlyMap<string, LiveObject>;
  readonly byKey: ReadonlyMap<string, LiveObject>;
  readonly byId: ReadonlyMap<LiveObject["id"], LiveObject>;
}

/** The objects of the server, indexed once for each kind that is needed. */
export class LiveObjects {
  private readonly realm: Realm;
  private readonly known = new Map<ResourceKind, LiveIndex>();

  constructor(realm: Realm) {
    this.realm = realm;
  }

  of(kind: ResourceKind): LiveIndex {
    const known = this.known.get(kind);
    if (known !== undefined) return known;
    const all = liveObjects(kind, this.realm) ?? [];
    const live = {
      all,
      byName: firstBy(all, ({ name }) => name),
      byKey: firstBy(all, ({ key }) => key),
      byId: firstBy(all, ({ id }) => id),
    };
    this.known.set(kind, live);
    return live;
  }

  /** The object that a change is about; undefined if the server does not have it. */
  find(kind: ResourceKind, { action, id, was, name }: Change): LiveObject | undefined {
    if (action === "create") return undefined;
    const { byKey, byId } = this.of(kind);
    return id === undefined ? byKey.get(keyOf(kind, was ?? name)) : byId.get(id);
  }

  /** Key → position on the server, of the active objects. */
  ranks(kind: ResourceKind): ReadonlyMap<string, number> {
    return new Map(this.of(kind).all.flatMap(({ key, inactive }, index) => (inactive ? [] : [[key, index] as const])));
  }
}

/** Items by a key; the first of several with one key counts. */
export function firstBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, T> {
  const found = new Map<K, T>();
  for (const item of items) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
  return found;
}

/** The entry of an object that has another type on the server: the fields of the old type (options, a service) go, and those of the new one come. */
export function entryOfType(kind: ResourceKind, entry: Json | undefined, live: LiveObject, realm: Realm): Json {
  const isOfSome = (field: string): boolean => kind.file.fields[field]?.isOfSome === true;
  const rest: Fields = Object.fromEntries(Object.entries(asValue(entry)).filter(([field]) => !isOfSome(field)));
  const own = Object.keys(live.fields).filter((field) => isOfSome(field) && live.fields[field] !== null);
  const whole = own.reduce((known, field) => withField(kind, known, field, live, realm), rest);
  const fresh = Object.entries(whole).filter(([field]) => !Object.hasOwn(rest, field));
  return { ...rest, ...asValue(escaped(Object.fromEntries(fresh))) };
}

/** Why the entry of an object that is not found stays in the file; undefined if the object is gone. */
export function whyStays(
  kind: ResourceKind,
  declared: DeclaredObject,
  live: LiveObjects,
  realm: Realm,
): { readonly id: number } | InexpressibleFact | "open" | undefined {
  const id = declared.id === undefined ? undefined : live.of(kind).byKey.get(declared.key)?.id;
  if (id !== undefined && id !== null) return { id };
  // It may never have been created: what it names is not there.
  const isOpen = declared.gaps?.some(
    ({ field, isGone, isHeld }) => isHeld === true || (!isGone && (field !== "" || kind.isAccount === true)),
  );
  if (isOpen === true) return "open";
  const isHidden = kind.shape !== "singleton" && kind.live.unseen?.(realm) !== undefined;
  return isHidden ? { why: "unseen", noun: kind.noun[0] } : undefined;
}
