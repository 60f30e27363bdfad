import { type Diagnostic, type ExitCode, failWithAll } from "../model/diagnostic.ts";
import { worstFirst } from "../report/action/diagnostics.ts";

/** @throws Failure with all of these diagnostics */
export function failWith(exitCode: ExitCode, diagnostics: readonly Diagnostic[]): never {
  failWithAll(exitCode, worstFirst(diagnostics));
}
