import { formOf } from "../config/form.ts";
import { shapeOf } from "../config/shape.ts";
import { escapeReferences } from "../config/variable-syntax.ts";
import { whenDefined } from "../model/defined.ts";
import { asJson, isList, isObject, type Json } from "../model/json.ts";
import { isOtherRight, type ResourceKind } from "../model/kind.ts";
import { oncePer } from "../model/lazy.ts";
import type { Fields, LiveObject } from "../model/objects.ts";
import { asGroupValue, type Realm } from "../model/realm.ts";
import { standIns } from "../model/stand-ins.ts";

/** The detail in which an object is written. */
export interface Detail {
  /** Whether fields with the values of new objects are written, too. */
  readonly complete?: boolean;
  /** Whether the section says `unset: default`, so that fields without a known default must be written to be watched. */
  readonly unset?: boolean;
  /** Fields that files leave out unless they are requested (subscribers). */
  readonly also?: readonly string[];
}

/** A live object in the form of the file: as a person would write it, or more complete. */
export function writtenItem(kind: ResourceKind, live: LiveObject, realm: Realm, detail: Detail): Json {
  const short = kind.yaml?.item(live, realm) ?? null;
  if (live.inactive || !isObject(short)) return short;
  const usual =
    detail.unset === true && kind.shape === "singleton" ? (kind.diff?.defaults?.(realm, live) ?? {}) : live.fields;
  const others = detail.complete === true ? Object.keys(live.fields).filter((field) => isOtherRight(kind, field)) : [];
  const wanted = [...Object.keys(kind.file.fields), ...others].filter(
    (field) =>
      Object.hasOwn(live.fields, field) &&
      field !== kind.inactivity?.field &&
      (kind.yaml?.asked?.includes(field) === true
        ? detail.also?.includes(field) === true
        : detail.complete === true || (!Object.hasOwn(usual, field) && kind.file.fields[field]?.isPicture !== true)),
  );
  let item: { readonly [key: string]: Json } = short;
  for (const field of wanted) item = withField(kind, item, field, live, realm);
  return item === short ? short : fieldsInOrder(kind, item);
}

/** The item with one more field, if it can express the field and does not have it yet. */
export function withField(kind: ResourceKind, item: Fields, field: string, live: LiveObject, realm: Realm): Fields {
  const value = live.fields[field] ?? null;
  if (kind.calls.canSet?.(field, value) === false) return item;
  if (kind.yaml?.whyInexpressible?.(field, value, realm) !== undefined) return item;
  const path = pathOfField(kind, field);
  const [first = field, second] = path;
  const inner = item[first];
  const group = isObject(inner) ? inner : {};
  if (Object.hasOwn(second === undefined ? item : group, second ?? first)) return item;
  const formed = kind.yaml?.field?.(field, value, undefined, undefined, realm) ?? value;
  const written = formed === value ? writtenValue(value, path, undefined, realm) : formed;
  const longer = { ...item, [first]: second === undefined ? written : { ...group, [second]: written } };
  // If the server has `null` only because there is nothing else, not every file has a word for it.
  return formOf(kind, realm).safeParse(longer).success ? longer : item;
}

/** The item with its fields in order: identifying fields first, then the kind's own order. */
function fieldsInOrder(kind: ResourceKind, item: Fields): Json {
  const order = [...new Set(Object.keys(kind.file.fields).flatMap((field) => pathOfField(kind, field).slice(0, 1)))];
  const own = Object.keys(item).filter((key) => !order.includes(key));
  const known = order.filter((key) => Object.hasOwn(item, key));
  return Object.fromEntries([...own, ...known].map((key) => [key, item[key] ?? null]));
}

const shapeIn = oncePer(shapeOf);

/** The path of a field below its item: permission settings stand under `permissions`. */
export function pathOfField(kind: ResourceKind, field: string): readonly string[] {
  if (isOtherRight(kind, field)) return ["permissions", field];
  const [above = []] = shapeIn(kind.file.schema()).pathsOf(field);
  return [...above.map(String), field];
}

/** A value of the server in the form of the file; lists keep the order and the spelling that the file has. */
export function writtenValue(value: Json, path: readonly string[], raw: Json | undefined, realm: Realm): Json {
  const known = raw === undefined ? undefined : standIns(raw, value, realm);
  const group = path.length > 1 ? asGroupValue(value) : undefined;
  if (isObject(value) && group !== undefined && typeof group === "object") {
    const before = isObject(raw) ? raw : {};
    const fields: { [field: string]: Json } = {};
    for (const part of ["groups", "users"] as const)
      if (group[part].length > 0 || Object.hasOwn(before, part))
        fields[part] = listLike(group[part].map(person), whenDefined(before[part], asJson), known);
    return fields;
  }
  return isList(value) ? listLike(value.map(person), raw, known) : value;
}

/** @param known who is meant by addresses that nobody has */
function listLike(items: readonly Json[], raw: Json | undefined, known: ReturnType<typeof standIns> | undefined): Json {
  if (!isList(raw)) return items;
  const spelled = (item: Json): string => JSON.stringify(item).toLowerCase();
  const left = new Map(items.map((item) => [spelled(item), item]));
  const named = raw.map((item) => (typeof item === "string" ? (known?.get(item) ?? item) : item));
  const kept = named.filter((item) => left.delete(spelled(item)));
  return [...kept, ...left.values()];
}

/** The form of a person whose address this account cannot see. */
function person(item: Json): Json {
  const hidden = typeof item === "string" ? /^user:(\d+)$/.exec(item) : null;
  return hidden === null ? item : { id: Number(hidden[1]) };
}

/** The value with escaped `${` in its texts, which are not references to variables. */
export function escaped(value: Json): Json {
  if (typeof value === "string") return escapeReferences(value);
  if (isList(value)) return value.map(escaped);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [escapeReferences(key), escaped(inner)]));
}
