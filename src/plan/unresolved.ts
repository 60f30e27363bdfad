import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { asWarning, type Diagnostic, error, type Unresolved } from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import { named, quote } from "../model/diagnostics/values.ts";
import { sameJson } from "../model/json.ts";
import { canonicalName, keyOf, type ResourceKind } from "../model/kind.ts";
import { addTo } from "../model/lazy.ts";
import { namedIn } from "../model/named-in.ts";
import type { DeclaredObject, Gap, Pair } from "../model/objects.ts";
import type { Address } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { HeldParts } from "./objects-at.ts";
import { realmsOf } from "./sections.ts";
import { type LeftOut, type Entry as SeenEntry, unseenEntries, unseenIn, withNamers } from "./unseen.ts";

/*
 * What a plan leaves alone because a name in the file means nothing on the server (docs/internals/decisions/0005-unresolved-names-are-findings.md).
 *
 * Terms. A *gap* is such a name. An object is *held* if nothing is planned for it; a field is held if it is left as it is.
 *
 *     a field with a gap:               held; a list of people or groups only gains names, since the one that is meant may be in it
 *     a list with a gap in `except`:    held, since whoever is meant must not come in
 *     a new object with a gap:          held, as all that name it: new objects are made whole or not at all
 *     who takes the name of a held one: held, since that name is not free
 *     what names an entry that can mean two objects: held, since it would be about the wrong one
 *     `exact`, if a gap is of its kind: removes nothing, since the object that is meant may exist under another name
 *
 * Kinds find further gaps when they check changes (a default channel that is private by now), and errors that only the state of the server shows: these
 * are held in a second round. Of an object with such an error nothing is planned; of settings, nothing of the field.
 */

interface Entry extends SeenEntry {
  /** Nobody knows which of two live objects it means. */
  readonly isUnsure?: boolean;
}

/** Tells of new objects whether they are really new. */
export type IsNew = (address: Address) => boolean;

interface HoldingInput {
  readonly found: readonly HeldParts[];
  readonly comparesOnly: boolean;
  /** Whether a new object of the file is none that the account may just not see; absent if the account sees everything. */
  readonly isNew?: IsNew;
}

/**
 * The file without what is held.
 * @param found gaps that the checks of kinds found in a plan of this file
 * @returns also the objects that are not in it, or only by the name that they have on the server
 */
export function withoutHeld(
  desired: Desired,
  snapshot: Snapshot,
  kinds: readonly ResourceKind[],
  { found, comparesOnly, isNew }: HoldingInput,
): { readonly desired: Desired; readonly diagnostics: readonly Diagnostic[]; readonly left: readonly Pair[] } {
  const hasGaps = [...desired.sections.values()].some((list) => list.some(({ gaps }) => gaps !== undefined));
  if (found.length === 0 && !hasGaps && isNew === undefined) return { desired, diagnostics: [], left: [] };
  const { matchings } = realmsOf(desired, snapshot, kinds);
  const entries = kinds.flatMap((kind) =>
    (desired.sections.get(kind.section) ?? []).map((declared): Entry => {
      const { liveOf, unsure } = matchings.get(kind) ?? {};
      return { kind, declared, live: liveOf?.get(declared), isUnsure: unsure?.has(declared) === true };
    }),
  );
  const holding = new Holding(kinds, entries);
  const realm = new Realm(snapshot);
  const unseen = isNew && unseenIn(desired, kinds, realm, holding.leaveUnseen(entries, { realm, comparesOnly, isNew }));
  const heldIn = new Map<string, { readonly field: string; readonly isHeld: boolean }[]>();
  for (const { diagnostic, parts } of found)
    for (const { address, field } of parts)
      addTo(heldIn, address, { field, isHeld: diagnostic.unresolved?.isHeld === true });
  // Two entries can mean one person: of both, nothing is sent.
  for (const entry of entries)
    for (const { field, isHeld } of entry.declared.gaps ?? [])
      if (field === "" && isHeld === true) addTo(heldIn, addressOf(entry), { field, isHeld });
  for (const entry of entries)
    if (holding.now(entry.declared) !== undefined)
      holding.begin(entry, heldIn.get(addressOf(entry)) ?? [], comparesOnly);
  for (const { parts } of found) for (const { kept } of parts) if (kept !== undefined) holding.keeps.add(kept);
  if (!comparesOnly) holding.spread();
  const sections = new Map(
    [...desired.sections].map(([section, list]) => [section, list.flatMap((object) => holding.now(object) ?? [])]),
  );
  const keeps = comparesOnly ? new Set<string>() : holding.keeps;
  const left = entries
    .filter(({ declared }) => holding.isLeft(declared))
    .map((entry): Pair => ({ kind: entry.kind.name, address: addressOf(entry), declared: entry.declared }));
  return {
    desired: { ...desired, sections, keeps, ...defined({ unseen }) },
    diagnostics: holding.diagnostics,
    left,
  };
}

class Holding {
  readonly diagnostics: Diagnostic[] = [];
  /** Kinds of which `exact` removes nothing. */
  readonly keeps = new Set<string>();
  private readonly kinds: ReadonlyMap<string, ResourceKind>;
  private readonly namedBy = new Map<string, LeftOut[]>();
  /** Objects that are left out (undefined), or that have fewer fields. */
  private readonly changed = new Map<DeclaredObject, DeclaredObject | undefined>();
  private readonly open: Entry[] = [];
  /** Held only until accounts are back that the file reactivates. */
  private readonly awaiting = new Set<Entry>();
  /** Objects and fields of which an error says already why they are held. */
  private readonly explained = new Set<string>();
  /** Addresses of entries that have an object of the server. */
  private readonly there: ReadonlySet<Address>;
  private readonly byKey: ReadonlyMap<string, Entry>;

  constructor(kinds: readonly ResourceKind[], entries: readonly Entry[]) {
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.there = new Set(entries.flatMap((entry) => (entry.live === undefined ? [] : [addressOf(entry)])));
    this.byKey = new Map(entries.map((entry) => [`${entry.kind.name}\n${entry.declared.key}`, entry]));
    for (const entry of entries)
      for (const { kind: other, name, field } of namedIn(entry.kind.file, entry.declared)) {
        const of = this.kinds.get(other);
        if (of !== undefined && name !== undefined)
          addTo(this.namedBy, `${other}\n${keyOf(of, name)}`, { entry, field });
      }
  }

  now(object: DeclaredObject): DeclaredObject | undefined {
    return this.changed.has(object) ? this.changed.get(object) : object;
  }

  isLeft(object: DeclaredObject): boolean {
    const now = this.now(object);
    return now === undefined || now.name !== object.name;
  }

  /** Leaves out what the account may just not see, and what names it, without a finding. */
  leaveUnseen(
    entries: readonly Entry[],
    { realm, comparesOnly, isNew }: { readonly realm: Realm; readonly comparesOnly: boolean; readonly isNew: IsNew },
  ): readonly LeftOut[] {
    const unseen = unseenEntries(entries, realm, comparesOnly).filter((entry) => !isNew(addressOf(entry)));
    const left = withNamers(unseen, this.namedBy);
    for (const { entry, field } of left)
      if (field === "") this.changed.set(entry.declared, undefined);
      else this.holdField(entry, field);
    return left;
  }

  begin(
    entry: Entry,
    found: readonly { readonly field: string; readonly isHeld: boolean }[],
    comparesOnly: boolean,
  ): void {
    const { kind, declared } = entry;
    for (const { field, isHeld } of found) if (!isHeld) this.holdField(entry, field);
    const left = [...found, ...(declared.gaps ?? [])].filter(({ isHeld }) => isHeld === true);
    for (const { field } of left) this.explained.add(partOf(entry, field));
    if (left.length > 0) {
      this.keeps.add(kind.name);
      const isWhole =
        left.some(({ field }) => field === "") || (entry.live === undefined && kind.shape !== "singleton");
      if (!isWhole) for (const { field } of left) this.holdField(entry, field);
      else if (!comparesOnly || entry.live === undefined) this.leaveAlone(entry);
      if (isWhole) return;
    }
    const gaps = (declared.gaps ?? []).filter(({ isHeld }) => isHeld !== true);
    if (declared.absent || gaps.length === 0) return;
    for (const gap of gaps) if (!gap.isGone) this.keeps.add(gap.kind).add(gap.field === "" ? kind.name : gap.kind);
    if (entry.live !== undefined) {
      for (const { field, isUnseen } of gaps.filter(({ path }) => path[1] === "except"))
        if (comparesOnly || isUnseen === true) this.holdField(entry, field);
        else this.hold(entry, undefined, field);
      // Nobody is left of a permission: that is what the server does, but not what anybody wrote.
      for (const { field } of comparesOnly ? [] : gaps)
        if (sameJson(declared.fields[field] ?? null, NOBODY)) this.holdField(entry, field);
      return;
    }
    const isItself = gaps.some(({ field }) => field === "");
    if (isItself) this.leaveOut(entry);
    else if (!comparesOnly) {
      if (gaps.every(({ returns }) => returns === true)) this.awaiting.add(entry);
      this.hold(entry, undefined);
    }
  }

  /** What names a held object is held, too, and what takes a name that one keeps. */
  spread(): void {
    for (let held = this.open.shift(); held !== undefined; held = this.open.shift()) {
      this.keepName(held);
      const { kind, declared } = held;
      for (const { entry, field } of this.namedBy.get(`${kind.name}\n${declared.key}`) ?? []) {
        const now = this.now(entry.declared);
        if (now === undefined || now.absent) continue;
        if (field === "" || entry.live === undefined) this.hold(entry, held);
        else this.hold(entry, held, field);
      }
    }
  }

  private keepName(held: Entry): void {
    const { kind, declared, live } = held;
    const next = live === undefined ? undefined : this.byKey.get(`${kind.name}\n${live.key}`);
    if (next === undefined || next === held) return;
    const now = this.now(next.declared);
    if (now === undefined || now.isLeft) return;
    this.keeps.add(kind.name);
    this.leaveAlone(next);
    const fact = {
      noun: kind.noun[0],
      name: quote(next.declared.name, kind.name),
      taken: { by: quote(declared.name, kind.name), is_new: next.live === undefined },
    };
    this.tell(next, fact, next.declared.at);
  }

  private hold(entry: Entry, needs: Entry | undefined, field?: string): void {
    if (field === undefined) this.leaveOut(entry);
    else this.holdField(entry, field);
    const { kind, declared } = entry;
    if (this.explained.has(partOf(entry, field ?? ""))) return;
    const fact = {
      noun: kind.noun[0],
      name: quote(declared.name, kind.name),
      ...defined({ field }),
      ...(needs === undefined
        ? defined({ is_gone: declared.gaps?.every(({ isGone }) => isGone === true) || undefined })
        : {
            needs: {
              noun: needs.kind.noun[0],
              name: quote(needs.declared.name, needs.kind.name),
              ...defined({ is_unsure: needs.isUnsure === true || undefined }),
            },
          }),
    };
    const at = (field === undefined ? undefined : declared.spans.of(field)) ?? declared.at;
    const awaits = this.awaiting.has(needs ?? entry);
    if (awaits && field === undefined) this.awaiting.add(entry);
    this.tell(entry, awaits ? { ...fact, returns: true } : fact, at);
  }

  private tell({ kind, declared }: Entry, fact: DiagnosticFacts["reference/held"], at: Diagnostic["at"]): void {
    const { returns } = fact;
    const unresolved: Unresolved = { kind: kind.name, in: named(kind.name, declared.name), ...defined({ returns }) };
    const held = error("reference/held", fact, at);
    this.diagnostics.push({ ...(returns === true ? asWarning(held) : held), unresolved });
  }

  /** Nothing of the object is sent: one of the server stays as it is there. */
  private leaveAlone(entry: Entry): void {
    const { kind, declared, live } = entry;
    if (live === undefined) {
      this.leaveOut(entry, this.there.has(addressOf(entry)));
      return;
    }
    const { was: _, id: __, settled: ___, creation: ____, gaps: _____, ...object } = declared;
    const { key, name, id } = live;
    this.changed.set(declared, {
      ...object,
      ...defined({ id: id ?? undefined }),
      key,
      name,
      absent: false,
      fields: {},
      isLeft: true,
    });
    // What names it by its new name has to wait for it.
    if (canonicalName(kind, declared.name) !== name || entry.isUnsure === true) this.open.push(entry);
  }

  /** @param isThere the object is on the server, by another entry: what names it does not wait */
  private leaveOut(entry: Entry, isThere = false): void {
    this.changed.set(entry.declared, undefined);
    if (!isThere) this.open.push(entry);
  }

  private holdField(entry: Entry, field: string): void {
    if (field === "") {
      this.leaveOut(entry);
      return;
    }
    const object = this.now(entry.declared);
    if (object === undefined) return;
    const { [field]: _, ...fields } = object.fields;
    const { [field]: wish, ...creation } = object.creation ?? {};
    const gap: Gap = { field, path: [], kind: entry.kind.name, isGone: true, ...defined({ wish }) };
    this.changed.set(entry.declared, { ...object, fields, creation, gaps: [...(object.gaps ?? []), gap] });
  }
}

const addressOf = ({ kind, declared, live }: Entry): Address =>
  `${kind.name}:${live?.id === null ? live.name : canonicalName(kind, declared.name)}`;

const partOf = (entry: Entry, field: string): string => `${addressOf(entry)}\n${field}`;

const NOBODY = "role:nobody";
