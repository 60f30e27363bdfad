import { defined } from "../model/defined.ts";
import type { OwnRefusal } from "../model/diagnostics/calls.ts";
import { quote } from "../model/diagnostics/values.ts";
import type { Answer } from "../model/journal.ts";
import { isList, type Json, type JsonObject } from "../model/json.ts";
import type { Reply } from "./reply.ts";

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
