import { defined } from "../model/defined.ts";
import type { Span } from "../model/diagnostic.ts";
import type { GuardAbout, GuardFact } from "../model/facts.ts";
import type { Guard } from "../model/plan.ts";

/** The guard as a plan has it. */
export function guardOf({ name, about, excused, asks, violated, at, rule }: Found): Guard {
  const fact: GuardFact = { about, ...defined({ excused, asks: asks === true ? asks : undefined }) };
  return {
    name,
    fact,
    violated,
    ...defined({ at, rule }),
  };
}

/** A guard rail that was looked at, before it is part of a plan. */
export interface Found {
  readonly name: string;
  readonly about: GuardAbout;
  readonly excused?: NonNullable<GuardFact["excused"]>;
  /** Not refused, but somebody has to be asked. */
  readonly asks?: true;
  readonly violated: boolean;
  readonly at?: Span;
  /** Where what it goes by is written. */
  readonly rule?: Span;
}
