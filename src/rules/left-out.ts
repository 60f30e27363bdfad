import type { Stranger } from "../access/of-file.ts";
import type { People } from "../access/people.ts";
import type { AccessState } from "../access/state.ts";
import { oncePer } from "../model/lazy.ts";

interface Population {
  readonly state: AccessState;
  readonly personas: ReadonlyMap<string, number>;
  readonly invitees: ReadonlyMap<number, unknown>;
  readonly strangers: readonly Stranger[];
}

/** Accounts that most rules do not count. */
interface LeftOut {
  readonly bots: People;
  /** Personas, strangers, and those who can join by invitations. */
  readonly made: People;
}

export const leftOutIn = ({ state, personas, invitees, strangers }: Population): LeftOut =>
  leftOutOf(state, personas, invitees)(strangers);

const leftOutOf = oncePer((state: AccessState, personas: Population["personas"], invitees: Population["invitees"]) =>
  oncePer((strangers: Population["strangers"]) => ({
    bots: state.accounts.bots,
    made: state.population.of([...personas.values(), ...invitees.keys(), ...strangers.map(({ id }) => id)]),
  })),
);
