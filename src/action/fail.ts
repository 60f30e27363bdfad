import { type Diagnostic, type ExitCode, Failure } from "../model/diagnostic.ts";
import { worstFirst } from "../report/action/diagnostics.ts";

/** @throws Failure with all of these diagnostics */
export function failWith(exitCode: ExitCode, diagnostics: readonly Diagnostic[]): never {
  const [first, ...others] = worstFirst(diagnostics);
  if (first === undefined) throw new RangeError("refused without a diagnostic");
  throw new Failure(exitCode, first, ...others);
}
