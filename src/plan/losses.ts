import { defined } from "../model/defined.ts";
import { namedOf, type RiskFact } from "../model/facts.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import type { Change, FieldChange, PlanExtra, Risk } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { Realm } from "../model/realm.ts";
import type { Section } from "./sections.ts";

/** Values that a change gives up and that no request can set: an undo cannot restore them. */
export function lostForGood(kind: ResourceKind, change: Change): readonly Risk[] {
  const { action, address, fields, at: whole } = change;
  if (action !== "update") return [];
  const noun = kind.noun[0];
  return (
    fields
      // If a value cannot be read (a picture), the kind itself says what is lost.
      .filter(({ field, before }) => before !== null && kind.calls.canSet?.(field, before) === false)
      .filter(({ field }) => kind.file.fields[field]?.isPicture !== true)
      .map(({ field, before, at = whole }) => {
        const fact: RiskFact = {
          kind: "cannot-be-set-again",
          object: namedOf(change),
          noun,
          field,
          before: { quoted: String(before) },
        };
        return { kind: "irreversible", fact, address, ...defined({ at }) };
      })
  );
}

/** Names in the server's order, if the order has a meaning and objects can disappear from it: an undo needs them. */
export function ordersBefore(sections: readonly Section[], now: Realm): Pick<PlanExtra, "order"> {
  const ordered = sections.filter(
    ({ kind, changes }) => kind.diff?.ordered !== undefined && kind.inactivity === undefined && changes.length > 0,
  );
  if (ordered.length === 0) return {};
  return {
    order: Object.fromEntries(
      ordered.map(({ kind }) => [kind.name, (liveObjects(kind, now) ?? []).map(({ name }) => name)]),
    ),
  };
}

/** Marks fields whose change keeps messages that the server deletes today, and texts that a change renames within a field. */
export function withKept({ review }: ResourceKind, change: Change, context: PlanContext): Change {
  if (change.action !== "update" || review === undefined) return change;
  const marked = (field: FieldChange): FieldChange => ({
    ...field,
    ...defined({
      keeps_messages: review.keepsMessages?.(field, context) === true ? true : undefined,
      renamed: review.renamedIn?.(change, field, context),
    }),
  });
  return { ...change, fields: change.fields.map(marked) };
}
