import { defined } from "../../model/defined.ts";
import type { Code, Diagnostic, DiagnosticHead, Note, NoteFact, Span } from "../../model/diagnostic.ts";
import { wordsOf } from "./diagnostics/sentences.ts";
import { bare } from "./diagnostics/words.ts";

/** A diagnostic in words, if it is not one already: facts get their sentences only here. */
export function wordedDiagnostic(diagnostic: Diagnostic | SaidDiagnostic): SaidDiagnostic {
  if ("message" in diagnostic) return diagnostic;
  const { code, severity, at, unquotable, notes } = diagnostic;
  const { message, hint, footnotes } = wordsOf(diagnostic);
  return {
    code,
    severity,
    message,
    ...defined({ hint, footnotes, at, unquotable, notes: notes === undefined ? undefined : notes.map(wordedNote) }),
  };
}

/** A diagnostic as a reader sees it. */
export interface SaidDiagnostic extends DiagnosticHead {
  readonly code: Code;
  /** One sentence that names the error and its object. */
  readonly message: string;
  /** One sentence of advice. */
  readonly hint?: string;
  /** Further facts, one line each, below the code frame: for example the choices. */
  readonly footnotes?: readonly string[];
  readonly notes?: readonly SaidNote[];
}

export interface SaidNote {
  readonly at: Span;
  readonly message: string;
}

const wordedNote = ({ at, note }: Note): SaidNote => ({ at, message: noteText(note) });

function noteText(note: NoteFact): string {
  if (typeof note === "string") return NOTES[note];
  if ("value_of" in note) return `the value of \${${bare(note.value_of)}} is written here`;
  return `${note.one_of.address} is one of them`;
}

const NOTES: { readonly [N in Extract<NoteFact, string>]: string } = {
  "archived-here": "archived here",
  "first-here": "first here",
  "type-here": "declared here",
  "claimed-here": "first claimed here",
  "opposite-here": "the opposite here",
  "written-here": "first written here",
  "opened-here": "opened here",
  "default-here": "made a default channel here",
  "declared-here": "first declared here",
  "not-declared": "objects that are not declared are removed",
  "made-inactive-here": "archived or deactivated here",
  "removed-here": "removed here",
  "rule-here": "the rule is written here",
};
