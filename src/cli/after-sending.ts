import { type Ending, type ExitCode, Failure } from "../model/diagnostic.ts";
import type { ConnectionFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { showDiagnostics, styleFor } from "./terminal.ts";

/**
 * Does work that sends requests. If it fails, the last line of the error must not say that nothing was sent.
 */
export async function afterSending(
  io: Io,
  flags: ConnectionFlags,
  ending: Ending,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await showDiagnostics(io, error.diagnostics, styleFor(io, io.err, flags), ending);
    return error.exitCode;
  }
}
