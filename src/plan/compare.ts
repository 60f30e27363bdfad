import type { ListPart } from "../model/counted.ts";
import { defined } from "../model/defined.ts";
import type { Span } from "../model/diagnostic.ts";
import { isList, type Json, sameJson } from "../model/json.ts";
import { canonicalName, isOtherRight, type ResourceKind } from "../model/kind.ts";
import { type DeclaredObject, type Fields, hasGap, type LiveObject, type Pair, type Policy } from "../model/objects.ts";
import type { Address, Change, FieldChange } from "../model/plan.ts";
import { byText, listed } from "../model/texts.ts";

/** What happens to objects that the file does not mention, and where it says so. */
interface Managed {
  readonly policy: Policy;
  readonly at: Span | undefined;
  /** Whether the plan removes this object of the server if the file does not mention it. */
  removes(live: LiveObject): boolean;
}

/** A declared object, and the object of the server that it means, if there is one. */
export type Paired = readonly [declared: DeclaredObject, live: LiveObject | undefined];

/** Declared objects in file order, each with the change that it needs, if any; then objects that are only on the server. */
export function compareSection(
  kind: ResourceKind,
  declared: readonly Paired[],
  live: readonly LiveObject[],
  managed: Managed,
): readonly Pair[] {
  const claimed = new Set(declared.map(([, found]) => found));
  const pairs = declared.map(([object, found]) => pairOf(kind, object, found));
  const taken = new Set(pairs.map(({ address }) => address));
  return [
    ...pairs,
    ...live.filter((object) => !claimed.has(object)).map((object) => unmentioned(kind, object, managed, taken)),
  ];
}

function pairOf(kind: ResourceKind, declared: DeclaredObject, live: LiveObject | undefined): Pair {
  const written = canonicalName(kind, declared.name);
  // An object without an id cannot be renamed: its name on the server identifies it.
  const name = live?.id === null ? live.name : written;
  const address: Address = `${kind.name}:${name}`;
  const common = { kind: kind.name, address, name, at: declared.at, risks: [] };
  if (live === undefined) {
    // An object that the file removes and that does not exist needs no change.
    if (declared.absent) return { kind: kind.name, address, declared };
    const fields = createdFields(kind, declared);
    return { kind: kind.name, address, declared, change: { action: "create", ...common, fields } };
  }
  const pair = { kind: kind.name, address, declared, live };
  const identity = defined({ id: live.id ?? undefined });
  if (declared.absent && kind.inactivity === undefined) {
    return { ...pair, change: { action: "remove", ...common, ...identity, fields: removedFields(kind, live) } };
  }
  const fields = changedFields(kind, declared, live, name);
  const [first, ...others] = fields;
  if (first === undefined) return pair;
  const falls = others.length === 0 && first.field === kind.inactivity?.field && first.after === true;
  // The object becomes inactive and keeps its name.
  if (falls) return { ...pair, change: { action: "remove", ...common, ...identity, fields } };
  const was = defined({ was: name === live.name ? undefined : live.name });
  const only = defined({ singleton: kind.shape === "singleton" || undefined });
  return { ...pair, change: { action: "update", ...common, ...was, ...identity, ...only, fields } };
}

function changedFields(
  kind: ResourceKind,
  declared: DeclaredObject,
  live: LiveObject,
  name: string,
): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  if (name !== live.name) {
    changes.push({
      field: "name",
      before: live.name,
      after: name,
      at: declared.spans.of("was") ?? declared.spans.of("id") ?? declared.at,
    });
  }
  for (const field of fieldsInOrder(kind, declared.fields)) {
    const before = live.fields[field] ?? null;
    const isOpen = hasGap(declared, field) && declared.partial?.[field] === undefined;
    const wanted = isOpen ? joined(before, declared.fields[field]) : declared.fields[field];
    const after = withoutWaiting(before, wanted, declared.waits?.[field]);
    if (after === undefined || sameJson(before, after)) continue;
    const unset = defined({ unset: declared.unset?.includes(field) === true || undefined });
    changes.push({ field, before, after, at: declared.spans.of(field) ?? declared.at, ...unset });
  }
  const inactivity = kind.inactivity?.field;
  if (declared.absent && inactivity !== undefined && !(inactivity in declared.fields) && !live.inactive) {
    changes.push({ field: inactivity, before: false, after: true, at: declared.at });
  }
  return changes;
}

/** Somebody whose name does not resolve may be in the list: it only gains. */
function joined(before: Json, named: Json | undefined): Json | undefined {
  return named !== undefined && isList(before) && isList(named)
    ? [...new Set([...listed(before), ...listed(named)])].sort(byText)
    : named;
}

/** Of a list, what of the difference does not wait. */
function withoutWaiting(
  before: Json,
  wanted: Json | undefined,
  waits: ReadonlySet<ListPart> | undefined,
): Json | undefined {
  if (waits === undefined || wanted === undefined) return wanted;
  const now = new Set(listed(before));
  const kept = waits.has("additions") ? listed(wanted).filter((name) => now.has(name)) : wanted;
  return waits.has("removals") ? joined(before, kept) : kept;
}

function createdFields(kind: ResourceKind, declared: DeclaredObject): readonly FieldChange[] {
  const wanted = { ...declared.fields, ...declared.creation };
  return fieldsInOrder(kind, wanted)
    .filter((field) => field !== kind.inactivity?.field)
    .map((field) => ({
      field,
      before: null,
      after: wanted[field] ?? null,
      ...(declared.implied?.includes(field) === true
        ? { implied: true }
        : { at: declared.spans.of(field) ?? declared.at }),
    }));
}

/** The same creation with the rights that its creator gets (in the order of the kind's fields); other changes unchanged. */
export function withImplied(kind: ResourceKind, change: Change, implied: Fields): Change {
  if (change.action !== "create") return change;
  const added = Object.entries(implied).filter(([field]) => change.fields.every((known) => known.field !== field));
  if (added.length === 0) return change;
  const order = Object.keys(kind.file.fields);
  const placeOf = ({ field }: FieldChange): number => order.indexOf(field) + 1 || order.length + 1;
  const fields = [
    ...change.fields,
    ...added.map(([field, after]): FieldChange => ({ field, before: null, after, implied: true })),
  ].sort((a, b) => placeOf(a) - placeOf(b));
  return { ...change, fields };
}

/** The kind's order, then fields that it does not list (which matter only at creation). */
function fieldsInOrder(kind: ResourceKind, fields: { readonly [field: string]: Json }): readonly string[] {
  const known = Object.keys(kind.file.fields).filter((field) => Object.hasOwn(fields, field));
  return [...known, ...Object.keys(fields).filter((field) => !Object.hasOwn(kind.file.fields, field))];
}

function removedFields(kind: ResourceKind, live: LiveObject): readonly FieldChange[] {
  const fields = Object.entries(live.fields).filter(([field]) => !isOtherRight(kind, field));
  return fields.map(([field, before]) => ({ field, before, after: null }));
}

/** @param taken addresses of objects that the file mentions: an object whose name one of them takes gets another address, with its id */
function unmentioned(
  kind: ResourceKind,
  live: LiveObject,
  { policy, at, removes }: Managed,
  taken: ReadonlySet<Address>,
): Pair {
  const named: Address = `${kind.name}:${live.name}`;
  const address: Address = taken.has(named) && live.id !== null ? `${named} (id ${live.id})` : named;
  const pair = { kind: kind.name, address, live };
  if (policy !== "exact" || live.inactive || !removes(live)) return pair;
  const { inactivity } = kind;
  const fields =
    inactivity === undefined ? removedFields(kind, live) : [{ field: inactivity.field, before: false, after: true }];
  const change: Change = {
    action: "remove",
    kind: kind.name,
    address,
    name: live.name,
    ...defined({ id: live.id === null ? undefined : live.id }),
    fields,
    ...defined({ at }),
    undeclared: true,
    risks: [],
  };
  return { ...pair, change };
}
