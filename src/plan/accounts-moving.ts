import { botOfLeavingPerson } from "../access/scope.ts";
import { defined } from "../model/defined.ts";
import { type DraftCall, dependencyKey, exists, inactive, released } from "../model/draft-call.ts";
import { isList } from "../model/json.ts";
import type { ResourceKind } from "../model/kind.ts";
import type { Address, Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { isReactivation } from "../model/tally.ts";
import { textsIn } from "../model/texts.ts";

/**
 * Requests for values that name people and bots are sent after the reactivation of these accounts, and before their deactivation. The server does not
 * add a deactivated account to a group or a setting, does not remove one, does not give it bots, and does not show it there. So a value that was read
 * with the account in it would no longer be the value to expect (zulip-api.md §17.4).
 */
export function aroundAccounts(
  drafts: readonly DraftCall[],
  { changes, realm }: Pick<PlanContext, "changes" | "realm">,
  kinds: readonly ResourceKind[],
): readonly DraftCall[] {
  const accountKinds = new Set(kinds.filter(({ isAccount }) => isAccount === true).map(({ name }) => name));
  const goes = new Set(drafts.flatMap(({ provides = [] }) => provides.map(dependencyKey)));
  /** From the canonical name of an account to the address of its reactivation or deactivation. */
  const returning = new Map<string, Address>();
  const leaving = new Map<string, readonly Address[]>();
  for (const change of changes) {
    const { kind, id, address } = change;
    if (!accountKinds.has(kind) || id === undefined) continue;
    if (isReactivation(change)) returning.set(realm.userName(id), address);
    if (!goes.has(dependencyKey(inactive(address)))) continue;
    // The bots of an account are deactivated with it.
    leaving.set(realm.userName(id), [address]);
    for (const { user_id: bot } of realm.botsOf(id))
      leaving.set(realm.userName(bot), [address, botOfLeavingPerson(bot)]);
  }
  if (returning.size + leaving.size === 0) return drafts;
  const known = new Map(changes.map((change) => [change.address, change]));
  const releasedAccounts = new Set<Address>();
  const nameOf = (id: number): string => realm.userName(id);
  const placed = drafts.map((draft) => place(draft, { known, returning, leaving, releasedAccounts, nameOf }));
  return placed.map((draft) => waiting(draft, releasedAccounts));
}

interface Moving {
  readonly known: ReadonlyMap<Address, Change>;
  readonly returning: ReadonlyMap<string, Address>;
  readonly leaving: ReadonlyMap<string, readonly Address[]>;
  /** Accounts that some request removes from a value; `place` fills this set. */
  readonly releasedAccounts: Set<Address>;
  readonly nameOf: (id: number) => string;
}

/** The draft with its dependencies, and the accounts that it removes from values. */
function place(draft: DraftCall, moving: Moving): DraftCall {
  const fields = draft.for.flatMap(({ address, fields: own }) =>
    (moving.known.get(address)?.fields ?? []).filter(({ field }) => own.includes(field)),
  );
  const needed = new Set(
    fields.flatMap(({ after }) => textsIn(after)).flatMap((text) => moving.returning.get(text) ?? []),
  );
  // A request to subscribe or unsubscribe people changes nothing for others.
  const { principals } = draft.params;
  const named = isList(principals)
    ? new Set(principals.map((id) => (typeof id === "number" ? moving.nameOf(id) : id)))
    : undefined;
  const isMeant = (text: string): boolean => named?.has(text) ?? true;
  const left = new Set(
    fields.flatMap(({ field, before, after }) => {
      const going = textsIn(before).filter((text) => moving.leaving.has(text) && isMeant(text));
      const still = new Set(going.length === 0 ? [] : textsIn(after));
      // An account that is named before and after (a subscriber whom no reading shows while the account is inactive) is removed only by a request
      // that expects it there.
      const stays = (text: string): boolean => still.has(text) && !isExpected(draft, field, text);
      return going.flatMap((text) => (stays(text) ? [] : (moving.leaving.get(text) ?? [])));
    }),
  );
  for (const { address } of draft.for) {
    needed.delete(address);
    left.delete(address);
  }
  for (const address of left) moving.releasedAccounts.add(address);
  return {
    ...draft,
    ...defined({
      needs: needed.size === 0 ? undefined : [...(draft.needs ?? []), ...[...needed].map(exists)],
      provides: left.size === 0 ? undefined : [...(draft.provides ?? []), ...[...left].map(released)],
      alternatives:
        draft.alternatives === undefined
          ? undefined
          : draft.alternatives.map((parts) => parts.map((part) => place(part, moving))),
      parts: draft.parts?.map((part) => place(part, moving)),
    }),
  };
}

const isExpected = ({ expects = [] }: DraftCall, field: string, text: string): boolean =>
  expects.some((expectation) => expectation.field === field && textsIn(expectation.value).includes(text));

/** Accounts are deactivated after every change that removes their names from values. */
function waiting(draft: DraftCall, releasedAccounts: ReadonlySet<Address>): DraftCall {
  const own = new Set((draft.provides ?? []).map(dependencyKey));
  const going = draft.for.filter(
    ({ address }) => releasedAccounts.has(address) && own.has(dependencyKey(inactive(address))),
  );
  return {
    ...draft,
    ...defined({
      needs:
        going.length === 0 ? undefined : [...(draft.needs ?? []), ...going.map(({ address }) => released(address))],
      riders: draft.riders?.map((rider) => waitingAhead(rider, releasedAccounts)),
    }),
  };
}

/** A bot that is deactivated before its owner waits only for the requests that remove the bot's own name. */
function waitingAhead(rider: DraftCall, releasedAccounts: ReadonlySet<Address>): DraftCall {
  const bots = (rider.provides ?? []).flatMap((dependency) => ("address" in dependency ? [dependency.address] : []));
  const going = bots.filter((address) => releasedAccounts.has(address));
  return going.length === 0 ? rider : { ...rider, needs: [...(rider.needs ?? []), ...going.map(released)] };
}
