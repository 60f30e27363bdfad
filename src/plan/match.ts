import { defined, whenDefined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Diagnostic, type Finding, finding, type Note, placed } from "../model/diagnostic.ts";
import { named, type Quoted, quote } from "../model/diagnostics/values.ts";
import { sameJson } from "../model/json.ts";
import { canonicalName, keyOf, liveObjects, type ResourceKind, temporaryNameOf } from "../model/kind.ts";
import { addTo } from "../model/lazy.ts";
import type { DeclaredObject, LiveObject } from "../model/objects.ts";
import type { Realm } from "../model/realm.ts";
import { didYouMean } from "../model/suggest.ts";
import { isTemporaryName, SPARES } from "../model/temporary-name.ts";

/*
 * Finds the server's object for each entry of the file, without a state file (docs/internals/decisions/0001-no-state-file.md).
 *
 * Terms. A *declared* object is an entry of the file, a *live* one is on the server. A *key* is a name as the server compares it. `was:` has the name
 * of an object before a rename; it is *spent* once the rename was made, and may stay in the file. A live object that an entry means is *claimed*: no
 * other entry can mean it. Renames that pass their names on in a circle are a *cycle*.
 *
 * Premise. The file and one reading are all that is known. The same file must mean the same before the rename, after it, and after a run that stopped
 * in between.
 *
 * The idea: the most certain evidence claims first.
 *     by id               `id:` names it
 *     by temporary name   an interrupted run left it, and the name says which object it was meant to become (model/temporary-name.ts)
 *     by `was`            unless it is spent: its new name is taken, and no other rename frees that name
 *                         in a cycle every name is taken before and after: the interpretation with fewer different fields is right; if both have
 *                         equally many, it is an error; so is a cycle with new objects, if both would have equally many after the run
 *     by name             all others
 *
 * What it does not do. It never guesses that two different names are one object (plan/renamed.ts warns if that is likely). It compares fields only
 * for cycles and for inactive objects with the same name.
 */

export interface Matching {
  readonly liveOf: ReadonlyMap<DeclaredObject, LiveObject>;
  readonly diagnostics: readonly Diagnostic[];
  /** Entries of which nobody knows which of two live objects they mean: an error says so. What names one of them cannot be carried out either. */
  readonly unsure?: ReadonlySet<DeclaredObject>;
}

/**
 * The live object of each declared one: by `id`, otherwise the object that an interrupted run left under a temporary name, otherwise by `was`,
 * otherwise by name. No live object is claimed twice.
 */
export function matchObjects(
  kind: ResourceKind,
  declared: readonly DeclaredObject[],
  live: readonly LiveObject[],
): Matching {
  const matcher = new Matcher(kind, declared, live);
  matcher.byId();
  matcher.byTemporaryName();
  matcher.byWas();
  matcher.byName();
  matcher.reportUnfound();
  return { liveOf: matcher.liveOf, diagnostics: matcher.diagnostics, unsure: matcher.unsure };
}

class Matcher {
  readonly liveOf = new Map<DeclaredObject, LiveObject>();
  readonly diagnostics: Diagnostic[] = [];
  readonly unsure = new Set<DeclaredObject>();
  private readonly kind: ResourceKind;
  private readonly declared: readonly DeclaredObject[];
  private readonly live: readonly LiveObject[];
  private readonly noun: string;
  private readonly declaredByKey: ReadonlyMap<string, DeclaredObject>;
  /** Live objects by key. Several objects can have one key only if inactive ones free their names. */
  private readonly liveByKey: ReadonlyMap<string, readonly LiveObject[]>;
  private readonly claimed = new Set<LiveObject>();
  /** New objects whose `was` names no live object. */
  private readonly unfound: DeclaredObject[] = [];

  constructor(kind: ResourceKind, declared: readonly DeclaredObject[], live: readonly LiveObject[]) {
    this.kind = kind;
    this.declared = declared;
    this.live = live;
    this.noun = kind.noun[0];
    this.declaredByKey = new Map(declared.map((object) => [object.key, object]));
    const liveByKey = new Map<string, LiveObject[]>();
    for (const object of live) {
      addTo(liveByKey, object.key, object);
    }
    this.liveByKey = liveByKey;
  }

  byId(): void {
    const byId = new Map(this.live.map((object) => [object.id, object]));
    for (const object of this.declared) {
      const { id } = object;
      if (id === undefined) continue;
      const found = byId.get(id);
      if (found === undefined) {
        // An object that the file removes no longer exists.
        if (object.absent && this.kind.inactivity === undefined) continue;
        const named = this.liveByKey.get(object.key)?.[0]?.id ?? undefined;
        const fact = { noun: this.noun, id, name: this.quote(object.name), ...defined({ named }) };
        this.report(object, "id", finding("plan/unknown-id", fact));
      } else if (this.claimed.has(found)) {
        this.report(object, "id", finding("plan/same-object", { noun: this.noun, id }));
      } else {
        this.claim(object, found);
      }
    }
  }

  byTemporaryName(): void {
    // A separate step, since most files have no such object.
    const waiting = this.live.flatMap((object) =>
      object.id !== null && isTemporaryName(object.name, object.id) ? [{ object, id: object.id }] : [],
    );
    if (waiting.length === 0) return;
    const before = new Set(this.declared.flatMap(({ was }) => (was === undefined ? [] : [keyOf(this.kind, was)])));
    for (const declared of this.open()) {
      if (!this.mayHaveSteppedAside(declared, before)) continue;
      const found = waiting.find(
        ({ object, id }) =>
          !this.claimed.has(object) &&
          SPARES.some((spare) => object.name === temporaryNameOf(this.kind, declared.name, id, spare)),
      );
      if (found !== undefined) this.claim(declared, found.object);
    }
  }

  /**
   * Only a rename in a cycle uses a temporary name: nothing has the old name any more, or another entry has it; and nothing has the new name, or
   * another entry says that it had it. Anybody who may create an object can give it a temporary name: other entries must not take it over.
   */
  private mayHaveSteppedAside({ was, key }: DeclaredObject, before: ReadonlySet<string>): boolean {
    if (was === undefined) return false;
    const old = keyOf(this.kind, was);
    if (this.free(old) !== undefined && !this.declaredByKey.has(old)) return false;
    return this.free(key) === undefined || before.has(key);
  }

  byWas(): void {
    const renames = new Map<string, DeclaredObject>();
    for (const object of this.open()) {
      if (object.was === undefined) continue;
      const key = keyOf(this.kind, object.was);
      const other = renames.get(key);
      if (other !== undefined) {
        const names = { was: this.quote(object.was), other: this.quote(other.name) };
        this.report(object, "was", finding("plan/same-was", names));
      } else if (key !== object.key && this.free(key) !== undefined) {
        renames.set(key, object);
      } else if (key !== object.key && this.free(object.key) === undefined && !object.absent) {
        this.unfound.push(object);
      }
    }
    for (const [object, doesRename] of this.decide(renames)) {
      const source = this.free(keyOf(this.kind, object.was ?? ""), object);
      if (doesRename && source !== undefined) this.claim(object, source);
    }
  }

  byName(): void {
    for (const object of this.open()) {
      const found = this.free(object.key, object);
      if (found !== undefined) this.claim(object, found);
    }
  }

  /** Needs to know which objects are new, so it is the last step. */
  reportUnfound(): void {
    const reported = new Set<DeclaredObject>();
    for (const object of this.unfound) {
      if (reported.has(object)) continue;
      const cycle = this.cycleOf(object);
      if (cycle.length > 1 && this.isAmbiguousOnceApplied(cycle)) {
        for (const member of cycle) reported.add(member);
        const created = cycle.filter((member) => !this.liveOf.has(member)).map(({ name }) => this.quote(name));
        const objects = cycle.map(({ name }) => this.quote(name));
        this.report(object, "was", finding("plan/new-swap", { objects, created }, this.membersOf(cycle)));
      } else {
        const { was = "" } = object;
        const open = this.live.filter((one) => !one.inactive && !this.claimed.has(one));
        const meant = didYouMean(
          was,
          open.map(({ name }) => name),
        );
        const guess = defined({ meant: whenDefined(meant, (name) => this.quote(name)) });
        const fact = { noun: this.noun, was: this.quote(was), name: this.quote(object.name), ...guess };
        this.report(object, "was", finding("plan/was-not-found", fact, { severity: "warning" }));
      }
    }
  }

  /** The entries that pass their names on in a circle, from this one on; empty if there is no circle, or if an entry of it does not need `was`. */
  private cycleOf(start: DeclaredObject): readonly DeclaredObject[] {
    const cycle = new Set<DeclaredObject>();
    let object: DeclaredObject | undefined = start;
    while (object !== undefined && !cycle.has(object)) {
      if (object.was === undefined || object.id !== undefined || object.absent) return [];
      cycle.add(object);
      object = this.declaredByKey.get(keyOf(this.kind, object.was));
    }
    return object === start ? [...cycle] : [];
  }

  /** Whether the next plan would find a cycle of renames in which both interpretations match the file: see {@link decideCycle}. */
  private isAmbiguousOnceApplied(cycle: readonly DeclaredObject[]): boolean {
    return cycle.every((object) => {
      const source = this.declaredByKey.get(keyOf(this.kind, object.was ?? ""));
      if (source === undefined) return false;
      const then = { ...this.liveOf.get(source)?.fields, ...source.fields };
      return Object.entries(object.fields).every(([field, value]) => sameJson(value, then[field] ?? null));
    });
  }

  /**
   * `was` stays in the file after the rename was applied, so it may be spent. It is not spent if the new name is still free, or if another rename
   * frees it. In a cycle of renames every name is taken before and after; there, the other fields decide.
   */
  private decide(renames: ReadonlyMap<string, DeclaredObject>): ReadonlyMap<DeclaredObject, boolean> {
    const decided = new Map<DeclaredObject, boolean>();
    for (const start of renames.values()) {
      const path: DeclaredObject[] = [];
      const onPath = new Set<DeclaredObject>();
      let object: DeclaredObject | undefined = start;
      let renamed: boolean | undefined;
      while (renamed === undefined && object !== undefined && !onPath.has(object)) {
        path.push(object);
        onPath.add(object);
        const next: DeclaredObject | undefined = renames.get(object.key);
        if (this.free(object.key) === undefined) renamed = true;
        else if (next === undefined) renamed = false;
        else renamed = decided.get(next);
        object = next;
      }
      const outcome = renamed ?? this.decideCycle(path);
      for (const member of path) {
        decided.set(member, outcome);
        if (renamed === false) this.reportSpent(member);
      }
    }
    return decided;
  }

  /** Whether these renames have been made already. The interpretation with fewer differences is right; if both have equally many, neither is. */
  private decideCycle(cycle: readonly DeclaredObject[]): boolean {
    let renamedNow = 0;
    let renamedBefore = 0;
    for (const object of cycle) {
      renamedNow += differences(object, this.free(keyOf(this.kind, object.was ?? ""), object));
      renamedBefore += differences(object, this.free(object.key, object));
    }
    const [first] = cycle;
    if (first === undefined || renamedNow < renamedBefore) return true;
    const objects = cycle.map((object) => {
      const source = this.free(keyOf(this.kind, object.was ?? ""), object);
      return { name: this.quote(object.name), ...defined({ id: source?.id ?? undefined }) };
    });
    if (renamedNow === renamedBefore) {
      for (const object of cycle) this.unsure.add(object);
      this.report(first, "was", finding("plan/ambiguous-swap", { objects }, this.membersOf(cycle)));
    }
    // If everything is as declared, there is nothing to report. Differences can mean that the objects must still swap their names.
    else if (renamedBefore > 0)
      this.report(first, "was", finding("plan/swap-taken-as-done", { objects }, { severity: "warning" }));
    return false;
  }

  /** Both names exist, and no rename frees the new one. */
  private reportSpent(object: DeclaredObject): void {
    const was = object.was ?? "";
    const key = keyOf(this.kind, was);
    if (this.declaredByKey.has(key)) return;
    // An inactive object that frees its name may have had this name before.
    if (this.kind.inactivity?.freesName === true && this.free(key)?.inactive === true) return;
    const held = this.liveByKey.get(object.key)?.every(({ inactive }) => inactive) === true;
    const state = held ? this.kind.inactivity?.field : undefined;
    const names = { name: this.quote(object.name), was: this.quote(was), ...defined({ state }) };
    this.report(object, "was", finding("plan/both-names", { noun: this.noun, ...names }));
  }

  private open(): readonly DeclaredObject[] {
    return this.declared.filter((object) => object.id === undefined && !this.liveOf.has(object));
  }

  /**
   * The unclaimed object with a key. If there are several, it is the active one, or else the inactive one that is most similar to the declared
   * object.
   */
  private free(key: string, wanted?: DeclaredObject): LiveObject | undefined {
    const found = (this.liveByKey.get(key) ?? []).filter((object) => !this.claimed.has(object));
    const [first, ...others] = found;
    const inUse = found.find(({ inactive }) => !inactive);
    if (inUse !== undefined || first === undefined || wanted === undefined) return inUse ?? first;
    const distance = (object: LiveObject): number =>
      differences(wanted, object) + (this.nameOf(wanted) === object.name ? 0 : 0.5);
    return others.reduce((nearest, object) => (distance(object) < distance(nearest) ? object : nearest), first);
  }

  private nameOf({ name }: DeclaredObject): string {
    return canonicalName(this.kind, name);
  }

  private claim(object: DeclaredObject, found: LiveObject): void {
    this.liveOf.set(object, found);
    this.claimed.add(found);
  }

  private quote(name: string): Quoted {
    return quote(name, this.kind.name);
  }

  /** Where the other members of a cycle are: none of them can be planned alone. */
  private membersOf([, ...others]: readonly DeclaredObject[]): { readonly notes: readonly Note[] } {
    const notes = others.map(({ name, spans, at }): Note => {
      return { at: spans.of("was") ?? at, note: { one_of: named(this.kind.name, name) } };
    });
    return { notes };
  }

  private report(object: DeclaredObject, field: string, finding: Finding): void {
    this.diagnostics.push(placed(finding, object.spans.of(field) ?? object.at));
  }
}

function differences(object: DeclaredObject, live: LiveObject | undefined): number {
  if (live === undefined) return 0;
  return Object.entries(object.fields).filter(([field, value]) => !sameJson(value, live.fields[field] ?? null)).length;
}

/**
 * Some objects are equal except for their ids (invitation links). An entry that removes one of them removes all of them; otherwise each run would
 * remove only one. So the entry is repeated for each equal object, with the same place in the file.
 */
export function withEqualObjects(desired: Desired, realm: Realm, kinds: readonly ResourceKind[]): Desired {
  const sections = new Map(desired.sections);
  for (const kind of kinds) {
    const declared = sections.get(kind.section) ?? [];
    const removals = declared.filter(({ absent }) => absent);
    const commonName = kind.identity?.commonName;
    if (removals.length === 0 || commonName === undefined) continue;
    sections.set(kind.section, [
      ...declared,
      ...removalsOfOthers(removals, liveObjects(kind, realm) ?? [], commonName),
    ]);
  }
  return { ...desired, sections };
}

function removalsOfOthers(
  removals: readonly DeclaredObject[],
  live: readonly LiveObject[],
  commonName: (name: string) => string | undefined,
): readonly DeclaredObject[] {
  return live.flatMap(({ key, name }) => {
    const meant = removals.find((object) => object.name !== name && object.name === commonName(name));
    return meant === undefined ? [] : [{ ...meant, key, name }];
  });
}
