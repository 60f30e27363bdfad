import { isList, isObject } from "../../model/json.ts";
import { isAdmin } from "../access.ts";
import { isUrl } from "../addresses.ts";
import type { Call } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { rendered } from "../messages/markdown.ts";
import {
  checkNoNullBytes,
  codePoints,
  int,
  json,
  list,
  nullable,
  object,
  required,
  type Schema,
  string,
} from "../params.ts";
import type { ProfileField, User } from "../rows/accounts.ts";
import type { RealmState } from "../state.ts";
import { tellPerson } from "../users/shown.ts";
import { FIELD_TYPE } from "./field-data.ts";

type SentValue = string | readonly number[];
const value: Schema<SentValue> = (sent, path) => {
  if (isList(sent) && sent.every((each) => Number.isInteger(each))) return list(int())(sent, path);
  return string()(sent, `${path}["str"]`);
};
const otherwise = (path: string): string => `${path} is not a dict`;
const entry = object({ id: int(), value }, { otherwise });
type Entry = ReturnType<typeof entry>;
/** The form that administrators send: null or an empty value removes the current one. */
export const entryOrRemoval = object({ id: int(), value: nullable(value) }, { otherwise });

const MAX_SHORT = 50;
const MAX_LONG = 500;

/** @throws ApiError unless the field may hold it (zulip-api.md §16 point 12) */
function checkProfileValue(state: RealmState, field: ProfileField, sent: SentValue): void {
  switch (field.type) {
    case FIELD_TYPE.choice:
      if (typeof sent !== "string") throw new ApiError(`${field.name} is not a string`);
      if (!isChoice(field, sent)) throw new ApiError(`'${sent}' is not a valid choice for '${field.name}'.`);
      return;
    case FIELD_TYPE.people:
      checkPeople(state, sent);
      return;
    default:
      checkText(field, sent);
  }
}

const isChoice = (field: ProfileField, key: string): boolean => {
  const choices: unknown = JSON.parse(field.field_data);
  return isObject(choices) && Object.hasOwn(choices, key);
};

function checkText(field: ProfileField, sent: SentValue): void {
  const { name, type } = field;
  if (typeof sent !== "string") throw new ApiError(`${name} is not a string`);
  if (type === FIELD_TYPE.date && !isDate(sent)) throw new ApiError(`${name} is not a date`);
  if (type === FIELD_TYPE.link && !isUrl(sent)) throw new ApiError(`${name} is not a URL`);
  if (type === FIELD_TYPE.date || type === FIELD_TYPE.link) return;
  const limit = type === FIELD_TYPE.longText ? MAX_LONG : MAX_SHORT;
  if (codePoints(sent) > limit) throw new ApiError(`${name} is too long (limit: ${limit} characters)`);
}

/** Whether the text is an existing day as YYYY-MM-DD. The server writes years before 1000 with fewer digits, so they never match what was sent. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith("0")) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function checkPeople(state: RealmState, sent: SentValue): void {
  if (typeof sent === "string") throw new ApiError("User IDs is not a list");
  const unknown = sent.filter((id) => state.users[id] === undefined || state.users[id]?.is_system_bot === true);
  if (unknown.length > 0) throw new ApiError(`Invalid user IDs: ${unknown.join(", ")}`);
  for (const id of [...sent].sort((a, b) => a - b)) {
    if (state.users[id]?.is_active !== true) throw new ApiError(`User with ID ${id} is deactivated`);
    if (state.users[id]?.is_bot === true) throw new ApiError(`User with ID ${id} is a bot`);
  }
}

/** Lists are stored as text. */
const textOf = (sent: SentValue): string => (typeof sent === "string" ? sent : JSON.stringify(sent));

function editableField(call: Call, id: number): ProfileField {
  const field = call.state.profile_fields[id];
  if (field === undefined) throw new ApiError(`Field id ${id} not found.`);
  if (!field.editable_by_user && !isAdmin(call.user))
    throw new ApiError("You are not allowed to change this field. Contact an administrator to update it.");
  return field;
}

function store(call: Call, user: User, field: ProfileField, sent: SentValue): void {
  const value = textOf(sent);
  checkNoNullBytes(value);
  if (user.profile_data[field.id]?.value === value) return;
  const isRendered = field.type === FIELD_TYPE.shortText || field.type === FIELD_TYPE.longText;
  const said = isRendered ? { value, rendered_value: rendered(value, call) } : { value };
  call.ledger.set(user, "profile_data", { ...user.profile_data, [field.id]: said });
  tellPerson(call, user, { custom_profile_field: { id: field.id, ...(value === "" ? { value } : said) } });
}
/** Checks all values before it stores any. @throws ApiError */
function update(call: Call, user: User, entries: readonly Entry[]): void {
  for (const { id, value } of entries) checkProfileValue(call.state, editableField(call, id), value);
  for (const { id, value } of entries) {
    store(call, user, editableField(call, id), value);
  }
}
function remove(call: Call, user: User, id: number): void {
  editableField(call, id);
  const { [id]: said, ...kept } = user.profile_data;
  if (said === undefined) return;
  call.ledger.set(user, "profile_data", kept);
  tellPerson(call, user, { custom_profile_field: { id, value: null } });
}

/** Values that an administrator sets for somebody: empty ones are removed before the others are checked. @throws ApiError */
export function changeProfile(call: Call, user: User, sent: readonly ReturnType<typeof entryOrRemoval>[]): void {
  const entries: Entry[] = [];
  for (const { id, value } of sent) {
    if (value === null || value.length === 0) remove(call, user, id);
    else entries.push({ id, value });
  }
  update(call, user, entries);
}

/** People set their own values of the realm's profile fields (api.md 10). */
export const profileDataEndpoints = [
  defineEndpoint("PATCH /users/me/profile_data", {
    who: ["human"],
    params: { data: required(json(list(entry))) },
    handler(call, { data }) {
      update(call, call.user, data);
    },
  }),
  defineEndpoint("DELETE /users/me/profile_data", {
    who: ["human"],
    params: { data: required(json(list(int()))) },
    handler(call, { data }) {
      for (const id of data) remove(call, call.user, id);
    },
  }),
];
