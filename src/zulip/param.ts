import { defined } from "../model/defined.ts";
import { isFileParam } from "../model/file-param.ts";
import { isList, isObject, type Json } from "../model/json.ts";
import type { ParamType } from "../model/param-type.ts";

/**
 * How a value is encoded in its form field or query parameter. Operations differ, even for the same name (zulip-api.md §13.4): `raw` is the text
 * itself, `json` is JSON text, so that a string gets quotes.
 */
type Encoding = "raw" | "json";

export interface ParamSpec {
  readonly type: ParamType;
  readonly encoding: Encoding;
  readonly required: boolean;
  /** The feature level from which the server reads the parameter; 0: as old as its operation. */
  readonly level: number;
  /** The feature level from which the server no longer reads the parameter. */
  readonly until?: number;
  /** One line for `realmctl api --list` and the docs. */
  readonly about: string;
  /** Whether the parameter is a password, which is masked wherever the request is shown. */
  readonly secret: boolean;
}

interface Extra {
  readonly level?: number;
  readonly until?: number;
  readonly secret?: boolean;
}

function param(type: ParamType, encoding: Encoding, about: string, extra: Extra): ParamSpec {
  const { level = 0, until, secret = false } = extra;
  return { type, encoding, required: false, level, ...defined({ until }), about, secret };
}

export function required(spec: ParamSpec): ParamSpec {
  return { ...spec, required: true };
}

// Constructors: the encoding is the server's default for the type; exceptions have their own names.
export const text = (about: string, extra: Extra = {}) => param({ is: "text" }, "raw", about, extra);
export const jsonText = (about: string, extra: Extra = {}) => param({ is: "text" }, "json", about, extra);
export const word = (words: readonly string[], about: string, extra: Extra = {}) =>
  param({ is: "word", words }, "raw", about, extra);
export const jsonWord = (words: readonly string[], about: string, extra: Extra = {}) =>
  param({ is: "word", words }, "json", about, extra);
export const flag = (about: string, extra: Extra = {}) => param({ is: "boolean" }, "json", about, extra);
export const integer = (about: string, extra: Extra = {}) => param({ is: "integer" }, "json", about, extra);
export const integerOrNull = (about: string, extra: Extra = {}) =>
  param({ is: "integer", nullable: true }, "json", about, extra);
export const integerOrWord = (words: readonly string[], about: string, extra: Extra = {}) =>
  param({ is: "integer", words }, "json", about, extra);
export const integers = (about: string, extra: Extra = {}) => param({ is: "integers" }, "json", about, extra);
export const texts = (about: string, extra: Extra = {}) => param({ is: "texts" }, "json", about, extra);
export const people = (about: string, extra: Extra = {}) => param({ is: "user-ids" }, "json", about, extra);
/** A channel's name is raw text. The other values are never strings, so they may be sent raw as well. */
export const recipients = (about: string, extra: Extra & { readonly text?: boolean } = {}) =>
  param({ is: "recipients", text: extra.text === true }, extra.text === true ? "raw" : "json", about, extra);
export const list = (about: string, extra: Extra = {}) => param({ is: "list" }, "json", about, extra);
export const object = (about: string, extra: Extra = {}) => param({ is: "object" }, "json", about, extra);
export const group = (about: string, extra: Extra = {}) => param({ is: "group" }, "json", about, extra);
export const file = (about: string, extra: Extra = {}) => param({ is: "file" }, "raw", about, extra);
export const groupUpdate = (about: string, extra: Extra = {}) => param({ is: "group-update" }, "json", about, extra);

/** Whether the value passes the server's own type check. */
export function fits(type: ParamType, value: Json): boolean {
  switch (type.is) {
    case "text":
      return typeof value === "string";
    case "text-or-null":
      return value === null || typeof value === "string";
    case "word":
      return typeof value === "string" && type.words.includes(value);
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      if (value === null) return type.nullable === true;
      if (typeof value === "string") return type.words?.includes(value) === true;
      return isInteger(value);
    case "integers":
      return isList(value) && value.every(isInteger);
    case "texts":
      return isList(value) && value.every(isText);
    case "user-ids":
      return isList(value) && (value.every(isInteger) || value.every(isText));
    case "recipients":
      if (isList(value)) return value.every(isInteger) || (type.text && value.every(isText));
      return isInteger(value) || (type.text && typeof value === "string");
    case "list":
      return isList(value);
    case "object":
      return isObject(value);
    case "group":
      return isGroup(value);
    case "file":
      return isFileParam(value);
    case "group-update":
      return (
        isObject(value) &&
        isGroup(value.new) &&
        (value.old === undefined || isGroup(value.old)) &&
        Object.keys(value).every((key) => key === "new" || key === "old")
      );
  }
}

/** A value as typed on a command line; undefined if the text cannot be one of this type. */
export function parseText(type: ParamType, written: string): Json | undefined {
  // The content of the file is added when it is read.
  if (type.is === "file") return { file: written, sha256: "", size_bytes: 0, media_type: "" };
  const plain = type.is === "text" || type.is === "word";
  if (plain) return fits(type, written) ? written : undefined;
  // Words, names and texts need no quotes on a command line, since the shell removes them.
  const parsed = parseJson(written);
  if (parsed !== undefined && fits(type, parsed)) return parsed;
  return fits(type, written) ? written : undefined;
}

function parseJson(written: string): Json | undefined {
  try {
    const value: Json = JSON.parse(written);
    return value;
  } catch {
    return undefined;
  }
}

const isInteger = (value: unknown): value is number => typeof value === "number" && Number.isSafeInteger(value);
const isText = (value: unknown): value is string => typeof value === "string";

function isGroup(value: unknown): boolean {
  if (isInteger(value)) return true;
  if (!isObject(value) || Object.keys(value).length !== 2) return false;
  const { direct_members, direct_subgroups } = value;
  return (
    isList(direct_members) &&
    direct_members.every(isInteger) &&
    isList(direct_subgroups) &&
    direct_subgroups.every(isInteger)
  );
}
