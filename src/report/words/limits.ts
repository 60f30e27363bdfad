import { cases } from "../../model/cases.ts";
import type { ReachCaveat } from "../../model/kind-facts.ts";
import { listNames } from "../../model/words.ts";

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

/** What an account cannot do in a section, after the section's name. */
const REACH_CAVEATS: { readonly [caveat in ReachCaveat]: string } = {
  "owners-change-owners": "only owners can change who is an owner",
  "owners-change-some-settings": "only owners can change some of the settings",
  "owners-change-retention": "only owners can change message_retention_days",
  "privacy-from-inside":
    "to make a private channel public, or to set who may join it, the account must be subscribed, or be named in the channel's groups",
  "channels-that-name-it":
    "it can change only channels that name it in can_administer_channel_group, and it does not see every private channel",
};
