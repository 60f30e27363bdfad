import { defined } from "../../model/defined.ts";
import { roomMade } from "../../model/draft-call.ts";
import { isList, isObject, type Json } from "../../model/json.ts";
import type { Pair } from "../../model/objects.ts";
import { type Change, type FieldChange, fieldIn, type IdOf, type Param, serverId } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { namedRequests, orderedCalls, staying } from "../requests.ts";
import { FIELD_TYPES, fieldIds, liveOptions, type Option } from "./live.ts";

/** Removed first, then changed, then added (new ones go last), then reordered once. */
const RANK = { remove: 40, update: 41, create: 42, reorder: 43 } as const;
const SUMMARY = "in_profile_summary";

/** Fields of the file → parameters of the server; the others are parts of `field_data`. */
const PARAMETER: { readonly [field: string]: string } = {
  hint: "hint",
  in_profile_summary: "display_in_profile_summary",
  required: "required",
  editable_by_user: "editable_by_user",
  use_for_user_matching: "use_for_user_matching",
};
const DATA_FIELDS: readonly string[] = ["options", "service", "url_pattern"];

/** Fields that leave the summary have left it: it has room for two only, after every request. */
const ROOM = roomMade("profile_field");

const ownCalls = namedRequests({
  kind: "profile_field",
  // The name may wait for a field that waits for the room in the summary which this one frees, or takes.
  first: SUMMARY,
  create: (change, context) => {
    const pair = context.pair(change.address);
    const fields = pair === undefined ? {} : fieldsAfter(pair);
    const type = Object.entries(FIELD_TYPES).find(([word]) => word === fields.type)?.[1];
    // The check requires a type.
    if (type === undefined) throw new RangeError(`${change.address} has no type`);
    const written = change.fields.map(({ field }) => field);
    return {
      operation: "create-custom-profile-field",
      params: { field_type: type, name: change.name, ...paramsOf(change, written, context) },
      needs: fields[SUMMARY] === true ? [ROOM] : [],
      rank: RANK.create,
    };
  },
  update: (change, fields, name, context) => {
    const inSummary = fields.includes(SUMMARY) ? fieldIn(change.fields, SUMMARY)?.after : undefined;
    return {
      operation: "update-custom-profile-field",
      path: { field_id: serverId(change) },
      params: { ...defined({ name }), ...paramsOf(change, fields, context) },
      needs: inSummary === true ? [ROOM] : [],
      provides: inSummary === false ? [ROOM] : [],
      rank: RANK.update,
    };
  },
  remove: (change) => ({
    operation: "remove-custom-profile-field",
    path: { field_id: serverId(change) },
    provides: fieldIn(change.fields, SUMMARY)?.before === true ? [ROOM] : [],
    rank: RANK.remove,
  }),
});

export const profileFieldCalls = orderedCalls("profile_field", ownCalls, (names, context) => ({
  operation: "reorder-custom-profile-fields",
  params: { order: orderedIds(names, context) },
  rank: RANK.reorder,
}));

function paramsOf(change: Change, fields: readonly string[], context: PlanContext): { readonly [name: string]: Param } {
  const params: { [name: string]: Param } = {};
  for (const { field, after } of change.fields) {
    const parameter = PARAMETER[field];
    if (parameter !== undefined && fields.includes(field)) params[parameter] = after;
  }
  if (fields.some((field) => DATA_FIELDS.includes(field))) params.field_data = fieldData(change, context);
  return params;
}

function fieldData(change: Change, context: PlanContext): { readonly [key: string]: Param } {
  const pair = context.pair(change.address);
  const { options, service, url_pattern } = pair === undefined ? {} : fieldsAfter(pair);
  if (typeof service === "string") return { subtype: service };
  if (typeof url_pattern === "string") return { subtype: "custom", url_pattern };
  const texts = options !== undefined && isList(options) ? options.map(String) : [];
  const keyed = withKeys(texts, liveOptions(context.realm, change.id), pair?.declared?.creation?.option_names);
  return Object.fromEntries(keyed.map(({ key, text }, index) => [key, { text, order: String(index + 1) }]));
}

/**
 * Existing options keep their keys, since people's values are keys; new ones get numbers that no option has had.
 * @param oldNames text → the current text on the server
 */
export function withKeys(texts: readonly string[], live: readonly Option[], oldNames: Json = {}): readonly Option[] {
  const known = new Map(live.map(({ key, text }) => [text, key]));
  const names = isObject(oldNames) ? oldNames : {};
  let next = Math.max(-1, ...live.map(({ key }) => (/^\d{1,9}$/.test(key) ? Number(key) : -1)));
  return texts.map((text) => {
    const was = Object.hasOwn(names, text) ? String(names[text]) : text;
    const key = known.get(was) ?? known.get(text);
    if (key !== undefined) return { key, text };
    next += 1;
    return { key: String(next), text };
  });
}

/** Options that keep their key with another text, and their current text on the server. */
export function renamedOptions(
  change: Change,
  { field, after }: FieldChange,
  context: PlanContext,
): Readonly<Record<string, string>> | undefined {
  if (field !== "options" || !isList(after)) return undefined;
  const live = liveOptions(context.realm, change.id);
  const before = new Map(live.map(({ key, text }) => [key, text]));
  const oldNames = context.pair(change.address)?.declared?.creation?.option_names;
  const renamed = withKeys(after.map(String), live, oldNames).flatMap(({ key, text }) => {
    const was = before.get(key);
    return was === undefined || was === text ? [] : [[text, was] as const];
  });
  return renamed.length === 0 ? undefined : Object.fromEntries(renamed);
}

/** Every field's id in the order of the plan: the server requires all of them, also those of unknown types (zulip-api.md §12.3). */
function orderedIds(names: readonly string[], context: PlanContext): readonly (number | IdOf)[] {
  const byName = new Map(staying("profile_fields", context).map((pair) => [nameAfter(pair), pair]));
  const ids = names.flatMap((name): readonly (number | IdOf)[] => {
    const pair = byName.get(name);
    return pair === undefined ? [] : [pair.live?.id ?? { idOf: pair.address }];
  });
  const removedIds = new Set(
    context.changes.flatMap(({ kind, action, id }) => (kind === "profile_field" && action === "remove" ? [id] : [])),
  );
  const others = fieldIds(context.realm).filter((id) => !ids.includes(id) && !removedIds.has(id));
  return [...ids, ...others];
}

export const nameAfter = ({ change, live }: Pair): string => change?.name ?? live?.name ?? "";

/** The fields of a profile field once the plan is applied. */
export function fieldsAfter({ declared, live }: Pair): NonNullable<Pair["live"]>["fields"] {
  return { ...live?.fields, ...declared?.fields };
}
