import { defined } from "../model/defined.ts";
import type { NoAnswer } from "../model/diagnostics/no-answer.ts";
import type { ConnectionDetail } from "../model/diagnostics/server.ts";
import { quote } from "../model/diagnostics/values.ts";
import { NoAnswerError } from "../model/no-answer-error.ts";

/** One request, ready to go out. `headers` may hold credentials: never log it. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  /** How long the first byte of the answer may take, when not as long as usual. */
  readonly headersTimeoutMs?: number;
  /** The answer is a picture or the like: its bytes are wanted, and not only what they read as text. */
  readonly asBytes?: true;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  /** The same as it came, where it was asked for: the state of a large organization would be held twice. */
  readonly bytes?: Uint8Array;
}

/**
 * Sends one request and reads its whole answer. Follows no redirects: they would carry the key somewhere else.
 * @throws TransportError when there is no answer, or not all of it
 */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>;

/** Why there is no answer. */
export type TransportTrouble =
  | "unreachable"
  | "unknown-host"
  | "proxy"
  | "tls"
  | "timeout"
  | "broken-off"
  | "too-large"
  | "aborted";

/** The same more closely, where the way out differs. */
export type TransportDetail = ConnectionDetail;

export class TransportError extends NoAnswerError {
  readonly trouble: TransportTrouble;
  readonly detail: TransportDetail | undefined;
  /** The request cannot have reached the server: sending it (again) is safe, writes too. */
  readonly neverSent: boolean;
  constructor(trouble: TransportTrouble, reason: NoAnswer, neverSent: boolean, detail?: TransportDetail) {
    super(reason);
    this.name = "TransportError";
    this.trouble = trouble;
    this.neverSent = neverSent;
    this.detail = detail;
  }
}

/** A server in this process behind the same interface: same encoding, same errors, no socket. */
export function inProcess(serve: (request: Request) => Promise<Response>): Transport {
  return async ({ method, url, headers, body, signal }) => {
    if (signal?.aborted) throw new TransportError("aborted", { is: "stopped" }, true);
    const request = new Request(url, { method, headers, ...defined({ body }) });
    try {
      const response = await serve(request);
      const bytes = Buffer.from(await response.arrayBuffer());
      const headers = Object.fromEntries(response.headers);
      return { status: response.status, headers, body: bytes.toString("utf8"), bytes };
    } catch (error) {
      // A server that throws drops the connection, perhaps in the middle of its answer; what it did before is anybody's guess.
      throw new TransportError("broken-off", quote(error instanceof Error ? error.message : String(error)), false);
    }
  };
}
