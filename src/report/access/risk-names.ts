import type { AccessDifference } from "../../access/difference.ts";
import { peopleOfRisk } from "../../access/risk-people.ts";
import type { AccessState } from "../../access/state.ts";
import type { Risk } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import { peopleText } from "./names.ts";

/** What is needed to name people; computed at the first risk. */
interface RiskStates {
  readonly realm: Realm;
  readonly after: AccessState;
  readonly difference: AccessDifference;
}

/** Risks that count people: the states are computed only for these. */
const ABOUT_PEOPLE: ReadonlySet<string> = new Set([
  "readers",
  "right",
  "members",
  "may-join-into",
  "may-administer",
  "organization-right",
]);

/** The people who gain or lose by a risk: up to five by name, or all; nothing for other risks. */
export function riskNames(states: () => RiskStates, all: boolean): (risk: Risk) => string {
  let known: RiskStates | undefined;
  return ({ fact }) => {
    // If subscribers were not read, nobody knows who could do it before.
    if (!ABOUT_PEOPLE.has(fact.kind) || ("at_most" in fact && fact.at_most)) return "";
    known ??= states();
    const people = peopleOfRisk(fact, known.difference);
    return people === undefined || people.size === 0 ? "" : peopleText(known.realm, known.after, people, { all });
  };
}
