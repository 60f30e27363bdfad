import { whenDefined } from "../model/defined.ts";
import type { Address } from "../model/plan.ts";
import { allSourcesOf, holdersOf } from "./grants.ts";
import type { Source, Target } from "./sources.ts";
import type { AccessState, Openness } from "./state.ts";

/** One reason why somebody holds a right. There may be several; each is sufficient. */
export type AccessPath =
  | { readonly via: "subscriber" }
  /** How open the channel is. */
  | { readonly via: "privacy"; readonly privacy: Openness }
  /** Administrators of the organization always have it. */
  | { readonly via: "administrators" }
  /** The owner of a bot. */
  | { readonly via: "owner"; readonly owner: number }
  /** A bot of theirs that holds it. */
  | { readonly via: "key"; readonly bot: number; readonly name: string }
  /**
   * A setting of an object, or of the organization. `groups`: from the group that the setting names to the one that the person is a member of; empty
   * if the setting names the person.
   */
  | {
      readonly via: "setting";
      readonly on: Address | "organization";
      readonly setting: string;
      readonly groups: readonly string[];
    };

/** The reasons why somebody holds a right on an object or in the organization; empty if they do not hold it, or if this is unknown. */
export const pathsOf = (state: AccessState, target: Target, right: string, id: number): readonly AccessPath[] =>
  pathsTo(state, target, right)(id);

/** Like {@link pathsOf}, for one person after the other. The state must not change in between. */
export function pathsTo(state: AccessState, target: Target, right: string): (id: number) => readonly AccessPath[] {
  const people = holdersOf(state, target, right)?.people;
  if (people === undefined) return () => [];
  const sources = allSourcesOf(state, target, right).map((grant) => ({ named: grant.people, source: grant.source() }));
  const isRole = ({ via }: Source): boolean => via === "administrators";
  // No setting changes what a role gives.
  sources.sort((one, other) => Number(isRole(other.source)) - Number(isRole(one.source)));
  return (id) => {
    if (!people.has(id)) return [];
    return sources.flatMap(({ named, source }) => (named.has(id) ? pathsFrom(state, source, id) : []));
  };
}

/** The paths from one source to a holder of the right: several, if the source names several groups that the person is in. */
export function pathsFrom(state: AccessState, source: Source, id: number): readonly AccessPath[] {
  switch (source.via) {
    case "setting":
      return settingPaths(state, source, id);
    case "key":
      return source.bots.flatMap(({ owner, bot, name }) => (owner === id ? [{ via: "key", bot, name } as const] : []));
    case "owner":
      return whenDefined(state.accounts.owners.get(id), (owner) => [{ via: "owner", owner }]) ?? [];
    case "privacy":
      return [{ via: "privacy", privacy: source.privacy }];
    default:
      return [{ via: source.via }];
  }
}

/**
 * The paths from a setting: one if it names the person, and one through each group that it names, the shortest path down to a group with the person
 * as a member.
 */
function settingPaths(
  state: AccessState,
  { on, setting, value }: Extract<Source, { readonly via: "setting" }>,
  id: number,
): readonly AccessPath[] {
  const { groups, users } = typeof value === "string" ? { groups: [value], users: [] } : value;
  const found: AccessPath[] = [];
  if (users.some((name) => state.idOf(name) === id)) found.push({ via: "setting", on, setting, groups: [] });
  for (const group of groups) {
    const way = state.membersOf(group).has(id) ? wayDown(state, group, id) : undefined;
    if (way !== undefined) found.push({ via: "setting", on, setting, groups: way });
  }
  return found;
}

/** Breadth first: from a group to the nearest one that has the person as a direct member. */
function wayDown(state: AccessState, from: string, id: number): readonly string[] | undefined {
  const above = new Map<string, string | undefined>([[from, undefined]]);
  for (const name of above.keys()) {
    const group = state.group(name);
    if (group?.members.has(id)) {
      const way: string[] = [];
      for (let at: string | undefined = name; at !== undefined; at = above.get(at)) way.unshift(at);
      return way;
    }
    // A map also visits entries that are added during the loop.
    for (const inner of group?.subgroups ?? []) if (!above.has(inner)) above.set(inner, name);
  }
  return undefined;
}
