import type { GuardFact } from "../facts.ts";
import type { Span } from "../span.ts";
import { listNames } from "../words.ts";
import { diagnostic } from "./definition.ts";
import type { Pattern } from "./values.ts";
import { say } from "./words.ts";

const AS_IN_POLICY = "write a protection as the policy writes it: --allow protect:channel:general";
const GUARDS =
  "guards: removals, people_losing_access, emails, lockout, channels.removals, protect:channel:NAME, … (docs/policy.md)";

export const guards = {
  "guard/refused": diagnostic<{
    /** `removals`, `protect:channel:general` */
    guard: Pattern;
    fact: GuardFact;
    /** Where the limit, the protection or the rule on lock-outs is written. */
    rule?: Span;
  }>({
    says: ({ guard: { pattern: name }, fact, rule }, report) => {
      const hint = report.wayThrough({ name, rule, fact });
      return say(
        `${fact.asks === true ? "this has to be confirmed" : "refused by a guard rail"}: ${report.guardText({ name, fact })}`,
        hint === "" ? undefined : hint,
      );
    },
    means: "A guard rail refuses the plan: it removes too much, takes access from too many, or locks somebody out.",
    out: "Read which guard rail it is, and make the plan smaller. Or change the guard rail: the message names the line of the limit, of `protect` or of `lockout`; to change a limit that no file has, write `policy: {limits: {removals: 20}}`. Or let the plan pass once: `--allow removals`, `--allow lockout`, `--allow protect:channel:general`, as the message names it.",
  }),
  /** A guard rail counts as many as when somebody confirmed it or allowed it, but others. */
  "guard/others": diagnostic<{
    guard: Pattern;
    fact: GuardFact;
    /** How many of them were not confirmed: people and objects, or objects. */
    others: number;
  }>({
    says: ({ guard: { pattern: name }, fact, others }, report) =>
      `others than the plan showed, ${others} of them new: ${report.guardText({ name, fact: { about: fact.about } })}`,
    help: "plan again, and look at who it is now",
    means:
      "What was confirmed, or allowed with `--allow`, was about some people, and now it is about others: somebody took the place of somebody else, for example in a group. The number alone would not show that. Or the run had begun, and somebody came into a group that the rest of the plan lets into something: then nothing more was sent.",
    out: "Plan again, and look at who gains or loses access now (`plan --who`). For a pull request, run its plan again and approve it.",
  }),
  /** A name given to `--allow` that no guard rail has: a protection that the policy does not have, or an unknown name. */
  "guard/unknown": diagnostic<
    | { guard: Pattern; protected: readonly Pattern[]; meant?: Pattern }
    /** A name that no policy can have. */
    | { guard: Pattern; protected?: undefined; meant?: Pattern }
  >({
    says: ({ guard: { pattern }, protected: known, meant }) => {
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
    means: "`--allow` names a guard rail that does not exist, so it would allow nothing.",
    out: "Correct the name. Name a protection as the policy writes it: `--allow protect:channel:general`.",
  }),
};
