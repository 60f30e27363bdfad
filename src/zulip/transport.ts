import { NoAnswerError } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import type { NoAnswer } from "../model/diagnostics/calls.ts";
import type { ConnectionDetail } from "../model/diagnostics/server.ts";
import { quote } from "../model/diagnostics/values.ts";

/** One request, ready to be sent. `headers` may hold credentials: never log it. */
export interface HttpRequest {
  readonly method: string;
  /** The absolute URL. */
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  /** The time limit for the first byte of the answer, if it differs from the usual one. */
  readonly headersTimeoutMs?: number;
  /** The answer is a picture or similar: its bytes are needed, and not only its text. */
  readonly asBytes?: true;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** The headers, with names in lower case. */
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  /** The bytes of the answer, if they were requested: otherwise the state of a large organization would be in memory twice. */
  readonly bytes?: Uint8Array;
}

/**
 * Sends one request and reads its whole answer. Does not follow redirects: they would send the key somewhere else.
 * @throws TransportError if there is no answer, or only a part of it
 */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>;

/** Why there is no answer. */
export type TransportFailure =
  | "unreachable"
  | "unknown-host"
  | "proxy"
  | "tls"
  | "timeout"
  | "broken-off"
  | "too-large"
  | "aborted";

/** More detail about connections through a proxy. */
export type TransportDetail = ConnectionDetail;

export class TransportError extends NoAnswerError {
  readonly failure: TransportFailure;
  readonly detail: TransportDetail | undefined;
  /** The request cannot have reached the server: sending it (again) is safe, also for writes. */
  readonly neverSent: boolean;
  constructor(failure: TransportFailure, reason: NoAnswer, neverSent: boolean, detail?: TransportDetail) {
    super(reason);
    this.name = "TransportError";
    this.failure = failure;
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
      // A server that throws drops the connection, perhaps in the middle of its answer; how much it did before is unknown.
      throw new TransportError("broken-off", quote(error instanceof Error ? error.message : String(error)), false);
    }
  };
}
