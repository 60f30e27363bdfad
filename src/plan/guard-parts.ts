import { AccessDifference } from "../access/difference.ts";
import type { People } from "../access/people.ts";
import { CHANNEL, GROUP } from "../access/scope.ts";
import type { AccessState } from "../access/state.ts";
import { COUNTED, COUNTING, type Counted } from "../model/counted.ts";
import { liveObjects } from "../model/kind.ts";
import { once } from "../model/lazy.ts";
import type { Address } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { accessOf, gainsOf, type Item } from "./guard-gains.ts";
import { countedIn, type GuardInput } from "./guards.ts";

/** One person and object that count, or one object if it is not about people. Persons and live objects are ids. */
export interface GuardPart {
  readonly counted: Counted;
  readonly object: string;
  readonly person?: number;
}

/**
 * Of what the number of a guard rail consists: who gains what. A number is the same if one person takes the place of another, and whoever confirmed it
 * meant the people.
 */
export class GuardParts {
  private readonly parts: Parts;

  /** @param items what counts */
  constructor(input: GuardedPlan, items?: readonly Item[]) {
    const realm = new Realm(input.snapshot);
    this.parts = partsOf(input, realm, items ?? countedIn(input, realm).items);
  }

  *of(counted: Counted): Generator<GuardPart> {
    for (const [object, sets] of this.parts.get(counted) ?? []) {
      if (sets.size === 0) yield { counted, object };
      for (const people of sets) for (const person of people) yield { counted, object, person };
    }
  }

  has({ counted, object, person }: GuardPart): boolean {
    const sets = this.parts.get(counted)?.get(object);
    return sets !== undefined && (person === undefined || [...sets].some((people) => people.has(person)));
  }
}

/** A plan, and the reading on which its guard rails were counted. */
export type GuardedPlan = Pick<GuardInput, "plan" | "snapshot" | "kinds" | "undoes" | "made">;

type Parts = ReadonlyMap<Counted, ReadonlyMap<string, ReadonlySet<People>>>;

function partsOf(input: GuardedPlan, realm: Realm, items: readonly Item[]): Parts {
  const objects = objectsOf(input, realm);
  const parts = new Map<Counted, Map<string, Set<People>>>();
  for (const { counted, object, people, amount, isUnread } of items) {
    if (isUnread === true && amount === 0) continue;
    const own = parts.get(counted) ?? new Map<string, Set<People>>();
    const key = objects(object.address);
    const known = own.get(key) ?? new Set<People>();
    if (people !== undefined) known.add(people);
    parts.set(counted, own.set(key, known));
  }
  return parts;
}

/** Address in the plan → the object that it is: by id, so that a name of the organization is in no part. */
function objectsOf({ plan, kinds }: Pick<GuardInput, "plan" | "kinds">, realm: Realm): (address: Address) => string {
  const changed = new Map(
    plan.changes.map(({ address, kind, id }) => [address, id === undefined ? undefined : `${kind} ${id}`]),
  );
  const live = once(
    () =>
      new Map(
        kinds
          .filter(({ name }) => name === CHANNEL || name === GROUP)
          .flatMap((kind) =>
            (liveObjects(kind, realm) ?? []).map(({ name, id }) => [`${kind.name}:${name}`, `${kind.name} ${id}`]),
          ),
      ),
  );
  return (address) => changed.get(address) ?? live().get(address) ?? address;
}

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
