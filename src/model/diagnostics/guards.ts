import type { GuardFact } from "../facts.ts";
import type { Span } from "../span.ts";
import type { Pattern } from "./values.ts";

export interface GuardDiagnosticFacts {
  readonly "guard/refused": {
    /** `removals`, `protect:channel:general` */
    readonly guard: Pattern;
    readonly fact: GuardFact;
    /** Where the limit, the protection or the rule on lock-outs is written. */
    readonly rule?: Span;
  };
  /** A guard rail counts as many as when somebody confirmed it or allowed it, but others. */
  readonly "guard/others": {
    readonly guard: Pattern;
    readonly fact: GuardFact;
    /** How many of them were not confirmed: people and objects, or objects. */
    readonly others: number;
  };
  /** A name given to `--allow` that no guard rail has: a protection that the policy does not have, or an unknown name. */
  readonly "guard/unknown":
    | { readonly guard: Pattern; readonly protected: readonly Pattern[]; readonly meant?: Pattern }
    /** A name that no policy can have. */
    | { readonly guard: Pattern; readonly protected?: undefined; readonly meant?: Pattern };
}
