import { isObject } from "../../model/json.ts";
import type { Call } from "../call.ts";
import { ApiError } from "../errors.ts";
import { dictionary, type Schema, string } from "../params.ts";
import { isUrl } from "../url-address.ts";
import { stripped } from "../white-space.ts";
import { knownService } from "./services.ts";

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
