import type { RealmState } from "../../src/sandbox/index.ts";
import type { Arrival } from "./arrivals.ts";

/** Everybody in a group, its subgroups included; a value may also be people and groups without a name. */
export class Groups {
  private readonly state: RealmState;
  private readonly arrivals: readonly Arrival[];
  private readonly known = new Map<number, ReadonlySet<number>>();

  constructor(state: RealmState, arrivals: readonly Arrival[]) {
    this.state = state;
    this.arrivals = arrivals;
  }

  allowed(value: unknown): ReadonlySet<number> {
    if (typeof value === "number") return this.inside(value);
    const found = new Set<number>();
    for (const id of numbersOf(fieldOf(value, "direct_members"))) found.add(id);
    for (const group of numbersOf(fieldOf(value, "direct_subgroups")))
      for (const id of this.inside(group)) found.add(id);
    return found;
  }

  private inside(id: number): ReadonlySet<number> {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const found = new Set<number>();
    this.known.set(id, found);
    const group = this.state.user_groups[id];
    for (const member of numbersOf(fieldOf(group, "members")))
      if (this.state.users[member]?.is_active === true) found.add(member);
    for (const arrival of this.arrivals)
      if (arrival.groups.has(id) || (group !== undefined && ROLE_GROUP[arrival.role] === group.name))
        found.add(arrival.id);
    for (const inner of numbersOf(fieldOf(group, "direct_subgroup_ids")))
      for (const member of this.inside(inner)) found.add(member);
    return found;
  }
}

/** People who have just joined are not full members. */
const ROLE_GROUP: { readonly [role: number]: string } = {
  100: "role:owners",
  200: "role:administrators",
  300: "role:moderators",
  400: "role:members",
  600: "role:everyone",
};

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

export function numbersOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((item: unknown) => typeof item === "number") : [];
}
