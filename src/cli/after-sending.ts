import { type Ending, type ExitCode, Failure } from "../model/diagnostic.ts";
import type { ConnectionFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { showDiagnostics, styleFor } from "./terminal.ts";

/**
 * Does work that sends requests. What stops it is shown with an ending that is still true then: that nothing was sent, as
 * errors end elsewhere, is not.
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
