import type { Stranger } from "../access/of-file.ts";
import type { People } from "../access/people.ts";
import type { AccessState } from "../access/state.ts";
import { oncePer } from "../model/lazy.ts";

interface Population {
  readonly state: AccessState;
  readonly personas: ReadonlyMap<string, number>;
  readonly strangers: readonly Stranger[];
}

/** Accounts that most rules do not count. */
interface LeftOut {
  readonly bots: People;
  /** Personas and strangers. */
  readonly made: People;
}

export const leftOutIn = ({ state, personas, strangers }: Population): LeftOut => leftOutOf(state, personas)(strangers);

const leftOutOf = oncePer((state: AccessState, personas: Population["personas"]) =>
  oncePer((strangers: Population["strangers"]) => ({
    bots: state.accounts.bots,
    made: state.population.of([...personas.values(), ...strangers.map(({ id }) => id)]),
  })),
);
