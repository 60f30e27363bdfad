import type { Call, Change, Plan } from "../model/plan.ts";

/**
 * Two plans that were carried out one after the other, as one: the calls of the second have the next numbers, and what both changed is one change, from the
 * value before the first to the value after the second.
 */
export function joinedPlans(first: Plan, then: Plan): Plan {
  const offset = first.calls.length;
  const later = new Map(then.changes.map((change) => [change.address, change]));
  const changes = first.changes.map((change): Change => {
    const more = later.get(change.address);
    if (more?.action !== "update" || (change.action !== "update" && change.action !== "create")) return change;
    later.delete(change.address);
    return { ...change, fields: joinedFields(change.fields, more.fields), risks: [...change.risks, ...more.risks] };
  });
  const calls = then.calls.map(
    (call): Call => ({ ...call, n: call.n + offset, after: call.after.map((n) => n + offset) }),
  );
  return {
    ...first,
    changes: [...changes, ...then.changes.filter((change) => later.get(change.address) === change)],
    calls: [...first.calls, ...calls],
    least_calls: first.least_calls + then.least_calls,
  };
}

function joinedFields(first: Change["fields"], then: Change["fields"]): Change["fields"] {
  const later = new Map(then.map((field) => [field.field, field]));
  const both = first.map((field) => ({ ...field, after: later.get(field.field)?.after ?? field.after }));
  return [...both, ...then.filter(({ field }) => first.every((other) => other.field !== field))];
}
