import { defined } from "../model/defined.ts";
import { type Json, sameJson } from "../model/json.ts";
import { keyOf, type ResourceKind } from "../model/kind.ts";
import type { LiveObject } from "../model/objects.ts";
import { own } from "../model/own.ts";
import type { Address, Call, Change, Expectation, FieldChange, Plan, Purpose } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { liveAcross, type Renames, realmAfter, renamesIn } from "../model/renames.ts";
import type { Conflict } from "../model/result.ts";
import type { Snapshot } from "../model/snapshot.ts";

interface Index {
  readonly objects: readonly LiveObject[];
  readonly byKey: ReadonlyMap<string, LiveObject>;
  readonly byId: ReadonlyMap<number, LiveObject>;
}

/**
 * One reading of the realm, asked about the objects of one plan. Values are those of {@link ResourceKind.live}, so they compare
 * with a plan's as the planner compared them.
 */
export class View {
  private readonly realm: Realm;
  private readonly renamed: Realm;
  private readonly renames: Renames;
  private readonly kinds: ReadonlyMap<string, ResourceKind>;
  private readonly indexes = new Map<string, Index | undefined>();

  /** @param changes the plan's: what it says of objects that it renames, it says under their new names */
  constructor(kinds: readonly ResourceKind[], snapshot: Snapshot, changes: readonly Change[] = []) {
    this.realm = new Realm(snapshot);
    this.renames = renamesIn(changes);
    this.renamed = realmAfter(this.realm, this.renames, kinds);
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]));
  }

  /** False when this snapshot does not hold objects of that kind, so that nothing can be said about them. */
  holds(address: Address): boolean {
    return this.indexOf(kindName(address)) !== undefined;
  }

  /** By id where there is one (it survives a rename), else by name as the server compares it. */
  find(address: Address, id?: number): LiveObject | undefined {
    const name = kindName(address);
    const index = this.indexOf(name);
    if (index === undefined) return undefined;
    if (id !== undefined) return index.byId.get(id);
    return index.byKey.get(keyOf(this.kindOf(name), address.slice(name.length + 1)));
  }

  /** Names of a kind's objects in the server's order, the inactive ones left out: the names that the plan gives them, as in its changes. */
  order(address: Address): readonly string[] {
    const name = kindName(address);
    const renamed = this.renames.get(name);
    const objects = this.indexOf(name)?.objects ?? [];
    return objects
      .filter(({ inactive }) => !inactive)
      .map((object) => (object.id === null ? undefined : renamed?.get(object.id)) ?? object.name);
  }

  /**
   * Does a reading show that a change was carried out? By the value that it wants, or by what the kind knows it by.
   * @param call one of the calls that write the field; left out: all of them, or some
   */
  shows(address: Address, change: FieldChange, live: Json, call?: Call): boolean {
    if (sameJson(live, change.after)) return true;
    const by = { realm: this.realm, ...defined({ call }) };
    return this.kindOf(kindName(address)).calls.shows?.(change, live, by) === true;
  }

  private indexOf(name: string): Index | undefined {
    if (this.indexes.has(name)) return this.indexes.get(name);
    const objects = liveAcross(this.kindOf(name), this.realm, this.renamed);
    const index = objects && {
      objects,
      // Where an inactive object gives its name free (channel folders), the one in use is meant.
      byKey: new Map(
        [...objects.filter(({ inactive }) => inactive), ...objects.filter(({ inactive }) => !inactive)].map(
          (object) => [object.key, object],
        ),
      ),
      byId: new Map(objects.flatMap((object) => (object.id === null ? [] : [[object.id, object] as const]))),
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

/** `linkifier` of `linkifier:#(?P<id>[0-9]+):x`. */
function kindName(address: Address): string {
  return address.slice(0, address.indexOf(":"));
}

/** A field as a reading shows it; undefined when objects of this kind do not have it (it matters only at creation). */
export function fieldOf(object: LiveObject, field: string): Json | undefined {
  const value = own(object.fields, field);
  if (value !== undefined) return value;
  return field === "name" ? object.name : undefined;
}

/** What a call takes away and a later one gives back, so that no change of the plan names it (docs/decisions/0077-playgrounds.md). */
interface Kept {
  readonly address: Address;
  readonly field: string;
  readonly value: Json;
  /** The calls that take it and give it back. */
  readonly calls: readonly Call[];
}

/** By address and field: what calls are for without a change of the plan saying so. It is to be again what the first of them found. */
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

/** What a plan's calls are for, looked up by address. */
export class Goals {
  private readonly changes: ReadonlyMap<Address, Change>;
  /** Objects that the plan itself renames, changes or removes, each kind with its own ids: none of them is what a create was to make. */
  private readonly claimed: ReadonlySet<string>;
  private readonly kept: ReadonlyMap<string, Kept>;
  /** What calls expect of objects that are there. */
  private readonly expected: ReadonlyMap<Address, readonly Expectation[]>;

  constructor(plan: Plan) {
    const expected = new Map<Address, Expectation[]>();
    for (const expectation of plan.calls.flatMap(({ expects }) => expects)) {
      if (expectation.field === "exists") continue;
      const known = expected.get(expectation.address);
      if (known === undefined) expected.set(expectation.address, [expectation]);
      else known.push(expectation);
    }
    this.expected = expected;
    this.changes = new Map(plan.changes.map((change) => [change.address, change]));
    this.kept = keptIn(plan, (address, field) => {
      const change = this.changes.get(address);
      return (
        change === undefined || (change.action === "update" && change.fields.every((item) => item.field !== field))
      );
    });
    this.claimed = new Set(
      plan.changes.flatMap(({ id, address }) => (id === undefined ? [] : [`${kindName(address)} ${id}`])),
    );
  }

  /** What calls take away and give back, though no change of the plan names it. */
  keptFields(): readonly { readonly address: Address; readonly field: string; readonly value: Json }[] {
    return [...this.kept.values()];
  }

  change(address: Address): Change | undefined {
    return this.changes.get(address);
  }

  /** @param address of what was to be made */
  isClaimed(address: Address, object: LiveObject): boolean {
    return object.id !== null && this.claimed.has(`${kindName(address)} ${object.id}`);
  }

  /** Whether an object differs from the one that the plan found under its name. */
  private isAnother(address: Address, object: LiveObject): boolean {
    const found = this.expected.get(address) ?? [];
    return found.some(({ field, value }) => !sameJson(fieldOf(object, field) ?? null, value));
  }

  /** The value that the plan wants a field to end with. */
  wanted(address: Address, field: string): Json | undefined {
    const kept = this.kept.get(`${address}\n${field}`);
    if (kept !== undefined) return kept.value;
    return this.changes.get(address)?.fields.find((change) => change.field === field)?.after;
  }

  /** Parts of a call that went out which the realm shows as the plan wants them; each purpose with those of its fields. */
  appliedParts(call: Call, view: View): readonly Purpose[] {
    return call.for.flatMap((purpose) => {
      const found = this.appliedPart(purpose, view, { isMade: call.creates.includes(purpose.address), sentAs: call });
      return found === undefined ? [] : [found];
    });
  }

  /**
   * Does the realm show everything that this call is for? An object to be made counts by its fields: one that only has the name is
   * somebody else's.
   * @param sent the call went out and its answer was lost: then an object of that name, absent right before, is its work
   */
  isApplied(call: Call, view: View, sent = false): boolean {
    if (call.for.length === 0) return false;
    return call.for.every((purpose) => {
      const isMade = sent && call.creates.includes(purpose.address);
      const found = this.appliedPart(purpose, view, { isMade, ...defined({ sentAs: sent ? call : undefined }) });
      return found !== undefined && found.fields.length === purpose.fields.length;
    });
  }

  /** Is the call for nothing that a reading of its objects shows (an emoji's picture)? Then its answer alone tells that it is done. */
  isUnseen(call: Call, view: View): boolean {
    return call.for.every(({ address, fields }) => {
      const object = view.find(address, this.changes.get(address)?.id);
      return object !== undefined && fields.every((field) => fieldOf(object, field) === undefined);
    });
  }

  /** Have the fields that a call is for the values from which the plan was made? Some are no expectation of it: who joins and who leaves. */
  isAsBefore(call: Call, view: View): boolean {
    return call.for.every(({ address, fields }) => {
      const change = this.changes.get(address);
      if (change?.action !== "update") return true;
      const object = view.find(address, change.id);
      return change.fields.every(({ field, before }) => {
        if (!fields.includes(field)) return true;
        const live = object === undefined ? undefined : fieldOf(object, field);
        return live === undefined || sameJson(live, before);
      });
    });
  }

  /**
   * @param isMade the object itself is this call's work, so that its being there is part of it
   * @param sentAs the call, when it went out: then what only shows that somebody did the like (another picture) is its work
   */
  private appliedPart(
    purpose: Purpose,
    view: View,
    { isMade, sentAs }: { readonly isMade: boolean; readonly sentAs?: Call },
  ): Purpose | undefined {
    const { address, fields } = purpose;
    const change = this.changes.get(address);
    if (!view.holds(address)) return undefined;
    if (fields.some((field) => this.kept.has(`${address}\n${field}`)))
      return fields.every((field) => this.isBack(address, field, view)) ? purpose : undefined;
    if (change === undefined) return undefined;
    if (change.action === "reorder") {
      const wanted = change.fields[0]?.after;
      return wanted !== undefined && sameJson([...view.order(address)], wanted) ? purpose : undefined;
    }
    const object = view.find(address, change.id);
    if (change.action === "remove") {
      const isGone = object === undefined || object.inactive;
      return isGone || this.isPartGone(purpose, change, object, view, sentAs) ? purpose : undefined;
    }
    if (object === undefined) return undefined;
    if (change.action === "create" && (object.inactive || this.isClaimed(address, object))) return undefined;
    // What replaces an object has its name: the one from before being there shows nothing.
    const isAnew = isMade && (change.action === "create" || this.isAnother(address, object));
    let seen = 0;
    const applied = fields.filter((field) => {
      const live = fieldOf(object, field);
      const wanted = change.fields.find((candidate) => candidate.field === field);
      // A field that only matters at creation came with the object, or nobody can tell.
      if (live === undefined || wanted === undefined) return change.action === "create" || isAnew;
      const same = sentAs ? view.shows(address, wanted, live, sentAs) : sameJson(live, wanted.after);
      if (same) seen += 1;
      return same;
    });
    // What has neither id nor fields (a default channel) is there or it is not.
    const isAll = object.id === null && change.fields.length === 0;
    return seen > 0 || isAll || isAnew ? { address, fields: applied } : undefined;
  }

  /** Did a call do its part of a removal that others complete (a bot that goes before its owner)? */
  private isPartGone(
    { address, fields }: Purpose,
    change: Change,
    object: LiveObject,
    view: View,
    sentAs: Call | undefined,
  ): boolean {
    if (sentAs === undefined || fields.length === 0) return false;
    return fields.every((field) => {
      const live = fieldOf(object, field);
      const wanted = change.fields.find((candidate) => candidate.field === field);
      if (live === undefined || wanted === undefined || sameJson(live, wanted.after)) return false;
      return view.shows(address, wanted, live, sentAs);
    });
  }

  /** Was the object removed, and does it exist again? If nothing removed it, its existence says nothing. */
  private isBack(address: Address, field: string, view: View): boolean {
    const kept = this.kept.get(`${address}\n${field}`);
    const object = view.find(address);
    if (kept === undefined || object === undefined) return false;
    if (!sameJson(fieldOf(object, field) ?? null, kept.value)) return false;
    return kept.calls.every((call) =>
      call.for.every((purpose) => {
        const id = this.changes.get(purpose.address)?.id;
        if (purpose.address === address || view.find(purpose.address, id) === undefined) return true;
        return this.appliedPart(purpose, view, { isMade: false, sentAs: call }) !== undefined;
      }),
    );
  }
}

/** Why an expectation does not hold; undefined when it does. */
export function unmet(expectation: Expectation, call: Call, view: View, goals: Goals): Conflict | undefined {
  const { address, id, field, value } = expectation;
  if (!view.holds(address)) return undefined;
  const object = view.find(address, id);
  const change = goals.change(address);
  const conflict = (on: string, planned: Json, found: Json): Conflict => {
    const wanted = on === "exists" && change?.action === "remove" ? false : goals.wanted(address, on);
    return {
      address,
      kind: kindName(address),
      name: object?.name ?? change?.name ?? address.slice(kindName(address).length + 1),
      field: on,
      planned,
      found,
      ...defined({ wanted }),
      calls: [call.n],
    };
  };
  if (field === "order" && address.endsWith(":*")) {
    const found = [...view.order(address)];
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

/** Do the objects that both lists have stand in the same order? What is missing in one is made, renamed or removed by other calls. */
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
