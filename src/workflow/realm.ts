import { kinds } from "../kinds/registry.ts";
import { kindOf } from "../model/address.ts";
import type { SnapshotRequest } from "../model/api.ts";
import { type Failure, failIfAny, failure } from "../model/diagnostic.ts";
import { type Quoted, quoteAll } from "../model/diagnostics/values.ts";
import { isFileParam } from "../model/file-param.ts";
import type { Plan } from "../model/plan.ts";
import type { ReadUpload } from "../model/repository-file.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { sameUrl } from "../plan/other-realm.ts";
import { uploadFailure } from "../zulip/failures.ts";
import { findOperation } from "../zulip/operations.ts";
import { isUnsentFile, uploadsOf } from "../zulip/uploads.ts";

/** The same parts of the realm that the plan was made from. */
export function readsOf(plan: Plan): SnapshotRequest {
  const reads = plan.extra?.reads;
  return { invites: reads?.invites === true, subscribers: reads?.subscribers === true };
}

/** @throws Failure if a plan or journal is used with another realm than its own */
export function refuseOtherRealm(plan: Plan, snapshot: Snapshot, what: "plan" | "journal"): void {
  if (sameUrl(plan.realm.url, snapshot.realm.url)) return;
  throw failure("realm/other-realm", { what, url: plan.realm.url, found: snapshot.realm.url });
}

/** @throws Failure, before anything is sent, with every file that the plan sends and that differs from the planned one */
export async function refuseOtherFiles(plan: Plan, readUpload: ReadUpload | undefined): Promise<void> {
  const failures: Failure[] = [];
  for (const { operation, params } of plan.calls) {
    if (findOperation(operation) === undefined) continue;
    const files = Object.fromEntries(
      Object.entries(params).flatMap(([name, value]) => (isFileParam(value) ? [[name, value]] : [])),
    );
    const found = await uploadsOf({ operation, path: {}, params: files }, readUpload);
    if (isUnsentFile(found)) failures.push(uploadFailure(found));
  }
  const [first] = failures;
  if (first === undefined) return;
  failIfAny(
    first.exitCode,
    failures.flatMap(({ diagnostics }) => diagnostics),
  );
}

/** Names in a plan that this realmctl cannot carry out, or only in part; undefined: none. */
export function unsupportedIn(
  plan: Plan,
): { readonly kinds: readonly Quoted[]; readonly operations: readonly Quoted[] } | undefined {
  const known = new Set(kinds.map(({ name }) => name));
  const named = [
    ...plan.changes.flatMap(({ kind, address }) => [kind, kindOf(address)]),
    ...plan.calls.flatMap((call) => [...call.expects, ...call.for].map(({ address }) => kindOf(address))),
  ];
  const strangeKinds = new Set(named.filter((kind) => !known.has(kind)));
  const operations = new Set(
    plan.calls.map(({ operation }) => operation).filter((operation) => findOperation(operation) === undefined),
  );
  if (strangeKinds.size + operations.size === 0) return undefined;
  return { kinds: quoteAll([...strangeKinds]), operations: quoteAll([...operations]) };
}
