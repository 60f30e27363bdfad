import type { FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import { isObject, type Json } from "../../model/json.ts";
import type { Fields } from "../../model/objects.ts";
import { type Change, fieldIn } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { leavingOptions, peopleWith } from "./leaving-options.ts";

/** People's values that would be lost for good. */
export function profileFieldRisks(change: Change, context: PlanContext): readonly FoundRisk[] {
  const { action } = change;
  const risk = (fact: RiskFact): FoundRisk => ({ kind: "irreversible", fact });
  const object = namedOf(change);
  if (action === "remove")
    return [risk({ kind: "profile-field-removed", object, people: peopleWith(change.id, context) })];
  const service = fieldIn(change.fields, "service");
  const fixed =
    action === "update" && typeof service?.after === "string"
      ? [risk({ kind: "profile-service-fixed", object, service: service.after })]
      : [];
  return [...fixed, ...optionRisks(change, context, risk)];
}

function optionRisks(change: Change, context: PlanContext, risk: (fact: RiskFact) => FoundRisk): readonly FoundRisk[] {
  const { removed, people } = leavingOptions(change, context);
  if (removed.length === 0) return [];
  const options = removed.map(({ text }) => ({ quoted: text }));
  return [risk({ kind: "profile-options-removed", object: namedOf(change), options, people })];
}

/** A profile field as a person would write it: what a new one has by itself is left out. */
export function profileFieldToYaml(
  name: string,
  fields: { readonly [field: string]: Json },
  services: { readonly [service: string]: { readonly hint: string } },
): Json {
  const item: { [field: string]: Json } = { name };
  const usual = usualFields(fields, services);
  for (const [field, value] of Object.entries(fields)) {
    if (value === null || isObject(value)) continue;
    if (value !== usual[field]) item[field] = value;
  }
  return item;
}

/** What a field of this type and service has that nobody said more about: services bring a hint of their own. */
export function usualFields(
  { service }: Fields,
  services: { readonly [service: string]: { readonly hint: string } },
): Fields {
  return typeof service === "string" ? { ...DEFAULTS, hint: services[service]?.hint ?? "" } : DEFAULTS;
}

const DEFAULTS: Fields = {
  hint: "",
  in_profile_summary: false,
  required: false,
  editable_by_user: true,
  use_for_user_matching: false,
};
