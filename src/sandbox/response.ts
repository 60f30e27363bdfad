import type { JsonObject } from "../model/json.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ParsedRequest } from "./request.ts";

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
