import { peopleOfRisk } from "../../access/risk-people.ts";
import type { AccessState } from "../../access/state.ts";
import type { Risk } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import { peopleText } from "./names.ts";

/** What a plan's risks are asked of; worked out when the first risk is. */
export interface RiskStates {
  readonly realm: Realm;
  readonly before: AccessState;
  readonly after: AccessState;
}

/** Who it is that gains or loses by a risk: up to five by name, or all; nothing for other risks. */
export function riskNames(states: () => RiskStates, all: boolean): (risk: Risk) => string {
  let known: RiskStates | undefined;
  return ({ fact }) => {
    if (fact.kind !== "readers" && fact.kind !== "right" && fact.kind !== "members") return "";
    known ??= states();
    const people = peopleOfRisk(fact, known);
    return people === undefined || people.size === 0 ? "" : peopleText(known.realm, known.after, people, { all });
  };
}
