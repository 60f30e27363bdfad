import { clean } from "../model/clean.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { grouped } from "../model/words.ts";
import { type Alike, alikeIn, likenessOf, othersText, subjectOf } from "./alike.ts";
import { below, diagnosticLines, type Line, placeText } from "./layout.ts";
import type { Style } from "./style.ts";
import type { SaidDiagnostic } from "./words/diagnostics.ts";

/** A text that is equal for diagnostics that differ only in their object and place; undefined for one with notes, which has places of its own. */
export function diagnosticLikeness(diagnostic: Diagnostic | SaidDiagnostic): string | undefined {
  const { severity, code, notes = [] } = diagnostic;
  if (notes.length > 0) return undefined;
  if ("fact" in diagnostic) {
    const { fact, unresolved } = diagnostic;
    // Whoever sees no addresses gets the same for each of them, and the cause is not in the file.
    const now = "hidden" in fact && fact.hidden > 0 ? undefined : unresolved?.now;
    return JSON.stringify([severity, code, likenessOf(fact), now ?? null]);
  }
  return JSON.stringify([severity, code, diagnostic.message, diagnostic.hint, diagnostic.footnotes]);
}

/** The objects of the diagnostics that are like the first one, with their places. */
export function sameFor(style: Style, group: Alike<Diagnostic | SaidDiagnostic>): string {
  const nameOf = (one: Diagnostic | SaidDiagnostic): string | undefined =>
    "fact" in one ? subjectOf(one.fact) : undefined;
  const own = nameOf(group.first);
  return othersText(style, group, (one) => {
    const [name, place] = [nameOf(one), placeText(one.at)];
    // A word that is misspelt everywhere is written once.
    if (name === undefined || name === own) return place === "" ? undefined : place;
    return place === "" ? name : `${name} (${place})`;
  });
}

/** What is held comes last: the name that does not resolve is its cause, wherever both are in the file. */
export const causesFirst = <T extends { readonly code: string }>(diagnostics: readonly T[]): readonly T[] => {
  const isHeld = ({ code }: T): boolean => code === "reference/held";
  return [...diagnostics.filter((one) => !isHeld(one)), ...diagnostics.filter(isHeld)];
};

/** With more of one code than this, the others are counted. */
const MOST_OF_CODE = 10;

/** Diagnostics in short, each with those that are like it. @param all every one by itself */
export function shortLines(diagnostics: readonly Diagnostic[], style: Style, all: boolean): readonly Line[] {
  const groups = alikeIn(causesFirst(diagnostics), (one) => (all ? undefined : diagnosticLikeness(one)));
  const seen = new Map<string, number>();
  const left = new Map<string, number>();
  const lines = groups.flatMap((group) => {
    const { first, others } = group;
    const kind = `${first.severity}[${first.code}]`;
    const number = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, number);
    if (!all && number > MOST_OF_CODE) {
      left.set(kind, (left.get(kind) ?? 0) + 1 + others.length);
      return [];
    }
    return [...diagnosticLines(first, style), below(clean(sameFor(style, group)))];
  });
  return [...lines, ...[...left].map(([kind, number]) => `  ${kind}: ${grouped(number)} more (--all shows them)`)];
}
