import { isList, isObject, type Json } from "../model/json.ts";
import { ApiError, internalError, notPossible } from "./errors.ts";
import { readJsonText, strippedParameter } from "./python.ts";

/**
 * Parameters as the server's own parser handles them: each has a name, a reader for its text, and the exact words for every error (zulip-api.md
 * §13.3, §13.4). They are read in the declared order, before anything is written.
 */
export interface Param<T> {
  /** @param path the parameter's name in error messages @throws ApiError */
  readonly read: (raw: string, path: string) => T;
  /** The value if the parameter is not sent; absent for required parameters. */
  readonly fallback?: { readonly value: T };
  /** Below this level the parameter is unknown (and reported as ignored). */
  readonly level: number;
  /** From this level on the parameter is unknown. */
  readonly until: number;
}
export type Params = { readonly [name: string]: Param<unknown> };
export type Args<P extends Params> = { readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never };

/** Turns the text of a parameter into a value. */
export type Reader<T> = (raw: string, path: string) => T;
/** Checks a JSON value. */
export type Schema<T> = (value: unknown, path: string) => T;
interface Options {
  readonly level?: number;
  readonly until?: number;
}

export function required<T>(read: Reader<T>, options: Options = {}): Param<T> {
  return { read, level: options.level ?? 0, until: options.until ?? Number.POSITIVE_INFINITY };
}
/** `undefined` if the parameter is not sent. */
export function optional<T>(read: Reader<T>, options: Options = {}): Param<T | undefined> {
  return { ...required<T | undefined>(read, options), fallback: { value: undefined } };
}
export function withDefault<T>(read: Reader<T>, value: T, options: Options = {}): Param<T> {
  return { ...required(read, options), fallback: { value } };
}

/** Parameters in alphabetical order: if only one error is reported, it is that of the first parameter. */
export function alphabetical<P extends Params>(params: P): P;
export function alphabetical(params: Params): Params {
  return Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
}

// ---- raw text

interface TextRules {
  /** The maximum length in Unicode code points. */
  readonly maxLength?: number;
  /** Refuses empty text and white space ("x cannot be blank"). */
  readonly notBlank?: boolean;
  /** Removes surrounding white space first. */
  readonly strip?: boolean;
}
/** Text, unchanged. */
export function text(rules: TextRules = {}): Reader<string> {
  return (raw, path) => string(rules)(raw, path);
}
/** One of several words, without quotes: "Invalid x". */
export function word<T extends string>(...words: readonly T[]): Reader<T> {
  return (raw, path) => oneOf(...words)(raw, path);
}

// ---- JSON

/** JSON text. */
export function json<T>(schema: Schema<T>): Reader<T> {
  return (raw, path) => schema(parseJson(raw, path), path);
}
/**
 * JSON text of one of several types, where an error names the alternative that the server tried first: `folder_id["json[nullable[int]]"] is not an
 * integer`.
 */
export function jsonAs<T>(label: string, schema: Schema<T>): Reader<T> {
  return (raw, path) => json(schema)(raw, `${path}["${label}"]`);
}
/** Tries the readers in order; if all refuse, the error is that of the first. */
export function firstOf<A, B>(first: Reader<A>, second: Reader<B>): Reader<A | B> {
  return (raw, path) =>
    either(
      () => first(raw, path),
      () => second(raw, path),
    );
}
function either<A, B>(first: () => A, second: () => B): A | B {
  try {
    return first();
  } catch (refusal) {
    if (!(refusal instanceof ApiError)) throw refusal;
    try {
      return second();
    } catch (again) {
      if (!(again instanceof ApiError)) throw again;
      throw refusal;
    }
  }
}

export const bool: Schema<boolean> = (value, path) => {
  if (typeof value !== "boolean") throw new ApiError(`${path} is not a boolean`);
  return value;
};
export function int(rules: { readonly min?: number; readonly max?: number } = {}): Schema<number> {
  return (value, path) => {
    if (typeof value !== "number" || !Number.isInteger(value)) throw new ApiError(`${path} is not an integer`);
    if (rules.min !== undefined && value < rules.min) throw new ApiError(`${path} is too small`);
    if (rules.max !== undefined && value > rules.max) throw new ApiError(`${path} is too large`);
    return value;
  };
}
export function string(rules: TextRules = {}): Schema<string> {
  return (value, path) => {
    if (typeof value !== "string") throw new ApiError(`${path} is not a string`);
    const stripped = rules.strip === true ? strippedParameter(value) : value;
    if (rules.notBlank === true && strippedParameter(value) === "") throw new ApiError(`${path} cannot be blank`);
    if (rules.maxLength !== undefined && codePoints(stripped) > rules.maxLength)
      throw new ApiError(`${path} is too long (limit: ${rules.maxLength} characters)`);
    return stripped;
  };
}
export function oneOf<T extends string | number>(...values: readonly T[]): Schema<T> {
  return (value, path) => {
    const found = values.find((each) => each === value);
    if (found === undefined) throw new ApiError(`Invalid ${path}`);
    return found;
  };
}
/** A value of a type that is one of a few: "Not in the list of possible values". */
export function possible<T extends string | number>(type: Schema<unknown>, ...values: readonly T[]): Schema<T> {
  return (value, path) => {
    const read = type(value, path);
    const found = values.find((each) => each === read);
    if (found === undefined) throw notPossible(path);
    return found;
  };
}
export function list<T>(element: Schema<T>): Schema<readonly T[]> {
  return (value, path) => {
    if (!isList(value)) throw new ApiError(`${path} is not a list`);
    return value.map((each, index) => element(each, `${path}[${index}]`));
  };
}
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return (value, path) => (value === null ? null : schema(value, path));
}
/** Tries two types; if neither fits, the error is that of the first: `can_x_group["int"] is not an integer`. */
export function union<A, B>(
  [firstLabel, first]: readonly [label: string, Schema<A>],
  [secondLabel, second]: readonly [label: string, Schema<B>],
): Schema<A | B> {
  return (value, path) =>
    either(
      () => first(value, `${path}["${firstLabel}"]`),
      () => second(value, `${path}["${secondLabel}"]`),
    );
}
/** Any JSON value. */
export const anything: Schema<Json> = (value, path) => {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (isList(value)) return value.map((each) => anything(each, path));
  if (isObject(value)) return dictionary(anything)(value, path);
  throw new Error(`${path} holds what is no JSON`);
};

type Shape = { readonly [key: string]: Schema<unknown> | Optional<unknown> };
interface Optional<T> {
  readonly maybe: Schema<T>;
}
/** A key that may be absent. */
export function maybe<T>(schema: Schema<T>): Optional<T> {
  return { maybe: schema };
}
type Shaped<S extends Shape> = {
  readonly [K in keyof S]: S[K] extends Schema<infer T> ? T : S[K] extends Optional<infer T> ? T | undefined : never;
};
interface ObjectRules {
  /** Refuses extra keys ("Argument "k" at path is unexpected") instead of dropping them. */
  readonly closed?: boolean;
  /** The error for a value that is not an object, given its path. */
  readonly otherwise?: (path: string) => string;
}
/** An object with known keys, which are checked in the given order. */
export function object<S extends Shape>(shape: S, rules: ObjectRules = {}): Schema<Shaped<S>> {
  return (value, path) => {
    if (!isObject(value))
      throw new ApiError((rules.otherwise ?? ((at: string) => `${at} does not have the expected format`))(path));
    const out: { [key: string]: unknown } = {};
    for (const [key, part] of Object.entries(shape)) {
      const at = keyAt(path, key);
      if (!(key in value)) {
        if (typeof part === "function") throw new ApiError(`${at} field is missing: Field required`);
        continue;
      }
      out[key] = (typeof part === "function" ? part : part.maybe)(value[key], at);
    }
    if (rules.closed === true)
      for (const key of Object.keys(value))
        if (!(key in shape)) throw new ApiError(`Argument "${key}" at ${keyAt(path, key)} is unexpected`);
    return shaped<S>(out);
  };
}
/** Each key of `out` was checked against `S`; TypeScript cannot follow that. */
function shaped<S extends Shape>(out: object): Shaped<S>;
function shaped(out: object): object {
  return out;
}
/** An object with arbitrary keys and values of one type. */
export function dictionary<T>(schema: Schema<T>): Schema<{ readonly [key: string]: T }> {
  return (value, path) => {
    if (!isObject(value)) throw new ApiError(`${path} is not a dict`);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, schema(each, keyAt(path, key))]));
  };
}

// ---- group-setting values (zulip-api.md §3.7)

/** A value as it was sent: ids are not yet looked up, and nothing is normalized. */
export type SentGroupValue =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] };
const groupObject = object({ direct_members: list(int()), direct_subgroups: list(int()) });
const sentGroupValue: Schema<SentGroupValue> = union(["int", int()], ["UserGroupMembersData", groupObject]);

/** Reads the value in requests that create: a bare value. */
export const groupValue: Reader<SentGroupValue> = json(sentGroupValue);
export interface SentGroupChange {
  readonly new: SentGroupValue;
  readonly old: SentGroupValue | undefined;
}
const sentGroupChange = object({ new: sentGroupValue, old: maybe(nullable(sentGroupValue)) });
/** Reads the value in PATCH requests: `{new, old?}`. */
export const groupChange: Reader<SentGroupChange> = json((value, path) => {
  const sent = sentGroupChange(value, path);
  return { new: sent.new, old: sent.old ?? undefined };
});

function parseJson(raw: string, path: string): unknown {
  try {
    return readJsonText(raw);
  } catch {
    throw new ApiError(`${path} is not valid JSON`);
  }
}
/** The path of a key; the server shows keys in ASCII. */
const keyAt = (path: string, key: string): string =>
  `${path}[${JSON.stringify(key).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)}]`;
/** The length of a text; the server always counts code points (§13.7). */
export function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/** Limits of the server's language and database. The server does not check them itself, so it fails with an internal error. */

/** The years 1 to 9999, in UNIX seconds. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

/** @throws ApiError 500 for times outside the server's calendar */
export function checkInCalendar(seconds: number): void {
  if (seconds < FIRST_SECOND || Math.floor(seconds) > LAST_SECOND) throw internalError();
}

const MAX_BOT_CONFIG_LENGTH = 10_000;
/** @throws ApiError 500 if all keys and values of a bot together are too long */
export function checkBotConfigFits(config: { readonly [key: string]: unknown }): void {
  const lengths = Object.entries(config).map(([key, value]) => codePoints(key) + codePoints(String(value)));
  if (lengths.reduce((sum, length) => sum + length, 0) > MAX_BOT_CONFIG_LENGTH) throw internalError();
}

/** @throws ApiError 500 for null bytes, which the database cannot store in text */
export function checkNoNullBytes(...texts: readonly unknown[]): void {
  if (texts.some((text) => typeof text === "string" && text.includes("\0"))) throw internalError();
}
