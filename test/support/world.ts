import { applyPlan } from "../../src/apply/apply.ts";
import type { Journal } from "../../src/apply/journal.ts";
import type { ApplyOptions } from "../../src/apply/options.ts";
import { readConfig } from "../../src/config/read-config.ts";
import { kinds } from "../../src/kinds/registry.ts";
import { defined } from "../../src/model/defined.ts";
import type { Desired } from "../../src/model/desired.ts";
import type { Checked } from "../../src/model/diagnostic.ts";
import type { Answer, WireCall } from "../../src/model/journal.ts";
import type { Json } from "../../src/model/json.ts";
import { liveObjects } from "../../src/model/kind.ts";
import { type Call, isIdOf, isMinutesUntil, minutesLeft, type Param, type Plan } from "../../src/model/plan.ts";
import type { Targets } from "../../src/model/plan-schema.ts";
import { Realm } from "../../src/model/realm.ts";
import type { ApplyResult } from "../../src/model/result.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { planChanges } from "../../src/plan/plan.ts";
import { wordedDiagnostic } from "../../src/report/words/diagnostics.ts";
import { createSandbox, type Interceptor, manualClock, type Sandbox } from "../../src/sandbox/index.ts";
import type { ZulipClient } from "../../src/zulip/client.ts";
import { findOperation } from "../../src/zulip/operations.ts";
import { lookAt, readPicture } from "./pictures.ts";
import { sandboxClient } from "./sandbox-client.ts";
import { fakeClock } from "./zulip/scripted.ts";

const SITE = "http://sandbox.example.org";

/** A sandbox and an account's client for it, in this process. */
export class World {
  readonly sandbox: Sandbox;
  /** User id of the account that reads and applies. */
  readonly account: number;
  private readonly client: ZulipClient;
  /** Milliseconds since 1970: the start time of everything here. */
  private readonly takenAt: number;
  private readonly readsInvites: boolean;

  constructor(start: Snapshot, interceptors: readonly Interceptor[] = []) {
    this.takenAt = Date.parse(start.taken_at);
    this.readsInvites = start.invites !== null;
    this.account = start.account.user_id;
    this.sandbox = createSandbox({ from: start, clock: manualClock(Date.parse(start.taken_at)), interceptors });
    this.client = this.as(start.account.email);
  }

  /** Resets the realm to its start, as if it had never had a request: much cheaper than another world. */
  restart(): void {
    this.sandbox.reset();
  }

  /** Somebody else's client of the same realm. */
  as(email: string): ZulipClient {
    // The same time for both: the validity of a link counts from the reading.
    return sandboxClient(this.sandbox, email, { site: SITE, clock: fakeClock(0, this.takenAt) });
  }

  /** With subscribers (the account's rights in private channels depend on them); with invitations if the start had them. */
  read(): Promise<Snapshot> {
    return this.client.reader.snapshot({ invites: this.readsInvites, subscribers: true });
  }

  async plan(yaml: string, targets?: Targets): Promise<Checked<Plan>> {
    return planAgainst(yaml, await this.read(), { targets });
  }

  /** The number of requests so far that could change something. */
  get writes(): number {
    return this.sandbox.log.filter(({ method, path }) => method !== "GET" && !/\/(register|events)$/.test(path)).length;
  }

  /** The realm as text: equal texts mean equal realms. */
  fingerprint(): string {
    return JSON.stringify(this.sandbox.state());
  }

  /** Sends one call as the plan has it, with the ids of objects created before. */
  async send(call: Call, client: ZulipClient = this.client): Promise<Answer> {
    const view = hasReferences(call) ? await this.read() : undefined;
    return client.writer.send(filled(call, view, this.takenAt), undefined, undefined, readPicture);
  }

  /**
   * The real apply. `before` runs before every write and can act as a faster user; `after` can replace the answer, as a bad connection would.
   */
  apply(
    plan: Plan,
    yaml: string,
    before: (call: WireCall) => Promise<void> = async () => {},
    after: (answer: Answer) => Answer = (answer) => answer,
    more: Partial<ApplyOptions> = {},
  ): Promise<ApplyResult> {
    return applyPlan(plan, {
      send: async (call, signal) => {
        await before(call);
        return after(await this.client.writer.send(call, signal, undefined, readPicture));
      },
      read: () => this.read(),
      kinds,
      openJournal: () => memoryJournal(),
      now: () => 0,
      mayRepeat: (operation) => findOperation(operation)?.repeat !== "unsafe",
      replan: (snapshot) => planAgainst(yaml, snapshot),
      ...more,
    });
  }
}

export async function planAgainst(
  yaml: string,
  snapshot: Snapshot,
  { targets, isAgain }: { readonly targets?: Targets | undefined; readonly isAgain?: boolean } = {},
): Promise<Checked<Plan>> {
  const desired = await desiredOf(yaml, snapshot);
  if (!desired.ok) return desired;
  const part = defined({ targets, isAgain });
  return planChanges({ desired: desired.value, snapshot, kinds, toolVersion: "0.0.0", ...part });
}

export function desiredOf(yaml: string, snapshot: Snapshot): Promise<Checked<Desired>> {
  return readConfig({
    file: "realm.yaml",
    readFile: () => Promise.resolve(yaml),
    lookAt,
    kinds,
    realm: new Realm(snapshot),
  });
}

/** The plan, or an error that shows what is wrong. */
export function must<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  throw new Error(
    checked.diagnostics
      .map(wordedDiagnostic)
      .map(({ code, message }) => `${code}: ${message}`)
      .join("\n"),
  );
}

function memoryJournal(): Journal {
  return { path: "in memory", write: () => {}, close: () => {} };
}

function hasReferences(call: Call): boolean {
  return JSON.stringify([call.path, call.params]).includes('"idOf"');
}

function filled(call: Call, snapshot: Snapshot | undefined, nowMs: number): WireCall {
  const ids = new Map<string, number>();
  if (snapshot !== undefined) {
    const realm = new Realm(snapshot);
    for (const kind of kinds) {
      for (const object of liveObjects(kind, realm) ?? [])
        if (object.id !== null) ids.set(`${kind.name}:${object.name}`, object.id);
    }
  }
  const idOf = (address: string): number => {
    const id = ids.get(address);
    if (id === undefined) throw new RangeError(`${address} does not exist yet`);
    return id;
  };
  const json = (value: Param): Json => {
    if (isIdOf(value)) return idOf(value.idOf);
    if (isMinutesUntil(value)) return minutesLeft(value, nowMs);
    if (Array.isArray(value)) return value.map((item: Param) => json(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, json(item)]));
  };
  return {
    operation: call.operation,
    path: Object.fromEntries(
      Object.entries(call.path).map(([name, value]) => [name, isIdOf(value) ? idOf(value.idOf) : value]),
    ),
    params: Object.fromEntries(Object.entries(call.params).map(([name, value]) => [name, json(value)])),
  };
}
