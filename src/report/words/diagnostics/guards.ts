import type { GuardDiagnosticFacts } from "../../../model/diagnostics/guards.ts";
import { wayThrough } from "../../guards.ts";
import { guardText } from "../guards.ts";
import { say, type WordsOf } from "./words.ts";

export const guardWords: WordsOf<GuardDiagnosticFacts> = {
  "guard/refused": ({ guard: { pattern: name }, fact, rule }) => {
    const hint = wayThrough({ name, rule });
    return say(`refused by a guard rail: ${guardText({ name, fact })}`, hint === "" ? undefined : hint);
  },
};
