import { defined } from "../../model/defined.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { Change, Risk } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { languageTakenBy } from "../code-language.ts";
import { isKept, isSetAnew } from "./language-reset.ts";

/** A playground that is removed, and the default language of code blocks if it is lost with it. */
export function playgroundRisks(change: Change, context: PlanContext): readonly Risk[] {
  const { action, address, at } = change;
  if (action !== "remove") return [];
  const risk = (fact: RiskFact): Risk => ({ kind: "removes", fact, address, ...defined({ at }) });
  const object = namedOf(change);
  const language = languageTakenBy(change, context);
  const taken =
    language === undefined || isKept(change, context) || isSetAnew(context)
      ? []
      : [risk({ kind: "code-language-reset", object, language: { quoted: language } })];
  return [risk({ kind: "removed", object, noun: "playground" }), ...taken];
}
