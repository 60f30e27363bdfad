import type { Span } from "../../model/diagnostic.ts";
import type { Outcome } from "./outcome.ts";

/** A name for the place: the field's YAML, else the item's. */
export function spanOf(outcome: Outcome, field: string): Span | undefined {
  return outcome.change.fields.find((change) => change.field === field)?.at ?? outcome.change.at;
}
