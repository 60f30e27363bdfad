import type { AccessGroup } from "../../src/access/nesting.ts";
import { type AccessChannel, stateOf } from "../../src/access/state.ts";
import { Realm } from "../../src/model/realm.ts";
import { realmOf } from "./realm.ts";

const NOBODY = 9;

/** An organization whose own settings give nobody any right, except Hana (and Ivo, a guest) where they name them. */
export const strict = new Realm(
  realmOf({
    settings: {
      can_add_subscribers_group: NOBODY,
      can_delete_any_message_group: NOBODY,
      can_manage_all_groups: { direct_members: [13], direct_subgroups: [] },
      can_resolve_topics_group: { direct_members: [13, 14], direct_subgroups: [] },
      can_create_groups: { direct_members: [13, 14], direct_subgroups: [] },
      can_set_topics_policy_group: { direct_members: [13, 14], direct_subgroups: [] },
    },
  }),
);
export const strictState = stateOf(strict);

/** Setting → the people whom it names, or its value. */
export type Settings = { readonly [setting: string]: readonly string[] | ReturnType<typeof naming> };

export const naming = (
  people: readonly string[],
): { readonly groups: readonly string[]; readonly users: readonly string[] } => ({
  groups: [],
  users: people.map((name) => `${name}@${name === "ivo" ? "partner" : "acme"}.example`),
});

const settingsOf = (settings: Settings): AccessChannel["settings"] =>
  new Map(Object.entries(settings).map(([setting, value]) => [setting, "groups" in value ? value : naming(value)]));

/** A public channel without subscribers, unless the case says otherwise. */
export function hall(settings: Settings, is: Partial<AccessChannel> = {}): AccessChannel {
  return {
    kind: "channel",
    name: "hall",
    privacy: "public",
    archived: false,
    settings: settingsOf(settings),
    subscribers: strictState.population.nobody,
    ...is,
  };
}

/** A group without members. */
export function crew(settings: Settings, is: Partial<AccessGroup> = {}): AccessGroup {
  const { nobody } = strictState.population;
  return {
    kind: "user_group",
    name: "crew",
    members: nobody,
    subgroups: [],
    deactivated: false,
    settings: settingsOf(settings),
    ...is,
  };
}

/** Names of people; members and administrators are many, so they have only their collective names. */
export function wordsOf(people: Iterable<number>): readonly string[] {
  const ids = new Set(people);
  const taken = (name: string, group: Iterable<number>): readonly string[] => {
    const all = [...group];
    if (!all.every((id) => ids.has(id))) return [];
    for (const id of all) ids.delete(id);
    return [name];
  };
  return [
    ...taken("members", strictState.accounts.members),
    ...taken("administrators", strictState.accounts.administrators),
    ...[...ids].map((id) => strict.userName(id).replace(/@.*/, "")).sort(),
  ];
}
