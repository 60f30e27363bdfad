import { defined } from "../model/defined.ts";
import type { FoundRisk } from "../model/facets.ts";
import { namedOf } from "../model/facts.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import { type Change, type FieldChange, type PlanExtra, type Risk, spanOfField } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { Realm } from "../model/realm.ts";
import type { Section } from "./sections.ts";

/** The risks of a change, each at the field that causes it. */
export function risksOf(kind: ResourceKind, change: Change, context: PlanContext): readonly Risk[] {
  const found = [...(kind.review?.risks?.(change, context) ?? []), ...lostForGood(kind, change)];
  return found.map(({ kind, fact, field }) => {
    return { kind, fact, address: change.address, ...defined({ at: spanOfField(change, field) }) };
  });
}

/** Values that a change gives up and that no request can set: an undo cannot restore them. */
function lostForGood(kind: ResourceKind, change: Change): readonly FoundRisk[] {
  if (change.action !== "update") return [];
  const about = { kind: "cannot-be-set-again", object: namedOf(change), noun: kind.noun[0] } as const;
  return (
    change.fields
      // If a value cannot be read (a picture), the kind itself says what is lost.
      .filter(({ field, before }) => before !== null && kind.calls.canSet?.(field, before) === false)
      .filter(({ field }) => kind.file.fields[field]?.isPicture !== true)
      .map(({ field, before }) => {
        return { kind: "irreversible", fact: { ...about, field, before: { quoted: String(before) } }, field };
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
