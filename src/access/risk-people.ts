import type { RiskFact } from "../model/facts.ts";
import { holdersOf } from "./grants.ts";
import { Joining } from "./joining.ts";
import type { People } from "./people.ts";
import { READ } from "./rules.ts";
import { isGroup } from "./scope.ts";
import { type AccessState, objectAt } from "./state.ts";

/** A risk that somebody gains or loses something. */
type Shift = Extract<RiskFact, { readonly kind: "readers" | "right" | "members" | "organization-right" }>;

/** The people whom a risk of access is about, without bots; undefined for a risk that is about nobody in particular. */
export function peopleOfRisk(
  fact: RiskFact,
  { before, after }: { readonly before: AccessState; readonly after: AccessState },
): People | undefined {
  switch (fact.kind) {
    case "may-join-into": {
      const joining = new Joining({ before, after });
      const groups = new Set(fact.groups.map(({ name }) => name));
      return fact.channels.reduce(
        (people, { name }) => people.or(joining.gained(name, groups)),
        after.population.nobody,
      );
    }
    case "organization-right":
    case "readers":
    case "right":
    case "members": {
      const { nobody } = before.population;
      const was = concernedIn(before, fact) ?? nobody;
      const is = concernedIn(after, fact) ?? nobody;
      return (fact.shift === "gained" ? is.minus(was) : was.minus(is)).minus(before.accounts.bots);
    }
  }
  return undefined;
}

/** Undefined if there is no such object or right. */
function concernedIn(state: AccessState, fact: Shift): People | undefined {
  if (fact.kind === "organization-right") return holdersOf(state, "organization", fact.setting)?.people;
  const object = objectAt(state, fact.object.address);
  if (object === undefined) return undefined;
  if (fact.kind === "members") return isGroup(object) ? state.membersOf(object.name) : undefined;
  return holdersOf(state, object, fact.kind === "readers" ? READ : fact.setting)?.people;
}
