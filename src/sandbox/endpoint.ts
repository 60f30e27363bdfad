import type { JsonObject } from "../model/json.ts";
import type { Call } from "./call.ts";
import type { Args, Params } from "./params.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE" | "PUT";

/** Who may call at all; looked at before the parameters, in the order given. */
export type Gate = "non-guest" | "human" | "administrator" | "owner";

/** `{stream_id}` is a number, `{email:str}` one segment, `{fragment:path}` the rest of the path, slashes included. */
type PathArgs<Path extends string> = Path extends `${infer Head}{${infer Name}}${infer Tail}`
  ? PathArgs<Head> & PathArg<Name> & PathArgs<Tail>
  : unknown;
type PathArg<Name extends string> = Name extends `${infer Key}:${string}`
  ? { readonly [K in Key]: string }
  : { readonly [K in Name]: number };

/** The fields of a success besides `result` and `msg`. */
export type Fields = JsonObject;

interface Definition<Path extends string, P extends Params> {
  readonly method: Method;
  readonly path: Path;
  /** First feature level that has it. */
  readonly level?: number;
  /** First feature level that no longer has it. */
  readonly until?: number;
  /** Default: every account. `"anybody"` needs no credentials at all, and `call.user` must not be read. */
  readonly who?: "anybody" | readonly Gate[] | ((level: number) => readonly Gate[]);
  /** A right that is asked for after `who` and still before the parameters. @throws ApiError */
  readonly right?: (call: Call) => void;
  /** In the order in which the server reads them. */
  readonly params: P;
  /** Whether unknown parameters are reported in `ignored_parameters_unsupported`; default true. */
  readonly reportsIgnored?: boolean;
  /** A wrong method on this path is answered without a body (/server_settings). */
  readonly plain405?: boolean;
  /** Open to incoming webhook bots, which all others are not. */
  readonly incomingWebhooks?: boolean;
  /** Counted apart by the rate limits (GET /events). */
  readonly bucket?: string;
  /** May wait (long polling), but must not write after its first `await`. */
  readonly handler: (call: Call, args: PathArgs<Path> & Args<P>) => Fields | Promise<Fields>;
}

/** An endpoint whose types were checked when it was defined; the router calls `run` with what it read. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly level: number;
  readonly until: number;
  readonly anonymous: boolean;
  readonly gates: (level: number) => readonly Gate[];
  readonly right: (call: Call) => void;
  readonly params: Params;
  readonly reportsIgnored: boolean;
  readonly plain405: boolean;
  readonly incomingWebhooks: boolean;
  readonly bucket: string;
  readonly run: (call: Call, args: object) => Fields | Promise<Fields>;
}

/**
 * One operation of the realm. The handler writes through `call.ledger`, tells clients through `call.emit`, and refuses by
 * throwing an `ApiError`, which takes back everything since the last `call.commit()`.
 */
export function defineEndpoint<const Path extends string, P extends Params>(definition: Definition<Path, P>): Endpoint {
  const { who } = definition;
  return {
    method: definition.method,
    path: definition.path,
    level: definition.level ?? 0,
    until: definition.until ?? Number.POSITIVE_INFINITY,
    anonymous: who === "anybody",
    gates: typeof who === "function" ? who : () => (who === undefined || who === "anybody" ? [] : who),
    right: definition.right ?? (() => {}),
    params: definition.params,
    reportsIgnored: definition.reportsIgnored ?? true,
    plain405: definition.plain405 ?? false,
    incomingWebhooks: definition.incomingWebhooks ?? false,
    bucket: definition.bucket ?? "api",
    run: (call, args) => definition.handler(call, readArgs<PathArgs<Path> & Args<P>>(args)),
  };
}

/** The router read every name of `T` with the reader that gave `T` its type; TypeScript cannot follow that. */
function readArgs<T>(args: object): T;
function readArgs(args: object): object {
  return args;
}
