import { defined, whenDefined } from "../model/defined.ts";
import type { Diagnostic, Ending } from "../model/diagnostic.ts";
import { type Style, styleOf } from "../report/style.ts";
import type { Io, Output } from "./io.ts";

/** The style for an output; `color: false` is the flag --no-color. */
export function styleFor(io: Io, output: Output, flags: { readonly color?: boolean } = {}): Style {
  const { advised } = io.invocation;
  const style = { ...styleOf({ env: io.env, isTTY: output.isTTY, columns: output.columns }), advised };
  return flags.color === false ? { ...style, colour: false } : style;
}

/**
 * Errors and warnings as text on stderr, with the lines of the files that they are about.
 * @param ending the text of the last line if there are errors; default: nothing was sent
 */
export async function showDiagnostics(
  io: Io,
  diagnostics: readonly Diagnostic[],
  style: Style,
  ending?: Ending,
): Promise<void> {
  const { endingText, filesOf, renderDiagnostics } = await import("../report/diagnostics.ts");
  const sources = new Map<string, string>();
  // Only lines of files that this run read as configuration are quoted, since a saved plan or a journal may name any file of the machine.
  for (const file of filesOf(diagnostics)) {
    const text = io.quotable(file);
    if (text !== undefined) sources.set(file, text);
  }
  io.err.write(
    renderDiagnostics({ diagnostics, sources, style, ...defined({ ending: whenDefined(ending, endingText) }) }),
  );
}
