import { defined, whenDefined } from "../model/defined.ts";
import { addTo } from "../model/lazy.ts";
import type { Realm } from "../model/realm.ts";
import { ROLE, ROLE_WORDS, type RoleWord, roleWord } from "../model/roles.ts";
import type { Snapshot, SnapshotGroup, SnapshotUser } from "../model/snapshot.ts";
import { roleGroupsOf } from "./account.ts";
import type { AccessState } from "./state.ts";

/** An invented person with a role, in certain groups. A persona stands for everybody like them. */
export interface Persona {
  readonly role: RoleWord;
  /** Names of groups that they are a direct member of, besides the role's. */
  readonly groups: readonly string[];
  /** Names of channels that they are subscribed to. */
  readonly channels?: readonly string[];
}

/** `guest`, `role:guest`, `guests`, `role:administrators`, `admin` → the role; undefined when no role has that name. */
export function roleCalled(text: string): RoleWord | undefined {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^role:/, "")
    .replace(/s$/, "");
  const meant = bare === "admin" ? "administrator" : bare === "fullmember" ? "member" : bare;
  return ROLE_WORDS.find((role) => role === meant);
}

/** The canonical name of a persona: `guest`, `member in staff, leads`. */
export function personaName({ role, groups }: Persona): string {
  return groups.length === 0 ? role : `${role} in ${groups.join(", ")}`;
}

/** Group → the personas that are a direct member of it, as ids, in their order. */
export function personasByGroup(
  personas: readonly Persona[],
  ids: readonly number[],
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [index, { groups }] of personas.entries())
    for (const name of new Set(groups)) addTo(found, name, ids[index] ?? 0);
  return found;
}

/** Subscribes the personas to their channels. Whoever else is subscribed stays unknown, where it is. */
export function subscribePersonas(
  state: AccessState,
  personas: readonly Pick<Persona, "channels">[],
  ids: readonly number[],
): void {
  for (const [index, { channels = [] }] of personas.entries())
    for (const name of channels) {
      const channel = state.channel(name);
      if (channel === undefined) continue;
      const { subscribers = state.population.nobody } = channel;
      const openTo = channel.subscribers === undefined ? "anybody" : channel.openTo;
      state.put({
        ...channel,
        subscribers: subscribers.or(state.population.of([ids[index] ?? 0])),
        ...defined({ openTo }),
      });
    }
}

/** A snapshot in which the personas have accounts; their user ids are in their order. */
export function withPersonas(
  snapshot: Snapshot,
  personas: readonly Persona[],
): { readonly snapshot: Snapshot; readonly ids: readonly number[] } {
  // The same object is returned, because computed facts are cached by reading.
  if (personas.length === 0) return { snapshot, ids: [] };
  const last = snapshot.users.reduce((most, { user_id }) => Math.max(most, user_id), 0);
  const ids = personas.map((_, index) => last + 1 + index);
  const joining = new Map<string, number[]>();
  // Personas count as people who joined long ago.
  for (const [index, { role, groups }] of personas.entries())
    for (const name of new Set([...roleGroupsOf({ role: ROLE[role], full: true }), ...groups]))
      addTo(joining, name, ids[index] ?? 0);
  return {
    ids,
    snapshot: {
      ...snapshot,
      users: [...snapshot.users, ...personas.map((persona, index) => personaAccount(persona, ids[index] ?? 0))],
      user_groups: snapshot.user_groups.map((group): SnapshotGroup => {
        const more = joining.get(group.name);
        return more === undefined ? group : { ...group, members: [...group.members, ...more] };
      }),
    },
  };
}

function personaAccount(persona: Persona, user_id: number): SnapshotUser {
  return {
    user_id,
    email: `user${user_id}@persona.invalid`,
    delivery_email: null,
    full_name: personaName(persona),
    role: ROLE[persona.role],
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    is_active: true,
  };
}

/** The role of an account. */
export function roleOf(realm: Realm, id: number): RoleWord | undefined {
  return whenDefined(realm.user(id)?.role, roleWord);
}
