import { escaped, withField } from "../export/written.ts";
import type { Json } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { InexpressibleFact } from "../model/kind-facts.ts";
import type { DeclaredObject, Fields, LiveObject } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";
import { asValue } from "./file-goal.ts";
import type { LiveObjects } from "./live-objects.ts";

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
