import { defined } from "../model/defined.ts";
import {
  type Code,
  type Diagnostic,
  type Finding,
  finding,
  type Note,
  type Path,
  type Span,
} from "../model/diagnostic.ts";
import type { DiagnosticFacts } from "../model/diagnostics/definitions.ts";
import { addTo } from "../model/lazy.ts";
import { startOf } from "../model/span.ts";
import { Patience } from "../model/suggest.ts";
import { type SourceDocument, sortDiagnostics } from "../source/load.ts";

type More<C extends Code> = Parameters<typeof finding<C>>[2];

/** Collects errors and gives each its place: schemas and kinds know paths, the document knows lines. */
export class Report {
  readonly document: SourceDocument;
  private readonly diagnostics: Diagnostic[];
  private readonly explained: Map<string, Note[]>;
  private readonly unknown: Set<string>;
  private readonly reportedAt = new Set<string>();
  private indexed = 0;
  private counted = 0;
  private found = 0;
  /** For suggestions: separate for each decoding. */
  readonly patience = new Patience();

  constructor(document: SourceDocument, warnings: readonly Diagnostic[], before?: Report) {
    this.document = document;
    this.diagnostics = [...warnings];
    this.explained = before?.explained ?? new Map();
    this.unknown = before?.unknown ?? new Set();
  }

  /** A report that starts with the diagnostics of this one, for each time that the document is decoded. */
  copy(): Report {
    return new Report(this.document, this.diagnostics, this);
  }

  /** An explanation of the error at this place: shown with every error here. */
  explain(at: Span, note: Note): void {
    const key = startOf(at);
    addTo(this.explained, key, note);
  }

  /** The right value here is unknown, which was reported: consequences are not reported. */
  silence(at: Span): void {
    this.unknown.add(startOf(at));
  }

  /** An error at the span; without a place if it is undefined. */
  add<C extends Code>(code: C, fact: DiagnosticFacts[C], at: Span | undefined, more?: More<C>): void;
  // What the signature above has checked is a finding, whichever code it is.
  add(code: never, fact: never, at: Span | undefined, more?: More<never>): void {
    this.addFound(finding(code, fact, more), at);
  }

  /** The same of an error that something else found. */
  addFound(found: Finding, at: Span | undefined): void {
    const { severity = "error", ...rest } = found;
    const place = at === undefined ? undefined : startOf(at);
    if (place !== undefined && this.unknown.has(place)) return;
    const explained = place === undefined ? undefined : this.explained.get(place);
    const notes = [...(rest.notes ?? []), ...(explained ?? [])];
    this.diagnostics.push({ ...rest, severity, ...defined({ at, notes: notes.length > 0 ? notes : undefined }) });
  }

  /** A diagnostic of another document, as it is. */
  tell(found: Diagnostic): void {
    this.diagnostics.push(found);
  }

  /** At the key of an entry below a map or list. */
  atKey<C extends Code>(container: object, path: Path, code: C, fact: DiagnosticFacts[C], more?: More<C>): void {
    this.add(code, fact, this.document.places.keySpan(container, path), more);
  }

  /** At the value of an entry below a map or list. */
  atValue<C extends Code>(container: object, path: Path, code: C, fact: DiagnosticFacts[C], more?: More<C>): void {
    this.add(code, fact, this.document.places.valueSpan(container, path), more);
  }

  /** Whether an error was already reported at this place, or has it as its second place. */
  isToldAt(at: Span): boolean {
    for (const { severity, at: place, notes = [] } of this.diagnostics.slice(this.indexed)) {
      if (severity !== "error") continue;
      for (const span of [place, ...notes.map((note) => note.at)])
        if (span !== undefined) this.reportedAt.add(startOf(span));
    }
    this.indexed = this.diagnostics.length;
    return this.reportedAt.has(startOf(at));
  }

  /** The number of errors so far: counted once each, since rules ask for it before and after each of them. */
  get errors(): number {
    for (const { severity } of this.diagnostics.slice(this.counted)) if (severity === "error") this.found += 1;
    this.counted = this.diagnostics.length;
    return this.found;
  }

  /** Whether something like this was reported: its consequences are not. */
  some(is: (diagnostic: Diagnostic) => boolean): boolean {
    return this.diagnostics.some(is);
  }

  /** The stretch of a text that is written in a value, if both are on one line; else the value. */
  spanIn(at: Span | undefined, text: string): Span | undefined {
    if (at === undefined || at.line !== at.endLine) return at;
    const found = this.lineAt(at).indexOf(text, at.column - 1);
    const end = found + text.length + 1;
    return found < 0 || end > at.endColumn ? at : { ...at, column: found + 1, endColumn: end };
  }

  /** The text of the line; empty without a place. */
  lineAt(at: Span | undefined): string {
    if (at === undefined) return "";
    return this.document.files.find(({ file }) => file === at.file)?.line(at.line) ?? "";
  }

  sorted(): readonly Diagnostic[] {
    return sortDiagnostics(this.diagnostics, this.document.files);
  }
}
