import type { Dependency } from "./dependency.ts";
import type { Address, Expectation, IdOf, Param, Purpose } from "./plan.ts";

/**
 * One request of one change, before the planner merges, batches and orders. A call is placed after every call that `provides` one of
 * its `needs`; a state that no call provides is already so.
 */
export interface DraftCall {
  readonly operation: string;
  readonly path: { readonly [name: string]: string | number | IdOf };
  readonly params: { readonly [name: string]: Param };
  readonly for: readonly Purpose[];
  readonly expects?: readonly Expectation[];
  readonly needs?: readonly Dependency[];
  /** What makes a better order and no more: ignored where calls would wait for each other in a cycle. */
  readonly softNeeds?: readonly Dependency[];
  readonly provides?: readonly Dependency[];
  /** Settings of the organization that say who may send it, whatever their role is. */
  readonly uses?: readonly string[];
  /**
   * The same as two requests, ways to choose from where this one would wait for itself in a cycle. The planner splits as few calls as
   * possible and counts each in `least_calls`.
   */
  readonly alternatives?: readonly (readonly DraftCall[])[];
  /**
   * The same as one request for each of these, in any order, any of them together: where no order of whole requests is safe, some go first.
   */
  readonly parts?: readonly DraftCall[];
  /** Requests that this one takes along (`mergeInto`): where no order is safe, one of them goes first by itself. */
  readonly riders?: readonly DraftCall[];
  readonly creates?: readonly Address[];
  /** Calls of one operation that are equal but for this list parameter become one call of at most `limit` elements. */
  readonly batch?: { readonly list: string; readonly limit: number };
  /**
   * Parameters that other calls may add to this one instead of going out alone: `address` is the object that this call
   * writes, `params` the names it can take.
   */
  readonly mergeTarget?: { readonly address: Address; readonly params: readonly string[] };
  /** This call is not needed when the call that is the merge target of `address` takes `params` along. */
  readonly mergeInto?: { readonly address: Address; readonly params: { readonly [name: string]: Param } };
  /** Later ranks go later among calls that nothing else orders; default 0. */
  readonly rank?: number;
}
