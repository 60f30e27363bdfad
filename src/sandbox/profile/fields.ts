import { defined } from "../../model/defined.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Call, everybody } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import {
  bool,
  checkNoNullBytes,
  codePoints,
  int,
  json,
  list,
  optional,
  required,
  text,
  withDefault,
} from "../params.ts";
import { stripped } from "../python.ts";
import type { ProfileField } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { checkFieldData, FIELD_TYPE, type FieldData, fieldData, isKnownService, knownService } from "./data.ts";

/** The fields in profile order, as the level shows them: GET, register and events (zulip-api.md §12.3). */
export function shownProfileFields(state: RealmState, level: number): readonly JsonObject[] {
  return rows(state.profile_fields)
    .sort((a, b) => a.order - b.order || a.id - b.id)
    .map((field) =>
      defined({
        id: field.id,
        name: field.name,
        type: field.type,
        hint: field.hint,
        field_data: field.field_data,
        order: field.order,
        required: level >= 244 ? field.required : undefined,
        editable_by_user: level >= 296 ? field.editable_by_user : undefined,
        display_in_profile_summary: field.display_in_profile_summary ? true : undefined,
        use_for_user_matching: level >= 455 && field.use_for_user_matching ? true : undefined,
      }),
    );
}
const tell = (call: Call): void =>
  call.emit(everybody, { type: "custom_profile_fields", fields: shownProfileFields(call.state, call.level) });

const TYPES: ReadonlySet<number> = new Set(Object.values(FIELD_TYPE));
const MAX_NAME_LENGTH = 40;
const MAX_HINT_LENGTH = 80;
const MAX_IN_SUMMARY = 2;

function checkSummaryHasRoom(state: RealmState, except?: ProfileField): void {
  const shown = rows(state.profile_fields).filter((field) => field.display_in_profile_summary && field !== except);
  if (shown.length >= MAX_IN_SUMMARY)
    throw new ApiError("Only 2 custom profile fields can be displayed in the profile summary.");
}

type Description = Pick<
  ProfileField,
  "name" | "hint" | "type" | "display_in_profile_summary" | "use_for_user_matching"
>;
/** Checks a field in the server's order. */
function checkField(call: Call, field: Description, data: FieldData): void {
  checkFieldData(call, field.type, data);
  if (!isKnownService(field.type, data)) {
    if (stripped(field.name) === "") throw new ApiError("Label cannot be blank.");
    checkLength("hint", field.hint, MAX_HINT_LENGTH);
    checkLength("name", field.name, MAX_NAME_LENGTH);
  }
  if (!TYPES.has(field.type)) throw new ApiError("Invalid field type.");
  const isTooLong = field.type === FIELD_TYPE.people || (field.type === FIELD_TYPE.longText && call.level < 476);
  if (field.display_in_profile_summary && isTooLong)
    throw new ApiError("Field type not supported for display in profile summary.");
  const isMatched = field.type === FIELD_TYPE.shortText || field.type === FIELD_TYPE.account;
  if (field.use_for_user_matching && !isMatched)
    throw new ApiError("Field type not supported for use for user matching.");
}
function checkLength(name: string, value: string, limit: number): void {
  if (codePoints(value) > limit) throw new ApiError(`${name} is too long (limit: ${limit} characters)`);
}
function checkLabelIsFree(state: RealmState, name: string, except?: ProfileField): void {
  if (rows(state.profile_fields).some((field) => field !== except && field.name === name))
    throw new ApiError("A field with that label already exists.");
}

function find(state: RealmState, id: number): ProfileField {
  const field = state.profile_fields[id];
  if (field === undefined) throw new ApiError(`Field id ${id} not found.`);
  return field;
}
/** `field_data` is stored as text; fields that need no data store the empty text. */
const dataOf = (field: ProfileField): FieldData =>
  field.field_data === "" ? {} : fieldData(JSON.parse(field.field_data), "field_data");

/** Removes people's values of the field: all of them, or those for which `isGone` is true. */
function forgetValues(call: Call, fieldId: number, isGone: (value: unknown) => boolean = () => true): void {
  for (const user of rows(call.state.users)) {
    const said = user.profile_data[fieldId];
    if (said === undefined || !isGone(said.value)) continue;
    const { [fieldId]: _, ...kept } = user.profile_data;
    call.ledger.set(user, "profile_data", kept);
  }
}

const label = text({ strip: true });

export const profileFieldEndpoints = [
  defineEndpoint("GET /realm/profile_fields", {
    handler: ({ state, level }) => ({ custom_fields: shownProfileFields(state, level) }),
  }),
  defineEndpoint("PATCH /realm/profile_fields", {
    who: ["administrator"],
    params: { order: required(json(list(int()))) },
    handler(call, { order }) {
      const places = new Map(order.map((id, place) => [id, place]));
      const fields = rows(call.state.profile_fields);
      if (fields.some(({ id }) => !places.has(id))) throw new ApiError("Invalid order mapping.");
      for (const field of fields) call.ledger.set(field, "order", places.get(field.id) ?? 0);
      tell(call);
    },
  }),
  defineEndpoint("POST /realm/profile_fields", {
    who: ["administrator"],
    params: {
      display_in_profile_summary: withDefault(json(bool), false),
      editable_by_user: withDefault(json(bool), true, { level: 296 }),
      field_data: withDefault(json(fieldData), {}),
      field_type: required(json(int())),
      hint: withDefault(text(), ""),
      name: withDefault(label, ""),
      required: withDefault(json(bool), false, { level: 244 }),
      use_for_user_matching: withDefault(json(bool), false, { level: 455 }),
    },
    handler(call, { field_type: type, field_data: data, ...sent }) {
      const { state, ledger } = call;
      if (sent.display_in_profile_summary) checkSummaryHasRoom(state);
      checkField(call, { ...sent, type }, data);
      const known = isKnownService(type, data) ? knownService(state, call.level, data.subtype) : undefined;
      const id = ledger.nextId("profile_field");
      const described = known ?? { name: sent.name, hint: sent.hint };
      checkLabelIsFree(state, described.name);
      checkNoNullBytes(described.name, described.hint);
      const hasData = type === FIELD_TYPE.choice || type === FIELD_TYPE.account;
      const stored = known === undefined ? data : { subtype: data.subtype };
      const field_data = hasData ? JSON.stringify(stored) : "";
      ledger.put(state.profile_fields, id, { ...sent, ...described, id, type, field_data, order: id });
      tell(call);
      return { id };
    },
  }),
  defineEndpoint("PATCH /realm/profile_fields/{field_id}", {
    who: ["administrator"],
    params: {
      display_in_profile_summary: optional(json(bool)),
      editable_by_user: optional(json(bool), { level: 296 }),
      field_data: optional(json(fieldData)),
      hint: optional(text()),
      name: optional(label),
      required: optional(json(bool), { level: 244 }),
      use_for_user_matching: optional(json(bool), { level: 455 }),
    },
    handler(call, { field_id, field_data: sentData, ...sent }) {
      const field = find(call.state, field_id);
      if (sent.display_in_profile_summary === true) checkSummaryHasRoom(call.state, field);
      const before = dataOf(field);
      const isOther =
        (sent.name !== undefined && sent.name !== field.name) ||
        (sent.hint !== undefined && sent.hint !== field.hint) ||
        (sentData !== undefined && !isSame(sentData, before));
      if (isKnownService(field.type, before) && isOther) throw new ApiError("Default custom field cannot be updated.");
      const after = { ...field, ...withoutUndefined(sent) };
      checkField(call, after, sentData ?? before);
      checkLabelIsFree(call.state, after.name, field);
      checkNoNullBytes(after.name, after.hint);
      if (sentData !== undefined && (field.type === FIELD_TYPE.choice || field.type === FIELD_TYPE.account)) {
        forgetValues(call, field_id, (value) => isRemovedChoice(field, before, sentData, value));
        after.field_data = JSON.stringify(sentData);
      }
      call.ledger.assign(field, after);
      tell(call);
    },
  }),
  defineEndpoint("DELETE /realm/profile_fields/{field_id}", {
    who: ["administrator"],
    handler(call, { field_id }) {
      find(call.state, field_id);
      call.ledger.remove(call.state.profile_fields, field_id);
      forgetValues(call, field_id);
      tell(call);
    },
  }),
];

const isSame = (a: FieldData, b: FieldData): boolean => JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b));
const sortKeys = (data: FieldData): unknown => Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
const isRemovedChoice = (field: ProfileField, before: FieldData, after: FieldData, value: unknown): boolean =>
  field.type === FIELD_TYPE.choice &&
  typeof value === "string" &&
  Object.hasOwn(before, value) &&
  !Object.hasOwn(after, value);

/** Only the values that were sent. */
function withoutUndefined<T extends object>(sent: T): { [K in keyof T]?: Exclude<T[K], undefined> };
function withoutUndefined(sent: object): object {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
}
