import { createHash, randomUUID } from "node:crypto";
import { defined } from "../model/defined.ts";
import type { JsonObject } from "../model/json.ts";
import { fileResponse, readableFile, wantedFile } from "./attachments.ts";
import { authenticate, authenticateByKey, checkGates, checkNoIncomingWebhook } from "./auth.ts";
import { Call, type InviteLimits, type PostWebhook, type Server } from "./call.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type Endpoint, type Route, Router } from "./endpoint.ts";
import { ApiError, missingArgument } from "./errors.ts";
import { EventQueues } from "./events.ts";
import type { StartingRealm } from "./from.ts";
import {
  type Answer,
  endpointFor,
  htmlResponse,
  isPageVisit,
  methodNotAllowed,
  NOT_FOUND_PAGE,
  optionsOf,
  type ParsedRequest,
  toLoginPage,
} from "./http.ts";
import { usualInviteLimits } from "./invites/send.ts";
import { withOtherRights } from "./other-rights.ts";
import { postToLoopback } from "./outgoing-webhook.ts";
import type { Params } from "./params.ts";
import { ANONYMOUS_RATE_LIMITS, type RateHeaders, type RateLimit, RateLimited, RateLimiter } from "./rate-limit.ts";
import { chores, endpoints } from "./registry.ts";
import type { User } from "./rows/accounts.ts";
import { upgraded } from "./start.ts";
import type { RealmState } from "./state.ts";

/** Names that are not parameters of any endpoint, yet are not reported as ignored. */
const ALWAYS_KNOWN: ReadonlySet<string> = new Set(["client"]);

/**
 * All parameters of an endpoint in the declared order, and the names that it does not know.
 * @throws ApiError for the first parameter that is missing or invalid
 */
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

/** Options of the server around the realm. */
export interface ServerSettings {
  /** Default: the level of the realm. */
  readonly featureLevel?: number;
  readonly clock?: Clock;
  /** Limits per account; default: none. `SERVER_RATE_LIMITS` holds the limits of a real server. */
  readonly rateLimits?: readonly RateLimit[];
  /** The seed of the API keys; default: random, so nobody can guess the keys. */
  readonly seed?: string;
  /** Sends requests to outgoing webhook bots; default: over HTTP, on this machine only. */
  readonly postWebhook?: PostWebhook;
  /** Default: the limits of Zulip Cloud if the realm has one of its plans, otherwise none. */
  readonly inviteLimits?: InviteLimits;
}

/** The result of one request, and its caller. */
export interface Performed {
  readonly answer: Answer;
  readonly caller: User | undefined;
  /** The operation in the usual notation: `PATCH /streams/{stream_id}`; undefined if no endpoint was found. */
  readonly operation: string | undefined;
}

/** A realm, and everything of the server that is not part of its state: API keys, event queues, rate limits, the clock. */
export class RunningRealm {
  readonly level: number;
  readonly clock: Clock;
  /** The URL at which clients reach the sandbox. */
  url: string;
  private readonly start: RealmState;
  private readonly settings: ServerSettings;
  private readonly makeKey: ReturnType<typeof keyMaker>;
  private readonly router: Router;
  private readonly queues: EventQueues;
  private readonly limiter: RateLimiter;
  private readonly anonymousLimiter: RateLimiter;
  private current: RealmState;
  private changes = 0;

  constructor({ state, level }: StartingRealm, settings: ServerSettings) {
    this.settings = settings;
    this.level = settings.featureLevel ?? level;
    this.start = upgraded(state, this.level);
    this.clock = settings.clock ?? systemClock;
    this.url = typeof state.realm.url === "string" ? state.realm.url : "http://localhost";
    this.makeKey = keyMaker(settings.seed);
    this.router = routerAt(this.level);
    this.queues = new EventQueues(this.clock);
    this.limiter = new RateLimiter(this.clock, settings.rateLimits ?? []);
    this.anonymousLimiter = new RateLimiter(this.clock, settings.rateLimits === undefined ? [] : ANONYMOUS_RATE_LIMITS);
    this.current = structuredClone(this.start);
  }

  get state(): RealmState {
    return this.current;
  }
  /** Increases with every change of the state. */
  get revision(): number {
    return this.changes;
  }
  keyOf(userId: number): string {
    return this.makeKey(userId, this.current.users[userId]?.keys_before ?? 0);
  }

  reset(): void {
    this.current = structuredClone(this.start);
    this.changes += 1;
    this.queues.clear();
    this.limiter.clear();
    this.anonymousLimiter.clear();
  }

  /** The account whose credentials the request has; undefined if it has none, or wrong ones. */
  callerOf(request: Request): User | undefined {
    try {
      return this.authenticated(request);
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  }
  /** The answer to a request for an uploaded file; undefined for every other request. */
  download(request: Request): Response | undefined {
    const wanted = wantedFile(request, Math.floor(this.clock.now() / 1000), this.keyOf(0));
    if (wanted === undefined) return undefined;
    try {
      const user = wanted.isProven ? "anybody" : this.visitor(request);
      return fileResponse(readableFile(this.current, user, wanted.path));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return error.page === undefined
        ? Response.json(error.body(), { status: error.status })
        : htmlResponse(error.status, error.page);
    }
  }
  /** @throws ApiError for wrong credentials, and for an incoming webhook bot */
  private visitor(request: Request): User | undefined {
    if (!request.headers.has("authorization") && keyInAddress(request) === null) return undefined;
    const user = this.authenticated(request, true);
    checkNoIncomingWebhook(user);
    return user;
  }
  /** @throws ApiError */
  private authenticated(request: Request, allowsKeyInAddress = false): User {
    const header = request.headers.get("authorization");
    const key = allowsKeyInAddress && header === null ? keyInAddress(request) : null;
    const keyOf = (id: number): string => this.keyOf(id);
    return key === null ? authenticate(header, this.current, keyOf) : authenticateByKey(key, this.current, keyOf);
  }

  /** Executes one request: everything between the parsed request and the body of the answer. */
  async perform(request: Request, parsed: ParsedRequest): Promise<Performed> {
    for (const chore of chores) this.runAlone(chore);
    const nobody = (answer: Answer): Performed => ({ answer, caller: undefined, operation: undefined });
    const route = this.router.find(parsed.path);
    if (route === undefined) return nobody({ status: 404, body: NOT_FOUND_PAGE, headers: {} });
    if (parsed.method === "OPTIONS") return nobody(optionsOf(route.endpoints));
    const endpoint = endpointFor(parsed.method, route.endpoints);
    if (endpoint === undefined) return nobody(methodNotAllowed(route.endpoints));
    if (!endpoint.anonymous && isPageVisit(request)) return nobody(toLoginPage(request));
    return this.carriedOut(endpoint, route.pathArgs, request, parsed);
  }

  private async carriedOut(
    endpoint: Endpoint,
    pathArgs: Route["pathArgs"],
    request: Request,
    parsed: ParsedRequest,
  ): Promise<Performed> {
    let headers: RateHeaders = {};
    let caller: User | undefined;
    const operation = `${endpoint.method} ${endpoint.path}`;
    try {
      const user = endpoint.anonymous ? undefined : this.authenticated(request, endpoint.allowsKeyInAddress);
      if (user === undefined) headers = this.anonymousLimiter.count("anybody");
      else {
        if (!endpoint.incomingWebhooks) checkNoIncomingWebhook(user);
        caller = user;
        headers = this.limiter.count(`${endpoint.bucket} ${user.user_id}`);
        checkGates(user, endpoint.gates(this.level));
      }
      // Only polls wait. Creating the signal takes time, so no other request asks for it.
      const waits = defined({ signal: endpoint.bucket === "events" ? request.signal : undefined });
      const call = new Call(this.server(), { user, files: parsed.files, client: clientName(request), ...waits });
      const body = await this.success(endpoint, call, pathArgs, parsed);
      return { answer: { status: 200, body, headers }, caller, operation };
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      return { answer: refusal(thrown, headers), caller, operation };
    }
  }

  /** @throws ApiError */
  private async success(
    known: Endpoint,
    call: Call,
    pathArgs: Route["pathArgs"],
    { values }: ParsedRequest,
  ): Promise<JsonObject> {
    const endpoint = withOtherRights(known, call.state);
    endpoint.right(call);
    const { args, ignored } = readParams(endpoint.params, values, this.level);
    const fields = await runCall(endpoint, call, { ...pathArgs, ...args });
    const reported = endpoint.reportsIgnored && this.level >= 167 && ignored.length > 0;
    return {
      result: "success",
      msg: "",
      ...fields,
      ...defined({ ignored_parameters_unsupported: reported ? ignored : undefined }),
    };
  }

  private server(): Server {
    const { current, settings } = this;
    return {
      state: current,
      level: this.level,
      clock: this.clock,
      queues: this.queues,
      url: this.url,
      keyOf: (userId) => this.keyOf(userId),
      inviteLimits: settings.inviteLimits ?? usualInviteLimits(current),
      postWebhook: settings.postWebhook ?? postToLoopback,
      changed: () => {
        this.changes += 1;
      },
      act: (action) => {
        if (this.current === current) this.runAlone(action);
      },
    };
  }

  /** Runs a call without a caller. */
  private runAlone(action: (call: Call) => void): void {
    const call = new Call(this.server(), { user: undefined, files: [], client: "Internal" });
    try {
      action(call);
      call.commit();
    } finally {
      call.rollback();
    }
  }
}

const keyInAddress = ({ url }: Request): string | null => new URL(url).searchParams.get("api_key");

/** Shared by all sandboxes of a level: it holds no data of a realm. */
const routers = new Map<number, Router>();
function routerAt(level: number): Router {
  const router = routers.get(level) ?? new Router(endpoints, level);
  routers.set(level, router);
  return router;
}

function refusal(error: ApiError, counted: RateHeaders): Answer {
  const challenge = defined({ "www-authenticate": error.status === 401 ? 'Basic realm="zulip"' : undefined });
  const limits = error instanceof RateLimited ? error.headers : counted;
  const elsewhere = defined({ location: error.location });
  return {
    status: error.status,
    body: error.page ?? error.body(),
    headers: { ...limits, ...challenge, ...elsewhere },
  };
}

async function runCall(endpoint: Endpoint, call: Call, args: object): Promise<JsonObject> {
  try {
    const running = endpoint.run(call, args);
    // All writes are done: a handler that waits must not write afterwards.
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

function clientName(request: Request): string {
  return /^[^/\s]+/.exec(request.headers.get("user-agent") ?? "")?.[0] ?? "Unspecified";
}

/**
 * API keys are derived from the seed: the same realm and seed give the same keys, and the state never holds a key. Without a seed the keys cannot be
 * guessed.
 */
function keyMaker(seed: string = randomUUID()): (userId: number, keysBefore: number) => string {
  const known = new Map<string, string>();
  return (userId, keysBefore) => {
    const whose = keysBefore === 0 ? `${userId}` : `${userId} ${keysBefore}`;
    const made = known.get(whose) ?? createHash("sha256").update(`${seed} ${whose}`).digest("hex").slice(0, 32);
    known.set(whose, made);
    return made;
  };
}
