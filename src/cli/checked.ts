import { type Checked, type Diagnostic, EXIT, Failure } from "../model/diagnostic.ts";

/**
 * The value, where a command has nothing else to do with mistakes than to show them.
 * @throws Failure with every diagnostic
 */
export function valueOrFailure<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  const [first, ...others] = checked.diagnostics;
  if (first === undefined) throw new RangeError("refused without a diagnostic");
  throw new Failure(onlyRoleIsMissing(checked.diagnostics) ? EXIT.notAllowed : EXIT.mistakes, first, ...others);
}

/** Nothing is wrong with the file: another account could do what it says. */
function onlyRoleIsMissing(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ code, severity }) => severity === "warning" || code.endsWith("/not-allowed"));
}
