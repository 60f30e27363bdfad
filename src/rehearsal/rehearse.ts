import { applyPlan } from "../apply/apply.ts";
import type { Journal } from "../apply/journal.ts";
import type { SnapshotRequest } from "../model/api.ts";
import { defined } from "../model/defined.ts";
import type { Checked } from "../model/diagnostic.ts";
import { quote } from "../model/diagnostics/values.ts";
import { isFileParam } from "../model/file-param.ts";
import type { ResourceKind } from "../model/kind.ts";
import { NEWEST_KNOWN_LEVEL } from "../model/newest-level.ts";
import { awaitingIn, type Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { mayBeRefused, type Rehearsal } from "../model/rehearsal.ts";
import { realmAfter, renamesIn } from "../model/renames.ts";
import type { ApplyResult } from "../model/result.ts";
import type { CallFact } from "../model/run-facts.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { temporaryGains } from "../plan/temporary-gains.ts";
import { sentSince } from "../sandbox/sent-since.ts";
import { copyOf } from "./copy.ts";

interface RehearsalInput {
  readonly plan: Plan;
  /** The reading that the plan was made from. */
  readonly snapshot: Snapshot;
  /** The parts of the realm that the plan was made from. */
  readonly reads: SnapshotRequest;
  readonly kinds: readonly ResourceKind[];
  /** Plans the same file with a later reading. */
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
      object: { address, name: address.slice(address.indexOf(":") + 1) },
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
