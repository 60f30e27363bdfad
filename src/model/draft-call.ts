import type { Dependency } from "./dependency.ts";
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
