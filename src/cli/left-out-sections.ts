import type { Diagnostic } from "../model/diagnostic.ts";
import { isNotRead } from "../model/plan.ts";
import type { Io } from "./io.ts";
import { showDiagnostics, styleFor } from "./terminal.ts";

/**
 * Reports on stderr what was left out, whatever the format is: sections of the file that the snapshot does not hold, and what needs a name that does not
 * resolve.
 */
export async function showLeftOut(
  io: Io,
  warnings: readonly Diagnostic[],
  flags: { readonly color?: boolean },
): Promise<void> {
  const unread = warnings.filter((one) => isNotRead(one) || one.unresolved !== undefined);
  if (unread.length > 0) await showDiagnostics(io, unread, styleFor(io, io.err, flags));
}
