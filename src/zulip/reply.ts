import { defined } from "../model/defined.ts";
import type { AnswerBound } from "../model/diagnostics/server.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import type { EchoFilter } from "./echo.ts";
import type { HttpResponse, TransportError } from "./transport.ts";
import type { UnsentFile } from "./uploads.ts";

/** The result of one call, after all attempts. */
export type Reply =
  /** JSON in the server's envelope: a success or an error. */
  | { readonly kind: "envelope"; readonly status: number; readonly body: JsonObject }
  /** Something else: a proxy's page, half an answer, another program. */
  | {
      readonly kind: "unreadable";
      readonly status: number;
      /** The program that answered, by its own name; empty if it gives none. */
      readonly server: string;
      /** The limit because of which the answer was not read. */
      readonly refused?: AnswerBound;
      readonly asksFor: "login" | "https" | "nothing";
      /** Whether it is the beginning of an answer of Zulip. */
      readonly isCut?: true;
    }
  | { readonly kind: "redirect"; readonly status: number; readonly location: string; readonly path: string }
  | { readonly kind: "rate-limited" }
  | { readonly kind: "no-answer"; readonly error: TransportError }
  /** Nothing was sent, because a file that belongs to the call does not exist, or has changed. */
  | { readonly kind: "no-file"; readonly file: UnsentFile };

/** The maximum length of a refusal. Zulip's refusals are one sentence, with few other fields. */
const LONGEST_REFUSAL = 100_000;
const TOO_LONG: AnswerBound = { cause: "too-long", most: LONGEST_REFUSAL };
const LONGEST_NAME = 60;

/** @param path of the request */
export function understand({ status, headers, body }: HttpResponse, path: string, echo: EchoFilter): Reply {
  if (status >= 300 && status < 400)
    return { kind: "redirect", status, location: echo.text(headers.location ?? ""), path };
  const parsed = status >= 400 && body.length > LONGEST_REFUSAL ? TOO_LONG : parseBounded(body);
  if ("value" in parsed && isJsonObject(parsed.value) && typeof parsed.value.result === "string")
    return { kind: "envelope", status, body: echo.json(parsed.value) };
  return {
    kind: "unreadable",
    status,
    server: echo.text((headers.server ?? "").slice(0, LONGEST_NAME)),
    asksFor: asksFor(status, headers, body),
    ...defined({
      refused: "most" in parsed ? parsed : undefined,
      isCut: !("value" in parsed) && /^\{"(?:result|msg)":/.test(body) ? true : undefined,
    }),
  };
}

/** The requirement of a system in front of the server, if the answer shows one. */
function asksFor(status: number, headers: HttpResponse["headers"], body: string): "login" | "https" | "nothing" {
  if (
    status === 400 &&
    /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server/i.test(body.slice(0, 2_000))
  )
    return "https";
  if (status === 401 || status === 511 || headers["www-authenticate"] !== undefined) return "login";
  const page = body.slice(0, 20_000);
  return /<input[^>]{0,200}type=.?password|single sign-?on|SAMLRequest/i.test(page) ? "login" : "nothing";
}

function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

/** The maximum depth of nested lists and objects; Zulip's own answers stay below 10. */
export const MOST_DEPTH = 100;
/** The maximum number of values: 10,000 channels with 500 subscribers each have half of it. */
export const MOST_VALUES = 10_000_000;

type BoundedJson = { readonly value: Json } | { readonly cause: "no-json" } | JsonBeyond;

/** @property most the number of levels, or of values */
interface JsonBeyond {
  readonly cause: "too-deep" | "too-many";
  readonly most: number;
}

/**
 * Parses JSON from outside. Text that is nested so deeply that a walk would end the process, or that has more parts than fit into memory, is refused
 * before any object is created. The check is one pass over the text, whatever it contains.
 */
export function parseBounded(text: string): BoundedJson {
  const cause = boundsCause(text);
  if (cause !== undefined) return cause;
  try {
    const value: Json = JSON.parse(text);
    return { value };
  } catch {
    return { cause: "no-json" };
  }
}

/** The limit that a text exceeds; undefined if it exceeds none (the text need not be JSON). */
export function boundsCause(text: string): JsonBeyond | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === LIST || code === OBJECT) {
      depth += 1;
      values += 1;
      if (depth > MOST_DEPTH) return { cause: "too-deep", most: MOST_DEPTH };
    } else if (code === LIST_END || code === OBJECT_END) depth -= 1;
    else if (code === COMMA) values += 1;
    if (values > MOST_VALUES) return { cause: "too-many", most: MOST_VALUES };
  }
  return undefined;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The position of the quote that ends the string at `start`; the last character if no quote ends it. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
  return text.length - 1;
}
