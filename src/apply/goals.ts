import { kindOf } from "../model/address.ts";
import { defined, own } from "../model/defined.ts";
import { type Json, sameJson } from "../model/json.ts";
import { keyOf, type ResourceKind } from "../model/kind.ts";
import { addTo } from "../model/lazy.ts";
import type { LiveObject } from "../model/objects.ts";
import type { Address, Call, Change, Expectation, FieldChange, Plan, Purpose } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { liveAcross, type Renames, realmAfter, renamesIn } from "../model/renames.ts";
import type { Conflict } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { listed, listShift } from "../model/texts.ts";

/*
 * What a reading shows of a plan: which calls took effect, and which expectations no longer hold.
 *
 * Terms. *LiveObjects* is one reading, with look-ups by address and id. The *goals* of a plan are the values that its calls write. A *purpose* of a
 * call is an object with some of its fields. A value is *kept* if one call removes it and a later one restores it, so that no change names it. An
 * object is *claimed* if the plan itself renames, changes or removes it.
 *
 * Premise. An answer can be lost, so only the realm says whether a call took effect. And a value in the realm can have two authors: this run, or
 * somebody else. Both questions must have one answer, whether a run begins, continues or undoes.
 *
 * The idea.
 *     appliedPart(purpose): for an update, the fields that have their final values; for a creation, the object if it is not claimed, with
 *                           the fields that have their values; for a removal, that the object no longer exists or is inactive; for an order,
 *                           that it is the wanted one
 *     isApplied(call):      every field of every purpose is applied
 *     unmet(expectation):   a conflict with the planned, the found and the wanted value, if the realm differs from the value before
 *
 * What it does not do. It does not know which calls were sent, so it cannot tell the run's own earlier changes from those of others: checks.ts does.
 * It cannot see values that no reading shows (a picture): `isUnseen` says so, and the answer of the server decides.
 */

interface Index {
  readonly objects: readonly LiveObject[];
  readonly byKey: ReadonlyMap<string, LiveObject>;
  readonly byId: ReadonlyMap<number | null, LiveObject>;
}

/**
 * One reading of the realm, with questions about the objects of one plan. Values are those of {@link ResourceKind.live}, so they can be compared with
 * a plan's values in the same way as in the planner.
 */
export class LiveObjects {
  private readonly realm: Realm;
  private readonly renamed: Realm;
  private readonly renames: Renames;
  /** The objects, as kind and id, that the plan removes, and the addresses that it gives to others. */
  private readonly removed: ReadonlySet<string>;
  private readonly given: ReadonlySet<string>;
  private readonly kinds: ReadonlyMap<string, ResourceKind>;
  private readonly indexes = new Map<string, Index | undefined>();

  /** @param changes the plan's changes, which use the new names of objects that the plan renames */
  constructor(kinds: readonly ResourceKind[], snapshot: Snapshot, changes: readonly Change[] = []) {
    this.realm = new Realm(snapshot);
    this.renames = renamesIn(changes);
    this.renamed = realmAfter(this.realm, this.renames, kinds);
    this.removed = new Set(changes.flatMap(({ action, kind, id }) => (action === "remove" ? [`${kind} ${id}`] : [])));
    this.given = new Set(
      changes.flatMap(({ action, address, was }) => (action === "create" || was !== undefined ? [address] : [])),
    );
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]));
  }

  /** False if this snapshot does not hold objects of that kind, so that nothing is known about them. */
  holds(address: Address): boolean {
    return this.indexOf(kindOf(address)) !== undefined;
  }

  /** Finds an object by its id, if its kind has ids (they stay the same after a rename), otherwise by its name as the server compares it. */
  find(address: Address, id?: number): LiveObject | undefined {
    const name = kindOf(address);
    const index = this.indexOf(name);
    if (index === undefined) return undefined;
    const named = index.byKey.get(keyOf(this.kindOf(name), address.slice(name.length + 1)));
    // Some readings have no ids, although answers do (playgrounds).
    return id === undefined || named?.id === null ? named : index.byId.get(id);
  }

  /**
   * Names of a kind's active objects in the server's order: the names that the plan gives them, as in its changes. Without an object that the plan
   * removes and whose name it gives to another one: the name means the other one.
   */
  order(address: Address): readonly string[] {
    const name = kindOf(address);
    const renamed = this.renames.get(name);
    const objects = this.indexOf(name)?.objects ?? [];
    return objects
      .filter((object) => !object.inactive && !this.passesOn(name, object))
      .map((object) => (object.id === null ? undefined : renamed?.get(object.id)) ?? object.name);
  }

  /**
   * How other objects name these accounts: in the changes of the plan, and once they have other names.
   * @param others kind → id → the other name
   */
  accountNames(others: Renames): ReadonlyMap<string, string> {
    const after = realmAfter(this.realm, others, [...this.kinds.values()]);
    const names = new Map([...others.values()].flatMap((each) => [...each]));
    return new Map([...names.keys()].map((id) => [this.renamed.userName(id), after.userName(id)]));
  }

  private passesOn(kind: string, { id, name }: LiveObject): boolean {
    return this.removed.has(`${kind} ${id}`) && this.given.has(`${kind}:${name}`);
  }

  /**
   * Whether a reading shows that a change was carried out: by the wanted value, or by the kind's own test.
   * @param call one of the calls that write the field; left out: all of them, or some
   */
  shows(address: Address, change: FieldChange, live: Json, call?: Call): boolean {
    if (sameJson(live, change.after)) return true;
    const by = { realm: this.realm, ...defined({ call }) };
    return this.kindOf(kindOf(address)).calls.shows?.(change, live, by) === true;
  }

  private indexOf(name: string): Index | undefined {
    if (this.indexes.has(name)) return this.indexes.get(name);
    const objects = liveAcross(this.kindOf(name), this.realm, this.renamed);
    const index = objects && {
      objects,
      // If an inactive object frees its name (channel folders), the active one is meant.
      byKey: new Map(
        [...objects, ...objects.filter(({ inactive }) => !inactive)].map((object) => [object.key, object]),
      ),
      byId: new Map(objects.map((object) => [object.id, object])),
    };
    this.indexes.set(name, index);
    return index;
  }

  private kindOf(name: string): ResourceKind {
    const kind = this.kinds.get(name);
    if (kind === undefined) throw new RangeError(`the plan names a kind "${name}" that this realmctl does not have`);
    return kind;
  }
}

/** A field in a reading; undefined if objects of this kind do not have it (it matters only at creation). */
export function fieldOf(object: LiveObject, field: string): Json | undefined {
  const value = own(object.fields, field);
  if (value !== undefined) return value;
  return field === "name" ? object.name : undefined;
}

/**
 * A value that one call removes and a later one restores, so that no change of the plan names it
 * (docs/internals/decisions/0028-patterns-and-texts-identify-objects.md).
 */
interface Kept {
  readonly address: Address;
  readonly field: string;
  readonly value: Json;
  /** The calls that remove and restore it. */
  readonly calls: readonly Call[];
}

/**
 * Finds, by address and field, the purposes of calls that no change of the plan names. In the end, the value should again be the one that the first
 * of these calls found.
 */
function keptIn({ calls }: Plan, isKept: (address: Address, field: string) => boolean): ReadonlyMap<string, Kept> {
  const kept = new Map<string, Kept>();
  for (const call of calls) {
    for (const { address, fields } of call.for) {
      for (const field of fields) {
        if (!isKept(address, field)) continue;
        const key = `${address}\n${field}`;
        const known = kept.get(key);
        const found = call.expects.find((expected) => expected.address === address && expected.field === field);
        if (known !== undefined) kept.set(key, { ...known, calls: [...known.calls, call] });
        else if (found !== undefined) kept.set(key, { address, field, value: found.value, calls: [call] });
      }
    }
  }
  return kept;
}

/** The purposes of a plan's calls, by address. */
export class Goals {
  private readonly changes: ReadonlyMap<Address, Change>;
  /** Objects that the plan itself renames, changes or removes, with the ids of each kind: none of them is the object that a create makes. */
  private readonly claimed: ReadonlySet<string>;
  private readonly kept: ReadonlyMap<string, Kept>;
  /** The values that calls expect of existing objects. */
  private readonly expected: ReadonlyMap<Address, readonly Expectation[]>;

  constructor(plan: Plan) {
    const expected = new Map<Address, Expectation[]>();
    for (const expectation of plan.calls.flatMap(({ expects }) => expects)) {
      if (expectation.field === "exists") continue;
      addTo(expected, expectation.address, expectation);
    }
    this.expected = expected;
    this.changes = new Map(plan.changes.map((change) => [change.address, change]));
    this.kept = keptIn(plan, (address, field) => {
      const change = this.changes.get(address);
      return (
        change === undefined || (change.action === "update" && change.fields.every((item) => item.field !== field))
      );
    });
    this.claimed = new Set(plan.changes.map(({ id, address }) => `${kindOf(address)} ${id}`));
  }

  /** The values that calls remove and restore, and that no change of the plan names. */
  keptFields(): readonly { readonly address: Address; readonly field: string; readonly value: Json }[] {
    return [...this.kept.values()];
  }

  change(address: Address): Change | undefined {
    return this.changes.get(address);
  }

  /** @param address the address of the object that is created */
  isClaimed(address: Address, object: LiveObject): boolean {
    return this.claimed.has(`${kindOf(address)} ${object.id}`);
  }

  /** Whether an object differs from the object that the plan found under the same name. */
  private isAnother(address: Address, object: LiveObject): boolean {
    const found = this.expected.get(address) ?? [];
    return found.some(({ field, value }) => !sameJson(fieldOf(object, field) ?? null, value));
  }

  /** The final value of a field in the plan. */
  wanted(address: Address, field: string): Json | undefined {
    const kept = this.kept.get(`${address}\n${field}`);
    if (kept !== undefined) return kept.value;
    return this.changes.get(address)?.fields.find((change) => change.field === field)?.after;
  }

  /** The parts of a sent call that the realm shows as the plan wants them; each purpose with those of its fields. */
  appliedParts(call: Call, objects: LiveObjects): readonly Purpose[] {
    return call.for.flatMap((purpose) => {
      const found = this.appliedPart(purpose, objects, {
        isMade: call.creates.includes(purpose.address),
        sentAs: call,
      });
      return found === undefined ? [] : [found];
    });
  }

  /**
   * Whether the realm shows all effects of this call. A created object is recognised by its fields: one that only has the name is somebody else's.
   * @param sent the call was sent and its answer was lost: then an object with that name, absent right before, is its work
   */
  isApplied(call: Call, objects: LiveObjects, sent = false): boolean {
    if (call.for.length === 0) return false;
    return call.for.every((purpose) => {
      const isMade = sent && call.creates.includes(purpose.address);
      const found = this.appliedPart(purpose, objects, { isMade, ...defined({ sentAs: sent ? call : undefined }) });
      return found !== undefined && found.fields.length === purpose.fields.length;
    });
  }

  /** Whether a reading of its objects cannot show the call's effect (an emoji's picture). Then only its answer says that it is done. */
  isUnseen(call: Call, objects: LiveObjects): boolean {
    return call.for.every(({ address, fields }) => {
      const object = objects.find(address, this.changes.get(address)?.id);
      return object !== undefined && fields.every((field) => fieldOf(object, field) === undefined);
    });
  }

  /**
   * Whether the fields that a call is for still have the values from which the plan was made. Some of these fields are not among the call's
   * expectations: people who join and people who leave.
   */
  isAsBefore(call: Call, objects: LiveObjects): boolean {
    return call.for.every(({ address, fields }) => {
      const change = this.changes.get(address);
      if (change?.action !== "update") return true;
      const object = objects.find(address, change.id);
      return change.fields.every(({ field, before }) => {
        if (!fields.includes(field)) return true;
        const live = object === undefined ? undefined : fieldOf(object, field);
        return live === undefined || sameJson(live, before);
      });
    });
  }

  /**
   * @param isMade this call creates the object, so the object's existence is part of its effect
   * @param sentAs the call, once it was sent: then a change of something that cannot be compared (another picture) is its work
   */
  private appliedPart(
    purpose: Purpose,
    objects: LiveObjects,
    { isMade, sentAs }: { readonly isMade: boolean; readonly sentAs?: Call },
  ): Purpose | undefined {
    const { address, fields } = purpose;
    const change = this.changes.get(address);
    if (!objects.holds(address)) return undefined;
    if (fields.some((field) => this.kept.has(`${address}\n${field}`)))
      return fields.every((field) => this.isBack(address, field, objects)) ? purpose : undefined;
    if (change === undefined) return undefined;
    if (change.action === "reorder") {
      const wanted = change.fields[0]?.after;
      return wanted !== undefined && sameJson([...objects.order(address)], wanted) ? purpose : undefined;
    }
    const object = objects.find(address, change.id);
    if (change.action === "remove") {
      const isGone = object === undefined || object.inactive;
      return isGone || this.isPartGone(purpose, change, object, objects, sentAs) ? purpose : undefined;
    }
    if (object === undefined) return undefined;
    if (change.action === "create" && (object.inactive || this.isClaimed(address, object))) return undefined;
    // A replacement has the name of the previous object, so the name shows nothing.
    const isAnew = isMade && (change.action === "create" || this.isAnother(address, object));
    let seen = 0;
    const applied = fields.filter((field) => {
      const live = fieldOf(object, field);
      const wanted = change.fields.find((candidate) => candidate.field === field);
      // A field that only matters at creation was set with the object, or cannot be read.
      if (live === undefined || wanted === undefined) return change.action === "create" || isAnew;
      const same = sentAs ? objects.shows(address, wanted, live, sentAs) : sameJson(live, wanted.after);
      if (same) seen += 1;
      return same;
    });
    // An object with neither id nor fields (a default channel) exists or does not.
    const isAll = object.id === null && change.fields.length === 0;
    return seen > 0 || isAll || isAnew ? { address, fields: applied } : undefined;
  }

  /** Whether a call did its part of a removal that others complete (a bot that is deactivated before its owner). */
  private isPartGone(
    { address, fields }: Purpose,
    change: Change,
    object: LiveObject,
    objects: LiveObjects,
    sentAs: Call | undefined,
  ): boolean {
    if (sentAs === undefined || fields.length === 0) return false;
    return fields.every((field) => {
      const live = fieldOf(object, field);
      const wanted = change.fields.find((candidate) => candidate.field === field);
      if (live === undefined || wanted === undefined || sameJson(live, wanted.after)) return false;
      return objects.shows(address, wanted, live, sentAs);
    });
  }

  /** Whether the object was removed, and exists again. If nothing removed it, its existence says nothing. */
  private isBack(address: Address, field: string, objects: LiveObjects): boolean {
    const kept = this.kept.get(`${address}\n${field}`);
    const object = objects.find(address);
    if (kept === undefined || object === undefined) return false;
    if (!sameJson(fieldOf(object, field) ?? null, kept.value)) return false;
    return kept.calls.every((call) =>
      call.for.every((purpose) => {
        const id = this.changes.get(purpose.address)?.id;
        if (purpose.address === address || objects.find(purpose.address, id) === undefined) return true;
        return this.appliedPart(purpose, objects, { isMade: false, sentAs: call }) !== undefined;
      }),
    );
  }
}

/** The reason why an expectation does not hold; undefined if it holds. */
export function unmet(expectation: Expectation, call: Call, objects: LiveObjects, goals: Goals): Conflict | undefined {
  const { address, id, field, value } = expectation;
  if (!objects.holds(address)) return undefined;
  const object = objects.find(address, id);
  const change = goals.change(address);
  const conflict = (on: string, planned: Json, found: Json): Conflict => {
    const wanted = on === "exists" && change?.action === "remove" ? false : goals.wanted(address, on);
    return {
      address,
      kind: kindOf(address),
      name: object?.name ?? change?.name ?? address.slice(kindOf(address).length + 1),
      field: on,
      planned,
      found,
      ...defined({ wanted }),
      calls: [call.n],
    };
  };
  if (field === "order" && address.endsWith(":*")) {
    const found = [...objects.order(address)];
    return isSameOrder(value, found) ? undefined : conflict("order", value, found);
  }
  if (field === "exists") {
    const exists = object !== undefined;
    return exists === value ? undefined : conflict("exists", value, exists);
  }
  if (object === undefined) return conflict("exists", true, false);
  const found = fieldOf(object, field);
  if (found === undefined || sameJson(found, value)) return undefined;
  return conflict(field, value, found);
}

/** Whether the objects in both lists have the same order. An object that is missing in one is created, renamed or removed by other calls. */
function isSameOrder(planned: Json, found: readonly string[]): boolean {
  const before = Array.isArray(planned) ? planned.map(String) : [];
  const known = new Set(before);
  const live = new Set(found);
  const common = found.filter((name) => known.has(name));
  return sameJson(
    common,
    before.filter((name) => live.has(name)),
  );
}

/** Whether the field is a list of which requests add and remove single entries. */
export const isPeople = (fields: ResourceKind["file"]["fields"] | undefined, field: string): boolean =>
  fields?.[field]?.syncedBy !== undefined;

/** Where the requests of a change lead from a list as it is today: whom the plan did not see there stays. */
export function listSentTo(
  live: Json,
  { fields }: Pick<Change, "fields">,
  field: string,
): { readonly stay: readonly string[]; readonly taken: readonly string[] } {
  const own = fields.find((each) => each.field === field);
  const { added, removed } = listShift(own?.before, own?.after);
  const out = new Set(removed);
  const there = listed(live);
  const stay = [...new Set([...there, ...added])].filter((name) => !out.has(name));
  return { stay, taken: there.filter((name) => out.has(name)) };
}

/**
 * The changes of a plan of which a reading does not show that all their calls were carried out. Their lists are those of the reading, and what the calls
 * make of them.
 */
export function changesLeft(plan: Plan, snapshot: Snapshot, kinds: readonly ResourceKind[]): readonly Change[] {
  const objects = new LiveObjects(kinds, snapshot, plan.changes);
  const goals = new Goals(plan);
  const fieldsOf = new Map(kinds.map(({ name, file }) => [name, file.fields]));
  return changesOf(plan, (call) => !goals.isApplied(call, objects)).map((change) => {
    const live = change.action === "create" ? undefined : objects.find(change.address, change.id);
    const fields = change.fields.map((one) => {
      const found = live !== undefined && isPeople(fieldsOf.get(change.kind), one.field) && fieldOf(live, one.field);
      return found === false || found === undefined || sameJson(found, one.before)
        ? one
        : { ...one, before: found, after: [...listSentTo(found, change, one.field).stay].sort() };
    });
    return { ...change, fields };
  });
}

/** The changes to which some calls of a plan belong. */
export function changesOf({ calls, changes }: Plan, isOne: (call: Call) => boolean): readonly Change[] {
  const addresses = new Set(calls.filter(isOne).flatMap((call) => call.for.map(({ address }) => address)));
  return changes.filter(({ address }) => addresses.has(address));
}
