import { type Diagnostic, warning } from "../model/diagnostic.ts";
import { named } from "../model/diagnostics/values.ts";
import { sameJson } from "../model/json.ts";
import type { Change, ChangesByOrigin, FieldChange, Plan } from "../model/plan.ts";

/** The same object in two plans, even if one of them renames it. */
const identity = (change: Change): string =>
  change.action === "reorder" || change.id === undefined
    ? `${change.action === "reorder" ? "order of " : ""}${change.address}`
    : `${change.kind} ${change.id}`;

/**
 * Separates what a pull request changes from what differs anyway, with two plans against one reading of the realm: one of the base version, one of
 * the head. A field that both would set to the same value differed before; one object may have fields of both sorts.
 */
export function compareThreeWays(base: Plan, head: Plan): ChangesByOrigin {
  const before = new Map(base.changes.map((change) => [identity(change), change]));
  const mine: Change[] = [];
  const earlier: Change[] = [];
  for (const change of head.changes) {
    const old = before.get(identity(change));
    if (old === undefined || old.action !== change.action) {
      mine.push(change);
      continue;
    }
    const shared = change.fields.filter((field) => old.fields.some((other) => sameField(field, other)));
    const sameName = old.name === change.name;
    if (shared.length === change.fields.length && (sameName || change.fields.length > 0)) {
      earlier.push(change);
    } else if (shared.length === 0 || change.action !== "update") {
      // If the pull request creates an object with other values than the base would, the whole object belongs to it: nobody creates half an object.
      mine.push(change);
    } else {
      mine.push({ ...change, fields: change.fields.filter((field) => !shared.includes(field)) });
      earlier.push({ ...change, fields: shared, risks: [] });
    }
  }
  const wanted = new Map(head.changes.map((change) => [identity(change), change]));
  const adopted = base.changes.flatMap((change): readonly Change[] => {
    const now = wanted.get(identity(change));
    if (now === undefined) return [{ ...change, risks: [] }];
    if (change.action !== "update" || now.action !== "update") return [];
    const vanished = change.fields.filter(({ field }) => !now.fields.some((other) => other.field === field));
    return vanished.length === 0 ? [] : [{ ...change, fields: vanished, risks: [] }];
  });
  return { mine, earlier, adopted };
}

/** Names the changes that the base version would make, too: whoever reviews a change of the file did not ask for them. */
export function alreadyDifferent(base: Plan, head: Plan, commit: string): readonly Diagnostic[] {
  const { mine, earlier } = compareThreeWays(base, head);
  if (earlier.length === 0) return [];
  const own = new Set(mine.map(identity));
  const objects = (isInPart: boolean) =>
    earlier.filter((change) => own.has(identity(change)) === isInPart).map(({ kind, name }) => named(kind, name));
  const fact = { base: commit, of: head.changes.length, objects: objects(false), in_part: objects(true) };
  return [warning("plan/already-different", fact)];
}

function sameField(a: FieldChange, b: FieldChange): boolean {
  return a.field === b.field && sameJson(a.before, b.before) && sameJson(a.after, b.after);
}
