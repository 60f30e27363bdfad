import { defined } from "../model/defined.ts";
import type { Span } from "../model/diagnostic.ts";
import type { GuardAbout, GuardFact } from "../model/facts.ts";
import type { Guard } from "../model/plan.ts";

/** A guard in the form that plans have. */
export function guardOf({ name, about, excused, excusedBy, asks, violated, at, rule }: Found): Guard {
  const fact: GuardFact = {
    about,
    ...defined({ excused, excused_by: excusedBy, asks }),
  };
  return {
    name,
    fact,
    violated,
    ...defined({ at, rule }),
  };
}

/** A guard rail that was checked, before it becomes part of a plan. */
export interface Found {
  readonly name: string;
  readonly about: GuardAbout;
  readonly excused?: NonNullable<GuardFact["excused"]>;
  /** The wider name that allowed the guard, if its own name was not given. */
  readonly excusedBy?: string;
  /** The plan is not refused, but somebody has to confirm it. */
  readonly asks?: true;
  readonly violated: boolean;
  readonly at?: Span;
  /** Where the rule is written. */
  readonly rule?: Span;
}
