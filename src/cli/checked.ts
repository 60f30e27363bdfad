import { type Checked, type Diagnostic, EXIT, type ExitCode, failWithAll } from "../model/diagnostic.ts";
import { isAboutTheAccount } from "../model/plan.ts";

/**
 * The value, for a command that can only show the errors.
 * @throws Failure with every diagnostic
 */
export function valueOrFailure<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  failWithAll(exitCodeOf(checked.diagnostics), checked.diagnostics);
}

/** The exit code of a command whose file, or account, has these errors. */
export function exitCodeOf(diagnostics: readonly Diagnostic[]): ExitCode {
  if (diagnostics.every(({ severity }) => severity === "warning")) return EXIT.done;
  return onlyRoleIsMissing(diagnostics) ? EXIT.notAllowed : EXIT.errors;
}

/** Whether the only errors are about the account, so that another account could apply the file. */
function onlyRoleIsMissing(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ code, severity }) => severity === "warning" || isAboutTheAccount({ code }));
}
