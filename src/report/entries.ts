import { defined } from "../model/defined.ts";
import { canonicalJson, type Json } from "../model/json.ts";
import { addTo } from "../model/lazy.ts";
import type { Change } from "../model/plan.ts";

/** One paragraph of a report: one change, or several that differ only in their names and texts. */
export interface Entry {
  readonly first: Change;
  readonly changes: readonly Change[];
  /** Fields whose values are not the same in all of them. */
  readonly varying: ReadonlySet<string>;
}

/** Fewer similar changes than this are shown one by one. */
const ALIKE_FROM = 3;
/** Texts that are expected to be different for every object. */
const OWN_TEXTS = new Set(["name", "description"]);

/**
 * Groups similar changes of one kind, in the order of the first of each group.
 * @param each every change separately
 */
export function entriesOf(changes: readonly Change[], each: boolean): readonly Entry[] {
  const groups = new Map<string, Change[]>();
  changes.forEach((change, index) => {
    const key = each ? String(index) : likeness(change, index);
    addTo(groups, key, change);
  });
  return [...groups.values()].flatMap((group) =>
    group.length >= ALIKE_FROM ? [entry(group)] : group.map((one) => entry([one])),
  );
}

function entry(changes: readonly Change[]): Entry {
  const [first] = changes;
  if (first === undefined) throw new RangeError("an entry without a change");
  const varying = first.fields.filter(({ field }) => {
    const texts = changes.map((change) => {
      const own = change.fields.find((candidate) => candidate.field === field);
      return own === undefined ? "" : canonicalJson([own.before, own.after]);
    });
    return new Set(texts).size > 1;
  });
  return { first, changes, varying: new Set(varying.map(({ field }) => field)) };
}

/** For up to this number of similar changes, the texts that differ are shown. */
export const MOST_OWN_TEXTS = 8;

/** How the values of a field differ in similar changes. */
export interface Varied {
  /** The value that all of them get, from different ones. */
  readonly shared?: Json;
  /** The number of different new values; of a removal, of values that are lost. */
  readonly different: number;
}

export function variedOf({ changes, first }: Entry, field: string): Varied {
  const values = changes.flatMap(({ fields }) => {
    const own = fields.find((candidate) => candidate.field === field);
    return own === undefined || own.hidden === true ? [] : [first.action === "remove" ? own.before : own.after];
  });
  const [value] = values;
  const different = new Set(values.map(canonicalJson)).size;
  const isShared = different === 1 && values.length === changes.length && first.action === "update";
  return { different, ...defined({ shared: isShared ? value : undefined }) };
}

/** A text that is equal for changes that can be described together. A rename is always separate. */
function likeness(change: Change, index: number): string {
  if (change.was !== undefined || change.action === "reorder") return `alone ${index}`;
  const risks = [...new Set(change.risks.map((risk) => risk.kind))].sort();
  const fields = change.fields.map((field) => {
    return OWN_TEXTS.has(field.field) ? field.field : [field.field, field.before, field.after];
  });
  return canonicalJson([change.kind, change.action, risks, fields]);
}
