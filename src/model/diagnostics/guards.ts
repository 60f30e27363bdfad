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
  /** What --allow names, and no guard rail is called: a protection that the policy does not have, or a name that there is not at all. */
  readonly "guard/unknown":
    | { readonly guard: Pattern; readonly protected: readonly Pattern[]; readonly meant?: Pattern }
    /** What there is in no policy. */
    | { readonly guard: Pattern; readonly protected?: undefined; readonly meant?: Pattern };
}
