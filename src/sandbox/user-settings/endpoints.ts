import { defined } from "../../model/defined.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { words } from "../../model/synonyms.ts";
import { isAdmin } from "../access.ts";
import { whyNotAllowed, whyTaken } from "../addresses.ts";
import { type Call, everybody, only } from "../call.ts";
import { NOTIFICATION_SOUNDS } from "../defaults.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ApiError, internalError, mustBe, valueError } from "../errors.ts";
import { subgroupsOf } from "../groups.ts";
import {
  type Args,
  alphabetical,
  bool,
  codePoints,
  int,
  json,
  list,
  maybe,
  object,
  optional,
  type Reader,
  type Schema,
  text,
} from "../params.ts";
import { stripped } from "../python.ts";
import type { User } from "../rows/accounts.ts";
import { rows } from "../rows/values.ts";
import { type RealmState, settingsOf } from "../state.ts";
import { tellPicture } from "../users/avatar.ts";
import {
  addressVisibility,
  EVERYBODY,
  hostOfHiddenAddresses,
  knowing,
  seesAddress,
  tellPerson,
} from "../users/shown.ts";
import { tellBotChange } from "../users/shown-bots.ts";
import { isLanguage, timeZoneNamed } from "./languages-and-time-zones.ts";
import { checkLevelOfValues, defaultsParams, SETTING_NAMES, settingsParams } from "./table.ts";

interface Targets {
  readonly user_ids: readonly number[];
  readonly group_ids: readonly number[];
  readonly skip_if_already_edited: boolean;
}
const shape = object({ user_ids: maybe(list(int())), group_ids: maybe(list(int())), skip_if_already_edited: bool });

/** `target_users` (level 444): people whose settings an administrator changes. */
const targets: Schema<Targets> = (value, path) => {
  const { user_ids = [], group_ids = [], skip_if_already_edited } = shape(value, path);
  if (user_ids.length + group_ids.length === 0) throw new ApiError("Either user_ids or group_ids must be provided.");
  return { user_ids, group_ids, skip_if_already_edited };
};

/** Settings that concern privacy or access; only the person can change these. */
const SENSITIVE = words(
  "allow_private_data_export email email_address_visibility enable_digest_emails enable_login_emails",
  "enable_marketing_emails new_password presence_enabled send_private_typing_notifications send_read_receipts",
  "send_stream_typing_notifications timezone",
);

/** @throws ApiError unless the caller may change all the settings that were sent for others */
function checkMayChangeFor(call: Call, sent: { readonly [name: string]: unknown }): void {
  if (!isAdmin(call.user)) throw mustBe("administrator");
  if (SENSITIVE.some((name) => sent[name] !== undefined))
    throw new ApiError("Cannot change this setting for other users.");
}

/** All targets, including deactivated people; bots have no settings. */
function targetedUsers(call: Call, { user_ids, group_ids }: Targets): readonly User[] {
  const ids = new Set(user_ids);
  for (const id of group_ids) {
    if (call.state.user_groups[id] === undefined) throw new ApiError(`Invalid user group ID: ${id}`);
    for (const group of subgroupsOf(call.state, id))
      for (const member of call.state.user_groups[group]?.members ?? []) ids.add(member);
  }
  const users: User[] = [];
  for (const id of ids) {
    const user = call.state.users[id];
    if (user === undefined || user.is_system_bot) throw new ApiError(`Invalid user ID: ${id}`);
    if (!user.is_bot) users.push(user);
  }
  return users;
}

const timeZone: Reader<string> = (raw, path) => {
  if (timeZoneNamed(raw) === undefined) throw valueError(path, "Not a recognized time zone");
  return raw;
};

const params = alphabetical({
  ...settingsParams,
  email: optional(text()),
  full_name: optional(text()),
  new_password: optional(text()),
  old_password: optional(text()),
  target_users: optional(json(targets), { level: 444 }),
  timezone: optional(timeZone),
});
type Sent = Omit<Args<typeof params>, "target_users">;

function changeOwn(call: Call, sent: Sent): void {
  const { user } = call;
  checkValues(sent);
  // No account here has a password, so no password can be right.
  if (sent.new_password !== undefined) throw new ApiError("Wrong password!");
  if (sent.email !== undefined) checkNewAddress(call, stripped(sent.email));
  if (sent.full_name !== undefined && sent.full_name !== user.full_name && mayChangeName(call))
    changeFullName(call, user, sent.full_name);
  const changes = changesTo(settingsOf(call.state, user), sent, SETTING_NAMES);
  for (const [name, value] of changes) {
    // Each setting is written separately.
    call.commit();
    changeSetting(call, user, name, value);
  }
  if (sent.timezone !== undefined && sent.timezone !== user.timezone)
    changeSetting(call, user, "timezone", timeZoneNamed(sent.timezone) ?? sent.timezone);
}

/** Where names may not be changed, an attempt is not an error: nothing happens. */
const mayChangeName = (call: Call): boolean => call.state.realm.name_changes_disabled !== true || isAdmin(call.user);

/** The address changes only when somebody follows a link in a mail, which nobody can do here. */
function checkNewAddress(call: Call, address: string): void {
  const { state, user } = call;
  if (address === user.delivery_email) return;
  if (state.realm.email_changes_disabled === true && !isAdmin(user))
    throw new ApiError("Email address changes are disabled in this organization.");
  const reason = whyNotAllowed(state, address) ?? whyTaken(state, address)?.reason;
  if (reason !== undefined) throw new ApiError(reason);
}

function changeForOthers(call: Call, sent: Sent, wanted: Targets): void {
  checkMayChangeFor(call, sent);
  for (const user of targetedUsers(call, wanted)) {
    const edited = wanted.skip_if_already_edited ? (user.edited_settings ?? []) : [];
    const names = SETTING_NAMES.filter((name) => !edited.includes(name));
    for (const [name, value] of changesTo(settingsOf(call.state, user), sent, names))
      changeSetting(call, user, name, value);
  }
}

/** The two older paths take the same parameters (since level 80). */
const settingsEndpoint = (path: string) =>
  defineEndpoint(`PATCH ${path}`, {
    who: ["human"],
    params,
    handler(call, sent) {
      const { target_users, ...settings }: Args<typeof params> = sent;
      checkLevelOfValues(call.level, settings, "settings");
      if (target_users === undefined) changeOwn(call, settings);
      else changeForOthers(call, settings, target_users);
    },
  });

/** An account's settings, and the realm's defaults for new accounts (zulip-api.md §12.2, api.md 2). */
export const userSettingsEndpoints = [
  settingsEndpoint("/settings"),
  settingsEndpoint("/settings/display"),
  settingsEndpoint("/settings/notifications"),
  defineEndpoint("PATCH /realm/user_settings_defaults", {
    who: ["administrator"],
    params: alphabetical(defaultsParams),
    handler(call, sent) {
      const values: { readonly [name: string]: Json | undefined } = sent;
      checkLevelOfValues(call.level, values, "defaults");
      checkValues(values);
      const defaults = call.state.user_settings_defaults;
      for (const [property, value] of changesTo(defaults, values, SETTING_NAMES)) {
        call.commit();
        checkStorable(property, value);
        call.ledger.set(call.state.user_settings_defaults, property, value);
        call.emit(everybody, { type: "realm_user_settings_defaults", op: "update", property, value });
      }
    },
  }),
];

/** Changes one setting of one account, with the consequences. */
function changeSetting(call: Call, user: User, name: string, value: Json): void {
  checkStorable(name, value);
  const visibleTo = addressVisibility(call.state, user);
  call.ledger.set(user, "settings", { ...user.settings, [name]: value });
  if (user === call.user) noteEdited(call, user, name);
  const language = defined({ language_name: name === "default_language" ? languageName(String(value)) : undefined });
  call.emit(only(user.user_id), { type: "user_settings", op: "update", property: name, value, ...language });
  if (name === "enable_drafts_synchronization" && value === false) deleteDrafts(call, user);
  if (name === "email_address_visibility") changeShownAddress(call, user, visibleTo);
  if (name === "timezone" && typeof value === "string") changeTimeZone(call, user, value);
}

/** The language's name in the language itself. */
const languageName = (code: string): string => new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;

/** An administrator's bulk change can exclude people who have changed the setting themselves. */
function noteEdited(call: Call, user: User, name: string): void {
  const edited = user.edited_settings ?? [];
  if (!edited.includes(name)) call.ledger.assign(user, { edited_settings: [...edited, name] });
}

function changeTimeZone(call: Call, user: User, timezone: string): void {
  call.ledger.set(user, "timezone", timezone);
  tellPerson(call, user, { email: user.email, timezone });
}

/** From now on the client keeps the drafts; no events are sent. */
function deleteDrafts(call: Call, user: User): void {
  for (const draft of rows(call.state.drafts))
    if (draft.user_id === user.user_id) call.ledger.remove(call.state.drafts, draft.id);
}

/**
 * People who can now see the address get it, and people who no longer can get an event without it. The address that the API shows is the real
 * one if everybody may see it, otherwise a placeholder. If it changes, everybody is notified, also of the picture that depends on it.
 */
function changeShownAddress(call: Call, user: User, before: Json | undefined): void {
  const { state } = call;
  const { user_id, delivery_email } = user;
  const after = addressVisibility(state, user);
  const knows = knowing(state, user);
  for (const isSeen of [true, false])
    tellPerson(
      call,
      user,
      { delivery_email: isSeen ? delivery_email : null },
      (viewer) =>
        seesAddress(after, user, viewer) === isSeen && seesAddress(before, user, viewer) !== isSeen && knows(viewer),
    );
  if (before !== EVERYBODY && after !== EVERYBODY) return;
  const standIn = `user${user_id}@${hostOfHiddenAddresses(state) ?? new URL(call.server.url).hostname}`;
  const email = after === EVERYBODY ? delivery_email : standIn;
  call.ledger.set(user, "email", email);
  tellPerson(call, user, { new_email: email }, knows);
  tellPicture(call, user);
}

/** The valid choices, and "none". */
const SOUNDS: ReadonlySet<Json> = new Set([...NOTIFICATION_SOUNDS, "none"]);
const MAX_BATCHING_SECONDS = 604_800;

/** Checks that need all parameters, in the server's order. @throws ApiError */
function checkValues(sent: { readonly [name: string]: Json | undefined }): void {
  const { default_language: language, notification_sound: sound } = sent;
  if (typeof language === "string" && !isLanguage(language)) throw new ApiError("Invalid default_language");
  if (sound !== undefined && !SOUNDS.has(sound)) throw new ApiError(`Invalid notification sound '${sound}'`);
  const period = sent.email_notifications_batching_period_seconds;
  if (typeof period === "number" && (period <= 0 || period > MAX_BATCHING_SECONDS))
    throw new ApiError(`Invalid email batching period: ${period} seconds`);
}

/** The settings that were sent with a value other than the current one. */
function changesTo(
  now: JsonObject,
  sent: { readonly [name: string]: Json | undefined },
  names: readonly string[],
): [name: string, value: Json][] {
  const changes: [string, Json][] = [];
  for (const name of names) {
    const value = sent[name];
    if (value !== undefined && value !== now[name]) changes.push([name, value]);
  }
  return changes;
}

const SMALL_INTEGERS: ReadonlySet<string> = new Set(["web_font_size_px", "web_line_height_percent"]);
const MAX_SMALL_INTEGER = 32_767;
/** The server does not check these two before the database does. @throws ApiError 500 */
function checkStorable(name: string, value: Json): void {
  if (SMALL_INTEGERS.has(name) && typeof value === "number" && (value < 0 || value > MAX_SMALL_INTEGER))
    throw internalError();
}

const MAX_LENGTH = 100;
const FORBIDDEN = /[*`\\>"@\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;
/** In a mention, `name|17` names one of several people. Only the name as sent is checked, including white space. */
const LIKE_A_MENTION = /\|\p{Nd}+\n?$/u;

/** @returns the name in its stored form @throws ApiError with the server's words */
export function checkedFullName(state: RealmState, sent: string, user: User | undefined): string {
  const name = stripped(sent);
  if (codePoints(name) > MAX_LENGTH) throw new ApiError("Name too long!");
  if (name === "") throw new ApiError("Name must not be empty!");
  if (FORBIDDEN.test(name)) throw new ApiError("Invalid characters in name!");
  if (LIKE_A_MENTION.test(sent)) throw new ApiError("Invalid format!");
  if (state.realm.require_unique_names === true) {
    const taken = rows(state.users).some(
      (each) => each.user_id !== user?.user_id && !each.is_system_bot && folded(each.full_name) === folded(name),
    );
    if (taken) throw new ApiError("Unique names required in this organization.");
  }
  return name;
}
/** The name with its case folded; ß becomes ss. */
const folded = (name: string): string => name.normalize("NFKC").toUpperCase().toLowerCase();

/** Changes somebody's name and notifies everybody. @throws ApiError */
export function changeFullName(call: Call, user: User, sent: string): void {
  const full_name = checkedFullName(call.state, sent, user);
  call.ledger.set(user, "full_name", full_name);
  tellPerson(call, user, { full_name });
  if (user.is_bot) tellBotChange(call, user, { full_name });
}
