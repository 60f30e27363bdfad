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
import { movedLines } from "./moved-lines.ts";

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
