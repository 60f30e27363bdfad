import { type Dependency, unlinked } from "../../model/dependency.ts";
import { componentsOf } from "../../model/graph.ts";
import { addTo } from "../../model/indexed.ts";
import type { Change } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { listed } from "../../model/texts.ts";
import { groupExists } from "../tokens.ts";

/** A subgroup relation by names: parent, child. */
type Link = readonly [parent: string, child: string];

interface Links {
  removed(change: Change): readonly Link[];
  /** What must be done before the subgroups of this change can be added: they must exist, and close no cycle (zulip-api.md §10.4). */
  needs(change: Change): readonly Dependency[];
}

export function linkChanges(changes: readonly Change[], { realm }: PlanContext): Links {
  const removed = (change: Change): readonly Link[] => {
    const after = new Set(subgroups(change, "after"));
    return subgroups(change, "before")
      .filter((child) => !after.has(child))
      .map((child) => [change.name, child]);
  };
  const allRemoved = changes.flatMap(removed);
  // The current and the later state: in between it is one or the other.
  const now = realm.snapshot.user_groups.flatMap((group) =>
    group.direct_subgroup_ids.map((id): Link => [group.name, realm.groupName(id)]),
  );
  const wanted = changes.flatMap((change) => subgroups(change, "after").map((child): Link => [change.name, child]));
  const cycleOf = nameCycles([...now, ...allRemoved, ...wanted]);
  // A new link closes a cycle with a removed one if both are on it, that is, if all four ends can reach each other.
  const removedIn = new Map<number, Dependency[]>();
  for (const [parent, child] of allRemoved) {
    const cycle = cycleOf(parent);
    if (cycle === undefined || cycle !== cycleOf(child)) continue;
    addTo(removedIn, cycle, unlinked(`user_group:${parent}`, child));
  }
  return {
    removed,
    needs(change) {
      const before = new Set(subgroups(change, "before"));
      const added = subgroups(change, "after").filter((child) => !before.has(child));
      const cycle = cycleOf(change.name);
      const closesCycle = cycle !== undefined && added.some((child) => cycleOf(child) === cycle);
      return [...added.map(groupExists), ...(closesCycle ? (removedIn.get(cycle) ?? []) : [])];
    },
  };
}

/**
 * Group → the number of its component: the groups that contain each other through some of these links. Each link is examined a few times, however
 * deeply the groups are nested.
 */
function nameCycles(links: readonly Link[]): (group: string) => number | undefined {
  const places = new Map<string, number>();
  const forth: number[][] = [];
  const placeOf = (name: string): number => {
    const known = places.get(name);
    if (known !== undefined) return known;
    places.set(name, forth.length);
    return forth.push([]) - 1;
  };
  for (const [parent, child] of links) {
    const to = placeOf(child);
    forth[placeOf(parent)]?.push(to);
  }
  const components = componentsOf(forth);
  return (group) => components[places.get(group) ?? -1];
}

function subgroups(change: Change, side: "before" | "after"): readonly string[] {
  return listed(change.fields.find(({ field }) => field === "subgroups")?.[side]);
}
