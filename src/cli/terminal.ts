import type { Diagnostic } from "../model/diagnostic.ts";
import { type Style, styleOf } from "../report/style.ts";
import type { Io, Output } from "./io.ts";

/** How text for this output may look; `color: false` is the flag --no-color. */
export function styleFor(io: Io, output: Output, flags: { readonly color?: boolean } = {}): Style {
  const style = styleOf({ env: io.env, isTTY: output.isTTY, columns: output.columns });
  return flags.color === false ? { ...style, colour: false } : style;
}

/**
 * Mistakes and warnings on stderr, with the lines that they are about.
 * @param ending what the last line says after the number of mistakes ("Nothing was sent."); null: no such line
 */
export async function showDiagnostics(
  io: Io,
  diagnostics: readonly Diagnostic[],
  style: Style,
  ending: string | null = null,
): Promise<void> {
  if (diagnostics.length === 0) return;
  const { filesOf, renderDiagnostics } = await import("../report/diagnostics.ts");
  const sources = new Map<string, string>();
  for (const file of filesOf(diagnostics)) {
    // Gone since it was read: the words and the place remain.
    const text = await io.readFile(file).catch(() => undefined);
    if (text !== undefined) sources.set(file, text);
  }
  io.err.write(renderDiagnostics({ diagnostics, sources, style, ending }));
}
