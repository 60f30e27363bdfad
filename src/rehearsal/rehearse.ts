import { createHash } from "node:crypto";
import { applyPlan } from "../apply/apply.ts";
import type { Journal } from "../apply/journal.ts";
import { nameIn } from "../model/address.ts";
import type { SnapshotRequest, ZulipReader } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import type { Checked } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { type FileParam, isFileParam } from "../model/file-param.ts";
import type { Answer, WireCall } from "../model/journal.ts";
import type { ResourceKind } from "../model/kind.ts";
import { awaitingIn, type Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { mayBeRefused, type Rehearsal } from "../model/rehearsal.ts";
import { NEWEST_KNOWN_LEVEL } from "../model/releases.ts";
import { realmAfter, renamesIn } from "../model/renames.ts";
import type { ReadUpload } from "../model/repository-file.ts";
import type { ApplyResult } from "../model/result.ts";
import type { CallFact } from "../model/run-facts.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { temporaryGains } from "../plan/exposure.ts";
import { manualClock } from "../sandbox/clock.ts";
import { stateFromSnapshot } from "../sandbox/from-snapshot.ts";
import { htmlResponse, NOT_FOUND_PAGE, parseRequest, responseOf } from "../sandbox/http.ts";
import { ROLE } from "../sandbox/rows/accounts.ts";
import { rows } from "../sandbox/rows/values.ts";
import { RunningRealm } from "../sandbox/running-realm.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { sentSince } from "../sandbox/sent-since.ts";
import type { RealmState } from "../sandbox/state.ts";
import { VERSION } from "../version.ts";
import { createClient } from "../zulip/client.ts";
import { encodeCall } from "../zulip/encode.ts";
import { answerOf } from "../zulip/reply.ts";
import { inProcess } from "../zulip/transport.ts";
import { Secret } from "../zulip/zuliprc.ts";

export interface RehearsalInput {
  readonly plan: Plan;
  /** The reading that the plan was made from. */
  readonly snapshot: Snapshot;
  /** The parts of the realm that the plan was made from. */
  readonly reads: SnapshotRequest;
  readonly kinds: readonly ResourceKind[];
  readonly planAgain: (snapshot: Snapshot) => Promise<Checked<Plan>>;
}

/** The maximum number of failed calls, after which the others are not tried: each costs a reading. */
const MOST_FAILURES = 3;
/** The maximum number of named objects that still differ. */
const MOST_NAMED = 5;

/**
 * Carries a plan out call by call, as `apply` would, on a copy of the organization in memory that starts from the plan's own reading. The result
 * depends only on the plan and the reading.
 */
export async function rehearse({ plan, snapshot, reads, kinds, planAgain }: RehearsalInput): Promise<Rehearsal> {
  const copy = copyOf(snapshot);
  const realm = realmAfter(new Realm(snapshot), renamesIn(plan.changes), kinds);
  const since = sentSince(copy.state);
  let failures = 0;
  let isRead = false;
  const never = new AbortController().signal;
  const result = await applyPlan(plan, {
    send: (call) => copy.send(call),
    read: async (signal) => {
      // The first reading is the one that the plan was made from.
      if (isRead) return asRead(await copy.reader.snapshot({ ...reads, subscribers: true }, signal), snapshot);
      isRead = true;
      return snapshot;
    },
    kinds,
    openJournal: () => NO_JOURNAL,
    now: () => Date.parse(snapshot.taken_at),
    mayRepeat: () => true,
    replan: planAgain,
    onProgress: ({ state: of }) => {
      if (of === "failed" || of === "conflict") failures += 1;
    },
    stop: {
      get requested() {
        return failures >= MOST_FAILURES;
      },
      signal: never,
    },
  });
  const failed = failureIn(plan, result);
  const remaining = failed === undefined ? remainingIn(plan, result) : undefined;
  const { feature_level: server } = snapshot.server;
  return {
    calls: plan.calls.length,
    ...defined({ newer: server > NEWEST_KNOWN_LEVEL ? { server, known: NEWEST_KNOWN_LEVEL } : undefined }),
    succeeded: result.calls.filter(({ state: of }) => of === "done" || of === "already-so").length,
    ...defined({ failed, remaining }),
    opened: temporaryGains(plan.calls, { changes: plan.changes, realm }).map(({ n, address, right, people }) => ({
      n,
      object: { address, name: nameIn(address) },
      right,
      people,
    })),
    ...since(),
    not_rehearsed: unrehearsed(plan, snapshot),
  };
}

const NO_JOURNAL: Journal = { path: "", write: () => {}, close: () => {} };

/** A reading of the copy with the original address: planning again would refuse the address of the copy. */
function asRead(later: Snapshot, { realm }: Snapshot): Snapshot {
  return { ...later, realm };
}

function failureIn(plan: Plan, { calls, diagnostics }: ApplyResult): Rehearsal["failed"] {
  const result = calls.find(({ state }) => state !== "done" && state !== "already-so");
  const call = plan.calls.find(({ n }) => n === result?.n);
  if (result === undefined || call === undefined) return undefined;
  const address = call.for[0]?.address;
  const change = plan.changes.find((each) => each.address === address);
  const fact = result.fact;
  const said = fact?.kind === "refused" ? saidIn(fact) : (diagnostics[0]?.code ?? fact?.kind ?? result.state);
  return {
    n: result.n,
    operation: call.operation,
    ...defined({ object: change === undefined ? undefined : { address: change.address, name: change.name } }),
    code: result.code ?? result.state,
    said: quote(said),
  };
}

function saidIn({ message, parts }: CallFact & { readonly kind: "refused" }): string {
  return [message.quoted, ...parts.map(({ address, reason }) => `${address.quoted}: ${reason.quoted}`)].join(" ");
}

function remainingIn(plan: Plan, { remaining, diagnostics }: ApplyResult): Rehearsal["remaining"] {
  // The run makes these changes when a reading shows where the accounts are that came back.
  const awaiting = new Set(awaitingIn(plan).map(({ unresolved }) => unresolved?.in?.address));
  const changes = (remaining ?? []).filter(({ address }) => !awaiting.has(address));
  if (changes.length === 0 && diagnostics.length === 0) return undefined;
  return {
    changes: changes.length,
    first: changes.slice(0, MOST_NAMED).map(({ address, name }) => ({ address, name })),
    errors: [...new Set(diagnostics.map(({ code }) => code))],
  };
}

function unrehearsed({ calls, warnings }: Plan, snapshot: Snapshot): Rehearsal["not_rehearsed"] {
  const sends = (...names: readonly string[]): boolean => calls.some(({ operation }) => names.includes(operation));
  const hasPicture = calls.some(({ params }) => Object.values(params).some((value) => isFileParam(value)));
  return [
    ...(snapshot.subscribers === null ? (["subscribers"] as const) : []),
    ...(sends("reactivate-user") ? (["memberships"] as const) : []),
    ...(hasPicture ? (["pictures"] as const) : []),
    ...(sends("create-bot", "update-bot") ? (["webhooks"] as const) : []),
    ...(sends("send-invites") ? (["mail-limits"] as const) : []),
    ...new Set(mayBeRefused(warnings).map(({ why }) => why)),
    ...(warnings.some(({ code }) => code === "settings/workplace-group") ? (["workplace-group"] as const) : []),
  ];
}

/** One transparent pixel. */
const PIXEL = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  ),
);
const SHA256 = createHash("sha256").update(PIXEL).digest("hex");

/**
 * The call with another picture: a saved plan holds no bytes, and must be rehearsed wherever it is used. Whether a server accepts the real one is not
 * rehearsed.
 */
function withStandIns(call: WireCall): WireCall {
  const params = Object.fromEntries(
    Object.entries(call.params).map(([name, value]) => [name, isFileParam(value) ? standIn(value) : value]),
  );
  return { ...call, params };
}

const readStandIn: ReadUpload = async () => PIXEL;

const standIn = ({ file }: FileParam): FileParam => ({
  file,
  sha256: SHA256,
  size_bytes: PIXEL.length,
  media_type: "image/png",
});

/** An organization in memory, and the client of the account that read it. */
interface Copy {
  readonly reader: ZulipReader;
  send(call: WireCall): Promise<Answer>;
  readonly state: RealmState;
}

/** An organization as it was read, in this process and without HTTP. It connects to no address, and sends no mail and no webhook. */
export function copyOf(snapshot: Snapshot): Copy {
  const nowMs = Date.parse(snapshot.taken_at);
  const realm = new RunningRealm(
    { state: stateFromSnapshot(withOwnSubscriptions(snapshot)), level: snapshot.server.feature_level, names: {} },
    { clock: manualClock(nowMs), postWebhook: () => Promise.reject(new Error("a rehearsal reaches nobody")) },
  );
  const { user_id } = snapshot.account;
  const email = realm.state.users[user_id]?.delivery_email ?? snapshot.account.email;
  const key = realm.keyOf(user_id);
  const client = createClient({
    site: snapshot.realm.url,
    email,
    key: new Secret(key),
    transport: inProcess(async (request) => {
      const parsed = await parseRequest(request);
      if (parsed === undefined) return htmlResponse(404, NOT_FOUND_PAGE);
      return responseOf((await realm.perform(request, parsed)).answer, parsed);
    }),
    // Its clock stands still, so that the same plan has the same rehearsal.
    clock: { now: () => nowMs, sleep: async () => {}, alarm: () => () => {}, random: () => 0 },
    version: VERSION,
    rateRules: [],
  });
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  const head = new Request(`${snapshot.realm.url}${API}`, { headers: { authorization, "user-agent": "realmctl" } });
  return {
    reader: client.reader,
    // Most of the cost of a request here is its encoding: the parameters go to the server's rules directly.
    async send(call) {
      const { method, path, query, form, files } = encodeCall(call);
      if (files !== undefined) return client.writer.send(withStandIns(call), undefined, undefined, readStandIn);
      const values = new Map([...new URLSearchParams(query), ...new URLSearchParams(form ?? "")]);
      const bare = decodeURIComponent(path.slice(API.length));
      const { answer } = await realm.perform(head, { method, path: bare, values, files: [] });
      const { status, body } = answer;
      return answerOf(
        typeof body === "string"
          ? { kind: "unreadable", status, server: "", asksFor: "nothing" }
          : { kind: "envelope", status, body },
      );
    },
    get state() {
      return realm.state;
    },
  };
}

const API = "/api/v1";

/** Without subscribers in the reading, the account that read counts as subscribed, so that nothing is refused because of missing data. */
function withOwnSubscriptions(snapshot: Snapshot): Snapshot {
  if (snapshot.subscribers !== null) return snapshot;
  const { user_id } = snapshot.account;
  const subscribers = Object.fromEntries(snapshot.channels.map(({ stream_id }) => [String(stream_id), [user_id]]));
  return { ...snapshot, subscribers };
}

/**
 * A sandbox's organization as its first owner reads it, with subscribers and invitations. The requests go to a copy, so nothing is counted or logged.
 * @throws Error if there is no active owner
 */
export async function snapshotOf(sandbox: Sandbox, nowMs: number): Promise<Snapshot> {
  const state = sandbox.state();
  const owner = rows(state.users).find((user) => user.role === ROLE.owner && user.is_active && !user.is_bot);
  if (owner === undefined) throw new Error("the realm has no active owner to see it whole");
  const copy = createSandbox({ from: state, featureLevel: sandbox.featureLevel, clock: manualClock(nowMs) });
  copy.setUrl(sandbox.url);
  const account = copy.accounts[owner.delivery_email];
  if (account === undefined) throw new Error(`no account ${owner.delivery_email}`);
  const client = createClient({
    site: sandbox.url,
    email: account.email,
    key: new Secret(account.api_key),
    transport: inProcess((request) => copy.fetch(request)),
    clock: { now: () => nowMs, sleep: async () => {}, alarm: () => () => {}, random: () => 0 },
    version: VERSION,
    rateRules: [],
  });
  return client.reader.snapshot({ invites: true, subscribers: true });
}
