import { defined } from "../model/defined.ts";
import type { AnswerBound } from "../model/diagnostics/server.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { parseBounded } from "../model/json-bounds.ts";
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
