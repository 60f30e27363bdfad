import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { canonicalName, keyOf, liveObjects, type ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import type { Address, Change, FieldChange } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { firstBy } from "./live-objects.ts";

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
