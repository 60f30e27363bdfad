import type { People } from "../access/people.ts";
import type { AccessState } from "../access/state.ts";
import type { Realm } from "../model/realm.ts";

interface Population {
  readonly state: AccessState;
  readonly realm: Realm;
  readonly personas: ReadonlyMap<string, number>;
}

/** Accounts that most rules do not count. */
interface LeftOut {
  readonly bots: People;
  /** Personas. */
  readonly made: People;
}

const known = new WeakMap<AccessState, LeftOut>();

/** Computed once, so that a rule does not look at everybody. */
export function leftOutIn({ state, realm, personas }: Population): LeftOut {
  const found = known.get(state);
  if (found !== undefined) return found;
  const bots = realm.snapshot.users.filter(({ is_bot }) => is_bot).map(({ user_id }) => user_id);
  const made = { bots: state.population.of(bots), made: state.population.of(personas.values()) };
  known.set(state, made);
  return made;
}
