import type { RiskFact } from "../model/facts.ts";
import { holdersOf } from "./grants.ts";
import { Joining } from "./joining.ts";
import type { People } from "./people.ts";
import { organizationHolders } from "./rights.ts";
import { READ } from "./rules.ts";
import { isGroup } from "./scope.ts";
import { type AccessObject, type AccessState, objectAt } from "./state.ts";

/** The people whom a risk of access is about, without bots; undefined for a risk that is about nobody in particular. */
export function peopleOfRisk(
  fact: RiskFact,
  { before, after }: { readonly before: AccessState; readonly after: AccessState },
): People | undefined {
  if (fact.kind === "organization-right") {
    const [holdersBefore, holdersAfter] = [before, after].map(
      (state) => organizationHolders(state, fact.setting) ?? state.population.nobody,
    );
    if (holdersBefore === undefined || holdersAfter === undefined) return undefined;
    return (fact.shift === "gained" ? holdersAfter.minus(holdersBefore) : holdersBefore.minus(holdersAfter)).minus(
      before.accounts.bots,
    );
  }
  if (fact.kind === "may-join-into") {
    const joining = new Joining({ before, after });
    const groups = new Set(fact.groups.map(({ name }) => name));
    return fact.channels.reduce((people, { name }) => people.or(joining.gained(name, groups)), after.population.nobody);
  }
  if (fact.kind !== "readers" && fact.kind !== "right" && fact.kind !== "members") return undefined;
  const [was, is] = [objectAt(before, fact.object.address), objectAt(after, fact.object.address)];
  const holdersBefore = was === undefined ? before.population.nobody : heldBy(before, was, fact);
  const holdersAfter = is === undefined ? before.population.nobody : heldBy(after, is, fact);
  const moved = fact.shift === "gained" ? holdersAfter.minus(holdersBefore) : holdersBefore.minus(holdersAfter);
  return moved.minus(before.accounts.bots);
}

function heldBy(
  state: AccessState,
  object: AccessObject,
  fact: Extract<RiskFact, { readonly kind: "readers" | "right" | "members" }>,
): People {
  const { nobody } = state.population;
  if (fact.kind === "members") return isGroup(object) ? state.membersOf(object.name) : nobody;
  return holdersOf(state, object, fact.kind === "readers" ? READ : fact.setting)?.people ?? nobody;
}
