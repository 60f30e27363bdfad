import type { JsonObject } from "../model/json.ts";
import { addressBook, authenticate, checkGates, checkNoIncomingWebhook } from "./auth.ts";
import { Call, type Server } from "./call.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Endpoint } from "./endpoint.ts";
import { ApiError, missingArgument } from "./errors.ts";
import { EventQueues } from "./events.ts";
import { type RealmSource, realmFrom } from "./from.ts";
import type { Interception, Interceptor } from "./interceptor.ts";
import { type InviteLimits, usualInviteLimits } from "./invites/limits.ts";
import { keyMaker } from "./keys.ts";
import { type LogEntry, maskedParams } from "./log.ts";
import { type PostWebhook, postToLoopback } from "./outgoing-webhook.ts";
import type { Params } from "./params.ts";
import { ANONYMOUS_RATE_LIMITS, type RateHeaders, type RateLimit, RateLimited, RateLimiter } from "./rate-limit.ts";
import { chores, endpoints } from "./registry.ts";
import { type ParsedRequest, parseRequest } from "./request.ts";
import { Router } from "./router.ts";
import { type RealmState, rows, type User } from "./state.ts";

export interface SandboxOptions {
  /** A recorded `realm.json`, a realmctl snapshot, or a state that `Sandbox.state()` gave. */
  readonly from: RealmSource;
  /** Default: the level of `from`. */
  readonly featureLevel?: number;
  readonly clock?: Clock;
  /** Per account; default: none. The server's own are `SERVER_RATE_LIMITS`. */
  readonly rateLimits?: readonly RateLimit[];
  /** What API keys follow from; default: nothing that anybody could know. */
  readonly seed?: string;
  /** How outgoing webhook bots are reached; default: over HTTP, on this machine only. */
  readonly postWebhook?: PostWebhook;
  /** Default: Zulip Cloud's where the realm's plan is one of its, else none. */
  readonly inviteLimits?: InviteLimits;
  /** May answer in the server's place, before a call is carried out or after it was. */
  readonly interceptors?: readonly Interceptor[];
}

export interface Account {
  readonly user_id: number;
  readonly email: string;
  readonly api_key: string;
}

export interface Sandbox {
  readonly featureLevel: number;
  /** Credentials of every account, by the recording's name for it (`owner`, …) and by its address. */
  readonly accounts: { readonly [nameOrAddress: string]: Account };
  /** Answers a request as the server would; the same path that HTTP takes. */
  fetch(request: Request): Promise<Response>;
  /** Back to what the sandbox was made from; event queues and rate limits are forgotten. */
  reset(): void;
  /** A copy of the whole realm as plain JSON, without keys; may be given as `from`. */
  state(): RealmState;
  /** Grows with every change of the state, also with those that a refused call had made before it was refused. */
  readonly revision: number;
  /** The requests answered so far (the last ten thousand), oldest first. */
  readonly log: readonly LogEntry[];
  /** Where clients reach it; `serve` says so. */
  readonly url: string;
  setUrl(url: string): void;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const clock = options.clock ?? systemClock;
  const start = realmFrom(options.from);
  const level = options.featureLevel ?? start.level;
  const makeKey = keyMaker(options.seed);
  const keyOf = (userId: number): string => makeKey(userId, state.users[userId]?.keys_before ?? 0);
  const router = routerAt(level);
  const queues = new EventQueues(clock);
  const limiter = new RateLimiter(clock, options.rateLimits ?? []);
  const anonymousLimiter = new RateLimiter(clock, options.rateLimits === undefined ? [] : ANONYMOUS_RATE_LIMITS);
  const interceptors = options.interceptors ?? [];
  const log: LogEntry[] = [];
  const recordedUrl = start.state.realm.url;
  let url = typeof recordedUrl === "string" ? recordedUrl : "http://localhost";
  let state = structuredClone(start.state);
  let userByAddress = addressBook(state);
  let revision = 0;
  const server = (): Server => {
    const current = state;
    return {
      state,
      level,
      clock,
      queues,
      url,
      keyOf,
      inviteLimits: options.inviteLimits ?? usualInviteLimits(current),
      postWebhook: options.postWebhook ?? postToLoopback,
      changed: () => {
        revision += 1;
      },
      act: (action) => {
        if (state === current) runAlone(action);
      },
    };
  };

  /** Carries out one call: everything between the credentials and the body of the answer. */
  async function perform(request: Request, parsed: ParsedRequest, note: (user: User) => void): Promise<Answer> {
    runChores();
    const route = router.find(parsed.path);
    if (route === undefined) return { status: 404, body: NOT_FOUND_PAGE, headers: {} };
    if (parsed.method === "OPTIONS")
      return { status: 204, body: "", headers: { allow: allowedOn(route.endpoints).sort().join(", ") } };
    const endpoint = route.endpoints.find(({ method }) => method === parsed.method || isHead(parsed.method, method));
    if (endpoint === undefined) return methodNotAllowed(route.endpoints);
    if (!endpoint.anonymous && isPageVisit(request))
      return { status: 302, body: "", headers: { location: loginPage(request) } };
    let headers: RateHeaders = {};
    try {
      const user = endpoint.anonymous
        ? undefined
        : authenticate(request.headers.get("authorization"), userByAddress, keyOf);
      if (user === undefined) headers = anonymousLimiter.count("anybody");
      else {
        if (!endpoint.incomingWebhooks) checkNoIncomingWebhook(user);
        note(user);
        headers = limiter.count(`${endpoint.bucket} ${user.user_id}`);
        checkGates(user, endpoint.gates(level));
      }
      // Only polls wait; asking for the signal costs every other request something.
      const waits = endpoint.bucket === "events" ? { signal: request.signal } : {};
      const call = new Call(server(), {
        user,
        files: parsed.files,
        client: clientName(request),
        ...waits,
      });
      endpoint.right(call);
      const { args, ignored } = readParams(endpoint.params, parsed.values, level);
      const fields = await runCall(endpoint, call, { ...route.pathArgs, ...args });
      const reported = endpoint.reportsIgnored && level >= 167 && ignored.length > 0;
      const body = {
        result: "success",
        msg: "",
        ...fields,
        ...(reported ? { ignored_parameters_unsupported: ignored } : {}),
      };
      return { status: 200, body, headers };
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      const challenge = thrown.status === 401 ? { "www-authenticate": 'Basic realm="zulip"' } : {};
      const limits = thrown instanceof RateLimited ? thrown.headers : headers;
      const elsewhere = thrown.location === undefined ? {} : { location: thrown.location };
      return {
        status: thrown.status,
        body: thrown.page ?? thrown.body(),
        headers: { ...limits, ...challenge, ...elsewhere },
      };
    }
  }

  function runChores(): void {
    for (const chore of chores) runAlone(chore);
  }

  /** A call that nobody made. */
  function runAlone(action: (call: Call) => void): void {
    const call = new Call(server(), { user: undefined, files: [], client: "Internal" });
    try {
      action(call);
      call.commit();
    } finally {
      call.rollback();
    }
  }

  async function answer(request: Request): Promise<Response> {
    const parsed = await parseRequest(request);
    if (parsed === undefined) return new Response(NOT_FOUND_PAGE, { status: 404, headers: HTML });
    const interception = interceptionOf(request);
    for (const interceptor of interceptors) {
      const instead = await interceptor.before?.(parsed, interception);
      if (instead !== undefined) return instead;
    }
    let caller: User | undefined;
    const { status, body, headers } = await perform(request, parsed, (user) => {
      caller = user;
    });
    log.push({
      at: clock.now(),
      user_id: caller?.user_id ?? null,
      method: parsed.method,
      path: parsed.path,
      params: maskedParams(parsed.values),
      status,
      code: typeof body === "object" && typeof body.code === "string" ? body.code : null,
    });
    if (log.length > KEPT_LOG_ENTRIES) log.shift();
    let response =
      typeof body === "string"
        ? new Response(status === 204 ? null : body, { status, headers: { ...HTML, ...headers } })
        : new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
    for (const interceptor of interceptors)
      response = (await interceptor.after?.(parsed, response, interception)) ?? response;
    return response;
  }

  /** Worked out only when an interceptor asks. */
  function interceptionOf(request: Request): Interception {
    return {
      caller() {
        try {
          return authenticate(request.headers.get("authorization"), userByAddress, keyOf);
        } catch (error) {
          if (error instanceof ApiError) return undefined;
          throw error;
        }
      },
      nameOf: (userId) => Object.entries(start.names).find(([, id]) => id === userId)?.[0],
      signal: () => request.signal,
    };
  }

  return {
    featureLevel: level,
    get accounts() {
      return accountsOf(state, start.names, keyOf);
    },
    fetch: answer,
    reset() {
      state = structuredClone(start.state);
      revision += 1;
      userByAddress = addressBook(state);
      queues.clear();
      limiter.clear();
      anonymousLimiter.clear();
      log.length = 0;
    },
    state: () => structuredClone(state),
    get revision() {
      return revision;
    },
    log,
    get url() {
      return url;
    },
    setUrl(to) {
      url = to;
    },
  };
}

const KEPT_LOG_ENTRIES = 10_000;

/** One for every sandbox of a level: it holds nothing of a realm. */
const routers = new Map<number, Router>();
function routerAt(level: number): Router {
  const router = routers.get(level) ?? new Router(endpoints, level);
  routers.set(level, router);
  return router;
}

interface Answer {
  readonly status: number;
  readonly body: JsonObject | string;
  readonly headers: { readonly [name: string]: string };
}
const HTML = { "content-type": "text/html; charset=utf-8" };
const NOT_FOUND_PAGE = "<!DOCTYPE html><html><head><title>Page not found</title></head><body></body></html>";

const isHead = (asked: string, method: string): boolean => asked === "HEAD" && method === "GET";
/** Of a path: in the order of the endpoints, and HEAD wherever there is a GET. */
function allowedOn(known: readonly Endpoint[]): string[] {
  const methods = known.map(({ method }) => method);
  return methods.includes("GET") ? [...methods, "HEAD"] : methods;
}
/** Somebody without credentials who wants a page is shown where to sign in. */
const isPageVisit = ({ headers }: Request): boolean =>
  !headers.has("authorization") && headers.get("accept")?.includes("text/html") === true;
const loginPage = (request: Request): string => `/login/?next=${encodeURIComponent(new URL(request.url).pathname)}`;
function methodNotAllowed(known: readonly Endpoint[]): Answer {
  const allowed = allowedOn(known);
  const headers = { allow: allowed.join(", ") };
  if (known.some(({ plain405 }) => plain405)) return { status: 405, body: "", headers };
  const body = { result: "error", msg: "Method Not Allowed", allowed_methods: allowed };
  return { status: 405, body, headers };
}

async function runCall(endpoint: Endpoint, call: Call, args: object): Promise<JsonObject> {
  try {
    const running = endpoint.run(call, args);
    // Everything is written by now: a handler that waits must not write afterwards.
    if (!(running instanceof Promise)) {
      call.commit();
      return running;
    }
    call.commit();
    call.ledger.close();
    return await running;
  } catch (thrown) {
    call.rollback();
    throw thrown;
  }
}

/** Names that are no parameters of any endpoint and still are not reported. */
const ALWAYS_KNOWN: ReadonlySet<string> = new Set(["client"]);

function readParams(
  params: Params,
  values: ReadonlyMap<string, string>,
  level: number,
): { readonly args: object; readonly ignored: readonly string[] } {
  const args: { [name: string]: unknown } = {};
  const known = new Set(ALWAYS_KNOWN);
  for (const [name, param] of Object.entries(params)) {
    const raw = level >= param.level && level < param.until ? values.get(name) : undefined;
    if (level >= param.level && level < param.until) known.add(name);
    if (raw !== undefined) args[name] = param.read(raw, name);
    else if (param.fallback !== undefined) args[name] = param.fallback.value;
    else throw missingArgument(name);
  }
  return { args, ignored: [...values.keys()].filter((name) => !known.has(name)).sort() };
}

function clientName(request: Request): string {
  return /^[^/\s]+/.exec(request.headers.get("user-agent") ?? "")?.[0] ?? "Unspecified";
}

function accountsOf(
  state: RealmState,
  names: { readonly [name: string]: number },
  keyOf: (userId: number) => string,
): { readonly [nameOrAddress: string]: Account } {
  const accounts: { [nameOrAddress: string]: Account } = {};
  for (const user of rows(state.users)) {
    if (user.is_system_bot) continue;
    accounts[user.delivery_email] = { user_id: user.user_id, email: user.delivery_email, api_key: keyOf(user.user_id) };
  }
  for (const [name, id] of Object.entries(names)) {
    const account = accounts[state.users[id]?.delivery_email ?? ""];
    if (account !== undefined) accounts[name] = account;
  }
  return accounts;
}
