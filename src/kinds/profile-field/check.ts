import { type Diagnostic, error, placed, type Span, warning } from "../../model/diagnostic.ts";
import { quote, quoteAll } from "../../model/diagnostics/values.ts";
import type { FileCheck, FoundRisk } from "../../model/facets.ts";
import { namedOf, type RiskFact } from "../../model/facts.ts";
import { isList, isObject, type Json } from "../../model/json.ts";
import type { DeclaredObject, Fields, Pair } from "../../model/objects.ts";
import { type Change, fieldIn, sets, spanOfField } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { roleDiagnostics, sharingName, sharingValue } from "../checks.ts";
import { unusual } from "../readings.ts";
import { staying } from "../requests.ts";
import { fieldsAfter, nameAfter, withKeys } from "./calls.ts";
import { fieldOfNewerType, liveOptions, type Option } from "./live.ts";
import { acrossVersions, servicesOf, unfitFlags } from "./schema.ts";

/** The card of a person has room for two (zulip-api.md §12.3). */
const MOST_IN_SUMMARY = 2;

/** Errors that the file alone shows: too many fields in the summary, and a service twice. */
export const checkProfileFieldsInFile: FileCheck = (declared, _section, realm) => {
  if (realm !== undefined) return [];
  const kept = declared.filter(({ absent }) => !absent);
  const shown = kept.filter(({ fields }) => fields.in_profile_summary === true);
  const last = shown.at(-1);
  const names = shown.map(({ name }) => name);
  return [
    ...(shown.length <= MOST_IN_SUMMARY || last === undefined
      ? []
      : [tooMany(names, last.spans.of("in_profile_summary") ?? last.at)]),
    ...servicesTwice(kept),
  ];
};

const tooMany = (names: readonly string[], at: Span | undefined): Diagnostic => {
  const fields = quoteAll(names, "profile_field");
  return error("profile_fields/summary", { cause: "too-many", limit: MOST_IN_SUMMARY, fields }, at);
};

/** The server does not create a second field for a known service, but a custom account field can become such a field (zulip-api.md §12.3). */
function servicesTwice(declared: readonly DeclaredObject[]): readonly Diagnostic[] {
  return sharingValue(declared, ({ fields }) => fields.service).map(({ object, first, value: service }) => {
    const fact = { cause: "service-twice", service, other: quote(first.name, "profile_field") } as const;
    return warning("profile_fields/account", fact, object.spans.of("service") ?? object.at);
  });
}

/** Errors that the server would refuse, and errors that only the whole list shows. */
export function checkProfileFields(changes: readonly Change[], context: PlanContext): readonly Diagnostic[] {
  const refused = roleDiagnostics("profile_fields/not-allowed", context.realm.isAdmin, changes, context);
  if (refused.length > 0) return refused;
  return [
    ...context.pairs("profile_fields").flatMap((pair) => pairDiagnostics(pair, context)),
    ...summaryDiagnostics(context),
    ...twice(context),
  ];
}

function pairDiagnostics(pair: Pair, context: PlanContext): readonly Diagnostic[] {
  const { change, declared } = pair;
  const written = change?.name ?? declared?.name;
  const other = written === undefined || declared === undefined ? undefined : fieldOfNewerType(written, context.realm);
  if (other !== undefined && written !== undefined) {
    const fact = { name: quote(written, "profile_field"), newer_type: String(other.type) };
    return [error("profile_fields/name-taken", fact, declared?.at)];
  }
  if (change === undefined || (change.action !== "create" && change.action !== "update")) return [];
  const after = fieldsAfter(pair);
  const name = quote(change.name, "profile_field");
  if (change.action === "create" && after.type === undefined)
    return [error("profile_fields/type", { cause: "missing", name }, change.at)];
  const type = fieldIn(change.fields, "type");
  if (change.action === "update" && type !== undefined) {
    const fact = { cause: "fixed", name, before: String(type.before), after: String(type.after) } as const;
    return [error("profile_fields/type", fact, spanOfField(change, "type"))];
  }
  return [
    ...typeDiagnostics(change, String(after.type), context.realm),
    ...optionDiagnostics(pair, change, context),
    ...accountDiagnostics(pair, change, context),
  ];
}

/** Properties that the type does not have; an item that names its type was checked before. */
function typeDiagnostics(change: Change, type: string, realm: Realm): readonly Diagnostic[] {
  const isWritten = (field: string) => change.fields.some((each) => each.field === field && each.after !== null);
  const other = (field: string, needs: string) =>
    type !== needs && isWritten(field)
      ? [error("profile_fields/other-type", { field, type, needs: [needs] }, spanOfField(change, field))]
      : [];
  const becomes = (name: string) => sets(change.fields, name, true);
  const flags = {
    in_profile_summary: becomes("in_profile_summary"),
    use_for_user_matching: becomes("use_for_user_matching"),
  };
  return [
    ...other("options", "select"),
    ...other("service", "external_account"),
    ...other("url_pattern", "external_account"),
    ...unfitFlags(type, flags, realm).map(({ field, found }) => placed(found, spanOfField(change, field))),
  ];
}

function optionDiagnostics({ declared, live }: Pair, change: Change, context: PlanContext): readonly Diagnostic[] {
  const after = declared === undefined ? {} : declared.fields;
  if (change.action === "create") {
    const isSelect = after.type === "select" && after.options === undefined;
    return isSelect ? [error("profile_fields/options", { cause: "none" }, change.at)] : [];
  }
  const { people, likely } = leavingOptions(change, context);
  const [renamed] = likely;
  const fact = {
    cause: "look-renamed",
    options: likely.map(({ text, was }) => ({ text: quote(text), was: quote(was) })),
  } as const;
  const warnings =
    people === 0 || renamed === undefined
      ? []
      : [warning("profile_fields/options", fact, spanOfField(change, "options"))];
  const names = declared?.creation?.option_names;
  if (names === undefined || !isObject(names)) return warnings;
  const known = liveOptions(context.realm, live?.id).map(({ text }) => text);
  const options = after.options !== undefined && isList(after.options) ? after.options : [];
  const errors = Object.entries(names).flatMap(([text, was]) => {
    // Renamed already: the old text no longer exists, and the new one does.
    if (known.includes(String(was)) || known.includes(text) || !options.includes(text)) return [];
    return [
      error(
        "profile_fields/options",
        { cause: "was-unknown", was: quote(String(was)), known: quoteAll(known) },
        spanOfField(change, "options"),
      ),
    ];
  });
  return [...errors, ...warnings];
}

function accountDiagnostics(pair: Pair, change: Change, context: PlanContext): readonly Diagnostic[] {
  const after = fieldsAfter(pair);
  if (after.type !== "external_account") return [];
  const { service, url_pattern: pattern } = after;
  if (typeof service !== "string" && typeof pattern !== "string")
    return [error("profile_fields/account", { cause: "neither" }, change.at)];
  const before = pair.live?.fields.service;
  const at = spanOfField(change, "service");
  if (typeof before === "string" && (service !== before || change.fields.some(({ field }) => FIXED.includes(field))))
    return [error("profile_fields/account", { cause: "fixed", service: before }, at)];
  const renamed = pair.live === undefined && typeof service === "string" ? renamedField(service, context) : undefined;
  if (renamed !== undefined) return [error("profile_fields/account", renamed, at)];
  // A custom account field becomes a field for a known service with its current name.
  if (typeof service !== "string" || pair.live !== undefined) return [];
  const known = servicesOf(context.realm)[service];
  if (known === undefined) return [];
  const wrong = (field: "name" | "hint", is: string) =>
    error(
      "profile_fields/account",
      { cause: "its-name", service, field, is },
      pair.declared?.spans.of(field) ?? change.at,
    );
  return [
    ...(change.name === known.name ? [] : [wrong("name", known.name)]),
    ...(after.hint === undefined || after.hint === known.hint ? [] : [wrong("hint", known.hint)]),
  ];
}

/** A field of the server for the same service under its other name, which the file leaves or removes: people's values would be lost with it. */
function renamedField(service: string, context: PlanContext) {
  const other = acrossVersions(service);
  const left = context
    .pairs("profile_fields")
    .find(({ live, declared }) => live?.fields.service === other && (declared === undefined || declared.absent));
  if (left?.live === undefined || other === service) return undefined;
  return { cause: "service-of-field", service, other, field: quote(left.live.name, "profile_field") } as const;
}

/** Values that the server sets for a field of a known service. */
const FIXED: readonly string[] = ["name", "hint", "service", "url_pattern"];

function summaryDiagnostics(context: PlanContext): readonly Diagnostic[] {
  const shown = staying("profile_fields", context).filter((pair) => fieldsAfter(pair).in_profile_summary === true);
  const coming = shown.findLast(({ change }) => sets(change?.fields, "in_profile_summary", true));
  if (shown.length <= MOST_IN_SUMMARY || coming?.change === undefined) return [];
  return [tooMany(shown.map(nameAfter), spanOfField(coming.change, "in_profile_summary"))];
}

/** Two fields that would have one name: an item that is renamed to the name of another one. */
const twice = (context: PlanContext): readonly Diagnostic[] =>
  sharingName(staying("profile_fields", context), nameAfter).map(({ pair, name }) => {
    const at = pair.declared?.at ?? pair.change?.at;
    return error("profile_fields/name-taken", { name: quote(name, "profile_field") }, at);
  });

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

function leavingOptions(change: Change, context: PlanContext): LeavingOptions {
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
