import type { JsonObject } from "../model/json.ts";
import type { UploadedFile } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";
import type { User } from "./rows/accounts.ts";

/** A parsed request: what the router and the parameters need. */
export interface ParsedRequest {
  /** The effective method: a POST may name another one in the `method` parameter of its body. */
  readonly method: string;
  /** The decoded path below /api/v1, with its leading slash. */
  readonly path: string;
  /** The last value of each name; a value in the body takes precedence over one in the query. */
  readonly values: ReadonlyMap<string, string>;
  readonly files: readonly UploadedFile[];
}

const API_ROOT = "/api/v1";

/** @returns undefined if the URL is not below /api/v1 */
export async function parseRequest(request: Request): Promise<ParsedRequest | undefined> {
  const url = new URL(request.url);
  if (!url.pathname.startsWith(`${API_ROOT}/`)) return undefined;
  const body = new Map<string, string>();
  const files: UploadedFile[] = [];
  const contentType = request.headers.get("content-type") ?? "";
  if (contentType.startsWith("application/x-www-form-urlencoded")) {
    for (const [name, value] of new URLSearchParams(await request.text())) body.set(name, value);
  } else if (contentType.startsWith("multipart/form-data")) {
    const { form, typed } = await formOf(request, contentType);
    for (const [place, [name, value]] of [...form].entries()) {
      if (typeof value === "string") body.set(name, value);
      else
        files.push({
          field: name,
          name: value.name,
          contentType: typed[place] === false ? typeByName(value.name) : value.type,
          bytes: new Uint8Array(await value.arrayBuffer()),
        });
    }
  }
  return {
    method: (request.method === "POST" ? body.get("method") : undefined) ?? request.method,
    path: decodedPath(url.pathname.slice(API_ROOT.length)),
    values: new Map([...url.searchParams, ...body]),
    files,
  };
}

/** A body that is not multipart holds no parameters; the endpoint reports which ones are missing. */
async function formOf(request: Request, contentType: string) {
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = { "content-type": contentType };
  try {
    return { form: await new Response(body, { headers }).formData(), typed: saysType(body, contentType) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { form: new FormData(), typed: [] };
  }
}

/** The server's router treats `%2F` as a slash. An invalid encoding is left unchanged. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Content types of uploaded files: the type that the part states, otherwise the one that its file name implies. */

/** For each part of a multipart body, in order: whether it states its type. */
function saysType(body: Uint8Array, contentType: string): readonly boolean[] {
  const [, quoted, bare] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined || boundary === "") return [];
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
  // Drops what comes before the first part and after the last.
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => /^content-type:/im.test(part.slice(0, Math.max(0, part.indexOf("\r\n\r\n")))));
}

const BY_EXTENSION: { readonly [extension: string]: string | undefined } = {
  avif: "image/avif",
  csv: "text/csv",
  gif: "image/gif",
  heic: "image/heic",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  tif: "image/tiff",
  tiff: "image/tiff",
  txt: "text/plain",
  webp: "image/webp",
  zip: "application/zip",
};
function typeByName(name: string): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return (Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined) ?? "application/octet-stream";
}

/** Thrown by an interceptor: the caller's connection ends without an answer (inside the process, `fetch` rejects with it). */
export class ConnectionDropped extends Error {
  constructor() {
    super("the connection was dropped");
    this.name = "ConnectionDropped";
  }
}

/** An answer whose body ends with {@link ConnectionDropped} before it is complete. */
export class CutResponse extends Response {}

/** The questions that an interceptor may ask about the request. */
export interface Interception {
  /** The account of the credentials; undefined if the request has none, or wrong ones. */
  caller(): User | undefined;
  /** The account's name in the recording: `owner`, … */
  nameOf(userId: number): string | undefined;
  /** Fires when the caller has disconnected. */
  signal(): AbortSignal;
}

/** The hook for faults: each method may return an answer of its own, or throw {@link ConnectionDropped}. */
export interface Interceptor {
  /** Is called before the call is executed; if it returns an answer, the call is never executed. */
  before?(request: ParsedRequest, interception: Interception): Promise<Response | undefined>;
  /** Is called after the call was executed; an answer from here replaces the real one. */
  after?(request: ParsedRequest, response: Response, interception: Interception): Promise<Response | undefined>;
}

/** The answer to a request; a body that is text is an HTML page. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject | string;
  readonly headers: { readonly [name: string]: string };
}

const HTML = { "content-type": "text/html; charset=utf-8" };
const JSON_TYPE = { "content-type": "application/json" };
export const NOT_FOUND_PAGE = "<!DOCTYPE html><html><head><title>Page not found</title></head><body></body></html>";

export const htmlResponse = (status: number, page: string, headers: Answer["headers"] = {}): Response =>
  new Response(status === 204 ? null : page, { status, headers: { ...HTML, ...headers } });

export function responseOf({ status, body, headers }: Answer, request: ParsedRequest): Response {
  if (typeof body === "string") return htmlResponse(status, body, headers);
  const text = withNumbersAsSent(JSON.stringify(body), request);
  return new Response(text, { status, headers: { ...JSON_TYPE, ...headers } });
}

/**
 * JavaScript changes whole numbers above 2^53 when it reads them; the server repeats them as they were sent. Nothing in the realm has such a number,
 * so one in an answer must come from the request.
 */
function withNumbersAsSent(answer: string, { path, values }: ParsedRequest): string {
  let text = answer;
  for (const sent of [path, ...values.values()]) {
    if (!LONG_NUMBER.test(sent)) continue;
    for (const [token] of sent.matchAll(LONG_NUMBERS))
      if (!Number.isSafeInteger(Number(token))) text = text.replaceAll(String(Number(token)), BigInt(token).toString());
  }
  return text;
}
const LONG_NUMBER = /\d{16}/;
const LONG_NUMBERS = /(?<![\d.eE+])-?\d{16,}(?![\d.eE])/g;

const isHead = (asked: string, method: string): boolean => asked === "HEAD" && method === "GET";
export const endpointFor = (method: string, known: readonly Endpoint[]): Endpoint | undefined =>
  known.find((endpoint) => endpoint.method === method || isHead(method, endpoint.method));

/** The methods of a path in the order of its endpoints, with HEAD if there is a GET. */
function allowedOn(known: readonly Endpoint[]): string[] {
  const methods = known.map(({ method }) => method);
  return methods.includes("GET") ? [...methods, "HEAD"] : methods;
}
export const optionsOf = (known: readonly Endpoint[]): Answer => ({
  status: 204,
  body: "",
  headers: { allow: allowedOn(known).sort().join(", ") },
});
export function methodNotAllowed(known: readonly Endpoint[]): Answer {
  const allowed = allowedOn(known);
  const headers = { allow: allowed.join(", ") };
  if (known.some(({ plain405 }) => plain405)) return { status: 405, body: "", headers };
  const body = { result: "error", msg: "Method Not Allowed", allowed_methods: allowed };
  return { status: 405, body, headers };
}

/** A visitor who requests a page without credentials is redirected to the login page. */
export const isPageVisit = ({ headers }: Request): boolean =>
  !headers.has("authorization") && headers.get("accept")?.includes("text/html") === true;
export const toLoginPage = (request: Request): Answer => ({
  status: 302,
  body: "",
  headers: { location: `/login/?next=${encodeURIComponent(new URL(request.url).pathname)}` },
});
