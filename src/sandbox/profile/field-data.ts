import { isObject, type JsonObject } from "../../model/json.ts";
import { isUrl } from "../addresses.ts";
import type { Call } from "../call.ts";
import { ApiError } from "../errors.ts";
import { dictionary, type Schema, string } from "../params.ts";
import { stripped } from "../python.ts";
import type { RealmState } from "../state.ts";

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
export type FieldData = { readonly [key: string]: string | { readonly [key: string]: string } };
const textOrTexts: Schema<string | { readonly [key: string]: string }> = (value, path) =>
  typeof value === "string" ? value : dictionary(string())(value, `${path}["dict[str,str]"]`);
export const fieldData: Schema<FieldData> = dictionary(textOrTexts);

/** Whether the field is for an account at a service that the server supports. */
export const isKnownService = (type: number, data: FieldData): boolean =>
  type === FIELD_TYPE.account && data.subtype !== "custom";

/** @throws ApiError with the server's words (zulip-api.md §12.3) */
export function checkFieldData(call: Call, type: number, data: FieldData): void {
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
export function knownService(
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
