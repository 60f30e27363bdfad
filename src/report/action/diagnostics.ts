import { defined } from "../../model/defined.ts";
import type { Diagnostic, DiagnosticHead, Span } from "../../model/diagnostic.ts";
import { count } from "../../model/words.ts";
import { codeText, fillBlocks, Links, proseText } from "../markdown-text.ts";
import { withNames } from "../named-text.ts";
import { PLAIN, shorten } from "../style.ts";
import { type SaidDiagnostic, wordedDiagnostic } from "../words/diagnostics.ts";

/** Sorts errors before warnings, so that errors are shown if not everything fits. */
export function worstFirst<D extends Pick<DiagnosticHead, "severity">>(diagnostics: readonly D[]): readonly D[] {
  const isError = ({ severity }: D): boolean => severity === "error";
  return [...diagnostics.filter(isError), ...diagnostics.filter((one) => !isError(one))];
}

/** The number of errors and warnings: "1 error, 2 warnings" */
export function countErrors(diagnostics: readonly Pick<DiagnosticHead, "severity">[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const others = diagnostics.length - errors;
  return [count(errors, "error"), ...(others > 0 ? [count(others, "warning")] : [])].join(", ");
}

/** A diagnostic in words for a comment, in which each name is whole. */
export function namedDiagnostic(diagnostic: Diagnostic): SaidDiagnostic {
  const message = withNames(diagnostic, (one) => wordedDiagnostic(one).message);
  const hint = withNames(diagnostic, (one) => wordedDiagnostic(one).hint ?? "");
  return { ...wordedDiagnostic(diagnostic), named: { message, hint } };
}

const MOST_LINES = 50;
/** The maximum length of a message: it may contain a whole value of a file, but the error and its place are at the beginning. */
const MOST_COLUMNS = 2000;

const short = (text: string): string => shorten(PLAIN, text, MOST_COLUMNS);

/** A diagnostic, cut to a length that GitHub accepts and people can read. */
export function shortened(diagnostic: SaidDiagnostic): SaidDiagnostic {
  const { message, hint } = diagnostic;
  return { ...diagnostic, message: short(message), ...defined({ hint: hint === undefined ? undefined : short(hint) }) };
}

/** Errors and warnings as lines of a log, in their order. */
export function diagnosticLines(diagnostics: readonly SaidDiagnostic[]): readonly string[] {
  const lines = diagnostics
    .slice(0, MOST_LINES)
    .map(shortened)
    .map(({ severity, code, message, hint, at }) => {
      const where = at === undefined ? "" : ` ${at.file}:${at.line}:${at.column}`;
      return `${severity} ${code}${where}: ${message}${hint === undefined ? "" : ` (${hint})`}`;
    });
  const left = diagnostics.length - lines.length;
  return left > 0 ? [...lines, `… and ${left} more`] : lines;
}

/**
 * Errors and warnings as a Markdown list, in their order, up to a budget.
 * @param link address of a place, when there is one to link to
 */
export function diagnosticsMarkdown(
  diagnostics: readonly SaidDiagnostic[],
  budget: number,
  link?: (at: Span) => string,
): string {
  const links = new Links(link);
  return fillBlocks(
    [
      {
        share: 1,
        items: diagnostics.map((diagnostic) => {
          const { severity, code, message, hint, at } = shortened(diagnostic);
          const whole = diagnostic.named;
          // What is cut has no names.
          const said = message === diagnostic.message ? whole?.message : undefined;
          const advised = hint === diagnostic.hint ? whole?.hint : undefined;
          const way = hint === undefined ? "" : `\n  - ${proseText(advised ?? hint)}`;
          const where = links.place(at, ...(at === undefined ? [] : [at.column]));
          return `- **${severity}** ${codeText(code)}: ${proseText(said ?? message)}${where}${way}`;
        }),
        left: (number) => `- … and ${number} more`,
      },
    ],
    budget,
    links,
  );
}
