import type { Diagnostic, Path, Span } from "../model/diagnostic.ts";
import { type SourceDocument, sortDiagnostics } from "../source/load.ts";

/** What is wrong, without its place. */
export type Problem = Omit<Diagnostic, "at" | "severity"> & { readonly severity?: Diagnostic["severity"] | undefined };

/** Collects mistakes and gives each its place: schemas and kinds know paths, the document knows lines. */
export class Report {
  readonly document: SourceDocument;
  private readonly diagnostics: Diagnostic[];

  constructor(document: SourceDocument, warnings: readonly Diagnostic[]) {
    this.document = document;
    this.diagnostics = [...warnings];
  }

  /** At a span, or at no place when there is none. */
  add(problem: Problem, at: Span | undefined): void {
    const { severity = "error", ...rest } = problem;
    this.diagnostics.push({ ...rest, severity, ...(at === undefined ? {} : { at }) });
  }

  /** At the key of an entry below a map or list. */
  atKey(container: object, path: Path, problem: Problem): void {
    this.add(problem, this.document.places.keySpan(container, path));
  }

  /** At the value of an entry below a map or list. */
  atValue(container: object, path: Path, problem: Problem): void {
    this.add(problem, this.document.places.valueSpan(container, path));
  }

  sorted(): readonly Diagnostic[] {
    return sortDiagnostics(this.diagnostics, this.document.files);
  }
}
