import { type Diagnostic, warning } from "../model/diagnostic.ts";
import { quoteAll } from "../model/diagnostics/values.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Plan } from "../model/plan.ts";

/**
 * What an earlier version of the file lists and this one does not, although the server keeps it: whoever deletes an entry may expect that the object
 * goes. A warning for each section. Both plans are for one reading.
 */
export function takenOut(earlier: Plan, now: Plan, kinds: readonly ResourceKind[]): readonly Diagnostic[] {
  return now.unmanaged.flatMap(({ section, policy, names }): readonly Diagnostic[] => {
    const kind = kinds.find((one) => one.section === section);
    if (kind === undefined || policy === "ignore") return [];
    // What the earlier version would remove, it did not list either.
    const unlisted = new Set([
      ...earlier.unmanaged.flatMap((item) => (item.section === section ? item.names : [])),
      ...earlier.changes.flatMap((change) => (change.kind === kind.name && change.undeclared ? [change.name] : [])),
    ]);
    const takenOut = names.filter((name) => !unlisted.has(name));
    return takenOut.length === 0 ? [] : [warning("plan/taken-out", { section, names: quoteAll(takenOut, kind.name) })];
  });
}
