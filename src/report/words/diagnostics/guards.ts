import type { GuardDiagnosticFacts } from "../../../model/diagnostics/guards.ts";
import { wayThrough } from "../../guards.ts";
import { guardText } from "../guards.ts";
import { listNames } from "../list-names.ts";
import { say, type WordsOf } from "./words.ts";

const AS_IN_POLICY = "write a protection as the policy writes it: --allow protect:channel:general";
const GUARDS =
  "guards: removals, people_losing_access, emails, lockout, channels.removals, protect:channel:NAME, … (docs/policy.md)";

export const guardWords: WordsOf<GuardDiagnosticFacts> = {
  "guard/refused": ({ guard: { pattern: name }, fact, rule }) => {
    const hint = wayThrough({ name, rule, fact });
    return say(
      `${fact.asks === true ? "this has to be confirmed" : "refused by a guard rail"}: ${guardText({ name, fact })}`,
      hint === "" ? undefined : hint,
    );
  },
  "guard/others": ({ guard: { pattern: name }, fact, others }) =>
    say(
      `others than the plan showed, ${others} of them new: ${guardText({ name, fact: { about: fact.about } })}`,
      "plan again, and look at who it is now",
    ),
  "guard/unknown": ({ guard: { pattern }, protected: known, meant }) => {
    const guess = meant && `did you mean ${JSON.stringify(meant.pattern)}?`;
    if (known === undefined)
      return say(
        pattern === "" ? "--allow names no guard" : `--allow: there is no guard ${JSON.stringify(pattern)}`,
        guess ?? (pattern.startsWith("protect") ? AS_IN_POLICY : GUARDS),
      );
    return say(
      `--allow: the policy has no protection ${JSON.stringify(pattern.replace(/^protect:/, ""))}`,
      guess ??
        (known.length === 0
          ? "the policy protects nothing: leave --allow out"
          : `protected: ${listNames(known.map((one) => one.pattern))}`),
    );
  },
};
