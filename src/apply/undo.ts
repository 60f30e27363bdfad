import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import type { Span } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { InactivityFacet } from "../model/facets.ts";
import { type Json, sameJson } from "../model/json.ts";
import { keyOf, type ResourceKind } from "../model/kind.ts";
import { addTo } from "../model/lazy.ts";
import type { DeclaredObject, Fields, LiveObject } from "../model/objects.ts";
import type { Address, Call, Change, FieldChange, Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { UndoFact, UndoNote } from "../model/run-facts.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { spansIn } from "../model/span.ts";
import { namesBack, without } from "./accounts-back.ts";
import { fieldOf, Goals, LiveObjects } from "./goals.ts";
import { doneCalls, type FoundJournal, planIn, sentCalls } from "./journal.ts";
import { idsOfCreated, renamedSince } from "./renamed-since.ts";
import {
  IntermediateValues,
  namedAsBefore,
  orderBefore,
  type Staying,
  type UndoPart,
  UndoPlaces,
  withoutInactive,
  withoutMissing,
} from "./undo-parts.ts";

/*
 * Undoes a run: a file, made from its journal, that asks for the values from before the run. It is planned and applied like any other file, so it has
 * the same order of requests, guard rails, conflicts and check at the end.
 *
 * Terms. The *plan* of the run is in the journal's first line: for each field the value from before and the one that the run wanted. A field is
 * *touched* if a call for it was sent. A value is the run's *own* if the run wrote it, or left it there when it was interrupted (`IntermediateValues`). A part of
 * the plan is *staying* if no undo may restore it, for example because the account lost a right.
 *
 * Premise. The journal and one reading are all that is known, and others kept working after the run. Their changes are never overwritten.
 *
 * The idea.
 *     for each change of the plan that has touched fields:
 *         create      the object is declared as removed, unless somebody changed it since. Where nothing can be deleted, it becomes inactive; if
 *                     another object needs its name back, it gets a name of its own
 *         update      each touched field whose live value is the run's own gets the value from before
 *         remove      the object is reactivated, or created again
 *         reorder     the order from before, if the live order is the run's own
 *     add what no change names, but an interrupted run left half done: values that it kept (restoreKept) and accounts that it ended (bringBack)
 *     drop names that no longer exist (withoutMissing) and people who are deactivated now (withoutInactive)
 *     everything that stays as it is becomes a note
 *
 * What it does not do. It sends nothing and reads nothing. It restores no side effects of the server (mails, notices, deleted messages): the notes say
 * what remains. It does not undo the run that this one continued, unless both carried out the same calls.
 */

export interface Undo {
  /** The values from before the run, for every field that still has the run's value. */
  readonly desired: Desired;
  readonly notes: readonly UndoNote[];
  /** The part of the run that a diagnostic about {@link Undo.desired} belongs to. */
  partAt(at: Span | undefined): UndoPart | undefined;
}

/**
 * The state of a realm after a run is undone. Works from the journal's calls that were sent: a field that still has the value of the run gets the one
 * from before; a field that somebody changed since stays.
 * @param journal of the run; its first entry is the start
 * @param earlier journals of runs that carried out a part of the same calls, and that this run continued
 * @param staying parts of the journal's plan that are left as they are
 */
export function undoOf(
  journal: FoundJournal,
  snapshot: Snapshot,
  kinds: readonly ResourceKind[],
  earlier: readonly FoundJournal[] = [],
  staying: Staying = new Map(),
): Undo {
  const plan = planIn(journal);
  if (plan === undefined)
    return { desired: { manage: {}, sections: new Map(), warnings: [] }, notes: [], partAt: () => undefined };
  const undo = new UndoBuilder(plan, [journal, ...earlier], snapshot, kinds, staying).build();
  const named = withoutMissing(undo.desired.sections, snapshot, kinds);
  const { sections, notes } = withoutInactive(named.sections, snapshot, kinds);
  return { ...undo, desired: { ...undo.desired, sections }, notes: [...undo.notes, ...named.notes, ...notes] };
}

class UndoBuilder {
  private readonly notes: UndoNote[] = [];
  private readonly sections = new Map<string, DeclaredObject[]>();
  private readonly ordered = new Set<string>();
  private readonly plan: Plan;
  private readonly objects: LiveObjects;
  /** The ids of objects that the run created. */
  private readonly created: ReadonlyMap<Address, number>;
  /** Objects with other names than the plan has for them, as renames to the plan's names. */
  private readonly moved: readonly Change[];
  private readonly kinds: readonly ResourceKind[];
  private readonly places: UndoPlaces;
  private readonly realm: Realm;
  private readonly staying: Staying;
  /** Calls that were sent. */
  private readonly sentCalls: readonly Call[];
  /** The purposes of calls that are known to have been carried out. */
  private readonly made: ReadonlySet<string>;
  /** Address → fields that the sent calls were for. */
  private readonly touched = new Map<string, Set<string>>();
  private readonly intermediate: IntermediateValues;
  private readonly goals: Goals;
  private readonly accountsBack: ReadonlySet<string>;

  /** @param journals the newest first */
  constructor(
    plan: Plan,
    journals: readonly [FoundJournal, ...FoundJournal[]],
    snapshot: Snapshot,
    kinds: readonly ResourceKind[],
    staying: Staying,
  ) {
    const sent = new Set(journals.flatMap((journal) => [...sentCalls(journal)]));
    const done = new Set(journals.flatMap((journal) => [...doneCalls(journal)]));
    const oldestFirst = journals.toReversed();
    this.realm = new Realm(snapshot);
    this.staying = staying;
    this.plan = plan;
    this.intermediate = new IntermediateValues(plan, sent);
    this.goals = new Goals(plan);
    this.accountsBack = namesBack(plan, this.realm);
    this.created = idsOfCreated(plan, oldestFirst);
    this.moved = renamedSince(plan, oldestFirst, kinds, snapshot);
    this.objects = new LiveObjects(kinds, snapshot, [...plan.changes, ...this.moved]);
    this.kinds = kinds;
    this.places = new UndoPlaces(`.realmctl/${journals[0].name}`, plan.changes, kinds);
    const carriedOut = plan.calls.filter(({ n }) => done.has(n));
    this.made = new Set(carriedOut.flatMap((call) => call.for.map(({ address }) => address)));
    this.sentCalls = plan.calls.filter(({ n }) => sent.has(n));
    for (const call of this.sentCalls) {
      for (const { address, fields } of call.for) {
        const known = this.touched.get(address) ?? new Set();
        for (const field of fields) known.add(field);
        this.touched.set(address, known);
      }
    }
  }

  build(): Undo {
    for (const change of this.plan.changes) {
      const touched = this.touched.get(change.address);
      const kind = this.kinds.find(({ name }) => name === change.kind);
      if (touched === undefined || kind === undefined) continue;
      const why = this.staying.get(change);
      if (why !== undefined) {
        this.note(change, why);
        continue;
      }
      const stays = kind.undo?.whyStays?.(change);
      if (stays !== undefined) {
        this.note(change, { why: "not-reversible", reason: stays });
        continue;
      }
      switch (change.action) {
        case "create":
          this.undoCreate(kind, change);
          break;
        case "update":
          this.undoUpdate(kind, change, touched);
          break;
        case "remove":
          this.undoRemove(kind, change);
          break;
        case "reorder":
          // The order is known only after the other declarations.
          break;
      }
    }
    this.restoreKept();
    this.bringBack();
    for (const kind of this.kinds) this.undoOrder(kind);
    const sections = namedAsBefore(this.sections, [...this.plan.changes, ...this.moved], this.objects, this.kinds);
    const manage = Object.fromEntries([...sections.keys()].map((section) => [section, "additive" as const]));
    return {
      desired: { manage, sections, ordered: this.ordered, warnings: [] },
      notes: this.notes,
      partAt: (at) => this.places.partAt(at),
    };
  }

  /** What the run removed in order to restore it, and was interrupted between the two: no change of the plan names it. */
  private restoreKept(): void {
    for (const { address, field, value } of this.goals.keptFields()) {
      const kind = this.kinds.find(({ name }) => address.startsWith(`${name}:`));
      const object = kind && this.objects.find(address);
      if (kind === undefined || object === undefined || !this.intermediate.isOpen(address, field)) continue;
      const live = fieldOf(object, field);
      if (live === undefined || sameJson(live, value) || !this.intermediate.isStep(address, field, live)) continue;
      const why = this.staying.get(`${address}\n${field}`);
      if (why !== undefined) {
        this.notes.push({ kind: kind.name, name: object.name, fact: why });
        continue;
      }
      const declared = this.sections.get(kind.section) ?? [];
      const known = declared.find(({ key }) => key === object.key);
      const own = known ?? this.declared(kind, object, {});
      const others = declared.filter((candidate) => candidate !== known);
      const spans = spansIn({ [field]: this.places.ofKept(address, field) }, own.spans);
      this.sections.set(kind.section, [...others, { ...own, fields: { ...own.fields, [field]: value }, spans }]);
    }
  }

  /** What a separate request ended before the change that it belongs to, if the run was interrupted in between: no change of the plan names it. */
  private bringBack(): void {
    for (const call of this.sentCalls) {
      const [purpose] = call.for;
      const change = this.plan.changes.find(({ address }) => address === purpose?.address);
      const ended = this.kinds.find(({ name }) => name === change?.kind)?.undo?.endedAhead?.(call);
      const kind = this.kinds.find(({ section }) => section === ended?.section);
      if (change === undefined || ended === undefined || kind?.inactivity === undefined) continue;
      // If the change was carried out too, the object was removed for good, and the change says so.
      if (this.objects.find(change.address, change.id)?.inactive !== false) continue;
      const object = this.objects.find(`${kind.name}:`, ended.id);
      if (object?.inactive !== true) continue;
      const { field } = kind.inactivity;
      const why = this.staying.get(`${kind.name}:${object.name}\n${field}`);
      if (why !== undefined) {
        this.notes.push({ kind: kind.name, name: object.name, fact: why });
        continue;
      }
      const at = this.places.ofKept(`${kind.name}:${object.name}`, field);
      this.declare(kind, { ...this.declared(kind, object, { [field]: false }), at, spans: spansIn({ [field]: at }) });
    }
  }

  private undoCreate(kind: ResourceKind, change: Change): void {
    const object = this.objects.find(change.address, this.created.get(change.address));
    if (object === undefined) {
      // If the kind's objects are deactivated and never deleted, this one now has another name (or an old server deleted it). For other kinds there
      // is nothing left to do.
      if (kind.inactivity?.field !== undefined && this.made.has(change.address))
        this.note(change, { why: "not-found" });
      return;
    }
    if (object.inactive) return;
    if (this.moved.some(({ kind: name, id }) => name === kind.name && id === object.id)) {
      this.note(change, { why: "created-and-changed", field: "name" });
      return;
    }
    const moved = change.fields.find((field) => this.isMoved(change, object, field));
    if (moved !== undefined) {
      this.note(change, { why: "created-and-changed", field: moved.field });
      return;
    }
    const inactivity = kind.inactivity?.field;
    if (inactivity === undefined) {
      const absent = { ...this.declared(kind, object, {}, change), absent: true };
      // Another object gets the name back, so this one is found by its id.
      const name = this.isNeeded(kind, object.key) ? `${object.name} (undone)` : object.name;
      this.declare(kind, { ...absent, name, key: keyOf(kind, name) });
      return;
    }
    const away = this.declared(
      kind,
      object,
      { ...kind.undo?.beforeDeactivation?.(object, this.realm), [inactivity]: true },
      change,
    );
    if (!this.isNeeded(kind, object.key)) {
      this.note(change, { why: "made-inactive", field: inactivity });
      this.declare(kind, away);
      return;
    }
    const name = `${[...object.name].slice(0, 40).join("")} (undone ${object.id})`;
    this.note(change, { why: "made-inactive", field: inactivity, as: quote(name, kind.name) });
    this.declare(kind, { ...away, name, key: keyOf(kind, name) });
  }

  /** Whether another object had this name before the run. */
  private isNeeded(kind: ResourceKind, key: string): boolean {
    return this.plan.changes.some(
      ({ kind: name, was }) => name === kind.name && was !== undefined && keyOf(kind, was) === key,
    );
  }

  private undoUpdate(kind: ResourceKind, change: Change, touched: ReadonlySet<string>): void {
    const object = this.objects.find(change.address, change.id);
    if (object === undefined) {
      // The run itself removed it, in order to create it again.
      if (change.fields.some(({ field }) => this.intermediate.isOpen(change.address, field)))
        this.makeAgain(kind, change);
      else this.note(change, { why: "deleted" });
      return;
    }
    const { inactivity } = kind;
    const fields: { [field: string]: Json } = {};
    const restored: FieldChange[] = [];
    let name = object.name;
    for (const fieldChange of change.fields) {
      const { field, before } = fieldChange;
      if (!touched.has(field)) continue;
      const live = fieldOf(object, field);
      if (live === undefined || sameJson(live, before)) continue;
      if (before === false && field === inactivity?.field && this.staysInactive(change, inactivity)) continue;
      const why = this.staying.get(fieldChange);
      if (why !== undefined) this.note(change, why);
      else if (!this.isOurs(change, fieldChange, live)) this.note(change, { why: "changed", field });
      else if (kind.calls.canSet?.(field, before) === false) this.note(change, { why: "cannot-be-set", field });
      // An object without an id is never renamed: the name of a navigation view is a field like any other, and so is that of the organization.
      else if (field === "name" && object.id !== null) name = String(before);
      else {
        fields[field] = before;
        restored.push(fieldChange);
      }
    }
    if (name === object.name && Object.keys(fields).length === 0) return;
    this.noteSideEffects(kind, change, fields);
    const lost = kind.undo?.lostOnRecreate ?? kind.undo?.lostWith?.(change);
    if (lost !== undefined) this.note(change, { why: "created-again", lost });
    const creation = kind.undo?.declares?.(restored);
    const declared = { ...this.declared(kind, object, fields, change), ...defined({ creation }) };
    const renamed = { name: this.places.of(change, "name") };
    const spans = name === object.name ? declared.spans : spansIn(renamed, declared.spans);
    this.declare(kind, { ...declared, name, key: keyOf(kind, name), spans });
  }

  private undoRemove(kind: ResourceKind, change: Change): void {
    const object = this.objects.find(change.address, change.id);
    const { inactivity } = kind;
    if (inactivity === undefined) {
      if (object === undefined) this.makeAgain(kind, change);
      return;
    }
    if (object?.inactive !== true || this.staysInactive(change, inactivity)) return;
    this.noteSideEffects(kind, change, {});
    this.declare(kind, this.declared(kind, object, { [inactivity.field]: false }, change));
  }

  private makeAgain(kind: ResourceKind, change: Change): void {
    // An object without one of its fields would be another object.
    const [why] = change.fields.flatMap((field) => this.staying.get(field) ?? []);
    if (why !== undefined) {
      this.note(change, why);
      return;
    }
    const name = kind.identity?.commonName?.(change.name) ?? change.name;
    // Only the id would distinguish a second one from the first, and it would have another id than before.
    if (kind.identity?.commonName !== undefined && this.isThere(kind, name)) {
      this.note(change, { why: "alike" });
      return;
    }
    const before = Object.fromEntries(change.fields.map((field) => [field.field, field.before]));
    const fields = { ...this.intermediate.fieldsBefore(change.address), ...before };
    const other = this.objects.find(`${kind.name}:${name}`);
    if (other !== undefined && !this.goals.isClaimed(change.address, other)) {
      // Created again since: by an earlier undo, or by somebody with other values.
      const differs = Object.entries(fields).some(([field, value]) => !sameJson(fieldOf(other, field) ?? value, value));
      if (differs) this.note(change, { why: "alike" });
      return;
    }
    this.noteSideEffects(kind, change, {});
    // An object that is known only by its name (domains, default channels, views) is restored as it was.
    const lost = kind.undo?.lostOnRecreate ?? kind.undo?.lostWith?.(change);
    if (lost !== undefined) this.note(change, { why: "created-again", lost });
    else if (change.id !== undefined) this.note(change, { why: "created-again" });
    this.declare(kind, this.item(kind, name, fields, change));
  }

  /** Whether the run gave the field this value, or left it there when it was interrupted. */
  private isOurs({ address }: Change, change: FieldChange, live: Json): boolean {
    if (this.objects.shows(address, change, live) || this.intermediate.isStep(address, change.field, live)) return true;
    if (this.intermediate.isIntermediate(address, change, live)) return true;
    // An account that the run brought back has its old memberships again, and no reading showed them before.
    const back = this.accountsBack;
    const after = without(change.after, back);
    return back.size > 0 && this.objects.shows(address, { ...change, after }, without(live, back));
  }

  /** Whether a field of a created object has a value that neither the run nor, at creation, the server gave it. */
  private isMoved(change: Change, object: LiveObject, field: FieldChange): boolean {
    const live = fieldOf(object, field.field);
    if (live === undefined || this.intermediate.isUntouched(change.address, field.field)) return false;
    return !this.isOurs(change, field, live);
  }

  /** Whether an object has the name, or the undo creates one. */
  private isThere({ name: kind, section }: ResourceKind, name: string): boolean {
    const isMade = this.sections.get(section)?.some((object) => object.name === name && !object.absent) === true;
    return isMade || this.objects.find(`${kind}:${name}`) !== undefined;
  }

  private noteSideEffects(kind: ResourceKind, change: Change, restored: Fields): void {
    const effect = kind.undo?.stays?.(change, restored);
    if (effect !== undefined) this.note(change, { why: "side-effect-stays", effect });
  }

  /** Whether the server is too old to bring the object back. This affects nothing else in the run. */
  private staysInactive(change: Change, { field, reactivatedFrom = 0 }: InactivityFacet): boolean {
    if (this.realm.level >= reactivatedFrom) return false;
    this.note(change, { why: "server-too-old", field, needs: reactivatedFrom, level: this.realm.level });
    return true;
  }

  /** Removed objects come last when they are created again, so a section can lose its order even if the run did not change the order. */
  private undoOrder(kind: ResourceKind): void {
    const all = this.plan.changes.filter(({ kind: name }) => name === kind.name);
    const own = all.filter(({ address }) => this.touched.has(address));
    const [first] = own;
    if (first === undefined) return;
    const declared = this.sections.get(kind.section) ?? [];
    const found = orderBefore(own, {
      kept: this.plan.extra?.order?.[kind.name],
      all,
      live: this.objects.order(first.address),
      declared,
      make: (name) => this.asItIs(kind, name),
    });
    if (found === undefined) return;
    if (!found.isAsLeft) {
      this.note(found.reorder ?? { ...first, name: "*" }, { why: "order-changed" });
      return;
    }
    const { objects } = found;
    this.ordered.add(kind.section);
    this.sections.set(kind.section, [...objects, ...declared.filter((object) => !objects.includes(object))]);
  }

  private declared(
    kind: ResourceKind,
    object: LiveObject,
    fields: { readonly [field: string]: Json },
    change?: Change,
  ): DeclaredObject {
    const pinned = defined({ id: object.id ?? undefined });
    // An inactive object stays inactive unless somebody reactivates it on purpose.
    const inactivity = object.inactive ? kind.inactivity?.field : undefined;
    const whole = inactivity === undefined ? fields : { [inactivity]: true, ...fields };
    const at = this.places.of(change);
    // Reported, not omitted: but nobody has to be warned about something that they asked for.
    const spans = spansIn(
      Object.fromEntries(Object.keys(fields).map((field) => [field, this.places.of(change, field)])),
    );
    return { key: object.key, name: object.name, ...pinned, absent: false, fields: whole, at, spans };
  }

  /** An object that stays as it is, by its name in the plan. */
  private asItIs(kind: ResourceKind, name: string): DeclaredObject {
    const moved = this.moved.find((one) => one.kind === kind.name && one.name === name);
    const object = moved && this.objects.find(moved.address, moved.id);
    return object === undefined ? this.item(kind, name, {}) : this.declared(kind, object, {});
  }

  private item(
    kind: ResourceKind,
    name: string,
    fields: { readonly [field: string]: Json },
    change?: Change,
  ): DeclaredObject {
    const at = this.places.of(change);
    return { key: keyOf(kind, name), name, absent: false, fields, at, spans: spansIn({}) };
  }

  private declare(kind: ResourceKind, object: DeclaredObject): void {
    addTo(this.sections, kind.section, object);
  }

  private note({ kind, name }: Change, fact: UndoFact): void {
    this.notes.push({ kind, name, fact });
  }
}
