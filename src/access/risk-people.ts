import type { Named, RiskFact } from "../model/facts.ts";
import type { AccessDifference, Pair, Shifted } from "./difference.ts";
import { movedIn } from "./opened-channels.ts";
import type { People } from "./people.ts";
import { ADMINISTER, READ } from "./rules.ts";
import { isAccountAddress } from "./scope.ts";
import { objectAt } from "./state.ts";

/** A risk that somebody gains or loses something. */
type Shift = Extract<RiskFact, { readonly kind: "readers" | "right" | "organization-right" }>;

/**
 * The people whom a risk of access is about, without bots; undefined for a risk that is about nobody in particular.
 */
export function peopleOfRisk(fact: RiskFact, difference: AccessDifference): People | undefined {
  const { before, after } = difference;
  const { nobody } = after.population;
  switch (fact.kind) {
    case "members": {
      if (difference.after.group(fact.object.name) === undefined) return nobody;
      const { readers, others } = movedIn(difference, fact.object.name, fact.shift);
      return fact.channels.length === 0 ? others : readers;
    }
    case "may-join-into":
    case "may-administer": {
      // The sentence names the account.
      if (isAccountAddress(fact.object.address)) return undefined;
      const right = fact.kind === "may-join-into" ? READ : ADMINISTER;
      const gained = ({ name }: Named): People => difference.joining(name, fact.object, right).gained;
      return fact.channels.reduce((people, channel) => people.or(gained(channel)), nobody);
    }
    case "organization-right":
    case "readers":
    case "right":
      return (shiftIn(difference, fact)?.[fact.shift] ?? nobody).minus(before.accounts.bots);
  }
  return undefined;
}

/** Undefined if there is no such object. */
function shiftIn(difference: AccessDifference, fact: Shift): Shifted | undefined {
  if (fact.kind === "organization-right") return difference.of(ORGANIZATION, fact.setting);
  const object = objectAt(difference.after, fact.object.address);
  const pair = difference.pairOf(object);
  if (object === undefined || pair === undefined) return undefined;
  return fact.kind === "readers" ? difference.reading(pair) : difference.usable(pair, fact.setting);
}

const ORGANIZATION: Pair = { was: "organization", is: "organization" };
