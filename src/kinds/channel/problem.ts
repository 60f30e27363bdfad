import type { Diagnostic, Span, WordedDiagnostic } from "../../model/diagnostic.ts";
import type { Outcome } from "./outcome.ts";

/** A name for the place: the field's YAML, else the item's. */
export function spanOf(outcome: Outcome, field: string): Span | undefined {
  return outcome.change.fields.find((change) => change.field === field)?.at ?? outcome.change.at;
}

export function problem(
  code: Diagnostic["code"],
  message: string,
  hint: string,
  at: Span | undefined,
): WordedDiagnostic {
  return { code, severity: "error", message, hint, ...(at === undefined ? {} : { at }) };
}
