import type { Diagnostic, Span, WordedDiagnostic } from "../model/diagnostic.ts";
import type { PlanContext } from "../model/kind.ts";
import type { Change } from "../model/plan.ts";

/** Mistakes as the kinds make them: a code, a sentence, a way out, and the YAML it is about. */
export function problem(
  code: Diagnostic["code"],
  message: string,
  hint: string,
  at: Span | undefined,
): WordedDiagnostic {
  return { code, severity: "error", message, hint, ...(at === undefined ? {} : { at }) };
}

export function warning(
  code: Diagnostic["code"],
  message: string,
  hint: string,
  at: Span | undefined,
): WordedDiagnostic {
  return { ...problem(code, message, hint, at), severity: "warning" };
}

/** "Ada Okafor (ada@example.org), the account that runs this,": the subject of every sentence about missing rights. */
export function accountThatRuns({ snapshot }: PlanContext): string {
  const { email, full_name: name } = snapshot.account;
  return `${name} (${email}), the account that runs this,`;
}

/** The YAML of a changed field, else of the object. */
export function spanOfField(change: Change, field: string): Span | undefined {
  return change.fields.find((candidate) => candidate.field === field)?.at ?? change.at;
}
