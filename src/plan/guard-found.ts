import type { Span } from "../model/diagnostic.ts";
import type { GuardAbout, GuardFact } from "../model/facts.ts";
import type { Guard } from "../model/plan.ts";

/** The guard as a plan has it. */
export function guardOf({ name, about, excused, hit, at, rule }: Found): Guard {
  const fact: GuardFact = { about, ...(excused === undefined ? {} : { excused }) };
  return {
    name,
    fact,
    hit,
    ...(at === undefined ? {} : { at }),
    ...(rule === undefined ? {} : { rule }),
  };
}

/** A guard rail that was looked at, before it is part of a plan. */
export interface Found {
  readonly name: string;
  readonly about: GuardAbout;
  readonly excused?: NonNullable<GuardFact["excused"]>;
  readonly hit: boolean;
  readonly at?: Span;
  /** Where what it goes by is written. */
  readonly rule?: Span;
}
