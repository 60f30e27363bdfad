import { defined } from "./defined.ts";
import type { DiagnosticFacts } from "./diagnostics/definitions.ts";
import type { TooNew } from "./diagnostics/references.ts";
import type { Named, Person, Quoted } from "./diagnostics/values.ts";
import type { NoteFact } from "./diagnostics/words.ts";
import type { Span } from "./span.ts";

export type { NoteFact } from "./diagnostics/words.ts";
export type { Span } from "./span.ts";

/** A place in a document: keys and list positions from the top. */
export type Path = readonly (string | number)[];

/** A second place that explains the first. */
export interface Note {
  readonly at: Span;
  readonly note: NoteFact;
}

export interface DiagnosticHead {
  readonly severity: "error" | "warning";
  /** Absent only if no file is the cause. */
  readonly at?: Span;
  /** The text at `at` and in `notes` may be a secret (a line of a zuliprc): show the place, never the line. */
  readonly unquotable?: true;
  readonly unresolved?: Unresolved;
  /** What it says is true of one object of the file alone: a plan of a part has it only with the object. No name, which would have to be hidden. */
  readonly isOfObject?: true;
  /** It may follow from another name of the object on the server: whether the object was renamed is still asked (`renames`). */
  readonly mayBeRenamed?: true;
}

/**
 * A name that means nothing on the server, or an object that the server's state does not allow. The file alone has no mistake, so it is a finding: what needs the name is neither compared nor written, and
 * everything else goes on (docs/internals/decisions/0005-unresolved-names-are-findings.md).
 */
export interface Unresolved {
  /** The kind of the named object. */
  readonly kind: string;
  /** The object is known and cannot be named any more (deactivated, archived). Otherwise it may exist under another name. */
  readonly isGone?: true;
  /** The object of the file that names it, and the field; without a field, the object itself is that name. */
  readonly in?: Named;
  readonly field?: string;
  /** No name is the cause, but a state of the server that this object of the file does not fit: nothing of the object (or field) is sent. */
  readonly isHeld?: true;
  /** The same plan reactivates the account: what names it is planned in the same run, when a reading shows where the account is by then. */
  readonly returns?: true;
  /** The object is not in the part of the file that is planned. */
  readonly isElsewhere?: true;
  /** The list leaves out whom the name means, so it is none of those that the server has there. */
  readonly isExcepted?: true;
  /** The account that reads may just not see it: no finding, but a part of what is not compared ({@link Unseen}). */
  readonly isUnseen?: true;
  /** What the server has there and the file does not name: the same object may be among it. */
  readonly now?: readonly (Quoted | Person)[];
}

export const asWarning = (diagnostic: Diagnostic): Diagnostic => ({ ...diagnostic, severity: "warning" });

/** Whether nothing can be planned with it. */
export const isFatal = ({ severity, unresolved }: Pick<DiagnosticHead, "severity" | "unresolved">): boolean =>
  severity === "error" && unresolved === undefined;

/** Every code whose facts are data. */
export type Code = keyof DiagnosticFacts;

export interface Found<C extends Code> extends DiagnosticHead {
  readonly code: C;
  /** The facts, as data; `src/report/words/` has the sentences. */
  readonly fact: DiagnosticFacts[C];
  readonly notes?: readonly Note[];
}

/** A diagnostic with any of these codes: one member of the union for each. */
export type FactDiagnostic<C extends Code = Code> = C extends Code ? Found<C> : never;

export type Finding<C extends Code = Code> = C extends Code
  ? Omit<Found<C>, "at" | "severity"> & { readonly severity?: DiagnosticHead["severity"] }
  : never;

/** An error or a warning. Stable and documented by `code`; tests match on code and fact, never on prose. */
export type Diagnostic = FactDiagnostic;

/** An error that stops a plan or a run. */
export function error<C extends Code>(
  code: C,
  fact: DiagnosticFacts[C],
  at?: Span,
  notes?: readonly Note[],
): FactDiagnostic<C>;
export function error<C extends Code>(
  code: C,
  fact: DiagnosticFacts[C],
  at?: Span,
  notes: readonly Note[] = [],
): Found<C> {
  return { code, severity: "error", fact, ...defined({ at, notes: notes.length > 0 ? notes : undefined }) };
}

/** Information for the user that stops nothing. */
export function warning<C extends Code>(code: C, fact: DiagnosticFacts[C], at?: Span): Found<C> {
  return { ...error(code, fact, at), severity: "warning" };
}

/** An error without a place, for a caller that adds it: `context.report(["was"], finding("linkifiers/was", {…}))`. */
export function finding<C extends Code>(
  code: C,
  fact: DiagnosticFacts[C],
  more: Pick<Found<C>, "notes" | "unresolved"> & { readonly severity?: "warning" } = {},
): Omit<Found<C>, "at" | "severity"> & { readonly severity?: "warning" } {
  return { code, fact, ...more };
}

export function placed(finding: Finding, at?: Span): Diagnostic {
  return { severity: "error", ...finding, ...defined({ at }) };
}

/** A result, or all errors at once. A success keeps its warnings. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Exit codes of the command line, the same numbers in JSON output (docs/reference/exit-codes.md). */
export const EXIT = {
  done: 0,
  errors: 1,
  changesPending: 2,
  refusedByGuard: 3,
  conflict: 4,
  appliedInPart: 5,
  notAllowed: 6,
  unreachable: 7,
  ruleBroken: 8,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The state of the server and of files when a command stops. `src/report/diagnostics.ts` has the sentences. */
export type Ending =
  | "nothing-sent"
  | "nothing-changed"
  | "nothing-written"
  | "nothing-changed-or-written"
  /** Changes were sent. They stay, and the journal lists them. */
  | "sent-stays"
  | "watching-on"
  /** The state is not reported. */
  | "not-said"
  | { readonly again_in_ms: number };

/** Something outside the file stopped the run (server, credentials, disk): shown as its diagnostics, never as a stack trace. */
export class Failure extends Error {
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: ExitCode;
  /** The state of the server and of files when the command stopped; undefined: nothing was sent. */
  ending: Ending | undefined;
  /** The content of `message`: the code, unless a program has installed the sentences of reports. Reports never use it. */
  static messageOf: (diagnostic: Diagnostic) => string = ({ code }) => code;
  constructor(exitCode: ExitCode, ...diagnostics: readonly [Diagnostic, ...Diagnostic[]]) {
    super(Failure.messageOf(diagnostics[0]));
    this.name = "Failure";
    this.exitCode = exitCode;
    this.diagnostics = diagnostics;
  }
}

/** What stops a command because of this one error. */
export const failure = <C extends Code>(code: C, fact: DiagnosticFacts[C], exitCode: ExitCode = EXIT.errors): Failure =>
  new Failure(exitCode, error(code, fact));

/** @throws Failure with all of these, if there are any */
export function failIfAny(exitCode: ExitCode, diagnostics: readonly Diagnostic[]): void {
  const [first, ...others] = diagnostics;
  if (first !== undefined) throw new Failure(exitCode, first, ...others);
}

/** @throws Failure with all of these; there is at least one */
export function failWithAll(exitCode: ExitCode, diagnostics: readonly Diagnostic[]): never {
  failIfAny(exitCode, diagnostics);
  throw new RangeError("refused without a diagnostic");
}

/**
 * Errors that stop everything although the file without a server has none of them. Every other error that only a reading shows is a finding about its object,
 * and the rest goes on (docs/internals/decisions/0005-unresolved-names-are-findings.md). Those about the account (`…/not-allowed`) stop a plan, too: another
 * account would make all of it.
 */
export const STOPS: ReadonlySet<Code> = new Set([
  // The file gives an object another name and uses the old one elsewhere: both lines are in the file.
  "reference/renamed",
  // The same of an open invitation: nothing but the line says where it leads, so the names are not given before it is right.
  "invites/leads-elsewhere",
  // The rest of the plan may need the role that is taken away, so the order is for a person to choose.
  "people/own-role-alone",
  // The file is for another organization: nothing in it is meant for this one.
  "realm/other-realm",
  // The reading is too small, whatever the organization is like: with a whole one, the plan is another.
  "channels/subscribers-not-read",
]);

/** Something in the file that this server does not have yet. */
export function tooOld(what: TooNew, needs: number, level: number, at: Diagnostic["at"]): Diagnostic {
  return error("plan/server-too-old", { what, needs, level }, at);
}
