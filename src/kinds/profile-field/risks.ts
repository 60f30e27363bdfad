import type { FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import { isList, type Json } from "../../model/json.ts";
import type { Fields } from "../../model/objects.ts";
import { type Change, fieldIn } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { unusual } from "../readings.ts";
import { withKeys } from "./calls.ts";
import { liveOptions, type Option } from "./live.ts";

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
  return { name, ...unusual(fields, usualFields(fields, services)) };
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

/** The options that a change removes. */
interface LeavingOptions {
  readonly removed: readonly Option[];
  /** How many people chose one of them; null if the reading does not say. */
  readonly people: number | null;
  /** New options that are probably removed ones with another text: each is the only one between the same neighbours, or the only one at all. */
  readonly likely: readonly { readonly text: string; readonly was: string }[];
}

export function leavingOptions(change: Change, context: PlanContext): LeavingOptions {
  const options = fieldIn(change.fields, "options");
  if (change.action !== "update" || options === undefined || !isList(options.after))
    return { removed: [], people: 0, likely: [] };
  const before = liveOptions(context.realm, change.id);
  const oldNames = context.pair(change.address)?.declared?.creation?.option_names;
  const after = withKeys(options.after.map(String), before, oldNames);
  const keys = { before: new Set(before.map(({ key }) => key)), after: new Set(after.map(({ key }) => key)) };
  const removed = before.filter(({ key }) => !keys.after.has(key));
  const removals = byNeighbour(before, keys.after);
  const added = byNeighbour(after, keys.before);
  const likely = [...added].flatMap(([neighbour, texts]) => {
    const was = removals.get(neighbour);
    const [text, ...others] = texts;
    return text === undefined || was?.[0] === undefined || others.length + was.length > 1
      ? []
      : [{ text, was: was[0] }];
  });
  const [only, ...more] = [...added.values()].flat();
  const [lost] = removed;
  const isOne = likely.length === 0 && only !== undefined && more.length === 0 && removed.length === 1;
  return {
    removed,
    people: removed.reduce<number | null>((sum, { key }) => {
      const count = peopleWith(change.id, context, key);
      return sum === null || count === null ? null : sum + count;
    }, 0),
    likely: isOne && lost !== undefined ? [{ text: only, was: lost.text }] : likely,
  };
}

/** The texts of the options that do not stay, by the one before them that stays. */
function byNeighbour(options: readonly Option[], staying: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let neighbour = "";
  for (const { key, text } of options) {
    if (staying.has(key)) neighbour = key;
    else found.set(neighbour, [...(found.get(neighbour) ?? []), text]);
  }
  return found;
}

/** How many people have a value of the field; null if the reading does not say. */
function peopleWith(id: number | undefined, { snapshot }: PlanContext, key?: string): number | null {
  const { profile_values: values } = snapshot;
  if (values === undefined || id === undefined) return null;
  const of: { readonly [value: string]: number } = values[String(id)] ?? {};
  if (key !== undefined) return Object.hasOwn(of, key) ? (of[key] ?? 0) : 0;
  return Object.values(of).reduce((sum, count) => sum + count, 0);
}
