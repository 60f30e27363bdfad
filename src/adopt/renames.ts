import { literalName } from "../config/references.ts";
import { renameKeys } from "../source/keys.ts";
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
