import type { People } from "../access/people.ts";
import { CHANNEL, GROUP } from "../access/scope.ts";
import type { Counted } from "../model/counted.ts";
import { liveObjects } from "../model/kind.ts";
import { once } from "../model/lazy.ts";
import type { Address } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Item } from "./guard-access.ts";
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
