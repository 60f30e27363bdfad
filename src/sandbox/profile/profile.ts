import { defined } from "../../model/defined.ts";
import { isList, isObject, type JsonObject } from "../../model/json.ts";
import { isAdmin } from "../access.ts";
import { isUrl } from "../addresses.ts";
import { type Call, everybody } from "../call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { rendered } from "../messages/markdown.ts";
import {
  bool,
  checkNoNullBytes,
  codePoints,
  dictionary,
  int,
  json,
  list,
  nullable,
  object,
  optional,
  required,
  type Schema,
  string,
  text,
  withDefault,
} from "../params.ts";
import { stripped } from "../python.ts";
import type { ProfileField, User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import type { RealmState } from "../state.ts";
import { tellPerson } from "../users/shown.ts";

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

export const FIELD_TYPE = {
  shortText: 1,
  longText: 2,
  choice: 3,
  date: 4,
  link: 5,
  people: 6,
  account: 7,
  pronouns: 8,
} as const;

/** All that `field_data` can contain: texts, or objects of texts. */
type FieldData = { readonly [key: string]: string | { readonly [key: string]: string } };
const textOrTexts: Schema<string | { readonly [key: string]: string }> = (value, path) =>
  typeof value === "string" ? value : dictionary(string())(value, `${path}["dict[str,str]"]`);
const fieldData: Schema<FieldData> = dictionary(textOrTexts);

/** Whether the field is for an account at a service that the server supports. */
const isKnownService = (type: number, data: FieldData): boolean =>
  type === FIELD_TYPE.account && data.subtype !== "custom";

/** @throws ApiError with the server's words (zulip-api.md §12.3) */
function checkFieldData(call: Call, type: number, data: FieldData): void {
  if (type === FIELD_TYPE.choice) checkChoices(data);
  if (type === FIELD_TYPE.account) checkAccount(call, data);
}

function checkChoices(data: FieldData): void {
  if (Object.keys(data).length === 0) throw new ApiError("Field must have at least one choice.");
  const texts = new Set<string>();
  for (const [key, choice] of Object.entries(data)) {
    if (stripped(key) === "") throw new ApiError("'value' cannot be blank.");
    texts.add(checkedKeys(choice, ["text", "order"], []).text ?? "");
  }
  if (texts.size !== Object.keys(data).length) throw new ApiError("Field must not have duplicate choices.");
}

function checkAccount({ state, level }: Call, data: FieldData): void {
  const { subtype, url_pattern: pattern } = checkedKeys(data, ["subtype"], ["url_pattern"], checkPattern);
  if (subtype !== undefined && knownService(state, level, subtype) !== undefined) return;
  if (subtype !== "custom") throw new ApiError("Invalid external account type");
  if (pattern === undefined) throw new ApiError("Custom external account must define URL pattern");
}
const PLACEHOLDER = "%(username)s";
function checkPattern(pattern: string, path: string): void {
  if (pattern.split(PLACEHOLDER).length !== 2) throw new ApiError(`URL pattern must contain '${PLACEHOLDER}'.`);
  if (!isUrl(pattern.replace(PLACEHOLDER, "username"))) throw new ApiError(`${path} is not a URL`);
}

/** The texts of an object with exactly these keys; required texts must not be blank. */
function checkedKeys(
  object: unknown,
  required: readonly string[],
  optional: readonly string[],
  checkOptional: (value: string, path: string) => void = () => {},
): { readonly [key: string]: string } {
  if (!isObject(object)) throw new ApiError("field_data is not a dict");
  const out: { [key: string]: string } = {};
  const read = (key: string): string => {
    const path = `field_data["${key}"]`;
    const value = object[key];
    if (typeof value !== "string") throw new ApiError(`${path} is not a string`);
    out[key] = value;
    return path;
  };
  for (const key of required) {
    if (!Object.hasOwn(object, key)) throw new ApiError(`${key} key is missing from field_data`);
    const path = read(key);
    if (stripped(out[key] ?? "") === "") throw new ApiError(`${path} cannot be blank.`);
  }
  for (const key of optional) {
    if (!Object.hasOwn(object, key)) continue;
    const path = read(key);
    checkOptional(out[key] ?? "", path);
  }
  const unexpected = Object.keys(object).filter((key) => !required.includes(key) && !optional.includes(key));
  if (unexpected.length > 0) throw new ApiError(`Unexpected arguments: ${unexpected.join(", ")}`);
  return out;
}

/** The level from which on the built-in list is that of Zulip 12; it came between 443 and 453 (zulip-api.md §12.3). */
const ZULIP_12 = 453;

/** What the server shows of the services that it supports by itself: its own list, unless a newer level is simulated. */
export function externalAccounts({ realm: { default_external_accounts: own } }: RealmState, level: number): JsonObject {
  const known = own !== undefined && isObject(own) ? own : {};
  return level >= ZULIP_12 && Object.hasOwn(known, "twitter") ? NEWER : known;
}

/**
 * The profile fields once a server of this level has them: the upgrade to Zulip 12 renames the fields that still have the name and the service `twitter`, and people
 * keep their values (migration 0769).
 */
export function upgradedFields(state: RealmState, level: number): RealmState["profile_fields"] {
  if (externalAccounts(state, level) !== NEWER) return state.profile_fields;
  const fields = Object.entries(state.profile_fields).map(([id, field]) => {
    const isOld = field.name === "Twitter username" && /^\{"subtype": ?"twitter"\}$/.test(field.field_data);
    return [id, isOld ? { ...field, name: "X username", field_data: '{"subtype":"x"}' } : field];
  });
  return Object.fromEntries(fields);
}

/** Name and hint of a field for the service; undefined if the server does not support it. */
function knownService(
  state: RealmState,
  level: number,
  subtype: unknown,
): { readonly name: string; readonly hint: string } | undefined {
  const known = externalAccounts(state, level);
  const said = Object.hasOwn(known, String(subtype)) ? known[String(subtype)] : undefined;
  return said !== undefined && isObject(said) ? { name: String(said.name), hint: String(said.hint ?? "") } : undefined;
}

/** Subtype, name of the service, what the field asks for, address; people at Mastodon write the whole address. */
const SERVICES: readonly (readonly [subtype: string, text: string, what: string, address: string])[] = [
  ["atlassian", "Atlassian", "account ID", ""],
  ["behance", "Behance", "username", "www.behance.net/"],
  ["bitbucket", "Bitbucket", "username", "bitbucket.org/"],
  ["bluesky", "Bluesky", "handle", "bsky.app/profile/"],
  ["codeberg", "Codeberg", "username", "codeberg.org/"],
  ["discord", "Discord", "tag", ""],
  ["dribbble", "Dribbble", "username", "dribbble.com/"],
  ["facebook", "Facebook", "username", "www.facebook.com/"],
  ["github", "GitHub", "username", "github.com/"],
  ["gitlab", "GitLab", "username", "gitlab.com/"],
  ["instagram", "Instagram", "username", "www.instagram.com/"],
  ["linkedin", "LinkedIn", "profile name", "www.linkedin.com/in/"],
  ["medium", "Medium", "username", "medium.com/@"],
  ["pinterest", "Pinterest", "username", "www.pinterest.com/"],
  ["reddit", "Reddit", "username", "www.reddit.com/user/"],
  ["snapchat", "Snapchat", "username", "www.snapchat.com/add/"],
  ["threads", "Threads", "username", "www.threads.com/@"],
  ["tiktok", "TikTok", "username", "www.tiktok.com/@"],
  ["twitch", "Twitch", "username", "www.twitch.tv/"],
  ["x", "X", "username", "x.com/"],
  ["youtube", "YouTube", "handle", "www.youtube.com/@"],
];
const NEWER: JsonObject = {
  ...Object.fromEntries(
    SERVICES.map(([subtype, text, what, address]) => [
      subtype,
      {
        text,
        url_pattern: address === "" ? "" : `https://${address}%(username)s`,
        name: `${text} ${what}`,
        hint: "",
      },
    ]),
  ),
  mastodon: {
    text: "Mastodon",
    url_pattern: "%(username)s",
    name: "Mastodon profile",
    hint: "The full URL to your profile",
  },
};

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
