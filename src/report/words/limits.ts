import { cases } from "../../model/cases.ts";
import type { ReachCaveat } from "../../model/kind-facts.ts";
import { listNames } from "../../model/words.ts";
import { REACH_CAVEATS } from "./files.ts";

/** Something that an account cannot do, and why. */
export interface Limit {
  /** The sections that the limit is about. */
  readonly sections: readonly string[];
  readonly fact: LimitFact;
  /** Whether the limit is only about some objects or fields of the section, as the fact says. */
  readonly isPartial: boolean;
}

/** Why an account cannot manage the kinds with these nouns, or some of one. */
export type LimitFact =
  | {
      readonly kind: "administrators-only" | "owners-only" | "no-bots" | "no-guests";
      readonly nouns: readonly string[];
    }
  | { readonly kind: "bots-from-level" | "from-level"; readonly nouns: readonly string[]; readonly level: number }
  | { readonly kind: "caveat"; readonly caveat: ReachCaveat };

export function limitText(fact: LimitFact): string {
  return fact.kind === "caveat"
    ? REACH_CAVEATS[fact.caveat]
    : `${listNames(fact.nouns, fact.nouns.length)} ${why(fact)}`;
}

const why = cases<Exclude<LimitFact, { kind: "caveat" }>, "kind">("kind", {
  "administrators-only": "can be changed by administrators only",
  "owners-only": "can be changed by owners only",
  "no-bots": "are not available to bots: use the key of a person",
  "bots-from-level": ({ level }) => `are not available to bots before feature level ${level}: use the key of a person`,
  "no-guests": "are not available to guests",
  "from-level": ({ level }) => `need feature level ${level}`,
});
