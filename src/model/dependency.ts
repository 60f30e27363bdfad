import type { Address } from "./plan.ts";

/** The effects of a request on one object that another request may have to wait for. */
export type ObjectState =
  /** The object exists and is active: created, or reactivated. */
  | "exists"
  /** The settings that are sent before the rest of the object are written. */
  | "written-early"
  /** The settings of the object are written. */
  | "written"
  /** The members and subgroups of a group are written. */
  | "members-written"
  /** The new subscribers of a channel are subscribed. */
  | "subscribed"
  /** The people who join or leave before anything else of the channel changes have done so. */
  | "subscribed-early"
  /** The object has a temporary name. */
  | "name-set-aside"
  /** The object is archived or deactivated. */
  | "inactive"
  /** Everything that the plan changes and that names the account now no longer names it. */
  | "released"
  /** The object is deleted or revoked. */
  | "removed";

/**
 * A state of the realm that one request causes and another waits for. The set is closed: each state has one constructor here, which both sides use,
 * so that a misspelt state does not compile. `test/order/states.test.ts` checks that every state that a request waits for, and that the plan changes,
 * is provided.
 */
export type Dependency =
  | { readonly state: ObjectState; readonly address: Address }
  /** No object of the kind has the name; `key` is the name as the server compares it. */
  | { readonly state: "name-free"; readonly kind: string; readonly key: string }
  /** The group `child` is not a subgroup of `address`, or no longer. */
  | { readonly state: "unlinked"; readonly address: Address; readonly child: string }
  /** The previous request of the same object was sent: `part` counts the requests of one task. */
  | { readonly state: "part-done"; readonly address: Address; readonly task: string; readonly part: number }
  /**
   * Everything that counted against a limit on objects of the kind (fields in the profile summary), and should no longer count, does not count any
   * more.
   */
  | { readonly state: "room-made"; readonly kind: string }
  /** Every object that the plan adds to the section exists. */
  | { readonly state: "all-added"; readonly kind: string }
  /** The section has exactly the wanted objects. */
  | { readonly state: "complete"; readonly kind: string };

const on =
  (state: ObjectState) =>
  (address: Address): Dependency => ({ state, address });

export const exists = on("exists");
export const writtenEarly = on("written-early");
export const written = on("written");
export const membersWritten = on("members-written");
export const subscribed = on("subscribed");
export const subscribedEarly = on("subscribed-early");
export const nameSetAside = on("name-set-aside");
export const inactive = on("inactive");
export const released = on("released");
export const removed = on("removed");
export const nameFree = (kind: string, key: string): Dependency => ({ state: "name-free", kind, key });
export const unlinked = (address: Address, child: string): Dependency => ({ state: "unlinked", address, child });
export const partDone = (address: Address, task: string, part: number): Dependency => ({
  state: "part-done",
  address,
  task,
  part,
});
export const roomMade = (kind: string): Dependency => ({ state: "room-made", kind });
export const allAdded = (kind: string): Dependency => ({ state: "all-added", kind });
export const complete = (kind: string): Dependency => ({ state: "complete", kind });

/** Equal only for equal dependencies. Cached, because the search for the fewest splits needs the same ones again and again. */
export function dependencyKey(dependency: Dependency): string {
  const known = keys.get(dependency);
  if (known !== undefined) return known;
  const key = JSON.stringify(partsOf(dependency));
  keys.set(dependency, key);
  return key;
}
const keys = new WeakMap<Dependency, string>();

function partsOf(dependency: Dependency): readonly (string | number)[] {
  switch (dependency.state) {
    case "name-free":
      return [dependency.state, dependency.kind, dependency.key];
    case "unlinked":
      return [dependency.state, dependency.address, dependency.child];
    case "part-done":
      return [dependency.state, dependency.address, dependency.task, dependency.part];
    case "room-made":
    case "all-added":
    case "complete":
      return [dependency.state, dependency.kind];
    default:
      return [dependency.state, dependency.address];
  }
}
