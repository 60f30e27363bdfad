import type { Span } from "../model/diagnostic.ts";
import type { Change } from "../model/plan.ts";

/** The YAML of a changed field, else of the object. */
export function spanOfField(change: Change, field: string): Span | undefined {
  return change.fields.find((candidate) => candidate.field === field)?.at ?? change.at;
}
