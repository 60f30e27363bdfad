import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Diagnostic, error, type Span } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { keyOf, type ResourceKind, removalVerb } from "../model/kind.ts";
import { namedIn } from "../model/named-in.ts";
import type { DeclaredObject, Named, Pair } from "../model/objects.ts";
import type { Address } from "../model/plan.ts";

/** A section of the file beside the realm, as far as it is needed here. */
interface Compared {
  readonly kind: ResourceKind;
  readonly pairs: readonly Pair[];
}

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

export function isRemoved(kind: ResourceKind, pair: Pair): pair is Removed {
  const { live, change } = pair;
  if (live === undefined || change === undefined) return false;
  return (
    change.action === "remove" ||
    change.fields.some(({ field, after }) => field === kind.inactivity?.field && after === true)
  );
}

/** The line that removes it, if there is one. */
export const placeOf = ({ inactivity }: ResourceKind, { change }: Removed): Span | undefined =>
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
