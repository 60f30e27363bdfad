import { type Diagnostic, error, placed, type Span, warning } from "../../model/diagnostic.ts";
import { quote, quoteAll } from "../../model/diagnostics/values.ts";
import { isList, isObject } from "../../model/json.ts";
import type { DeclaredObject, Pair } from "../../model/objects.ts";
import { type Change, fieldIn, sets, spanOfField } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import type { Realm } from "../../model/realm.ts";
import { roleDiagnostics, sharingName, sharingValue } from "../checks.ts";
import { fieldsAfter, nameAfter, staying } from "./calls.ts";
import { fieldOfNewerType, liveOptions } from "./live.ts";
import { leavingOptions } from "./risks.ts";
import { acrossVersions, servicesOf, unfitFlags } from "./schema.ts";

/** The card of a person has room for two (zulip-api.md §12.3). */
const MOST_IN_SUMMARY = 2;

/** Errors that the file alone shows: too many fields in the summary, and a service twice. */
export function checkProfileFieldsInFile(
  declared: readonly DeclaredObject[],
  _section: (name: string) => readonly DeclaredObject[],
  realm: Realm | undefined,
): readonly Diagnostic[] {
  if (realm !== undefined) return [];
  const staying = declared.filter(({ absent }) => !absent);
  const shown = staying.filter(({ fields }) => fields.in_profile_summary === true);
  const last = shown.at(-1);
  const names = shown.map(({ name }) => name);
  return [
    ...(shown.length <= MOST_IN_SUMMARY || last === undefined
      ? []
      : [tooMany(names, last.spans.of("in_profile_summary") ?? last.at)]),
    ...servicesTwice(staying),
  ];
}

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
  const refused = roleDiagnostics("profile_fields", context.realm.isAdmin, changes, context);
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
  const shown = staying(context).filter((pair) => fieldsAfter(pair).in_profile_summary === true);
  const coming = shown.findLast(({ change }) => sets(change?.fields, "in_profile_summary", true));
  if (shown.length <= MOST_IN_SUMMARY || coming?.change === undefined) return [];
  return [tooMany(shown.map(nameAfter), spanOfField(coming.change, "in_profile_summary"))];
}

/** Two fields that would have one name: an item that is renamed to the name of another one. */
const twice = (context: PlanContext): readonly Diagnostic[] =>
  sharingName(staying(context), nameAfter).map(({ pair, name }) => {
    const at = pair.declared?.at ?? pair.change?.at;
    return error("profile_fields/name-taken", { name: quote(name, "profile_field") }, at);
  });
