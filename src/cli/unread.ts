import type { Diagnostic } from "../model/diagnostic.ts";
import type { Io } from "./io.ts";
import { showDiagnostics, styleFor } from "./terminal.ts";

/** Reports on stderr the sections of the file that were left out because the snapshot does not hold them, whatever the format is. */
export async function tellUnread(
  io: Io,
  warnings: readonly Diagnostic[],
  flags: { readonly color?: boolean },
): Promise<void> {
  const unread = warnings.filter(({ code }) => code === "plan/not-read");
  if (unread.length > 0) await showDiagnostics(io, unread, styleFor(io, io.err, flags));
}
