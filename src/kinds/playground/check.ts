import { type Diagnostic, error } from "../../model/diagnostic.ts";
import { runningAccount } from "../../model/diagnostics/values.ts";
import type { FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { languageTakenBy } from "../code-language.ts";
import { isKept, isSetAnew } from "./calls.ts";

export function checkPlaygrounds(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const [first] = changes;
  if (first !== undefined && !context.realm.isAdmin)
    return [error("playgrounds/not-allowed", { account: runningAccount(context.snapshot) }, first.at)];
  return changes
    .filter(({ action, fields }) => action === "create" && !fields.some(({ field }) => field === "url_template"))
    .map(({ at }) => error("playgrounds/template", { cause: "missing" }, at));
}

/** A playground that is removed, and the default language of code blocks if it is lost with it. */
export function playgroundRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  if (change.action !== "remove") return [];
  const risk = (fact: RiskFact): FoundRisk => ({ kind: "removes", fact });
  const object = namedOf(change);
  const language = languageTakenBy(change, context);
  const taken =
    language === undefined || isKept(change, context) || isSetAnew(context)
      ? []
      : [risk({ kind: "code-language-reset", object, language: { quoted: language } })];
  return [risk({ kind: "removed", object, noun: "playground" }), ...taken];
}
