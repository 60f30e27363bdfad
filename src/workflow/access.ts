import { type FileAccess, fileAccess } from "../access/of-file.ts";
import { statesWithBots } from "../access/of-plan.ts";
import { type Persona, personasByGroup, subscribePersonas, withPersonas } from "../access/personas.ts";
import { type AccessState, stateOf } from "../access/state.ts";
import { readConfig } from "../config/read-config.ts";
import { kinds } from "../kinds/registry.ts";
import type { Desired } from "../model/desired.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import { ROLE } from "../model/roles.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { LoadOptions } from "../source/load.ts";

/** One state of an organization, for questions. */
export interface Asked {
  readonly realm: Realm;
  readonly state: AccessState;
  /** Ids of the personas that were added, in their order. */
  readonly personas: readonly number[];
}

/** The organization as a reading shows it. */
export function accessAsRead(snapshot: Snapshot, personas: readonly Persona[] = []): Asked {
  const made = withPersonas(snapshot, personas);
  const realm = new Realm(made.snapshot);
  const state = stateOf(realm);
  subscribePersonas(state, personas, made.ids);
  return { realm, state, personas: made.ids };
}

/** The organization before a plan and after it; both use the plan's names of objects. */
export function accessOfPlan(
  plan: Plan,
  snapshot: Snapshot,
  personas: readonly Persona[] = [],
): { readonly before: Asked; readonly after: Asked } {
  const made = withPersonas(snapshot, personas);
  const { realm, before, after } = statesWithBots(plan.changes, new Realm(made.snapshot));
  // The members that a file gives to a group do not affect a persona.
  const stayingIn = personasByGroup(personas, made.ids);
  for (const group of [...after.groups()]) {
    const staying = stayingIn.get(group.name) ?? [];
    if (staying.length > 0) after.put({ ...group, members: group.members.or(after.population.of(staying)) });
  }
  subscribePersonas(after, personas, made.ids);
  return { before: { realm, state: before, personas: made.ids }, after: { realm, state: after, personas: made.ids } };
}

/**
 * The state that a file alone describes, with the server's defaults for everything else. Makes no requests.
 * @param withStrangers whether those whom only the server knows have invented people in their place
 */
export async function accessOfFile(
  options: LoadOptions,
  personasOf: (desired: Desired) => readonly Persona[],
  withStrangers = false,
): Promise<Checked<AskedOfFile>> {
  const read = await readConfig({ ...options, kinds });
  if (!read.ok) return read;
  const personas = personasOf(read.value);
  const given = { withStrangers };
  const { ids, withoutRole, guests, strangers, filledExcept, realm, state } = fileAccess(read.value, personas, given);
  const others = Object.values(ROLE).filter((role) => role !== ROLE.member);
  return {
    ok: true,
    value: {
      realm,
      state,
      personas: ids,
      desired: read.value,
      withoutRole,
      strangers,
      guests,
      otherwise: () => [
        ...(withoutRole.length === 0 ? [] : others).map((assumed) =>
          fileAccess(read.value, personas, { ...given, assumed }),
        ),
        ...(guests.length === 0
          ? []
          : [fileAccess(read.value, personas, { ...given, assumed: ROLE.guest, areGuestsSubscribed: true })]),
      ],
      filledExcept,
    },
    warnings: read.warnings,
  };
}

/** The state that a file alone describes. */
interface AskedOfFile extends Asked, Pick<FileAccess, "withoutRole" | "strangers" | "guests" | "filledExcept"> {
  readonly desired: Desired;
  /** The states with each other role for people without one, and with guests who are subscribed to public channels. */
  readonly otherwise: () => readonly Pick<Asked, "realm" | "state">[];
}
