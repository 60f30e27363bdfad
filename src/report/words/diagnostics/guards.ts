import type { GuardDiagnosticFacts } from "../../../model/diagnostics/guards.ts";
import { listNames } from "../../../model/suggest.ts";
import { wayThrough } from "../../guards.ts";
import { guardText } from "../guards.ts";
import { say, type WordsOf } from "./words.ts";

export const guardWords: WordsOf<GuardDiagnosticFacts> = {
  "guard/refused": ({ guard: { pattern: name }, fact, rule }) => {
    const hint = wayThrough({ name, rule, fact });
    return say(
      `${fact.asks === true ? "this has to be confirmed" : "refused by a guard rail"}: ${guardText({ name, fact })}`,
      hint === "" ? undefined : hint,
    );
  },
  "guard/unknown": ({ guard, protected: known, meant }) =>
    say(
      `--allow: nothing is protected as ${JSON.stringify(guard.pattern.replace(/^protect:/, ""))}`,
      meant !== undefined
        ? `did you mean ${JSON.stringify(meant.pattern)}?`
        : known.length === 0
          ? "the policy protects nothing: leave --allow out"
          : `what is protected: ${listNames(known.map(({ pattern }) => pattern))}`,
    ),
};
