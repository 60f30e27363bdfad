import type { Address, Expectation, IdOf, Param, Purpose } from "./plan.ts";

/**
 * One request of one change, before the planner merges, batches and orders. A call is placed after every call that `provides` one of its `needs`; a
 * state that no call provides exists already.
 */
export interface DraftCall {
  readonly operation: string;
  readonly path: { readonly [name: string]: string | number | IdOf };
  readonly params: { readonly [name: string]: Param };
  readonly for: readonly Purpose[];
  readonly expects?: readonly Expectation[];
  readonly needs?: readonly Dependency[];
  /** Preferences for a better order: ignored if calls would wait for each other in a cycle. */
  readonly softNeeds?: readonly Dependency[];
  readonly provides?: readonly Dependency[];
  /** Settings of the organization that say who may send it, whatever their role is. */
  readonly uses?: readonly string[];
  /** Rights on single objects that say who may send it: the account needs one setting of each. */
  readonly usesOn?: readonly UseOfRight[];
  /** Channels that the account must be able to read when it is sent, whatever its role is (zulip-api.md §3.6). */
  readonly reads?: readonly Address[];
  /**
   * Two requests with the same effect: alternatives if this one would wait for itself in a cycle. The planner splits as few calls as possible and
   * counts each in `least_calls`.
   */
  readonly alternatives?: readonly (readonly DraftCall[])[];
  /**
   * One request for each of these has the same effect, in any order and combination: if no order of whole requests is safe, some are sent first.
   */
  readonly parts?: readonly DraftCall[];
  /** Requests that are merged into this one (`mergeInto`): if no order is safe, one of them is sent first separately. */
  readonly riders?: readonly DraftCall[];
  readonly creates?: readonly Address[];
  /** Calls of one operation that differ only in this list parameter become one call with at most `limit` elements. */
  readonly batch?: { readonly list: string; readonly limit: number };
  /**
   * Parameters that other calls may add to this one instead of being sent separately: `address` is the object that this call writes, `params` the
   * names it can take.
   */
  readonly mergeTarget?: { readonly address: Address; readonly params: readonly string[] };
  /** This call is not needed if the call that is the merge target of `address` accepts `params`. */
  readonly mergeInto?: { readonly address: Address; readonly params: { readonly [name: string]: Param } };
  /** Among calls that nothing else orders, later ranks are sent later; default 0. */
  readonly rank?: number;
}

/** A right on one group or channel: whoever one of its settings names has it. */
export interface UseOfRight {
  readonly address: Address;
  readonly settings: readonly string[];
}

/** The effects of a request on one object that another request may have to wait for. */
export type ObjectState =
  /** The object exists and is active: created, or reactivated. */
  | "exists"
  /** Those settings of the object that are sent before the others are written. */
  | "written-early"
  /** The settings of the object are written. */
  | "written"
  /** The members and subgroups of a group are written. */
  | "members-written"
  /** The new subscribers of a channel are subscribed. */
  | "subscribed"
  /** The subscriptions that must change before anything else of the channel are changed. */
  | "subscribed-early"
  /** The object has a temporary name. */
  | "name-set-aside"
  /** The object is archived or deactivated. */
  | "inactive"
  /** The values that name the account and that the plan changes no longer name it. */
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
  /** The group `child` is not, or no longer, a subgroup of `address`. */
  | { readonly state: "unlinked"; readonly address: Address; readonly child: string }
  /** The previous request of the same object was sent: `part` counts the requests of one task. */
  | { readonly state: "part-done"; readonly address: Address; readonly task: string; readonly part: number }
  /** A setting of the organization has the value of the plan. */
  | { readonly state: "setting-written"; readonly setting: string }
  /** Every request for which the account needs the right that a setting of the organization gives was sent. */
  | { readonly state: "right-used"; readonly setting: string }
  /** Everything that the plan removes from the count of a limited number (fields in the profile summary) no longer counts. */
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
export const settingWritten = (setting: string): Dependency => ({ state: "setting-written", setting });
export const rightUsed = (setting: string): Dependency => ({ state: "right-used", setting });
export const roomMade = (kind: string): Dependency => ({ state: "room-made", kind });
export const allAdded = (kind: string): Dependency => ({ state: "all-added", kind });
export const complete = (kind: string): Dependency => ({ state: "complete", kind });

/** A text that is equal only for equal dependencies. Cached, because the search for the fewest splits needs the same ones again and again. */
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
    case "setting-written":
    case "right-used":
      return [dependency.state, dependency.setting];
    case "room-made":
    case "all-added":
    case "complete":
      return [dependency.state, dependency.kind];
    default:
      return [dependency.state, dependency.address];
  }
}
