import type { Diagnostic } from "../model/diagnostic.ts";
import { addTo } from "../model/indexed.ts";
import { type Splice, spliced } from "../source/splices.ts";
import { scalar } from "../source/write.ts";
import type { AdoptFile } from "./places.ts";

/**
 * If the only errors are references to renamed objects, writes the new names; false if there was nothing to do.
 * @param written the names written by earlier rounds, and by this one: if names were exchanged, a name that was just written is the old name of
 * another object, and would be replaced forever
 */
export function spellAnew(
  files: ReadonlyMap<string, AdoptFile>,
  diagnostics: readonly Diagnostic[],
  renamed: ReadonlyMap<string, string>,
  written: Set<string>,
): boolean {
  const fresh = new Set<string>();
  const splices = new Map<AdoptFile, Splice[]>();
  const lines = new Map<AdoptFile, readonly number[]>();
  for (const { severity, at } of diagnostics) {
    const file = severity === "error" && at !== undefined ? files.get(at.file) : undefined;
    if (file === undefined || at === undefined) continue;
    const starts = lines.get(file) ?? lineStarts(file.text);
    lines.set(file, starts);
    const start = (starts[at.line - 1] ?? 0) + at.column - 1;
    const end = (starts[at.endLine - 1] ?? 0) + at.endColumn - 1;
    const from = file.text.slice(start, end).replace(/^(["'])(.*)\1$/s, "$2");
    const to = renamed.get(from);
    if (to === undefined || written.has(from)) continue;
    fresh.add(to);
    addTo(splices, file, { start, end, text: scalar(to, true) });
  }
  for (const name of fresh) written.add(name);
  // Every change replaces a name that is not in the list of written ones by one that is, so there are at most as many rounds as names in the files.
  let changed = false;
  for (const [file, wanted] of splices) {
    const text = spliced(file.text, wanted);
    changed ||= text !== file.text;
    file.text = text;
  }
  return changed;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
