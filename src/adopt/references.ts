import type { Diagnostic, Span } from "../model/diagnostic.ts";
import { scalar } from "../source/write.ts";
import type { AdoptFile } from "./places.ts";

/** Where mistakes are only that something has another name now, writes the new one; false when nothing was to be done. */
export function spellAnew(
  files: ReadonlyMap<string, AdoptFile>,
  diagnostics: readonly Diagnostic[],
  renamed: ReadonlyMap<string, string>,
): boolean {
  let changed = false;
  // From the end, so that the places before stay true.
  const places = diagnostics.flatMap(({ severity, at }) => (severity === "error" && at !== undefined ? [at] : []));
  places.sort((a, b) => b.line - a.line || b.column - a.column);
  for (const at of places) {
    const file = files.get(at.file);
    if (file === undefined) continue;
    const [start, end] = offsets(file.text, at);
    const written = file.text.slice(start, end);
    const to = renamed.get(written.replace(/^(["'])(.*)\1$/s, "$2"));
    if (to === undefined) continue;
    file.text = file.text.slice(0, start) + scalar(to, true) + file.text.slice(end);
    changed = true;
  }
  return changed;
}

function offsets(text: string, { line, column, endLine, endColumn }: Span): readonly [number, number] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return [(starts[line - 1] ?? 0) + column - 1, (starts[endLine - 1] ?? 0) + endColumn - 1];
}
