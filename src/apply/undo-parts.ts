import { kindOf } from "../model/address.ts";
import { whenDefined } from "../model/defined.ts";
import type { Span } from "../model/diagnostic.ts";
import { type Quoted, quote } from "../model/diagnostics/values.ts";
import { ACCOUNT } from "../model/facets.ts";
import { canonicalJson, isList, isObject, type Json, sameJson } from "../model/json.ts";
import { liveObjects, type ResourceKind, secrecyOf } from "../model/kind.ts";
import { addTo } from "../model/lazy.ts";
import { withNames } from "../model/named-in.ts";
import type { DeclaredObject, Fields } from "../model/objects.ts";
import type { Address, Call, Change, FieldChange, Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { UndoFact, UndoNote } from "../model/run-facts.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { textsIn, withoutTexts } from "../model/texts.ts";
import type { LiveObjects } from "./goals.ts";

/*
 * The values that an undo restores name what was there before the run. What is not there any more is left out, and told.
 */

type Sections = ReadonlyMap<string, readonly DeclaredObject[]>;

interface Restored {
  readonly sections: Sections;
  readonly notes: readonly UndoNote[];
}

/** @param restore what is restored of a value (nothing: the field stays as it is), and a note if it is not all */
function restoredWith(
  sections: Sections,
  kinds: readonly ResourceKind[],
  restore: (
    kind: ResourceKind,
    object: DeclaredObject,
    field: string,
    value: Json,
  ) => { readonly value?: Json | undefined; readonly fact?: UndoFact },
): Restored {
  const notes: UndoNote[] = [];
  const restored = new Map(sections);
  for (const kind of kinds) {
    const objects = sections.get(kind.section)?.map((object) => {
      const fields = Object.entries(object.fields).flatMap(([field, before]): readonly (readonly [string, Json])[] => {
        const { value, fact } = restore(kind, object, field, before);
        if (fact !== undefined) notes.push({ kind: kind.name, name: object.name, fact });
        return value === undefined ? [] : [[field, value]];
      });
      return { ...object, fields: Object.fromEntries(fields) };
    });
    if (objects !== undefined) restored.set(kind.section, objects);
  }
  return { sections: restored, notes };
}

/** An archived object that shares its name with another is shown with its id: `North (archived, id 2)`. */
const ARCHIVED = / \(archived, id \d+\)$/;

/**
 * The restored values of an undo, without fields whose earlier value names something that no longer exists: somebody renamed or deleted it since, and
 * the name is ambiguous now; or somebody whom the account that undoes does not see.
 */
export function withoutMissing(sections: Sections, snapshot: Snapshot, kinds: readonly ResourceKind[]): Restored {
  const known = namesOf(sections, snapshot, kinds);
  const realm = new Realm(snapshot);
  const namesIn = (isAccount: boolean) =>
    new Set(
      kinds.flatMap((kind) => ((kind.isAccount === true) === isAccount ? [...(known.get(kind.name) ?? [])] : [])),
    );
  const [accounts, groups] = [namesIn(true), namesIn(false)];
  // A bot that the undo renames has its earlier address afterwards.
  const isBack = (address: string): boolean => accounts.has(address.slice(0, address.lastIndexOf("@")));
  const isGroup = (text: string): boolean => !text.includes("@") || groups.has(text);
  // A person whose address the reading does not have: it changed since, or this account does not see it.
  const isUnseen = (text: string): boolean => !isGroup(text) && !isBack(text) && realm.userByEmail(text) === undefined;
  const account = kinds.find(({ isAccount }) => isAccount)?.name;
  return restoredWith(sections, kinds, (kind, object, field, value) => {
    const unseen = secrecyOf(kind, field) === "groups" ? textsIn(value).find(isUnseen) : undefined;
    const missing =
      missingIn(kind, { ...object, fields: { [field]: value } }, known) ??
      whenDefined(unseen, (text) => quote(text, account));
    return missing === undefined ? { value } : { fact: { why: "name-missing", field, name: missing } };
  });
}

/** The first name that an object's fields mention and no object has. */
function missingIn(
  kind: ResourceKind,
  object: DeclaredObject,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): Quoted | undefined {
  let missing: Quoted | undefined;
  // The object's own name (a default channel has the name of its channel) is handled elsewhere.
  withNames(kind.file, object, (other, name) => {
    const bare = name.replace(ARCHIVED, "");
    if (bare !== object.name && known.get(other)?.has(bare) === false) missing ??= quote(name, other);
    return name;
  });
  return missing;
}

function namesOf(sections: Sections, snapshot: Snapshot, kinds: readonly ResourceKind[]): Map<string, Set<string>> {
  const realm = new Realm(snapshot);
  const names = new Map<string, Set<string>>();
  for (const kind of kinds) {
    const live = liveObjects(kind, realm);
    if (live === undefined) continue;
    const own = (sections.get(kind.section) ?? []).filter(({ absent }) => !absent);
    const others = kind.identity?.undeclarable?.(snapshot) ?? [];
    names.set(kind.name, new Set([...live, ...own, ...others].map(({ name }) => name)));
  }
  return names;
}

/**
 * The restored values of an undo, without people and bots that are deactivated and that the undo does not reactivate: the server does not accept
 * deactivated accounts in a value. A list is restored without them; a field that has only such accounts stays as it is: a permission for nobody is
 * not the earlier value.
 */
export function withoutInactive(sections: Sections, snapshot: Snapshot, kinds: readonly ResourceKind[]): Restored {
  const inactive = inactiveNames(sections, snapshot, kinds);
  if (inactive.size === 0) return { sections, notes: [] };
  return restoredWith(sections, kinds, (kind, _, field, value) => {
    // Only if the value consists of people: a description that looks like an address is not a person.
    const names = secrecyOf(kind, field) === "groups" ? textsIn(value).filter((text) => inactive.has(text)) : [];
    if (names.length === 0) return { value };
    const others = withoutTexts(value, inactive);
    const rest = namesNobody(others) ? undefined : others;
    const people = names.map((name) => quote(name));
    return { value: rest, fact: { why: "account-inactive", field, people, kept: rest !== undefined } };
  });
}

/** Whether a permission has neither groups nor people left. */
const namesNobody = (value: Json | undefined): boolean =>
  isObject(value) && Object.values(value).every((part) => isList(part) && part.length === 0);

/** The names of accounts that are deactivated after the undo. The undo sets no value that names them. */
function inactiveNames(sections: Sections, snapshot: Snapshot, kinds: readonly ResourceKind[]): Set<string> {
  const to = new Map<number, Json>();
  for (const { section, isAccount } of kinds) {
    if (isAccount !== true) continue;
    for (const { id, fields } of sections.get(section) ?? [])
      if (id !== undefined && fields.deactivated !== undefined) to.set(id, fields.deactivated);
  }
  const realm = new Realm(snapshot);
  return new Set(
    snapshot.users
      .filter(({ is_active, user_id }) => (to.get(user_id) ?? !is_active) === true)
      .map(({ user_id }) => realm.userName(user_id)),
  );
}

/** The plan uses the names that objects were to get; the declarations of an undo use the names that they will have. */
export function namedAsBefore(
  sections: ReadonlyMap<string, readonly DeclaredObject[]>,
  changes: readonly Change[],
  objects: LiveObjects,
  kinds: readonly ResourceKind[],
): ReadonlyMap<string, readonly DeclaredObject[]> {
  const names = new Map<string, string>();
  const accounts = new Map<string, Map<number, string>>();
  for (const { kind: name, address, id, was, name: planned } of changes) {
    const kind = kinds.find((candidate) => candidate.name === name);
    if (was === undefined || id === undefined || kind === undefined) continue;
    const declared = sections.get(kind.section)?.find((object) => object.id === id);
    const now = declared?.name ?? objects.find(address, id)?.name ?? planned;
    names.set(`${name}\n${planned}`, now);
    if (kind.isAccount === true) accounts.set(name, (accounts.get(name) ?? new Map()).set(id, now));
  }
  for (const [planned, now] of objects.accountNames(accounts)) names.set(`${ACCOUNT}\n${planned}`, now);
  if (names.size === 0) return sections;
  const nameOf = (kind: string, name: string): string => names.get(`${kind}\n${name}`) ?? name;
  const renamed = new Map(sections);
  for (const { section, file } of kinds) {
    const declared = sections.get(section);
    if (declared === undefined) continue;
    renamed.set(
      section,
      declared.map((object) => withNames(file, object, nameOf)),
    );
  }
  return renamed;
}

/** The order of a section before a run, or the fact that somebody else changed it since. */
type OrderBefore =
  | { readonly isAsLeft: true; readonly objects: readonly DeclaredObject[] }
  | { readonly isAsLeft: false; readonly reorder: Change | undefined };

/**
 * The objects of one kind in the order that they had before a run; undefined if order has no meaning.
 * @param own the run's changes of objects of this kind
 */
export function orderBefore(
  own: readonly Change[],
  {
    kept,
    all,
    live,
    declared,
    make,
  }: {
    /** The section's names in their order when the plan was made, if objects can disappear from it. */
    readonly kept: Json | undefined;
    /** Every change of the kind in the plan: an object that the run did not get to rename has its new name there, too. */
    readonly all: readonly Change[];
    /** The names in the server's current order. */
    readonly live: readonly string[];
    /** The declarations that the undo has already. */
    readonly declared: readonly DeclaredObject[];
    /** Declares an object that exists and stays as it is. */
    readonly make: (name: string) => DeclaredObject;
  },
): OrderBefore | undefined {
  const reorder = own.find(({ action }) => action === "reorder");
  const order = reorder?.fields[0];
  const before = kept ?? order?.before;
  if (!Array.isArray(before)) return undefined;
  const names = before.map(String);
  const renamed = new Map(all.flatMap(({ was, name }) => (was === undefined ? [] : [[was, name] as const])));
  // A removed object has no position in the order, though another object may have its name by now.
  const removedNames = new Set(own.flatMap(({ action, name }) => (action === "remove" ? [name] : [])));
  // An order that was kept for the undo has the names from before the run, one that was changed has the plan's.
  const isKept = kept !== undefined;
  const nameInPlan = (name: string): string | undefined =>
    (isKept ? renamed.get(name) : undefined) ?? (removedNames.has(name) ? undefined : name);
  const planned = names.flatMap((name) => nameInPlan(name) ?? []);
  const staying = live.filter((name) => planned.includes(name));
  // If the run changed the order, the server has that order, or the previous one if somebody put it back or the call never arrived.
  const asBefore = planned.filter((name) => staying.includes(name));
  const asLeft = order !== undefined && sameJson([...live], order.after);
  if (!asLeft && !sameJson(staying, asBefore)) return { isAsLeft: false, reorder };
  const known = new Map(declared.map((object) => [object.name, object]));
  const oldNames = new Map(isKept ? [] : [...renamed].map(([was, name]) => [name, was] as const));
  const objects = names.flatMap((name) => {
    const now = nameInPlan(name);
    const untouched = now !== undefined && live.includes(now) ? make(now) : [];
    return known.get(oldNames.get(name) ?? name) ?? untouched;
  });
  return { isAsLeft: true, objects };
}

/**
 * The intermediate values of a run that was interrupted: neither those from before nor the plan's. Examples are the temporary name of an object in a swap,
 * the parts of a playground that is created again, and an invitation that is revoked and not yet sent again.
 */
export class IntermediateValues {
  /** By address and field: the calls that write it, and the values that calls of the plan expect to find there. */
  private readonly writers = new Map<string, Call[]>();
  private readonly values = new Map<string, Json[]>();
  private readonly expected = new Map<Address, { [field: string]: Json }>();
  private readonly sent: ReadonlySet<number>;

  /** @param sent numbers of the calls that were sent */
  constructor({ calls }: Plan, sent: ReadonlySet<number>) {
    this.sent = sent;
    for (const call of calls) {
      for (const { address, fields } of call.for)
        for (const field of fields) addTo(this.writers, keyOf(address, field), call);
      for (const { address, field, value } of call.expects) {
        addTo(this.values, keyOf(address, field), value);
        if (field === "exists" || call.creates.includes(address)) continue;
        const known = this.expected.get(address) ?? {};
        // The value from before the run, which the first of them expects.
        this.expected.set(address, { [field]: value, ...known });
      }
    }
  }

  /** Whether the run wrote the field, and did not reach the last call that writes it. */
  isOpen(address: Address, field: string): boolean {
    const writers = this.writers.get(keyOf(address, field)) ?? [];
    return writers.some(({ n }) => this.sent.has(n)) && writers.some(({ n }) => !this.sent.has(n));
  }

  /** Whether no call that writes the field was sent yet. */
  isUntouched(address: Address, field: string): boolean {
    return (this.writers.get(keyOf(address, field)) ?? []).every(({ n }) => !this.sent.has(n));
  }

  /** Whether the plan gives the field this value between two of its calls. */
  isStep(address: Address, field: string, live: Json): boolean {
    return (this.values.get(keyOf(address, field)) ?? []).some((value) => sameJson(value, live));
  }

  /** Whether all removed members are gone from the list and no new ones are there yet, or the reverse. Two calls write such a list. */
  isIntermediate(address: Address, { field, before, after }: FieldChange, live: Json): boolean {
    if (!this.isOpen(address, field) || !isList(before) || !isList(after) || !isList(live)) return false;
    const [old, now, there] = [textsOf(before), textsOf(after), textsOf(live)];
    const isThere = (texts: ReadonlySet<string>): boolean =>
      texts.size === there.size && [...texts].every((text) => there.has(text));
    return isThere(new Set([...old].filter((text) => now.has(text)))) || isThere(new Set([...old, ...now]));
  }

  /** Fields of an object that calls of the plan relied on, with their values from before the run. */
  fieldsBefore(address: Address): Fields {
    return this.expected.get(address) ?? {};
  }
}

const textsOf = (list: readonly Json[]): ReadonlySet<string> => new Set(list.map(canonicalJson));

const keyOf = (address: Address, field: string): string => `${address}\n${field}`;

/**
 * A part of what an undo restores or leaves: a change of the run, one field of a change, or (by address and name) a field that the run removed and
 * did not get to restore.
 */
export interface UndoPart {
  readonly of: Change | FieldChange | string;
  /** Absent for a whole change. */
  readonly field?: string;
  /** The kind of the object that the part belongs to. */
  readonly kind: string;
}

/** Parts that are not undone, and why. */
export type Staying = ReadonlyMap<UndoPart["of"], UndoFact>;

/**
 * The places of an undo's declarations. They have no lines in a file, so their places say which part of the run each one undoes: the column is the
 * number of the change (the first column means no change), and the line that of the field (the first line means the whole object).
 */
export class UndoPlaces {
  private readonly file: string;
  private readonly changes: readonly Change[];
  private readonly numbers: ReadonlyMap<Change, number>;
  private readonly kinds: readonly ResourceKind[];
  private readonly kept: { readonly address: Address; readonly field: string }[] = [];

  constructor(file: string, changes: readonly Change[], kinds: readonly ResourceKind[]) {
    this.file = file;
    this.changes = changes;
    this.numbers = new Map(changes.map((change, index) => [change, index]));
    this.kinds = kinds;
  }

  of(change: Change | undefined, field?: string): Span {
    if (change === undefined) return this.at(1, 1);
    const index = change.fields.findIndex((candidate) => candidate.field === field);
    return this.at(index + 2, (this.numbers.get(change) ?? -1) + 2);
  }

  /** The place of a field that no change of the run names. */
  ofKept(address: Address, field: string): Span {
    this.kept.push({ address, field });
    return this.at(2, this.changes.length + 1 + this.kept.length);
  }

  partAt(at: Span | undefined): UndoPart | undefined {
    if (at?.file !== this.file) return undefined;
    const index = at.column - 2;
    const kept = this.kept[index - this.changes.length];
    if (kept !== undefined) {
      const { address, field } = kept;
      return { of: `${address}\n${field}`, field, kind: kindOf(address) };
    }
    const change = this.changes[index];
    if (change === undefined) return undefined;
    const field = change.action === "update" ? change.fields[at.line - 2] : undefined;
    const inactivity = this.kinds.find(({ name }) => name === change.kind)?.inactivity?.field;
    // No value of an object is restored if the object stays inactive, or stays active although the undo should deactivate it.
    if (field === undefined || field.field === inactivity) return { of: change, kind: change.kind };
    return { of: field, field: field.field, kind: change.kind };
  }

  private at(line: number, column: number): Span {
    return { file: this.file, line, column, endLine: line, endColumn: column };
  }
}
