import { defined } from "../../model/defined.ts";
import type { Code, Diagnostic, DiagnosticHead, Note, Span } from "../../model/diagnostic.ts";
import type { Person, Quoted } from "../../model/diagnostics/values.ts";
import { noteText, q } from "../../model/diagnostics/words.ts";
import { withoutKeys } from "../../model/secrets.ts";
import { listNames } from "../../model/words.ts";
import type { NamedText } from "../named-text.ts";
import { wordsOf } from "./sentences.ts";

/** A diagnostic in words, if it is not one already: facts get their sentences only here. */
export function wordedDiagnostic(diagnostic: Diagnostic | SaidDiagnostic): SaidDiagnostic {
  if ("message" in diagnostic) return diagnostic;
  const { code, severity, at, unquotable, notes, unresolved } = diagnostic;
  const { message, hint: usual, footnotes: more = [] } = wordsOf(diagnostic);
  const found = unresolved?.now ?? [];
  const isRole = found.some((name) => "quoted" in name && name.quoted.startsWith("role:"));
  const one = isRole ? "" : found.length === 1 ? ": write it, if it is the one" : ": one of them may be the one";
  // A name of another kind is not one of those.
  const isOther = "means" in diagnostic.fact && ![undefined, "a-bot"].includes(diagnostic.fact.means);
  const way =
    found.length === 0 || isOther
      ? []
      : [`the server has ${listNames(found.map(asWritten))} there, which the file does not name${one}`];
  const isGuess = "meant" in diagnostic.fact && diagnostic.fact.meant !== undefined;
  const hints = usual === undefined ? way : isGuess ? [usual, ...way] : [...way, usual];
  const [hint, ...others] = hints;
  const footnotes = [...others, ...more].map(withoutKeys);
  return {
    code,
    severity,
    message: withoutKeys(message),
    ...defined({
      hint: hint === undefined ? undefined : withoutKeys(hint),
      footnotes: footnotes.length > 0 ? footnotes : undefined,
      at,
      unquotable,
      notes: notes === undefined ? undefined : notes.map(wordedNote),
    }),
  };
}

/** A name that a file can have. */
const asWritten = (found: Quoted | Person): string =>
  "user_id" in found
    ? `{id: ${found.user_id}}${found.full_name === undefined ? "" : ` (${found.full_name})`}`
    : q(found);

/** A diagnostic as a reader sees it. */
export interface SaidDiagnostic extends Omit<DiagnosticHead, "unresolved"> {
  readonly code: Code;
  /** One sentence that names the error and its object. */
  readonly message: string;
  /** One sentence of advice. */
  readonly hint?: string;
  /** Further facts, one line each, below the code frame: for example the choices. */
  readonly footnotes?: readonly string[];
  readonly notes?: readonly SaidNote[];
  /** Both sentences with their names marked, for Markdown; only where a comment is made of it. */
  readonly named?: { readonly message: NamedText; readonly hint: NamedText };
}

export interface SaidNote {
  readonly at: Span;
  readonly message: string;
}

const wordedNote = ({ at, note }: Note): SaidNote => ({ at, message: withoutKeys(noteText(note)) });
