import type { Desired } from "../model/desired.ts";
import type { Span } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isList, isObject, type Json, sameJson } from "../model/json.ts";
import { keyOf, type ResourceKind } from "../model/kind.ts";
import type { DeclaredObject, Fields, LiveObject } from "../model/objects.ts";
import { type Change, PLAN_VERSION, type Plan } from "../model/plan.ts";
import { PlanForm } from "../model/plan-schema.ts";
import type { UndoFact } from "../model/run-facts.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { FoundJournal } from "./journal.ts";
import { withoutInactive } from "./undo-inactive.ts";
import { withoutMissing } from "./undo-missing.ts";
import type { UndoNote } from "./undo-note.ts";
import { fieldOf, View } from "./view.ts";

export interface Undo {
  /** The values from before the run, wherever the run's own values still stand. */
  readonly desired: Desired;
  readonly notes: readonly UndoNote[];
  /** Whose undoing a diagnostic about {@link Undo.desired} is about. */
  changeAt(at: Span | undefined): Change | undefined;
}

/** A change that is not undone, and why. */
export type Staying = ReadonlyMap<Change, UndoFact>;

/**
 * What a realm should be for a run to be undone. Works from the journal's calls that went out: a field that still has the value which
 * the run gave it gets the one from before; a field that somebody changed since stays.
 * @param journal of the run; its first entry is the start
 * @param earlier journals of runs that carried out a part of these very calls, and that this run went on from
 * @param staying changes of the journal's plan that are left as they are
 */
export function undoOf(
  journal: FoundJournal,
  snapshot: Snapshot,
  kinds: readonly ResourceKind[],
  earlier: readonly FoundJournal[] = [],
  staying: Staying = new Map(),
): Undo {
  const [start] = journal.entries;
  const plan = start?.entry === "start" ? planOf(start.plan) : undefined;
  if (plan === undefined)
    return { desired: { manage: {}, sections: new Map(), warnings: [] }, notes: [], changeAt: () => undefined };
  const parts = [journal, ...earlier];
  const builder = new UndoBuilder(
    plan,
    new Set(parts.flatMap((part) => [...sentCalls(part)])),
    new Set(parts.flatMap((part) => [...doneCalls(part)])),
    new View(kinds, snapshot, plan.changes),
    kinds,
    `.realmctl/${journal.name}`,
    snapshot.server.feature_level,
    staying,
  );
  const undo = builder.build();
  const named = withoutMissing(undo.desired.sections, snapshot, kinds);
  const { sections, notes } = withoutInactive(named.sections, snapshot, kinds);
  return { ...undo, desired: { ...undo.desired, sections }, notes: [...undo.notes, ...named.notes, ...notes] };
}

/** The plan that a journal's run carried out; undefined when its first line is not that of a run. */
export function planOf(json: Json): Plan | undefined {
  return isPlan(json) ? json : undefined;
}

/** Journals outlive upgrades: of a plan in an older one only what was changed and sent is looked at, how it was judged may have another form. */
function isPlan(json: unknown): json is Plan {
  if (!isObject(json) || !isList(json.changes)) return false;
  const changes = json.changes.map((change) => (isObject(change) ? { ...change, risks: [] } : change));
  const rest = { changes, version: PLAN_VERSION, guards: [], warnings: [], unmanaged: [] };
  return PlanForm.safeParse({ ...json, ...rest }).success;
}

/** Calls that went out and were not found to have been somebody else's work. Whether they took effect, the realm says. */
function sentCalls(journal: FoundJournal): ReadonlySet<number> {
  const sent = new Set<number>();
  for (const entry of journal.entries) {
    if (entry.entry === "sending") sent.add(entry.n);
    if (entry.entry === "settled" && (entry.state === "already-so" || entry.state === "conflict")) sent.delete(entry.n);
  }
  return sent;
}

/** Calls that are known to have been carried out. */
function doneCalls(journal: FoundJournal): ReadonlySet<number> {
  const done = new Set<number>();
  for (const entry of journal.entries) {
    if (entry.entry === "answer" && entry.answer.outcome === "applied") done.add(entry.n);
    if (entry.entry === "settled" && entry.state === "done") done.add(entry.n);
    else if (entry.entry === "settled") done.delete(entry.n);
  }
  return done;
}

class UndoBuilder {
  private readonly notes: UndoNote[] = [];
  private readonly sections = new Map<string, DeclaredObject[]>();
  private readonly ordered = new Set<string>();
  private readonly plan: Plan;
  private readonly view: View;
  private readonly kinds: readonly ResourceKind[];
  private readonly at: Span;
  private readonly level: number;
  private readonly staying: Staying;
  /** What calls that are known to have been carried out were for. */
  private readonly made: ReadonlySet<string>;
  /** Address → fields that the calls which went out were for. */
  private readonly touched = new Map<string, Set<string>>();

  constructor(
    plan: Plan,
    sent: ReadonlySet<number>,
    done: ReadonlySet<number>,
    view: View,
    kinds: readonly ResourceKind[],
    file: string,
    level: number,
    staying: Staying,
  ) {
    this.level = level;
    this.staying = staying;
    this.plan = plan;
    this.view = view;
    this.kinds = kinds;
    this.at = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
    const carriedOut = plan.calls.filter(({ n }) => done.has(n));
    this.made = new Set(carriedOut.flatMap((call) => call.for.map(({ address }) => address)));
    for (const call of plan.calls.filter(({ n }) => sent.has(n))) {
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
        this.note(change, { why: "gone-for-good", reason: stays });
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
          // Once it is known what else there will be.
          break;
      }
    }
    for (const kind of this.kinds) this.undoOrder(kind);
    this.nameAsBefore();
    const manage = Object.fromEntries([...this.sections.keys()].map((section) => [section, "additive" as const]));
    return {
      desired: { manage, sections: this.sections, ordered: this.ordered, warnings: [] },
      notes: this.notes,
      changeAt: (at) => (at?.file === this.at.file ? this.plan.changes[at.column - 2] : undefined),
    };
  }

  /** The plan names objects as they were to be called; what is declared here names them as they will be called. */
  private nameAsBefore(): void {
    const names = new Map<string, string>();
    for (const { kind: name, address, id, was, name: planned } of this.plan.changes) {
      const kind = this.kinds.find((candidate) => candidate.name === name);
      if (was === undefined || id === undefined || kind === undefined) continue;
      const declared = this.sections.get(kind.section)?.find((object) => object.id === id);
      names.set(`${name}\n${planned}`, declared?.name ?? this.view.find(address, id)?.name ?? planned);
    }
    if (names.size === 0) return;
    const nameOf = (kind: string, name: string): string => names.get(`${kind}\n${name}`) ?? name;
    for (const kind of this.kinds) {
      const declared = this.sections.get(kind.section);
      if (declared === undefined || kind.file.withNames === undefined) continue;
      this.sections.set(
        kind.section,
        declared.map((object) => kind.file.withNames?.(object, nameOf) ?? object),
      );
    }
  }

  private undoCreate(kind: ResourceKind, change: Change): void {
    const object = this.view.find(change.address);
    if (object === undefined) {
      // What is deactivated and never deleted has another name by now (or, on an old server, was deleted); for the others there is nothing left to do.
      if (kind.inactivity?.field !== undefined && this.made.has(change.address))
        this.note(change, { why: "not-found" });
      return;
    }
    if (object.inactive) return;
    const moved = change.fields.find(({ field, after }) => isMoved(object, field, after));
    if (moved !== undefined) {
      this.note(change, { why: "created-and-changed", field: moved.field });
      return;
    }
    const inactivity = kind.inactivity?.field;
    if (inactivity === undefined) {
      const gone = { ...this.declared(kind, object, {}, change), absent: true };
      // Another object gets the name back: this one is found by its id.
      const name = this.isNeeded(kind, object.key) ? `${object.name} (undone)` : object.name;
      this.declare(kind, { ...gone, name, key: keyOf(kind, name) });
      return;
    }
    const away = this.declared(
      kind,
      object,
      { ...kind.undo?.beforeDeactivation?.(object), [inactivity]: true },
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
    const object = this.view.find(change.address, change.id);
    if (object === undefined) {
      this.note(change, { why: "deleted" });
      return;
    }
    const fields: { [field: string]: Json } = {};
    let name = object.name;
    for (const fieldChange of change.fields) {
      const { field, before } = fieldChange;
      if (!touched.has(field)) continue;
      const live = fieldOf(object, field);
      if (live === undefined || sameJson(live, before)) continue;
      if (field === kind.inactivity?.field && before === false && this.staysInactive(kind, change)) continue;
      if (!this.view.shows(change.address, fieldChange, live)) this.note(change, { why: "changed", field });
      else if (kind.calls.canSet?.(field, before) === false) this.note(change, { why: "cannot-be-set", field });
      // What has no id is never renamed: the name of a navigation view is a field like any other, and so is that of the organization.
      else if (field === "name" && kind.shape !== "singleton" && object.id !== null) name = String(before);
      else fields[field] = before;
    }
    if (name === object.name && Object.keys(fields).length === 0) return;
    this.noteSideEffects(kind, change, fields);
    const lost = kind.undo?.lostOnRecreate ?? kind.undo?.lostWith?.(change);
    if (lost !== undefined) this.note(change, { why: "created-again", lost });
    this.declare(kind, { ...this.declared(kind, object, fields, change), name, key: keyOf(kind, name) });
  }

  private undoRemove(kind: ResourceKind, change: Change): void {
    const object = this.view.find(change.address, change.id);
    if (kind.inactivity?.field !== undefined) {
      if (object?.inactive === true && !this.staysInactive(kind, change)) {
        this.noteSideEffects(kind, change, {});
        this.declare(kind, this.declared(kind, object, { [kind.inactivity?.field]: false }, change));
      }
      return;
    }
    if (object !== undefined) return;
    const name = kind.identity?.nameOfAlike?.(change.name) ?? change.name;
    // A second one would be told from the first by its id alone, and have another id than before.
    if (kind.identity?.nameOfAlike !== undefined && this.isThere(kind, name)) {
      this.note(change, { why: "alike" });
      return;
    }
    this.noteSideEffects(kind, change, {});
    const fields = Object.fromEntries(change.fields.map(({ field, before }) => [field, before]));
    // What is known by its name alone (domains, default channels, views) comes back as it was.
    const lost = kind.undo?.lostOnRecreate ?? kind.undo?.lostWith?.(change);
    if (lost !== undefined) this.note(change, { why: "created-again", lost });
    else if (change.id !== undefined) this.note(change, { why: "created-again" });
    this.declare(kind, this.item(kind, name, fields, change));
  }

  /** Whether an object has the name, or the undo makes one. */
  private isThere({ name: kind, section }: ResourceKind, name: string): boolean {
    const isMade = this.sections.get(section)?.some((object) => object.name === name && !object.absent) === true;
    return isMade || this.view.find(`${kind}:${name}`) !== undefined;
  }

  private noteSideEffects(kind: ResourceKind, change: Change, restored: Fields): void {
    const effect = kind.undo?.stays?.(change, restored);
    if (effect !== undefined) this.note(change, { why: "side-effect-stays", effect });
  }

  /** Is the server too old to bring the object back? Nothing else of the run has to stay because of it. */
  private staysInactive({ inactivity }: ResourceKind, change: Change): boolean {
    const reactivatedFrom = inactivity?.reactivatedFrom ?? 0;
    if (this.level >= reactivatedFrom) return false;
    const field = inactivity?.field ?? "";
    this.note(change, { why: "server-too-old", field, needs: reactivatedFrom, level: this.level });
    return true;
  }

  /** Removed objects go last when they are created again, so not only a section that was put in order has lost its order. */
  private undoOrder(kind: ResourceKind): void {
    const own = this.plan.changes.filter(({ kind: name, address }) => name === kind.name && this.touched.has(address));
    const reorder = own.find(({ action }) => action === "reorder");
    const [order] = reorder?.fields ?? [];
    const before = this.orderBefore(kind) ?? order?.before;
    const [first] = own;
    if (first === undefined || before === undefined || !Array.isArray(before)) return;
    const names = before.map(String);
    const live = this.view.order(first.address);
    const renamed = new Map(own.flatMap(({ was, name }) => (was === undefined ? [] : [[was, name] as const])));
    // A removed object has no place in the order, though another object may have its name by now.
    const gone = new Set(own.flatMap(({ action, name }) => (action === "remove" ? [name] : [])));
    const namesNow = names.flatMap((name) => renamed.get(name) ?? (gone.has(name) ? [] : [name]));
    const kept = live.filter((name) => namesNow.includes(name));
    // What the run put in order shows its order, or the one from before where it was put back, or the call never arrived.
    const asBefore = namesNow.filter((name) => kept.includes(name));
    const asLeft = order !== undefined && sameJson([...live], order.after);
    if (!asLeft && !sameJson(kept, asBefore)) {
      this.note(reorder ?? { ...first, name: "*" }, { why: "order-changed" });
      return;
    }
    const declared = this.sections.get(kind.section) ?? [];
    const known = new Map(declared.map((object) => [object.name, object]));
    // An order that was changed is told in new names, one that was kept for the undo in old ones.
    const oldNames = new Map(
      this.orderBefore(kind) === undefined ? [...renamed].map(([was, name]) => [name, was] as const) : [],
    );
    const inOrder = names.flatMap(
      (name) => known.get(oldNames.get(name) ?? name) ?? (live.includes(name) ? this.item(kind, name, {}) : []),
    );
    this.ordered.add(kind.section);
    this.sections.set(kind.section, [...inOrder, ...declared.filter((object) => !inOrder.includes(object))]);
  }

  /** The section's names in their order when the plan was made, where order matters. */
  private orderBefore({ name }: ResourceKind): Json | undefined {
    return this.plan.extra?.order?.[name];
  }

  private declared(
    kind: ResourceKind,
    object: LiveObject,
    fields: { readonly [field: string]: Json },
    change: Change,
  ): DeclaredObject {
    const pinned = object.id === null ? {} : { id: object.id };
    // What is inactive stays so unless it is reactivated on purpose.
    const inactive = object.inactive && kind.inactivity?.field !== undefined ? { [kind.inactivity?.field]: true } : {};
    const whole = { ...inactive, ...fields };
    const at = this.placeOf(change);
    // Said, not left out: nobody has to be warned of what they asked for.
    const spans = Object.fromEntries(Object.keys(fields).map((field) => [field, { ...at, endColumn: at.column + 1 }]));
    return { key: object.key, name: object.name, ...pinned, absent: false, fields: whole, at, spans };
  }

  private item(
    kind: ResourceKind,
    name: string,
    fields: { readonly [field: string]: Json },
    change?: Change,
  ): DeclaredObject {
    const at = change === undefined ? this.at : this.placeOf(change);
    return { key: keyOf(kind, name), name, absent: false, fields, at, spans: {} };
  }

  /** No line of a file asks for what an undo does. The column says which change is undone; the first is nobody's. */
  private placeOf(change: Change): Span {
    const column = this.plan.changes.indexOf(change) + 2;
    return { ...this.at, column, endColumn: column };
  }

  private declare(kind: ResourceKind, object: DeclaredObject): void {
    const known = this.sections.get(kind.section);
    if (known === undefined) this.sections.set(kind.section, [object]);
    else known.push(object);
  }

  private note({ kind, name }: Change, fact: UndoFact): void {
    this.notes.push({ kind, name, fact });
  }
}

/** Whether a field has a value that neither the run nor, at creation, the server gave it. */
function isMoved(object: LiveObject, field: string, after: Json): boolean {
  const live = fieldOf(object, field);
  return live !== undefined && !sameJson(live, after);
}
