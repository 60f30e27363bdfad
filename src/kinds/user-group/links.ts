import { type Dependency, unlinked } from "../../model/dependency.ts";
import { isList } from "../../model/json.ts";
import type { PlanContext } from "../../model/kind.ts";
import type { Change } from "../../model/plan.ts";
import { groupExists } from "../tokens.ts";

/** A subgroup relation by names: parent, child. */
export type Link = readonly [parent: string, child: string];

export interface Links {
  removed(change: Change): readonly Link[];
  /** What has to be done before the subgroups of this change can be added: they exist, and close no ring (zulip-api.md §10.4). */
  needs(change: Change): readonly Dependency[];
}

export function linkChanges(changes: readonly Change[], { realm }: PlanContext): Links {
  const children = new Map<string, Set<string>>();
  const link = (parent: string, child: string): void => {
    const known = children.get(parent);
    if (known === undefined) children.set(parent, new Set([child]));
    else known.add(child);
  };
  // What is, and what will be: in between it is one or the other.
  for (const group of realm.snapshot.user_groups)
    for (const id of group.direct_subgroup_ids) link(group.name, realm.groupName(id));
  for (const change of changes) for (const child of subgroups(change, "after")) link(change.name, child);

  const reaches = (from: string, to: string): boolean => {
    const seen = new Set<string>();
    const queue = [from];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (name === to) return true;
      if (seen.has(name)) continue;
      seen.add(name);
      queue.push(...(children.get(name) ?? []));
    }
    return false;
  };
  const removed = (change: Change): readonly Link[] => {
    const after = new Set(subgroups(change, "after"));
    return subgroups(change, "before")
      .filter((child) => !after.has(child))
      .map((child) => [change.name, child]);
  };
  const allRemoved = changes.flatMap(removed);
  return {
    removed,
    needs(change) {
      const before = new Set(subgroups(change, "before"));
      const added = subgroups(change, "after").filter((child) => !before.has(child));
      const inTheWay = added.flatMap((child) =>
        allRemoved.filter(([parent, lost]) => reaches(child, parent) && reaches(lost, change.name)),
      );
      return [...added.map(groupExists), ...inTheWay.map(([parent, lost]) => unlinked(`user_group:${parent}`, lost))];
    },
  };
}

function subgroups(change: Change, side: "before" | "after"): readonly string[] {
  const value = change.fields.find(({ field }) => field === "subgroups")?.[side];
  return value !== undefined && isList(value) ? value.map(String) : [];
}
