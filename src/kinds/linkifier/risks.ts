import { defined } from "../../model/defined.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { Change, Risk } from "../../model/plan.ts";

/** A linkifier is removed: new messages get no links from it. Existing messages keep theirs. */
export function linkifierRisks(change: Change): readonly Risk[] {
  const { action, address, at } = change;
  if (action !== "remove") return [];
  const fact: RiskFact = { kind: "removed", object: namedOf(change), noun: "linkifier" };
  return [{ kind: "removes", fact, address, ...defined({ at }) }];
}
