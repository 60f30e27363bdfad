import type { GroupValue } from "../model/realm.ts";
import type { People } from "./people.ts";
import type { GROUP } from "./scope.ts";

/**
 * The nesting of groups, and their members. The members of a group are computed once, from those of its subgroups, and again only for the groups
 * around one that changed: a chain of thousands costs a step for each, and not a walk down for each.
 */
export class GroupNesting {
  private readonly byName = new Map<string, AccessGroup>();
  /** Group → the groups that have it as a subgroup. */
  private readonly parents = new Map<string, Set<string>>();
  /** Group → its active members. If a group is in this map, so are all groups that it contains. */
  private readonly kept = new Map<string, People>();
  /** How often members of a group were computed. */
  worked = 0;

  constructor(groups: Iterable<AccessGroup>) {
    for (const group of groups) this.put(group);
  }

  /** An independent copy of the groups; cached members are kept. */
  copy(): GroupNesting {
    const copy = new GroupNesting(this.groups());
    for (const [name, people] of this.kept) copy.kept.set(name, people);
    return copy;
  }

  groups(): Iterable<AccessGroup> {
    return this.byName.values();
  }
  get(name: string): AccessGroup | undefined {
    return this.byName.get(name);
  }
  isKept(name: string): boolean {
    return this.kept.has(name);
  }

  /** @returns groups whose members may have changed */
  put(group: AccessGroup): readonly string[] {
    const before = this.byName.get(group.name);
    this.byName.set(group.name, group);
    if (before?.subgroups !== group.subgroups) {
      this.unlink(before);
      for (const child of group.subgroups)
        this.parents.set(child, (this.parents.get(child) ?? new Set()).add(group.name));
    }
    return before?.members === group.members && before.subgroups === group.subgroups ? [] : this.forget(group.name);
  }

  /** @returns groups whose members may have changed */
  remove(name: string): readonly string[] {
    const before = this.byName.get(name);
    this.unlink(before);
    return this.byName.delete(name) ? this.forget(name) : [];
  }

  private unlink(group: AccessGroup | undefined): void {
    if (group === undefined) return;
    for (const child of group.subgroups) this.parents.get(child)?.delete(group.name);
  }

  /** Forgets all cached members, since the set of active people may have changed. */
  forgetAll(): void {
    this.kept.clear();
  }

  /** Forgets a group and all groups that contain it. If a group is not cached, no group that contains it is, so the walk up can end there. */
  private forget(name: string): readonly string[] {
    const forgotten: string[] = [];
    const queue = [name];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (!this.kept.delete(next)) continue;
      forgotten.push(next);
      queue.push(...(this.parents.get(next) ?? []));
    }
    return forgotten;
  }

  around(names: Iterable<string>): ReadonlySet<string> {
    const found = new Set(names);
    for (const name of found) for (const parent of this.parents.get(name) ?? []) found.add(parent);
    return found;
  }

  /** The people of `everybody` who are in the group or in its subgroups. */
  membersOf(name: string, everybody: People, nobody: People): People {
    const open = new Set<string>();
    const path = [name];
    for (let next = path.at(-1); next !== undefined; next = path.at(-1)) {
      const group = this.byName.get(next);
      const children = group?.subgroups ?? [];
      if (this.kept.has(next)) path.pop();
      else if (open.has(next)) {
        let found = (group?.members ?? nobody).and(everybody);
        for (const child of children) found = found.or(this.kept.get(child) ?? nobody);
        this.worked += 1;
        this.kept.set(next, found);
        open.delete(next);
        path.pop();
      } else {
        open.add(next);
        if (children.some((child) => open.has(child))) return this.membersInCycle(name, everybody, nobody);
        for (const child of children) if (!this.kept.has(child)) path.push(child);
      }
    }
    return this.kept.get(name) ?? nobody;
  }

  /** The members of a group in a cycle. Groups can contain each other for a moment while a plan is carried out; each counts once. */
  private membersInCycle(name: string, everybody: People, nobody: People): People {
    const seen = new Set([name]);
    let found = nobody;
    for (const next of seen) {
      const group = this.byName.get(next);
      if (group !== undefined) found = found.or(group.members);
      for (const child of group?.subgroups ?? []) seen.add(child);
    }
    return found.and(everybody);
  }
}

/** The parts of a user group that matter for rights. */
export interface AccessGroup {
  readonly kind: typeof GROUP;
  readonly name: string;
  /** Direct members, active or not. */
  readonly members: People;
  readonly subgroups: readonly string[];
  readonly deactivated: boolean;
  readonly settings: ReadonlyMap<string, GroupValue>;
  /** The fields of a new group that the server sets to the account that creates it. */
  readonly implied?: ReadonlySet<string>;
}
