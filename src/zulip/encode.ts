import { defined, own } from "../model/defined.ts";
import { type Diagnostic, error } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { type FileParam, isFileParam } from "../model/file-param.ts";
import type { WireCall } from "../model/journal.ts";
import { isList, type Json } from "../model/json.ts";
import type { WantedParam } from "../model/param-type.ts";
import { isRightName } from "../model/permission-settings.ts";
import { didYouMean } from "../model/suggest.ts";
import type { Method, Operation, PathSpec } from "./operation.ts";
import { findOperation, OPERATIONS, operationNamed } from "./operations.ts";
import { fits, type ParamSpec } from "./param.ts";

/** A request below `/api/v1`, before a site and credentials are added. */
interface EncodedCall {
  readonly method: Method;
  /** The percent-encoded path, without the query. */
  readonly path: string;
  /** The query without the `?`; empty if there are no parameters. */
  readonly query: string;
  /** `application/x-www-form-urlencoded`; undefined: no body, or one with files. */
  readonly form: string | undefined;
  /** The parts of a body of `multipart/form-data`; undefined: no file is sent. */
  readonly files: readonly { readonly name: string; readonly param: FileParam }[] | undefined;
}

/** Errors in a call that the table of operations can find; empty if the call can be sent. */
export function checkCall(call: WireCall): readonly Diagnostic[] {
  const operation = findOperation(call.operation);
  if (operation === undefined) return [unknownOperation(call.operation)];
  if (operation.sentBy === "server") return [error("api/not-sent", { operation: operation.name })];
  return [
    ...checkPath(operation, call.path),
    ...checkParams(operation, call.params),
    ...missingParams(operation, call).map((name) => missing(operation, name)),
  ];
}

/** Names of required parameters that the call does not have. */
export function missingParams(operation: Operation, { path, params }: WireCall): readonly string[] {
  const required = Object.keys(operation.params).filter((name) => operation.params[name]?.required);
  return [
    ...Object.keys(operation.path).filter((name) => path[name] === undefined),
    ...required.filter((name) => !Object.hasOwn(params, name)),
  ];
}

export function missing(operation: Operation, name: string): Diagnostic {
  const about = operation.path[name]?.about ?? operation.params[name]?.about;
  const fact = { operation: operation.name, parameter: name };
  return error("api/missing-parameter", about === undefined ? fact : { ...fact, about });
}

/**
 * @throws TypeError for a call in which {@link checkCall} finds an error: plans are made by the program, so that is a bug
 */
export function encodeCall(call: WireCall): EncodedCall {
  const [first] = checkCall(call);
  if (first !== undefined)
    throw new TypeError(`cannot send ${call.operation}: ${first.code} ${JSON.stringify(first.fact)}`);
  const operation = operationNamed(call.operation);
  const path = operation.template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodePath(operation.path[name], call.path[name]),
  );
  const fields = new URLSearchParams();
  for (const { name, text } of encodeFields(operation, call.params)) fields.append(name, text);
  // The server reads a DELETE's body too, but proxies drop it (zulip-api.md §13.4).
  const inQuery = operation.method === "GET" || operation.method === "DELETE";
  const encoded = fields.toString();
  const files = filesOf(operation, call.params);
  return {
    method: operation.method,
    path: `/api/v1${path}`,
    query: inQuery ? encoded : "",
    form: inQuery || files.length > 0 ? undefined : encoded,
    files: files.length > 0 ? files : undefined,
  };
}

/** The files that a call sends. */
export function filesOf(
  operation: Operation,
  params: WireCall["params"],
): readonly { readonly name: string; readonly param: FileParam }[] {
  return Object.entries(params).flatMap(([name, param]) =>
    operation.params[name]?.type.is === "file" && isFileParam(param) ? [{ name, param }] : [],
  );
}

/** Parameters as the texts that are sent, in the order they were given; files are not among them. */
export function encodeFields(
  operation: Operation,
  params: WireCall["params"],
): readonly { readonly name: string; readonly text: string; readonly secret: boolean }[] {
  return Object.entries(params).flatMap(([name, value]) => {
    const spec = specOf(operation, name);
    return spec === undefined || spec.type.is === "file"
      ? []
      : [{ name, text: encodeValue(spec, value), secret: spec.secret }];
  });
}

/** A parameter; a permission setting that only a server knows has the form of those that the table has. */
function specOf({ params }: Operation, name: string): ParamSpec | undefined {
  return own(params, name) ?? (isRightName(name) ? Object.values(params).find(isOfRight) : undefined);
}
/** The same for what a person wrote: a name that is nearly that of a known parameter is a mistake. */
export const specWritten = (operation: Operation, name: string): ParamSpec | undefined =>
  own(operation.params, name) ?? (meantParam(operation, name) === undefined ? specOf(operation, name) : undefined);

const isOfRight = ({ type }: ParamSpec): boolean => type.is === "group" || type.is === "group-update";

/** The text of one form field. */
export function encodeValue(spec: ParamSpec, value: Json): string {
  return spec.encoding === "raw" && typeof value === "string" ? value : JSON.stringify(value);
}

export function unknownOperation(name: string): Diagnostic {
  const names = OPERATIONS.filter((operation) => operation.sentBy === "client").map((operation) => operation.name);
  // Another verb is another act: create-user is not a misspelt update-user.
  const verb = verbOf(name);
  const isOther = (known: string): boolean => ACTS.has(verb) && ACTS.has(known) && known !== verb;
  const meant = didYouMean(
    name,
    names.filter((known) => !isOther(verbOf(known))),
  );
  return error("api/unknown-operation", { operation: quote(name), ...defined({ meant }) });
}

const ACTS: ReadonlySet<string> = new Set([
  "add",
  "create",
  "update",
  "delete",
  "remove",
  "deactivate",
  "reactivate",
  "get",
]);
const verbOf = (operation: string): string => operation.split("-")[0] ?? "";
const paramNames = ({ path, params }: Operation): readonly string[] => [...Object.keys(path), ...Object.keys(params)];
const meantParam = (operation: Operation, name: string): string | undefined => didYouMean(name, paramNames(operation));

export function unknownParam(operation: Operation, name: string): Diagnostic {
  const meant = meantParam(operation, name);
  return error("api/unknown-parameter", {
    operation: operation.name,
    parameter: quote(name),
    takes_none: paramNames(operation).length === 0,
    ...defined({ meant }),
  });
}

function* checkPath(operation: Operation, path: WireCall["path"]): Iterable<Diagnostic> {
  for (const name of Object.keys(path)) if (!Object.hasOwn(operation.path, name)) yield unknownParam(operation, name);
  for (const [name, spec] of Object.entries(operation.path)) {
    const value = path[name];
    if (value !== undefined && !fitsPath(spec, value)) yield wrongType(operation, name, wantedInPath(spec));
  }
}

function* checkParams(operation: Operation, params: WireCall["params"]): Iterable<Diagnostic> {
  for (const [name, value] of Object.entries(params)) {
    const spec = specOf(operation, name);
    if (spec === undefined) yield unknownParam(operation, name);
    else if (!fits(spec.type, value)) yield wrongType(operation, name, spec.type);
    else if (!isSendable(value)) yield wrongType(operation, name, { is: "sendable" });
  }
}

export function wrongType(operation: Operation, name: string, wanted: WantedParam): Diagnostic {
  return error("api/parameter-type", { operation: operation.name, parameter: name, wanted });
}

function fitsPath(spec: PathSpec, value: string | number): boolean {
  if (spec.type === "integer") return Number.isSafeInteger(typeof value === "number" ? value : Number(value));
  const segments = spec.type === "segments" ? String(value).split("/") : [String(value)];
  // "." and ".." would climb out of the operation's own path, percent-encoded or not.
  return String(value) !== "" && segments.every((part) => part !== "." && part !== "..") && isSendable(value);
}

const wantedInPath = (spec: PathSpec): WantedParam => ({ is: spec.type });

function encodePath(spec: PathSpec | undefined, value: string | number | undefined): string {
  const parts = spec?.type === "segments" ? String(value).split("/") : [String(value)];
  return parts.map(encodeURIComponent).join("/");
}

/** Whether a value can be sent: the server refuses NUL, and half a surrogate pair is not a character. */
export function isSendable(value: Json): boolean {
  if (typeof value === "string") return !/[\0\p{Surrogate}]/u.test(value);
  if (isList(value)) return value.every(isSendable);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => isSendable(key) && isSendable(item));
}
