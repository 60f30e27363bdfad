import type { JsonObject } from "../model/json.ts";
import type { Call } from "./call.ts";
import type { Args, Params } from "./params.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE" | "PUT";

/** A condition for callers of an endpoint. Gates are checked before the parameters, in the given order. */
export type Gate = "non-guest" | "human" | "administrator" | "owner";

/** `{stream_id}` is a number, `{email:str}` is one segment, `{fragment:path}` is the rest of the path, including slashes. */
type PathArgs<Path extends string> = Path extends `${infer Head}{${infer Name}}${infer Tail}`
  ? PathArgs<Head> & PathArg<Name> & PathArgs<Tail>
  : unknown;
type PathArg<Name extends string> = Name extends `${infer Key}:${string}`
  ? { readonly [K in Key]: string }
  : { readonly [K in Name]: number };

/** The fields of a successful answer, besides `result` and `msg`. */
export type Fields = JsonObject;

/** What an endpoint is besides its operation, its parameters and its handler. */
interface Traits {
  /** The first feature level that has this endpoint; default: every level. */
  readonly level: number;
  /** The first feature level that no longer has it. */
  readonly until: number;
  /** A right that is checked after `who` and before the parameters. @throws ApiError */
  readonly right: (call: Call) => void;
  /** Whether the answer lists unknown parameters in `ignored_parameters_unsupported`; default: if it has `params`, even empty ones. */
  readonly reportsIgnored: boolean;
  /** Whether a wrong method on this path gets an answer without a body (/server_settings). */
  readonly plain405: boolean;
  /** Whether incoming webhook bots may call the endpoint; all other endpoints refuse them. */
  readonly incomingWebhooks: boolean;
  /** Whether the address may hold the key (`api_key`) instead of the header. */
  readonly allowsKeyInAddress: boolean;
  /** The bucket in which the rate limits count this endpoint separately (GET /events). */
  readonly bucket: string;
}
const USUAL: Omit<Traits, "reportsIgnored"> = {
  level: 0,
  until: Number.POSITIVE_INFINITY,
  right: () => {},
  plain405: false,
  incomingWebhooks: false,
  allowsKeyInAddress: false,
  bucket: "api",
};

interface Definition<Operation extends string, P extends Params> extends Partial<Traits> {
  /**
   * The accounts that may call the endpoint; default: every account. `"anybody"` needs no credentials; the handler must then not read `call.user`.
   */
  readonly who?: "anybody" | readonly Gate[] | ((level: number) => readonly Gate[]);
  /** The parameters in the order in which the server reads them. Without any, the server does not look at what is sent. */
  readonly params?: P;
  /** Executes the call. It may wait (long polling), but must not write after its first `await`. @returns nothing: an answer without fields */
  readonly handler: (call: Call, args: PathArgs<Operation> & Args<P>) => Fields | undefined | Promise<Fields>;
}

/** An endpoint whose types were checked at its definition; the router passes to `run` what it has read. */
export interface Endpoint extends Traits {
  readonly method: string;
  readonly path: string;
  readonly anonymous: boolean;
  readonly gates: (level: number) => readonly Gate[];
  readonly params: Params;
  readonly run: (call: Call, args: object) => Fields | Promise<Fields>;
}

/**
 * One operation of the realm, `METHOD /path`. The handler writes through `call.ledger`, notifies clients through `call.emit`, and refuses by throwing
 * an `ApiError`, which undoes everything since the last `call.commit()`.
 */
export function defineEndpoint<
  const Operation extends `${Method} ${string}`,
  P extends Params = { readonly [name in never]: never },
>(operation: Operation, { who, params, handler, ...traits }: Definition<Operation, P>): Endpoint {
  const [method = "", path = ""] = operation.split(" ");
  return {
    ...USUAL,
    reportsIgnored: params !== undefined,
    ...traits,
    method,
    path,
    anonymous: who === "anybody",
    gates: typeof who === "function" ? who : () => (who === undefined || who === "anybody" ? [] : who),
    params: params ?? {},
    run: (call, args) => handler(call, readArgs<PathArgs<Operation> & Args<P>>(args)) ?? {},
  };
}

/** The router read each name of `T` with the reader that determined its type; TypeScript cannot follow that. */
function readArgs<T>(args: object): T;
function readArgs(args: object): object {
  return args;
}

/** The endpoints of a path at one feature level. */
export interface Route {
  /** The endpoints in the order of their definition, which 405 answers show. */
  readonly endpoints: readonly Endpoint[];
  readonly pathArgs: { readonly [name: string]: string | number };
}

interface Compiled {
  readonly pattern: RegExp;
  readonly names: readonly { readonly name: string; readonly isNumber: boolean }[];
  readonly endpoints: Endpoint[];
}

/** Finds endpoints by path. Built once per level; it does not contain the endpoints of other levels. */
export class Router {
  private readonly compiled: readonly Compiled[];
  /** Paths without a placeholder, which match themselves alone and come before all others: most requests are for one of them. */
  private readonly literal: ReadonlyMap<string, Route>;

  constructor(endpoints: readonly Endpoint[], level: number) {
    const byPath = new Map<string, Compiled>();
    for (const endpoint of endpoints) {
      if (level < endpoint.level || level >= endpoint.until) continue;
      const known = byPath.get(endpoint.path);
      if (known === undefined) byPath.set(endpoint.path, { ...compile(endpoint.path), endpoints: [endpoint] });
      else known.endpoints.push(endpoint);
    }
    // "/users/me" before "/users/{email:str}": literal segments first.
    const sorted = [...byPath].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
    const isLiteral = ([, { names }]: (typeof sorted)[number]): boolean => names.length === 0;
    this.literal = new Map(
      sorted.filter(isLiteral).map(([path, { endpoints }]) => [path, { endpoints, pathArgs: {} }]),
    );
    this.compiled = sorted.filter((one) => !isLiteral(one)).map(([, compiled]) => compiled);
  }

  find(path: string): Route | undefined {
    const known = this.literal.get(path);
    if (known !== undefined) return known;
    for (const { pattern, names, endpoints } of this.compiled) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const pathArgs: { [name: string]: string | number } = {};
      names.forEach(({ name, isNumber }, index) => {
        const value = match[index + 1] ?? "";
        pathArgs[name] = isNumber ? Number(value) : value;
      });
      return { endpoints, pathArgs };
    }
    return undefined;
  }
}

const PLACEHOLDER = /\{(\w+)(?::(\w+))?\}/g;
/** The sort order of segments: literals, numbers, texts, then the rest of a path. */
const rank = (path: string): string =>
  path
    .split("/")
    .map((segment) =>
      segment.startsWith("{") ? (segment.includes(":path") ? "3" : segment.includes(":") ? "2" : "1") : `0${segment}`,
    )
    .join("/");

function compile(path: string): Omit<Compiled, "endpoints"> {
  const names: { name: string; isNumber: boolean }[] = [];
  const source = path.replace(PLACEHOLDER, (_, name: string, kind: string | undefined) => {
    names.push({ name, isNumber: kind === undefined });
    return kind === undefined ? "(\\d+)" : kind === "path" ? "(.+)" : "([^/]+)";
  });
  return { pattern: new RegExp(`^${source}$`, "s"), names };
}
