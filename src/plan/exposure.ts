import { WAITING_PERIOD } from "../access/full-members.ts";
import { dependencyKey } from "../model/dependency.ts";
import type { DraftCall } from "../model/draft-call.ts";
import { isList } from "../model/json.ts";
import { type Address, type Call, type Change, isIdOf } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { RightsModel, type Step } from "./exposure-rights.ts";

/*
 * An order of requests in which nobody is let in on the way (docs/decisions/0023-order-by-exposure.md).
 *
 * Terms. A *right* is something that somebody may do on a channel, a group or the organization. What is *allowed* are the rights that are held
 * before the plan or after it. The *excess* of a moment is how many rights are held that are not allowed; a request is *safe* when the moment
 * after it has none. A request is *ready* when all that it needs went out. An *arrival* is a request by which people come who have no account.
 *
 * Premise. A run can stop after any request, so each moment between two of them counts as much as the end.
 *
 * The idea.
 *     while requests remain:
 *         if one is ready and safe:      send the first such one, in the order given; arrivals only when nothing else is left
 *         else if one can be cut in two: first who leaves a group, later who joins it (fewer people in a group open nothing)
 *         else:                          send the ready one with the least excess
 *     what had to wait needs, from then on, the related requests that it waited for: it is not sent if one of those fails
 *
 * What it does not do. It sees the rights that settings give, and leaves out those that follow from roles whatever a plan does
 * (`RightsModel.rightsAt`). It knows nothing of what others change meanwhile, and looks for no shortest list of cuts: the first that helps is made.
 */

export interface Exposure {
  readonly changes: readonly Change[];
  /** As it is now, under the names that objects get. */
  readonly realm: Realm;
}

export interface Ordered {
  readonly drafts: readonly DraftCall[];
  /** Positions in `drafts`, as they go out. */
  readonly order: readonly number[];
  readonly prerequisites: readonly (readonly number[])[];
  /** Requests more than without regard to what could be seen in between. */
  readonly splits: number;
}

/**
 * Puts requests so that between no two of them anybody holds a right that they hold neither before nor after the plan. It keeps the
 * order that is given wherever that is safe. Where none is, a request that both adds to a group and removes from it is cut in two: removing
 * first, then settings, then adding is always safe, since fewer people in a group never open anything
 * (docs/decisions/0023-order-by-exposure.md).
 */
export function saferOrder(
  drafts: readonly DraftCall[],
  order: readonly number[],
  prerequisites: readonly (readonly number[])[],
  exposure: Exposure,
): Ordered {
  const asGiven = { drafts, order, prerequisites, splits: 0 };
  // Every channel and group that is written once is as safe after its request as it is after the plan, unless groups move.
  if (!drafts.some(moves) && !isWrittenTwice(drafts)) return asGiven;
  return new Sorter(drafts, order, prerequisites, exposure).run();
}

/** After a request people hold a right that they hold neither before the plan nor after it. */
export interface Opening {
  /** Of the call. */
  readonly n: number;
  readonly address: Address;
  readonly right: string;
  readonly people: number;
}

/**
 * What the calls of a plan open in between, in the order in which they go out: each right at the first call after which somebody holds it
 * who holds it neither before nor after. {@link saferOrder} finds an order that opens nothing. Where no such order exists, this says what opens.
 */
export function openings(calls: readonly Call[], { changes, realm }: Exposure): readonly Opening[] {
  if (!calls.some(moves) && !isWrittenTwice(calls)) return [];
  const model = new RightsModel(changes, realm);
  const known = new Set<string>();
  const found: Opening[] = [];
  for (const call of calls) {
    for (const { address, right, people } of model.openedBy(stepOf(call))) {
      const key = `${address}\n${right}`;
      if (!known.has(key)) found.push({ n: call.n, address, right, people });
      known.add(key);
    }
    model.apply(stepOf(call));
  }
  return found;
}

/** Requests that change who is in a group; roles are groups, too. */
const MOVING: ReadonlySet<string> = new Set([
  "update-user",
  "deactivate-user",
  "reactivate-user",
  "update-bot",
  "deactivate-bot",
  "create-user-group",
  "update-user-group-members",
  "deactivate-user-group",
]);

/** Who is a full member hangs on a setting of the organization. */
const moves = ({ operation, params }: Sent): boolean => MOVING.has(operation) || WAITING_PERIOD in params;

/** Requests that let people come in who have no account yet; kinds draft them last. */
const ARRIVING: ReadonlySet<string> = new Set([
  "add-realm-domain",
  "update-realm-domain",
  "remove-realm-domain",
  "revoke-email-invite",
  "send-invites",
  "revoke-invite-link",
  "create-invite-link",
]);

/** Settings of the organization that keep people out, as long as they are true. */
const BARRIERS = ["invite_required", "emails_restricted_to_domains", "disallow_disposable_email_addresses"];

/** Whether an object takes more than one request, such as a channel whose settings and subscribers change. */
function isWrittenTwice(drafts: readonly Sent[]): boolean {
  const seen = new Set<string>();
  for (const draft of drafts) {
    for (const address of new Set(draft.for.map((purpose) => purpose.address))) {
      if (seen.has(address)) return true;
      seen.add(address);
    }
  }
  return false;
}

/** What a request is, planned already or not yet. */
type Sent = Pick<DraftCall, "operation" | "params" | "for" | "creates">;

class Sorter {
  private readonly drafts: DraftCall[];
  private readonly prerequisites: (readonly number[])[];
  private readonly model: RightsModel;
  private readonly remaining: number[];
  private readonly result: number[] = [];
  private readonly done = new Set<number>();
  /** Calls that were not safe when they were looked at, and what went out since. */
  private readonly deferred = new Map<number, { since: number; isStale: boolean }>();
  private splits = 0;
  /** How many requests are left that let nobody come. */
  private notArriving: number;

  constructor(
    drafts: readonly DraftCall[],
    order: readonly number[],
    prerequisites: readonly (readonly number[])[],
    exposure: Exposure,
  ) {
    this.drafts = [...drafts];
    this.prerequisites = [...prerequisites];
    this.remaining = [...order];
    this.notArriving = order.filter((index) => !this.isArrival(index)).length;
    this.model = new RightsModel(exposure.changes, exposure.realm);
  }

  run(): Ordered {
    while (this.remaining.length > 0) {
      const position = this.findSafe();
      if (position !== undefined) this.take(position);
      else if (!this.split()) this.take(this.leastBad());
    }
    return { drafts: this.drafts, order: this.result, prerequisites: this.prerequisites, splits: this.splits };
  }

  private findSafe(): number | undefined {
    const found = this.remaining.findIndex((index) => this.isReady(index) && this.isSafe(index));
    return found === -1 ? undefined : found;
  }

  /**
   * Where nothing that could go out is safe: what opens least. Of what only waits because people arrive by it the first: the order
   * that was given has no cycle, so something can always go out.
   */
  private leastBad(): number {
    let found = this.remaining.findIndex((index) => this.hasAll(index));
    let fewest = Number.POSITIVE_INFINITY;
    for (const [position, index] of this.remaining.entries()) {
      const draft = this.drafts[index];
      if (draft === undefined || !this.isReady(index)) continue;
      const excess = this.model.excessAfter(stepOf(draft));
      if (excess >= fewest) continue;
      fewest = excess;
      found = position;
    }
    return found;
  }

  private isReady(index: number): boolean {
    // Whoever may come by it must not see what is about to be closed, and no model here knows who that is.
    if (this.isArrival(index) && this.notArriving > 0) return false;
    return this.hasAll(index);
  }

  private hasAll(index: number): boolean {
    return (this.prerequisites[index] ?? []).every((other) => this.done.has(other));
  }

  private isArrival(index: number): boolean {
    const draft = this.drafts[index];
    return (
      draft !== undefined && (ARRIVING.has(draft.operation) || BARRIERS.some((name) => draft.params[name] === false))
    );
  }

  private isSafe(index: number): boolean {
    const draft = this.drafts[index];
    const waiting = this.deferred.get(index);
    if (draft === undefined || (waiting !== undefined && !waiting.isStale)) return false;
    if (this.model.excessAfter(stepOf(draft)) === 0) return true;
    this.deferred.set(index, { since: waiting?.since ?? this.result.length, isStale: false });
    return false;
  }

  private take(position: number): void {
    const [index] = this.remaining.splice(position, 1);
    const draft = index === undefined ? undefined : this.drafts[index];
    if (index === undefined || draft === undefined)
      throw new RangeError("nothing can go out, though the order given has no cycle");
    const waited = this.deferred.get(index);
    this.deferred.delete(index);
    if (waited !== undefined || this.deferred.size > 0) {
      const isEntangled = this.entangledWith(draft);
      // What it waited for must have happened, or it would open what it was held back for.
      const before = waited === undefined ? [] : this.result.slice(waited.since).filter(isEntangled);
      if (before.length > 0)
        this.prerequisites[index] = [...new Set([...(this.prerequisites[index] ?? []), ...before])];
      for (const [other, entry] of this.deferred) if (isEntangled(other)) entry.isStale = true;
    }
    this.model.apply(stepOf(draft));
    this.done.add(index);
    this.result.push(index);
    if (!this.isArrival(index)) this.notArriving -= 1;
  }

  private entangledWith(draft: DraftCall): (index: number) => boolean {
    const isEntangled = this.model.entangledWith(stepOf(draft));
    return (index) => {
      const other = this.drafts[index];
      return other !== undefined && isEntangled(stepOf(other));
    };
  }

  /** Cuts the first request that adds, and could remove now: its removing half takes its place, the other comes right after. */
  private split(): boolean {
    for (const [position, index] of this.remaining.entries()) {
      const draft = this.drafts[index];
      const halves = draft === undefined ? undefined : halvesOf(draft);
      if (halves === undefined) continue;
      const [removing, adding] = halves;
      // Groups that are to come in may have to be made first; those that leave are there.
      const needed = (this.prerequisites[index] ?? []).filter(
        (other) => !this.onlyMakes(other, adding) && !this.onlyUnlinks(other, index),
      );
      if (!needed.every((other) => this.done.has(other))) continue;
      const added = this.drafts.length;
      const waiting = new Set([...this.prerequisites.keys()].filter((other) => !this.onlyUnlinks(index, other)));
      this.drafts[index] = removing;
      this.drafts.push(adding);
      this.prerequisites.push([...new Set([...(this.prerequisites[index] ?? []), index])]);
      this.prerequisites[index] = needed;
      // Whatever needed the whole needs both, but for what only waits for a group to leave another.
      this.prerequisites.forEach((others, other) => {
        if (waiting.has(other) && others.includes(index)) this.prerequisites[other] = [...others, added];
      });
      this.remaining.splice(position + 1, 0, added);
      this.notArriving += 1;
      this.deferred.delete(index);
      this.splits += 1;
      return true;
    }
    return false;
  }

  /** Whether other requests wait for this one only because it takes out a subgroup, so that adding a subgroup closes no cycle. */
  private onlyUnlinks(index: number, by: number): boolean {
    const provided = new Set((this.drafts[index]?.provides ?? []).map(dependencyKey));
    const met = (this.drafts[by]?.needs ?? []).filter((dependency) => provided.has(dependencyKey(dependency)));
    return met.length > 0 && met.every(({ state }) => state === "unlinked");
  }

  /** Whether this half waits for a request only because of a group that the request creates or reactivates. */
  private onlyMakes(index: number, { params }: DraftCall): boolean {
    const other = this.drafts[index];
    const added = isList(params.add_subgroups) ? params.add_subgroups : [];
    const made = other?.creates ?? [];
    const woken = other?.params.deactivated === false ? other.path.user_group_id : undefined;
    return added.some((group) => (isIdOf(group) ? made.includes(group.idOf) : group === woken));
  }
}

const REMOVING = ["delete", "delete_subgroups"];
const ADDING = ["add", "add_subgroups"];

function halvesOf(draft: DraftCall): readonly [removing: DraftCall, adding: DraftCall] | undefined {
  if (draft.operation !== "update-user-group-members") return undefined;
  const part = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(draft.params).filter(([name]) => names.includes(name)));
  const [removed, added] = [part(REMOVING), part(ADDING)];
  if (Object.keys(removed).length === 0 || Object.keys(added).length === 0) return undefined;
  return [
    { ...draft, params: removed, provides: [] },
    { ...draft, params: added, expects: [], needs: [] },
  ];
}

/** Which parts of which objects a request sets, and whether it does so only halfway. */
function stepOf(draft: Sent): Step {
  const parts = draft.for;
  const { operation, params } = draft;
  if (operation === "update-user-group-members") {
    const adds = ADDING.some((name) => name in params);
    const removes = REMOVING.some((name) => name in params);
    return { parts, half: adds === removes ? "whole" : adds ? "adding" : "removing" };
  }
  const people = isList(params.principals) ? params.principals.filter((id) => typeof id === "number") : undefined;
  if (people === undefined || (draft.creates ?? []).length > 0) return { parts, half: "whole" };
  return { parts, half: operation === "unsubscribe" ? "removing" : "adding", people };
}
