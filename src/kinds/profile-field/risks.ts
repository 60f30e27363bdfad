import { defined } from "../../model/defined.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import { isList, isObject, type Json } from "../../model/json.ts";
import type { Fields } from "../../model/objects.ts";
import type { Change, Risk } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { withKeys } from "./calls.ts";
import { liveOptions } from "./live.ts";

/** People's values that would be lost for good. */
export function profileFieldRisks(change: Change, context: PlanContext): readonly Risk[] {
  const { address, at, action } = change;
  const risk = (fact: RiskFact): Risk => ({
    kind: "irreversible",
    fact,
    address,
    ...defined({ at }),
  });
  const object = namedOf(change);
  if (action === "remove")
    return [risk({ kind: "profile-field-removed", object, people: peopleWith(change.id, context) })];
  const service = change.fields.find(({ field }) => field === "service");
  const fixed =
    action === "update" && typeof service?.after === "string"
      ? [risk({ kind: "profile-service-fixed", object, service: service.after })]
      : [];
  return [...fixed, ...optionRisks(change, context, risk)];
}

function optionRisks(change: Change, context: PlanContext, risk: (fact: RiskFact) => Risk): readonly Risk[] {
  const { action, address } = change;
  const object = namedOf(change);
  const options = change.fields.find(({ field }) => field === "options");
  if (action !== "update" || options === undefined) return [];
  const pair = context.pair(address);
  const live = liveOptions(context.realm, change.id);
  const texts = isList(options.after) ? options.after.map(String) : [];
  const kept = new Set(withKeys(texts, live, pair?.declared?.creation?.option_names).map(({ key }) => key));
  const removed = live.filter(({ key }) => !kept.has(key));
  if (removed.length === 0) return [];
  const counts = removed.map(({ key }) => peopleWith(change.id, context, key));
  return [
    risk({
      kind: "profile-options-removed",
      object,
      options: removed.map(({ text }) => ({ quoted: text })),
      people: counts.reduce<number | null>((sum, count) => (sum === null || count === null ? null : sum + count), 0),
    }),
  ];
}

/** How many people have a value of the field; null if the reading does not say. */
function peopleWith(id: number | undefined, { snapshot }: PlanContext, key?: string): number | null {
  const { profile_values: values } = snapshot;
  if (values === undefined || id === undefined) return null;
  const of: { readonly [value: string]: number } = values[String(id)] ?? {};
  if (key !== undefined) return Object.hasOwn(of, key) ? (of[key] ?? 0) : 0;
  return Object.values(of).reduce((sum, count) => sum + count, 0);
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
