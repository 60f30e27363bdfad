import type { Diagnostic } from "../model/diagnostic.ts";
import { type Style, styleOf } from "../report/style.ts";
import type { Io, Output } from "./io.ts";

/** How text for this output may look; `color: false` is the flag --no-color. */
export function styleFor(io: Io, output: Output, flags: { readonly color?: boolean } = {}): Style {
  const style = styleOf({ env: io.env, isTTY: output.isTTY, columns: output.columns });
  return flags.color === false ? { ...style, colour: false } : style;
}

/** Mistakes and warnings as text on stderr. */
export async function showDiagnostics(io: Io, diagnostics: readonly Diagnostic[], _style: Style): Promise<void> {
  for (const { severity, code, message, hint, at } of diagnostics) {
    const place = at ? `${at.file}:${at.line}:${at.column}: ` : "";
    io.err.write(`${place}${severity}[${code}]: ${message}\n`);
    if (hint !== undefined) io.err.write(`  = ${hint}\n`);
  }
}
