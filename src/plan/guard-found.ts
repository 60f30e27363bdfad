import type { Span } from "../model/diagnostic.ts";
import type { GuardAbout, GuardFact } from "../model/facts.ts";
import type { Guard } from "../model/plan.ts";
import { guardText } from "../model/sentences.ts";

/** The guard with its sentence. */
export function worded({ name, about, excused, hit, at, rule }: Found): Guard {
  const fact: GuardFact = { about, ...(excused === undefined ? {} : { excused }) };
  return {
    name,
    message: guardText(name, fact),
    fact,
    hit,
    ...(at === undefined ? {} : { at }),
    ...(rule === undefined ? {} : { rule }),
  };
}

/** A guard rail that was looked at, before there is a sentence for it. */
export interface Found {
  readonly name: string;
  readonly about: GuardAbout;
  readonly excused?: NonNullable<GuardFact["excused"]>;
  readonly hit: boolean;
  readonly at?: Span;
  /** Where what it goes by is written. */
  readonly rule?: Span;
}
