import { literalName } from "../config/variable-syntax.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { addTo } from "../model/lazy.ts";
import { renameKeys, type Splice, spliced } from "../source/splices.ts";
import { scalar } from "../source/write.ts";
import { asValue, type FileGoal } from "./file-goal.ts";
import type { AdoptFile } from "./places.ts";
import type { RenamedObject } from "./protections.ts";

/** A key of a map that gets another name. */
interface Rename {
  readonly from: string;
  readonly to: string;
  /** The object's previous name in the file. */
  readonly name: string;
  /** Is told if the new name stays in the way. */
  readonly stays: () => void;
}

/** New names for keys of maps. Names can be exchanged in cycles, so all of a section change at once. */
export class Renames {
  /** By file and section. */
  private readonly wanted = new Map<AdoptFile, Map<string, Rename[]>>();

  add(file: AdoptFile, section: string, rename: Rename): void {
    const sections = this.wanted.get(file) ?? new Map<string, Rename[]>();
    const wanted = sections.get(section) ?? [];
    wanted.push(rename);
    this.wanted.set(file, sections.set(section, wanted));
  }

  /** Renames in the texts and goals of the files; returns what was renamed. A name that is still in the way is free in the next round. */
  carryOut(goalOf: (file: AdoptFile) => FileGoal): readonly RenamedObject[] {
    return [...this.wanted].flatMap(([file, sections]) =>
      [...sections].flatMap(([section, wanted]) =>
        renameSection(file, section, wanted, goalOf).map(({ name, to }) => ({ section, name, to: literalName(to) })),
      ),
    );
  }
}

function renameSection(
  file: AdoptFile,
  section: string,
  wanted: readonly Rename[],
  goalOf: (file: AdoptFile) => FileGoal,
): readonly Rename[] {
  const leaving = new Set(wanted.map(({ from }) => from));
  const keys = new Set(Object.keys(asValue(file.value()[section])));
  const able = wanted.filter(({ to }) => leaving.has(to) || !keys.has(to));
  const isHeld = able.length < leaving.size && able.some(({ to }) => leaving.has(to));
  for (const each of wanted) if (isHeld || !able.includes(each)) each.stays();
  if (isHeld) return [];
  const names = new Map(able.map(({ from, to }) => [from, to]));
  const text = renameKeys(file.text, section, names);
  if (text === undefined) return [];
  // The goal begins with the names from before.
  const goal = goalOf(file);
  file.text = text;
  goal.rename(section, names, (item) => {
    const { was: _, ...rest } = asValue(item);
    return rest;
  });
  return able;
}

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
