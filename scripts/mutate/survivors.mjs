// Notes about survivors: for each mutant that no test notices, why that is all right. One file for each folder in survivors/:
//   src/plan/compare.ts:
//     - line: if (side === undefined) return;
//       mutant: side === undefined → false
//       why: a pair has at least one side
// A note belongs to every survivor with this line and this change, wherever the line is in the file.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";

/** Longer changes are cut: they replace a whole block. */
const LONGEST_SIDE = 100;

const oneLine = (text) => text.replace(/\s+/g, " ").trim();
const short = (text) => (text.length <= LONGEST_SIDE ? text : `${text.slice(0, LONGEST_SIDE)}…`);

/** The survivors of one file, as notes without a reason. `source` is its text, `mutants` are Stryker's. */
export function survivorsOf(source, mutants) {
  const lines = source.split("\n");
  return mutants
    .filter(({ status }) => status === "Survived" || status === "NoCoverage")
    .map(({ location: { start, end }, replacement, status }) => ({
      line: oneLine(lines[start.line - 1]),
      mutant: `${short(oneLine(between(lines, start, end)))} → ${short(oneLine(replacement))}`,
      ...(status === "NoCoverage" ? { uncovered: true } : {}),
    }));
}

/** The text from `start` to `end`; Stryker counts lines and columns from 1. */
function between(lines, start, end) {
  if (start.line === end.line) return lines[start.line - 1].slice(start.column - 1, end.column - 1);
  return [
    lines[start.line - 1].slice(start.column - 1),
    ...lines.slice(start.line, end.line - 1),
    lines[end.line - 1].slice(0, end.column - 1),
  ].join("\n");
}

/** The notes about the files of a folder (`src/plan`): file → notes. */
export function notesOf(folder) {
  const path = pathOf(folder);
  return existsSync(path) ? (parse(readFileSync(path, "utf8")) ?? {}) : {};
}

export const pathOf = (folder) => join(import.meta.dirname, "survivors", `${folder.split("/")[1]}.yaml`);

/**
 * Compares the survivors of a file with its notes.
 * `missing` are survivors without a note, `stale` are notes about mutants that do not survive (any more).
 */
export function compareNotes(survivors, notes) {
  const keyOf = ({ line, mutant }) => `${line}\n${mutant}`;
  const noted = new Set(notes.filter(({ why }) => why).map(keyOf));
  const surviving = new Set(survivors.map(keyOf));
  const missing = new Map(survivors.filter((each) => !noted.has(keyOf(each))).map((each) => [keyOf(each), each]));
  return { missing: [...missing.values()], stale: notes.filter((each) => !surviving.has(keyOf(each))) };
}

/** The survivors without a note, as YAML that can be pasted below the file's name. */
export const asYaml = (survivors) =>
  stringify(
    survivors.map(({ line, mutant }) => ({ line, mutant, why: "" })),
    { lineWidth: 0 },
  ).replace(/^/gm, "  ");
