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
  const order: string[] = [];
  const done = new Map<string, boolean>();
  const visit = (start: string): void => {
    // Depth first, with an explicit stack: groups may be nested deeply.
    const path: { readonly name: string; readonly open: string[]; isSound: boolean }[] = [];
    const entered = new Set<string>();
    const enter = (name: string): void => {
      entered.add(name);
      const inside = state.group(name)?.subgroups ?? [];
      path.push({ name, open: [...groupsOfList(lists.get(name)), ...inside], isSound: true });
    };
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.open.pop();
      if (next === undefined) {
        path.pop();
        done.set(top.name, top.isSound);
        if (top.isSound && lists.has(top.name)) order.push(top.name);
        const above = path.at(-1);
        if (above !== undefined) above.isSound &&= top.isSound;
        continue;
      }
      const known = done.get(next) ?? !entered.has(next);
      top.isSound &&= known;
      if (known && !done.has(next)) enter(next);
    }
  };
  for (const name of lists.keys()) if (!done.has(name)) visit(name);
  return order;
}
