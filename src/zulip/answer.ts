import { defined } from "../model/defined.ts";
import type { Answer } from "../model/journal.ts";
import { isList, type Json, type JsonObject } from "../model/json.ts";
import type { Reply } from "./reply.ts";

/** What a write's reply means: did it happen? */
export function answerOf(reply: Reply): Answer {
  switch (reply.kind) {
    case "trouble": {
      const { neverSent, message } = reply.error;
      return neverSent
        ? { outcome: "not-attempted", message }
        : { outcome: "unknown", message: `no answer: ${message}` };
    }
    case "rate-limited":
      return {
        outcome: "refused",
        status: 429,
        code: "RATE_LIMIT_HIT",
        message: "too many requests, and the server asks to wait for longer than realmctl does",
        details: {},
      };
    case "no-file": {
      const { path, why, cause } = reply.trouble;
      const words =
        why === "changed"
          ? "it is another file than the one that was planned"
          : (cause?.words ?? "no file is read here");
      const code = why === "changed" ? "FILE_CHANGED" : "FILE_UNREADABLE";
      return { outcome: "refused", status: 0, code, message: `${path} was not sent: ${words}`, details: {} };
    }
    case "redirect":
      return { outcome: "unknown", message: `the server sends requests on to another address (HTTP ${reply.status})` };
    case "unreadable":
      return { outcome: "unknown", message: `an answer that is not the server's own (HTTP ${reply.status})` };
    case "envelope":
      return answerOfEnvelope(reply.status, reply.body);
  }
}

function answerOfEnvelope(status: number, body: JsonObject): Answer {
  const { result, msg: _, code, ...details } = body;
  const said = saidBy(body, status);
  // The failing step was undone, earlier ones of the same request were not (zulip-api.md §15.7).
  if (status >= 500) return { outcome: "unknown", message: `the server failed: ${said}` };
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
      message: `an answer of HTTP ${status} with the result "${bounded(String(result), LONGEST_CODE)}"`,
    };
  const { ignored_parameters_unsupported: ignored, ...rest } = details;
  const names = isList(ignored) ? ignored.map(String) : [];
  return {
    outcome: "applied",
    body: withoutSecrets(rest),
    ...defined({ ignored: names.length === 0 ? undefined : names }),
  };
}

/** Zulip's sentences have some 100 characters; a megabyte of them is nobody's to read, or to keep in a journal. */
const LONGEST_SENTENCE = 1_000;
const LONGEST_CODE = 100;

/** The server's own words, as many as a person reads. */
export function saidBy({ msg }: JsonObject, status: number): string {
  return typeof msg === "string" && msg !== "" ? bounded(msg, LONGEST_SENTENCE) : `HTTP ${status}`;
}

function bounded(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}

const SECRET_KEY = /^(.*_)?(api_key|token|secret|password|invite_link|link_url)$/;

/** The same value without what a key, a bot's token or an invitation link stands under, at any depth. */
export function withoutSecrets(value: JsonObject): JsonObject {
  const kept: { [key: string]: Json } = {};
  for (const [key, item] of Object.entries(value)) if (!SECRET_KEY.test(key)) kept[key] = clean(item);
  return kept;
}

function clean(value: Json): Json {
  if (isList(value)) return value.map(clean);
  return typeof value === "object" && value !== null ? withoutSecrets(value) : value;
}
