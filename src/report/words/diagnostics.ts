import type { Diagnostic, WordedDiagnostic } from "../../model/diagnostic.ts";
import type { DiagnosticFact } from "../../model/facts.ts";
import { wayThrough } from "../guards.ts";
import { guardText } from "./guards.ts";

/** A diagnostic in words, whoever found them: what planning hands out as data gets its sentences here. */
export function wordedDiagnostic(diagnostic: Diagnostic): WordedDiagnostic {
  if (diagnostic.fact === undefined) return diagnostic;
  const { fact, code, severity, at, unquotable } = diagnostic;
  return {
    code,
    severity,
    ...wordsOf(fact),
    ...(at === undefined ? {} : { at }),
    ...(unquotable === undefined ? {} : { unquotable }),
  };
}

type Words = Pick<WordedDiagnostic, "message" | "hint" | "footnotes" | "notes">;

function wordsOf(fact: DiagnosticFact): Words {
  switch (fact.kind) {
    case "guard-refused": {
      const hint = wayThrough(fact);
      return {
        message: `refused by a guard rail: ${guardText(fact)}`,
        ...(hint === "" ? {} : { hint }),
        ...(fact.rule === undefined ? {} : { notes: [{ at: fact.rule, message: "the rule is written here" }] }),
      };
    }
  }
}
