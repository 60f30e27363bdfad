import { type Checked, type Diagnostic, EXIT, type ExitCode, failWithAll } from "../model/diagnostic.ts";
import { worstFirst } from "../report/action/diagnostics.ts";

/** The value. @throws Failure with all that is wrong */
export function valueOrFailure<T>(checked: Checked<T>, exitCode: ExitCode = EXIT.errors): T {
  return checked.ok ? checked.value : failWith(exitCode, checked.diagnostics);
}

/** @throws Failure with all of these diagnostics */
export function failWith(exitCode: ExitCode, diagnostics: readonly Diagnostic[]): never {
  failWithAll(exitCode, worstFirst(diagnostics));
}
