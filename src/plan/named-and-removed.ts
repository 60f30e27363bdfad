import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Diagnostic, error, type Note, type Span } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { keyOf, type ResourceKind, removalVerb, secrecyOf } from "../model/kind.ts";
import { namedIn } from "../model/named-in.ts";
import type { DeclaredObject, Named, Pair } from "../model/objects.ts";
import { withoutExcept } from "../model/people-list.ts";
import type { Address } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { textsIn } from "../model/texts.ts";
import type { Section } from "./sections.ts";

/** A section of the file beside the realm, as far as it is needed here. */
type Compared = Pick<Section, "kind" | "pairs">;

interface NamedAndRemoved {
  readonly diagnostics: readonly Diagnostic[];
  /** Objects that the plan removes although the file names them, so kinds need not report that they are used. */
  readonly addresses: ReadonlySet<Address>;
}

/**
 * Objects that the file names in one place and removes in another, by `exact`, `absent`, `archived` or `deactivated`. If such a file were applied,
 * the server would refuse a request, or realmctl would refuse the file from then on.
 */
export function namedAndRemoved(desired: Desired, sections: readonly Compared[]): NamedAndRemoved {
  const removing = sections.filter(({ kind, pairs }) => pairs.some((pair) => isRemoved(kind, pair)));
  const removals = new Map(removing.map((section) => [section.kind.name, new Removals(section)]));
  const diagnostics: Diagnostic[] = [];
  const addresses = new Set<Address>();
  // Most plans remove nothing, and asking every object for the names in it takes long.
  for (const { kind } of removing.length === 0 ? [] : sections)
    for (const declared of desired.sections.get(kind.section) ?? [])
      for (const named of namedIn(kind.file, declared)) {
        const removal = removals.get(named.kind)?.of(named);
        if (removal === undefined) continue;
        const found = diagnosticOf(kind, declared, named, removal);
        // What an invitation that is over gave to somebody says nothing about today.
        const isRecord = declared.settled === true && kind.file.records?.[named.field] !== undefined;
        diagnostics.push(isRecord ? { ...found, severity: "warning" } : found);
        if (!isRecord) addresses.add(removal.pair.address);
      }
  return { diagnostics, addresses };
}

/** An object of the server that the plan deletes, or makes inactive. */
type Removed = Pair & Required<Pick<Pair, "live" | "change">>;

interface Removal {
  readonly kind: ResourceKind;
  readonly pair: Removed;
}

/** The objects of a section that the plan removes, by key and by id. */
class Removals {
  private readonly kind: ResourceKind;
  private readonly byKey = new Map<string, Removed>();
  private readonly byId = new Map<number | null, Removed>();

  constructor({ kind, pairs }: Compared) {
    this.kind = kind;
    const staying = new Set<string>();
    for (const pair of pairs) {
      const key = pair.declared?.key ?? pair.live?.key;
      if (key === undefined) continue;
      if (isRemoved(kind, pair)) {
        this.byKey.set(key, pair);
        this.byId.set(pair.live.id, pair);
      } else if (pair.live?.inactive !== true || pair.change !== undefined) staying.add(key);
    }
    // Another object with this name stays or is created, and the file means that one.
    for (const key of staying) this.byKey.delete(key);
  }

  of({ name, id }: Named): Removal | undefined {
    const pair = id === undefined ? this.byKey.get(keyOf(this.kind, name ?? "")) : this.byId.get(id);
    return pair === undefined ? undefined : { kind: this.kind, pair };
  }
}

function isRemoved(kind: ResourceKind, pair: Pair): pair is Removed {
  const { live, change } = pair;
  if (live === undefined || change === undefined) return false;
  return (
    change.action === "remove" ||
    change.fields.some(({ field, after }) => field === kind.inactivity?.field && after === true)
  );
}

/** The line that removes it, if there is one. */
const placeOf = ({ inactivity }: ResourceKind, { change }: Removed): Span | undefined =>
  change.fields.find(({ field }) => field === inactivity?.field)?.at ?? change.at;

function diagnosticOf(
  from: ResourceKind,
  declared: DeclaredObject,
  { field }: Named,
  { kind, pair }: Removal,
): Diagnostic {
  const at = declared.spans.of(field) ?? declared.at;
  const removed = placeOf(kind, pair);
  const isDeclared = pair.declared !== undefined;
  return error(
    "reference/removed",
    {
      noun: nounOf(kind),
      name: quote(pair.live.name, kind.name),
      removal: removalVerb(kind),
      section: kind.section,
      is_declared: isDeclared,
      named_by: {
        noun: nounOf(from),
        name: quote(declared.name, from.name),
        ...defined({ field: field === "" ? undefined : field }),
      },
    },
    at,
    removed === undefined ? [] : [{ at: removed, note: isDeclared ? "removed-here" : "not-declared" }],
  );
}

const nounOf = (kind: ResourceKind): string => kind.noun[0];

/**
 * Accounts that the file names although the plan deactivates them: bots that `exact` or their own entry deactivates, or that are deactivated with
 * their owner. Otherwise the server would refuse the plan, or realmctl would refuse the file from then on. (People whom the file itself deactivates
 * are found while it is read.)
 */
export function namedAndLeaving(desired: Desired, sections: readonly Compared[], realm: Realm): readonly Diagnostic[] {
  const leaving = leavingIn(sections, realm);
  if (leaving.size === 0) return [];
  return sections.flatMap(({ kind, pairs }) => {
    const going = new Set(pairs.filter((pair) => isRemoved(kind, pair)).map(({ declared }) => declared));
    return (desired.sections.get(kind.section) ?? [])
      .filter((declared) => !going.has(declared))
      .flatMap(({ fields, creation, spans, at }) =>
        Object.entries({ ...creation, ...fields })
          .filter(([field]) => secrecyOf(kind, field) === "groups")
          .flatMap(([field, value]) =>
            textsIn(withoutExcept(value)).flatMap((name) => {
              const note = leaving.get(name);
              if (note === undefined) return [];
              return [error("reference/leaving-person", { person: quote(name) }, spans.of(field) ?? at, note)];
            }),
          ),
      );
  });
}

/** Canonical name → the place that deactivates the account. */
function leavingIn(sections: readonly Compared[], realm: Realm): ReadonlyMap<string, readonly Note[]> {
  const accounts = sections.filter(({ kind }) => kind.isAccount === true);
  const byId = new Map(accounts.flatMap(({ pairs }) => pairs).map((pair) => [pair.live?.id, pair]));
  const notes = new Map<number, readonly Note[]>();
  for (const { kind, pairs } of accounts)
    for (const pair of pairs) {
      if (!isRemoved(kind, pair) || pair.live.id === null) continue;
      const at = placeOf(kind, pair);
      const note = pair.declared === undefined ? "not-declared" : "made-inactive-here";
      notes.set(pair.live.id, at === undefined ? [] : [{ at, note }]);
    }
  for (const { user_id, bot_owner_id: owner, is_active } of realm.snapshot.users) {
    if (owner === null || !is_active || notes.has(user_id)) continue;
    const note = notes.get(owner);
    if (note === undefined) continue;
    // A bot that gets another owner in the same plan stays.
    const isGiven = byId.get(user_id)?.change?.fields.some(({ before }) => before === realm.userName(owner));
    if (isGiven !== true) notes.set(user_id, note);
  }
  return new Map([...notes].map(([id, note]) => [realm.userName(id), note]));
}
