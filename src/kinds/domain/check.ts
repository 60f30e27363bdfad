import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { accountThatRuns, problem } from "../problems.ts";
import { isRestricted, mayLift, removesLast } from "./restriction.ts";

export function checkDomains(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  return [...rightsProblems(changes, context), ...lastDomainProblems(changes, context)];
}

function rightsProblems(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const [first] = changes;
  if (first === undefined || context.realm.isOwner) return [];
  return [
    problem(
      "domains/not-allowed",
      `${accountThatRuns(context)} may not change the allowed domains`,
      "it has to be an owner of the organization; administrators may not either",
      first.at,
    ),
  ];
}

/** See docs/decisions/0015-domains.md. */
function lastDomainProblems(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  if (!isRestricted(context) || !removesLast(changes, context) || mayLift(changes, context)) return [];
  const last = changes.findLast(({ action }) => action === "remove");
  const name = last?.name ?? "";
  return [
    problem(
      "domains/last-domain",
      `with ${name} the last domain is removed, and anybody may join from then on`,
      `keep or add a domain, or say that this is meant: ${name}: {absent: true, lift_restriction: true}`,
      last?.at,
    ),
  ];
}
