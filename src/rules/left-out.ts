import type { People } from "../access/people.ts";
import type { AccessState } from "../access/state.ts";
import { oncePer } from "../model/lazy.ts";

interface Population {
  readonly state: AccessState;
  readonly personas: ReadonlyMap<string, number>;
}

/** Accounts that most rules do not count. */
interface LeftOut {
  readonly bots: People;
  /** Personas. */
  readonly made: People;
}

export const leftOutIn = ({ state, personas }: Population): LeftOut => leftOutOf(state, personas);

const leftOutOf = oncePer((state: AccessState, personas: Population["personas"]) => ({
  bots: state.accounts.bots,
  made: state.population.of(personas.values()),
}));
