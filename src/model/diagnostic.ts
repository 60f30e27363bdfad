import type { DiagnosticFact } from "./facts.ts";

/** A stretch of one file, counted from 1 (columns in UTF-16 units); the end is exclusive. */
export type Span = Readonly<{ file: string; line: number; column: number; endLine: number; endColumn: number }>;

/** Where in a document: keys and list positions from the top. */
export type Path = readonly (string | number)[];

/** A second place that explains the first: "first declared here". */
export interface Note {
  readonly at: Span;
  readonly message: string;
}

interface DiagnosticHead {
  readonly code: `${string}/${string}`;
  readonly severity: "error" | "warning";
  /** Absent only when no file is to blame. */
  readonly at?: Span;
  /** What stands at `at` and in `notes` may be a secret (a line of a zuliprc): name the place, never show a code frame. */
  readonly unquotable?: true;
}

/** A diagnostic in words. */
export interface WordedDiagnostic extends DiagnosticHead {
  /** One sentence: what is wrong, naming the thing. */
  readonly message: string;
  /** One sentence: what to do about it. */
  readonly hint?: string;
  /** Further facts, one line each, below the code frame: which choices there are. */
  readonly footnotes?: readonly string[];
  readonly notes?: readonly Note[];
  readonly fact?: undefined;
}

/** A diagnostic as data; `src/report/words/` has its sentences. */
export interface FactDiagnostic extends DiagnosticHead {
  readonly fact: DiagnosticFact;
  readonly message?: undefined;
  readonly hint?: undefined;
  readonly footnotes?: undefined;
  readonly notes?: undefined;
}

/**
 * An error or a warning. Stable and documented by `code`; tests match on it, never on prose. What is wrong in a file is written in
 * words where it is found; what planning finds out about an organization is data (docs/decisions/0048).
 */
export type Diagnostic = WordedDiagnostic | FactDiagnostic;

/** All mistakes come back at once, and warnings survive success. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Exit codes of the command line, the same numbers in JSON output (README, "Exit codes"). */
export const EXIT = {
  done: 0,
  mistakes: 1,
  changesPending: 2,
  refusedByGuard: 3,
  conflict: 4,
  appliedInPart: 5,
  notAllowed: 6,
  unreachable: 7,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Something outside the file stopped the run (server, credentials, disk): shown as its diagnostics, never as a stack trace. */
export class Failure extends Error {
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: ExitCode;
  /** What the message ends with once requests went out, when "Nothing was sent." is no longer true. */
  ending: string | undefined;
  constructor(exitCode: ExitCode, ...diagnostics: readonly [Diagnostic, ...Diagnostic[]]) {
    super(diagnostics[0].message ?? diagnostics[0].code);
    this.name = "Failure";
    this.exitCode = exitCode;
    this.diagnostics = diagnostics;
  }
}
