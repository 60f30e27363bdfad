import { inOrderOfLists, peopleOfList } from "../../access/lists.ts";
import { accessIn } from "../../access/of-plan.ts";
import type { DeclaredObject, LiveObject } from "../../model/objects.ts";
import { asPeopleList, type PeopleList } from "../../model/people-list.ts";
import type { PlannedChanges } from "../../model/plan-context.ts";
import { byText } from "../../model/realm.ts";

/** The list by which the file gives a group its members, if that names groups. */
export const listOfMembers = ({ creation }: Pick<DeclaredObject, "creation">): PeopleList | undefined =>
  asPeopleList(creation?.members);

type Paired = readonly [declared: DeclaredObject, live: LiveObject | undefined];

/**
 * Groups with the members that their lists give them after the plan. A list can name a group that has a list, so they are worked out one after the other.
 * A group that depends on itself keeps its list: the check reports it.
 */
export function resolveMembers(all: readonly Paired[], planned: PlannedChanges): readonly Paired[] {
  const lists = new Map(
    all.flatMap(([object]) => {
      const list = listOfMembers(object);
      return list === undefined ? [] : [[object.name, list] as const];
    }),
  );
  if (lists.size === 0) return all;
  const state = accessIn(planned).after.copy();
  const found = new Map<string, readonly string[]>();
  for (const name of inOrderOfLists(lists, state)) {
    const members = peopleOfList(lists.get(name), state);
    const names = members.ids().map((id) => planned.realm.userName(id));
    found.set(name, names.sort(byText));
    const group = state.group(name);
    if (group !== undefined) state.put({ ...group, members });
  }
  return all.map(([object, live]): Paired => {
    const members = found.get(object.name);
    if (members === undefined) return [object, live];
    const { creation: _, ...rest } = object;
    return [{ ...rest, fields: { ...object.fields, members } }, live];
  });
}
