import type { SnapshotRequest } from "./model/api.ts";
import { EXIT, Failure } from "./model/diagnostic.ts";
import { isObject } from "./model/json.ts";
import type { Plan } from "./model/plan.ts";
import type { Snapshot } from "./model/snapshot.ts";

/** The same parts of the realm as the plan was made from. */
export function readsOf(plan: Plan): SnapshotRequest {
  const reads = plan.extra?.reads;
  return isObject(reads)
    ? { invites: reads.invites === true, subscribers: reads.subscribers === true }
    : { invites: false, subscribers: false };
}

/** @throws Failure when a plan or journal meets another realm than its own */
export function refuseOtherRealm(plan: Plan, snapshot: Snapshot, what: string): void {
  if (sameUrl(plan.realm.url, snapshot.realm.url)) return;
  throw new Failure(EXIT.mistakes, {
    code: "realm/other-realm",
    severity: "error",
    message: `${what} is for ${plan.realm.url}, but the credentials are for ${snapshot.realm.url}`,
    hint: "use credentials of that organization",
  });
}

/** Case and a slash at the end make no other realm. */
export function sameUrl(a: string, b: string): boolean {
  const bare = (url: string) => url.replace(/\/+$/, "").toLowerCase();
  return bare(a) === bare(b);
}
