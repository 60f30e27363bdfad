import { readFileSync } from "node:fs";
import { defined } from "../../../src/model/defined.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { manualClock } from "../../../src/sandbox/clock.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/sandbox.ts";

/** For tests only: calls the recorded realm inside the process, with a stopped clock. */
const RECORDED = JSON.parse(readFileSync(new URL("../../recordings/realm.json", import.meta.url), "utf8"));
const START_MS = Date.UTC(2027, 0, 1);

export interface Reply {
  readonly status: number;
  readonly body: JsonObject;
}
interface UploadDetails {
  /** The name of the file; default: `file`. */
  readonly name?: string;
  /** The content type that the part states; default: the type of the bytes. */
  readonly type?: string;
  /** The names of form fields, each of which gets a copy of the file; default: one field. */
  readonly fields?: readonly string[];
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
}
export interface TestRealm {
  /**
   * Text is sent unchanged, everything else as JSON, undefined values not at all; a GET sends parameters in the query. `as` is the name of an account
   * in the recording.
   */
  call(as: string, method: string, path: string, params?: { readonly [name: string]: unknown }): Promise<Reply>;
  /** Uploads one file with that content. */
  upload(as: string, path: string, content: string, details?: UploadDetails): Promise<Reply>;
  /** Creates an event queue, which `events` reads. */
  listen(as: string, capabilities?: readonly string[]): Promise<() => Promise<readonly JsonObject[]>>;
  id(as: string): number;
  group(name: string): number;
  channel(name: string): number;
  advance(ms: number): void;
  /** The time in UNIX seconds. */
  now(): number;
}

const made = new Map<string, { readonly sandbox: Sandbox; readonly clock: ReturnType<typeof manualClock> }>();

/**
 * One realm per level, which every call of this function resets to its start, including the clock. `facts` replace what the recorded POST /register
 * has under these names (`realm_plan_type`, …).
 */
export function testRealm(featureLevel = 442, facts: JsonObject = {}): TestRealm {
  const { sandbox, clock } = made.get(keyOf(featureLevel, facts)) ?? make(featureLevel, facts);
  sandbox.reset();
  clock.advance(START_MS - clock.now());
  const state = sandbox.state();

  const found = (what: string, name: string, id: number | undefined): number => {
    if (id === undefined) throw new Error(`no ${what} ${name}`);
    return id;
  };

  return {
    ...clientOf(sandbox),
    id: (as) => found("account", as, sandbox.accounts[as]?.user_id),
    group(name) {
      const group = Object.values(state.user_groups).find((each) => each.name === name);
      return found("group", name, group?.id);
    },
    channel(name) {
      const channel = Object.values(state.channels).find((each) => each.name === name);
      return found("channel", name, channel?.stream_id);
    },
    advance: (ms) => clock.advance(ms),
    now: () => Math.floor(clock.now() / 1000),
  };
}

/** Sends requests as the accounts of the sandbox. */
function clientOf(sandbox: Sandbox): Pick<TestRealm, "call" | "upload" | "listen"> {
  async function send(
    as: string,
    method: string,
    path: string,
    body: string | FormData | null,
    type?: string,
  ): Promise<Reply> {
    const account = sandbox.accounts[as];
    if (account === undefined) throw new Error(`no account ${as}`);
    const authorization = `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString("base64")}`;
    const headers = { authorization, ...defined({ "content-type": type }) };
    const response = await sandbox.fetch(new Request(`http://localhost/api/v1${path}`, { method, headers, body }));
    return { status: response.status, body: JSON.parse(await response.text()) };
  }
  const call: TestRealm["call"] = (as, method, path, params = {}) => {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(params))
      if (value !== undefined) form.set(name, typeof value === "string" ? value : JSON.stringify(value));
    if (method === "GET") return send(as, method, form.size === 0 ? path : `${path}?${form}`, null);
    return send(as, method, path, form.toString(), "application/x-www-form-urlencoded");
  };

  return {
    call,
    upload(as, path, content, { name = "file", type = "", fields = ["file"], method = "POST", params = {} } = {}) {
      const form = new FormData();
      for (const [key, value] of Object.entries(params))
        form.set(key, typeof value === "string" ? value : JSON.stringify(value));
      for (const field of fields) form.set(field, new Blob([Buffer.from(content, "latin1")], { type }), name);
      return send(as, method, path, form);
    },
    async listen(as, capabilities = []) {
      const client_capabilities = Object.fromEntries(
        ["notification_settings_null", ...capabilities].map((name) => [name, true]),
      );
      const queue = await call(as, "POST", "/register", { fetch_event_types: [], client_capabilities });
      const queue_id = String(queue.body.queue_id);
      return async () => {
        const { body } = await call(as, "GET", "/events", { queue_id, last_event_id: -1, dont_block: true });
        return isEvents(body.events) ? body.events.map(({ id: _, ...event }) => event) : [];
      };
    },
  };
}

function make(featureLevel: number, facts: JsonObject) {
  const clock = manualClock(START_MS);
  const from = { ...RECORDED, register: { ...RECORDED.register, ...facts } };
  const realm = { sandbox: createSandbox({ from, featureLevel, clock }), clock };
  made.set(keyOf(featureLevel, facts), realm);
  return realm;
}
const keyOf = (featureLevel: number, facts: JsonObject): string => `${featureLevel} ${JSON.stringify(facts)}`;
const isEvents = (value: unknown): value is readonly JsonObject[] => Array.isArray(value);
