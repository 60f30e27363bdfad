import type { JsonObject } from "../model/json.ts";
import { type RealmSource, realmFrom, type StartingRealm } from "./from.ts";
import {
  htmlResponse,
  type Interception,
  type Interceptor,
  NOT_FOUND_PAGE,
  type ParsedRequest,
  parseRequest,
  responseOf,
} from "./http.ts";
import { unservedFile } from "./registry.ts";
import { rows } from "./rows/values.ts";
import { type Performed, RunningRealm, type ServerSettings } from "./running-realm.ts";
import type { RealmState } from "./state.ts";

/** One answered request. Parameters with secrets are masked; credentials are never recorded. */
export interface LogEntry {
  /** The time in UNIX milliseconds. */
  readonly at: number;
  /** The user id of the caller; null without credentials. */
  readonly user_id: number | null;
  readonly method: string;
  readonly path: string;
  readonly params: { readonly [name: string]: string };
  readonly status: number;
  readonly code: string | null;
}

const SECRET = /key|password|token|secret/i;
function maskedParams(values: ReadonlyMap<string, string>): { readonly [name: string]: string } {
  return Object.fromEntries([...values].map(([name, value]) => [name, SECRET.test(name) ? "***" : value]));
}

/** One answer of a sandbox, before an interceptor can replace it. */
interface WatchedAnswer {
  /** The operation in the usual notation: `PATCH /streams/{stream_id}`. */
  readonly operation: string;
  readonly level: number;
  readonly status: number;
  /** The body of the answer; a text is an HTML page. */
  readonly body: JsonObject | string;
}
type Watcher = (answer: WatchedAnswer) => void;
let watcher: Watcher | undefined;

/** For tests, which check every answer of every sandbox in the process against the contract. Nothing else listens. */
export function watchAnswers(next: Watcher | undefined): void {
  watcher = next;
}

/** Two by two pixels: a server scales the uploaded picture, and a sandbox does not store it. */
const DRAWN = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mM4IScHRAwQCgAfJgQRSo6NIAAAAABJRU5ErkJggg==",
  "base64",
);

/** Serves uploaded pictures to everybody, at the URLs that the organization shows; returns undefined for every other request. */
function shownPicture(request: Request, state: RealmState): Response | undefined {
  const { pathname } = new URL(request.url);
  if (request.method !== "GET" || !pathname.startsWith("/user_avatars/")) return undefined;
  const { icon_url, logo_url, night_logo_url } = state.realm;
  const addresses = [
    ...Object.values(state.emoji).map(({ source_url }) => source_url),
    ...[icon_url, logo_url, night_logo_url].map((url) => String(url).split("?")[0]),
  ];
  if (!addresses.includes(pathname)) return undefined;
  return new Response(DRAWN, { headers: { "content-type": "image/png" } });
}

const KEPT_ENTRIES = 10_000;

function note(
  log: LogEntry[],
  at: number,
  { method, path, values }: ParsedRequest,
  { caller, answer }: Performed,
): void {
  const { status, body } = answer;
  const code = typeof body === "object" && typeof body.code === "string" ? body.code : null;
  log.push({ at, user_id: caller?.user_id ?? null, method, path, params: maskedParams(values), status, code });
  if (log.length > KEPT_ENTRIES) log.shift();
}

export interface SandboxOptions extends ServerSettings {
  /** A recorded `realm.json`, a realmctl snapshot, or a state from `Sandbox.state()`. */
  readonly from: RealmSource;
  /** May answer instead of the server, before or after a call is executed. */
  readonly interceptors?: readonly Interceptor[];
}

export interface Account {
  readonly user_id: number;
  readonly email: string;
  readonly api_key: string;
}

export interface Sandbox {
  readonly featureLevel: number;
  /** Credentials of every account, under its name in the recording (`owner`, …) and under its e-mail address. */
  readonly accounts: { readonly [nameOrAddress: string]: Account };
  /** Answers a request as the server would, on the same path through the code as HTTP requests. */
  fetch(request: Request): Promise<Response>;
  /** Restores the initial state; drops event queues and rate-limit counters. */
  reset(): void;
  /** A copy of the whole realm as plain JSON, without API keys; can be passed as `from`. */
  state(): RealmState;
  /** Increases with every change of the state, including what a refused call committed before it was refused. */
  readonly revision: number;
  /** The last ten thousand answered requests, oldest first. */
  readonly log: readonly LogEntry[];
  /** The URL at which clients reach the sandbox; `serve` sets it. */
  readonly url: string;
  setUrl(url: string): void;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const start = realmFrom(options.from);
  const realm = new RunningRealm(start, options);
  const log: LogEntry[] = [];
  const answer = answering(realm, start.names, options.interceptors ?? [], log);
  return {
    featureLevel: realm.level,
    get accounts() {
      return accountsOf(realm, start.names);
    },
    fetch: answer,
    reset() {
      realm.reset();
      log.length = 0;
    },
    state: () => structuredClone(realm.state),
    get revision() {
      return realm.revision;
    },
    log,
    get url() {
      return realm.url;
    },
    setUrl(to) {
      realm.url = to;
    },
  };
}

type Names = StartingRealm["names"];

/** Takes a request to its answer, past the interceptors. */
function answering(
  realm: RunningRealm,
  names: Names,
  interceptors: readonly Interceptor[],
  log: LogEntry[],
): Sandbox["fetch"] {
  return async (request) => {
    const picture = shownPicture(request, realm.state) ?? unservedFile(request);
    if (picture !== undefined) return picture;
    const file = realm.download(request);
    if (file !== undefined) return file;
    const parsed = await parseRequest(request);
    if (parsed === undefined) return htmlResponse(404, NOT_FOUND_PAGE);
    const interception = interceptionOf(realm, names, request);
    for (const interceptor of interceptors) {
      const instead = await interceptor.before?.(parsed, interception);
      if (instead !== undefined) return instead;
    }
    const performed = await realm.perform(request, parsed);
    const { operation, answer } = performed;
    note(log, realm.clock.now(), parsed, performed);
    if (operation !== undefined) watcher?.({ operation, level: realm.level, status: answer.status, body: answer.body });
    let response = responseOf(answer, parsed);
    for (const interceptor of interceptors)
      response = (await interceptor.after?.(parsed, response, interception)) ?? response;
    return response;
  };
}

/** Computed only if an interceptor asks for it. */
const interceptionOf = (realm: RunningRealm, names: Names, request: Request): Interception => ({
  caller: () => realm.callerOf(request),
  nameOf: (userId) => Object.entries(names).find(([, id]) => id === userId)?.[0],
  signal: () => request.signal,
});

function accountsOf(realm: RunningRealm, names: Names): { readonly [nameOrAddress: string]: Account } {
  const { users } = realm.state;
  const accounts: { [nameOrAddress: string]: Account } = {};
  for (const { is_system_bot, delivery_email: email, user_id } of rows(users))
    if (!is_system_bot) accounts[email] = { user_id, email, api_key: realm.keyOf(user_id) };
  for (const [name, id] of Object.entries(names)) {
    const account = accounts[users[id]?.delivery_email ?? ""];
    if (account !== undefined) accounts[name] = account;
  }
  return accounts;
}
