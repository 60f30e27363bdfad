import { defined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Diagnostic, error } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { keyOf, type ResourceKind } from "../model/kind.ts";
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
  const removals = new Map(
    sections.flatMap((section) => {
      const removed = new Removals(section);
      return removed.isEmpty ? [] : [[section.kind.name, removed] as const];
    }),
  );
  const diagnostics: Diagnostic[] = [];
  const addresses = new Set<Address>();
  // Most plans remove nothing, and asking every object for the names in it takes long.
  for (const { kind } of removals.size === 0 ? [] : sections)
    for (const declared of desired.sections.get(kind.section) ?? [])
      for (const named of kind.file.names?.(declared) ?? []) {
        const removal = removals.get(named.kind)?.of(named);
        if (removal === undefined) continue;
        addresses.add(removal.pair.address);
        diagnostics.push(diagnosticOf(kind, declared, named, removal));
      }
  return { diagnostics, addresses };
}

interface Removal {
  readonly kind: ResourceKind;
  readonly pair: Pair;
}

/** The objects of a section that the plan removes, by key and by id. */
class Removals {
  private readonly kind: ResourceKind;
  private readonly byKey = new Map<string, Pair>();
  private readonly byId = new Map<number, Pair>();

  constructor({ kind, pairs }: Compared) {
    this.kind = kind;
    const staying = new Set<string>();
    for (const pair of pairs) {
      const key = pair.declared?.key ?? pair.live?.key;
      if (key === undefined) continue;
      if (!isRemoved(kind, pair)) {
        if (pair.live?.inactive !== true || pair.change !== undefined) staying.add(key);
        continue;
      }
      this.byKey.set(key, pair);
      if (typeof pair.live?.id === "number") this.byId.set(pair.live.id, pair);
    }
    // Another object with this name stays or is created, and the file means that one.
    for (const key of staying) this.byKey.delete(key);
  }

  get isEmpty(): boolean {
    return this.byKey.size === 0 && this.byId.size === 0;
  }

  of({ name, id }: Named): Removal | undefined {
    const pair = id === undefined ? this.byKey.get(keyOf(this.kind, name ?? "")) : this.byId.get(id);
    return pair === undefined ? undefined : { kind: this.kind, pair };
  }
}

/** Whether the plan deletes the object, or makes it inactive. */
export function isRemoved(kind: ResourceKind, { change }: Pair): boolean {
  if (change === undefined) return false;
  return (
    change.action === "remove" ||
    change.fields.some(({ field, after }) => field === kind.inactivity?.field && after === true)
  );
}

function diagnosticOf(
  from: ResourceKind,
  declared: DeclaredObject,
  { field }: Named,
  { kind, pair }: Removal,
): Diagnostic {
  const at = declared.spans.of(field) ?? declared.at;
  const removed = pair.change?.fields.find((change) => change.field === kind.inactivity?.field)?.at ?? pair.change?.at;
  const isDeclared = pair.declared !== undefined;
  return error(
    "reference/removed",
    {
      noun: nounOf(kind),
      name: quote(pair.live?.name ?? pair.declared?.name ?? "", kind.name),
      removal: REMOVED[kind.inactivity?.field ?? ""] ?? "removes",
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

const REMOVED: { readonly [dormancy: string]: "archives" | "deactivates" } = {
  archived: "archives",
  deactivated: "deactivates",
};
const nounOf = (kind: ResourceKind): string => kind.noun[0];
