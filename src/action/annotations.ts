import { diffLines } from "diff";
import { kinds } from "../kinds/registry.ts";
import { clean } from "../model/clean.ts";
import type { Desired } from "../model/desired.ts";
import type { Span } from "../model/diagnostic.ts";
import { keyOf } from "../model/kind.ts";
import type { Change } from "../model/plan.ts";
import { shortened as shortDiagnostic } from "../report/action/diagnostics.ts";
import { annotationText, deletedHere, fieldChanges, objectChanges } from "../report/action/log.ts";
import type { SaidDiagnostic } from "../report/words/diagnostics.ts";
import { riskText } from "../report/words/risks.ts";
import type { Annotation } from "./github.ts";

/** The maximum number of annotations: nobody reads more, and these take few requests. */
const MOST = 200;

/** One annotation for each line that causes changes, the lines with risks first. */
export function annotationsOf(
  changes: readonly Change[],
  deletedAt: (change: Change) => { readonly span: Span; readonly oldLine: number } | undefined,
): readonly Annotation[] {
  const lines = new Map<string, { span: Span; texts: Set<string>; risky: boolean }>();
  const add = (span: Span, text: string, risky: boolean): void => {
    const key = `${span.file}\n${span.line}`;
    const known = lines.get(key);
    if (known === undefined) lines.set(key, { span, texts: new Set([text]), risky });
    else {
      known.texts.add(text);
      known.risky ||= risky;
    }
  };
  for (const change of changes) {
    // Something that the file does not contain has at most the place of the `manage:` entry; the deleted line tells a reviewer more.
    const unwritten = change.undeclared === true || change.at === undefined;
    const deleted = unwritten && change.action === "remove" ? deletedAt(change) : undefined;
    for (const risk of change.risks) {
      const at = deleted?.span ?? risk.at ?? change.at;
      if (at !== undefined) add(at, clean(riskText(risk)), true);
    }
    if (deleted !== undefined) add(deleted.span, deletedHere(change, deleted.oldLine), true);
    if (change.action === "update") {
      for (const { field, at } of change.fields) if (at !== undefined) add(at, fieldChanges(change, field), false);
    } else if (deleted === undefined && change.at !== undefined) add(change.at, objectChanges(change), false);
  }
  const all = [...lines.values()].sort((a, b) => Number(b.risky) - Number(a.risky));
  return all.slice(0, MOST).map(({ span, texts, risky }) => ({
    path: span.file,
    line: span.line,
    endLine: span.line,
    level: risky ? "warning" : "notice",
    title: "realmctl",
    message: annotationText([...texts]),
  }));
}

/** Annotations for errors and warnings, at their places. */
export function diagnosticAnnotations(diagnostics: readonly SaidDiagnostic[]): readonly Annotation[] {
  return diagnostics
    .slice(0, MOST)
    .map(shortDiagnostic)
    .flatMap(({ at, code, message, hint, severity }) =>
      at === undefined
        ? []
        : [
            {
              path: at.file,
              line: at.line,
              endLine: at.line,
              level: severity === "error" ? ("failure" as const) : ("warning" as const),
              title: code,
              message: clean(hint === undefined ? message : `${message} (${hint})`),
            },
          ],
    );
}

/**
 * The line of the head version before which the lines of an object were deleted that only the base version has. GitHub shows annotations only at
 * lines of the head.
 */
export function deletionFinder(
  base: Desired | undefined,
  baseTexts: ReadonlyMap<string, string>,
  headTexts: ReadonlyMap<string, string>,
): (change: Change) => { readonly span: Span; readonly oldLine: number } | undefined {
  const files = new Map<string, (line: number) => number | undefined>();
  const lineAfter = (file: string, line: number): number | undefined => {
    const before = baseTexts.get(file);
    const after = headTexts.get(file);
    if (before === undefined || after === undefined) return undefined;
    const moved = files.get(file) ?? movedLines(before, after);
    files.set(file, moved);
    return moved(line);
  };
  const places = new Map<string, Span>();
  for (const { name, section } of kinds)
    for (const { id, key, at } of base?.sections.get(section) ?? []) {
      places.set(`${name}:${key}`, at);
      if (id !== undefined) places.set(`${name} ${id}`, at);
    }
  return (change) => {
    const kind = kinds.find(({ name }) => name === change.kind);
    const at =
      places.get(`${change.kind} ${change.id}`) ?? places.get(`${change.kind}:${kind && keyOf(kind, change.name)}`);
    if (at === undefined) return undefined;
    const line = lineAfter(at.file, at.line);
    if (line === undefined) return undefined;
    return { span: { file: at.file, line, column: 1, endLine: line, endColumn: 2 }, oldLine: at.line };
  };
}

/** How many lines may differ between two versions: the cost of a comparison grows with the product of this number and the number of lines. */
export const MOST_DIFFERENT_LINES = 1000;

/** Compares two texts; undefined if they differ in more than `maxEditLength` lines. */
export type CompareLines = (
  before: string,
  after: string,
  options: { readonly maxEditLength: number },
) => readonly { readonly count?: number; readonly added?: boolean; readonly removed?: boolean }[] | undefined;

/**
 * Where the lines of an old text are in a new one. The texts are compared once, for any number of lines.
 * @returns the line, from 1; undefined if the texts have too little in common
 */
export function movedLines(
  before: string,
  after: string,
  compare: CompareLines = diffLines,
): (line: number) => number | undefined {
  const most = lineCount(after);
  let parts: readonly Part[] | undefined;
  let isCompared = false;
  return (line) => {
    if (!isCompared) parts = partsOf(before, after, compare);
    isCompared = true;
    if (parts === undefined) return undefined;
    const part = partWith(parts, line);
    const found = part === undefined ? most : part.removed ? part.at : part.at + (line - part.from);
    return Math.max(1, Math.min(found, most));
  };
}

/** Lines of the old text that stayed together: they begin at `from` in the old text and at `at` in the new one. */
interface Part {
  readonly from: number;
  readonly end: number;
  readonly at: number;
  readonly removed: boolean;
}

function partsOf(before: string, after: string, compare: CompareLines): readonly Part[] | undefined {
  const compared = compare(before, after, { maxEditLength: MOST_DIFFERENT_LINES });
  if (compared === undefined) return undefined;
  const parts: Part[] = [];
  let from = 1;
  let at = 1;
  for (const { count = 0, added = false, removed = false } of compared) {
    if (!added) {
      parts.push({ from, end: from + count, at, removed });
      from += count;
    }
    if (!removed) at += count;
  }
  return parts;
}

/** Of parts in order, finds the one that contains a line. */
function partWith(parts: readonly Part[], line: number): Part | undefined {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.end ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return parts[low];
}

const lineCount = (text: string): number => Math.max(1, text.split("\n").length - (text.endsWith("\n") ? 1 : 0));
