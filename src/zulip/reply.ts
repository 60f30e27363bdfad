import { defined } from "../model/defined.ts";
import type { OwnRefusal } from "../model/diagnostics/calls.ts";
import type { AnswerBound } from "../model/diagnostics/server.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { Answer } from "../model/journal.ts";
import { isList, isObject, type Json, type JsonObject } from "../model/json.ts";
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

/** The meaning of the reply to a write: whether it was carried out. */
export function answerOf(reply: Reply): Answer {
  switch (reply.kind) {
    case "no-answer": {
      const { neverSent, reason } = reply.error;
      return neverSent
        ? { outcome: "not-attempted", reason }
        : { outcome: "unknown", reason: { is: "no-answer", why: reason } };
    }
    case "rate-limited":
      return ownRefusal(429, "RATE_LIMIT_HIT", { is: "rate-limited" });
    case "no-file": {
      const { path, why, cause } = reply.file;
      const code = why === "changed" ? "FILE_CHANGED" : "FILE_UNREADABLE";
      return ownRefusal(0, code, { is: "no-file", file: path, why, ...defined({ cause }) });
    }
    case "redirect":
      return { outcome: "unknown", reason: { is: "redirect", status: reply.status } };
    case "unreadable":
      return { outcome: "unknown", reason: { is: "not-its-own", status: reply.status } };
    case "envelope":
      return answerOfEnvelope(reply.status, reply.body);
  }
}

const ownRefusal = (status: number, code: string, own: OwnRefusal): Answer => ({
  outcome: "refused",
  status,
  code,
  message: "",
  details: {},
  own,
});

function answerOfEnvelope(status: number, body: JsonObject): Answer {
  const { result, msg: _, code, ...details } = body;
  const said = saidBy(body, status);
  // The failing step was undone, earlier ones of the same request were not (zulip-api.md §15.7).
  if (status >= 500) return { outcome: "unknown", reason: { is: "server-failed", answer: quote(said) } };
  if (result === "error")
    return {
      outcome: "refused",
      status,
      code: typeof code === "string" ? bounded(code, LONGEST_CODE) : `HTTP_${status}`,
      message: said,
      details: withoutSecrets(details),
    };
  if (result !== "success" || status < 200 || status > 299)
    return {
      outcome: "unknown",
      reason: { is: "other-result", status, result: quote(bounded(String(result), LONGEST_CODE)) },
    };
  const { ignored_parameters_unsupported: ignored, ...rest } = details;
  const names = isList(ignored) ? ignored.map(String) : [];
  return {
    outcome: "applied",
    body: withoutSecrets(rest),
    ...defined({ ignored: names.length === 0 ? undefined : names }),
  };
}

/** Zulip's messages have about 100 characters. Longer ones are cut, in reports and in the journal. */
const LONGEST_SENTENCE = 1_000;
const LONGEST_CODE = 100;

/** The server's own words, cut to a length that a person reads. */
export function saidBy({ msg }: JsonObject, status: number): string {
  return typeof msg === "string" && msg !== "" ? bounded(msg, LONGEST_SENTENCE) : `HTTP ${status}`;
}

function bounded(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}

const SECRET_KEY = /^(.*_)?(api_key|token|secret|password|invite_link|link_url)$/;

/** The value without keys, tokens of bots and invitation links, at any depth. */
export function withoutSecrets(value: JsonObject): JsonObject {
  const kept: { [key: string]: Json } = {};
  for (const [key, item] of Object.entries(value)) if (!SECRET_KEY.test(key)) kept[key] = clean(item);
  return kept;
}

function clean(value: Json): Json {
  if (isList(value)) return value.map(clean);
  return typeof value === "object" && value !== null ? withoutSecrets(value) : value;
}
