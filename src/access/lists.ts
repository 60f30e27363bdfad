import { componentsInOrder } from "../model/graph.ts";
import { groupsOfList, type PeopleList } from "../model/people-list.ts";
import type { People } from "./people.ts";
import type { AccessState } from "./state.ts";

/** Everybody in a list, as the groups are now. */
export function peopleOfList(list: PeopleList | undefined, state: Pick<AccessState, "peopleIn">): People {
  const named = state.peopleIn(list?.who);
  return list?.except === undefined ? named : named.minus(state.peopleIn(list.except));
}

/**
 * Groups whose members are lists that name groups, each after the groups that it depends on: those that its list names, and all in these. A group that
 * depends on itself is left out, with all that depend on it.
 */
export function inOrderOfLists(lists: ReadonlyMap<string, PeopleList>, state: AccessState): readonly string[] {
  const places = new Map([...lists.keys()].map((name, place) => [name, place]));
  const links: number[][] = [];
  // Groups that are added during the loop are visited as well.
  for (const name of places.keys()) {
    const inside = [...groupsOfList(lists.get(name)), ...(state.group(name)?.subgroups ?? [])];
    for (const other of inside) if (!places.has(other)) places.set(other, places.size);
    links.push(inside.map((other) => places.get(other) ?? 0));
  }
  const names = [...places.keys()];
  const sound = new Set<number>();
  return componentsInOrder(links).flatMap(([place = 0, ...others]) => {
    if (others.length > 0 || links[place]?.every((other) => sound.has(other)) !== true) return [];
    sound.add(place);
    return names.slice(place, place + 1).filter((name) => lists.has(name));
  });
}
