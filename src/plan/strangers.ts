import { AccessDifference } from "../access/difference.ts";
import type { AccessState } from "../access/state.ts";
import { COUNTED, COUNTING, type Counted } from "../model/counted.ts";
import { once } from "../model/lazy.ts";
import { Realm } from "../model/realm.ts";
import { accessOf } from "./guard-access.ts";
import { gainsOf } from "./guard-gains.ts";
import { type GuardedPlan, type GuardPart, GuardParts } from "./guard-parts.ts";
import { countedIn } from "./guards.ts";

/**
 * Of what is left of a plan whose requests are being sent: how much of each count goes to people whom the plan does not give it. They came into a group or a
 * channel since the plan was shown. A plan that is sent in part has states of its own (a channel that is closed, and does not yet have its subscribers), so
 * this does not compare what is gained: everybody may come to what they have after the whole plan, as it was shown.
 */
export function strangersIn(shown: GuardedPlan, today: GuardedPlan): ReadonlyMap<Counted, number> {
  const [then, now] = [new Realm(shown.snapshot), new Realm(today.snapshot)];
  const difference = once(() => accessOf(shown.plan, then).difference);
  const known = once(() => new GuardParts(shown));
  const settled = once(() => {
    const { after } = difference();
    return new GuardParts(shown, gainsOf(shown.plan, new AccessDifference(emptied(after), after), then));
  });
  const made = new Set(shown.plan.changes.flatMap(({ action, address }) => (action === "create" ? [address] : [])));
  const isKnown = (part: GuardPart): boolean =>
    known().has(part) ||
    settled().has(part) ||
    // Nobody knows where they come back to, so anything was confirmed.
    (part.person !== undefined && difference().returning.has(part.person));
  const items = countedIn(today, now).items.filter(
    ({ counted, object, isUnseen }) => COUNTING[counted].gains && isUnseen !== true && !made.has(object.address),
  );
  const parts = new GuardParts(today, items);
  // The bots of the plan itself have ids only now, and owners count for what they gain through bots.
  const isPerson = ({ person }: GuardPart): boolean => person === undefined || now.user(person)?.is_bot !== true;
  return new Map(
    COUNTED.flatMap((counted) => {
      if (!COUNTING[counted].gains) return [];
      let strangers = 0;
      for (const part of parts.of(counted)) if (isPerson(part) && !isKnown(part)) strangers += 1;
      return [[counted, strangers]];
    }),
  );
}

/** The same objects and accounts, of which nobody has or may do anything: what somebody gains from here on is all that they hold. */
function emptied(state: AccessState): AccessState {
  const empty = state.copy();
  for (const id of state.accounts.everybody) {
    const account = state.account(id);
    if (account !== undefined) empty.putAccount({ ...account, active: false });
  }
  for (const channel of state.channels())
    empty.put({
      ...channel,
      privacy: "private_protected_history",
      settings: new Map([...channel.settings.keys()].map((setting) => [setting, "role:nobody"])),
      subscribers: state.population.nobody,
    });
  return empty;
}
