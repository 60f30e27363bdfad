import { realmGroup } from "../../src/sandbox/access.ts";
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

/** The settings of a group by which people put themselves into it. */
const ENTRIES = ["can_join_group", "can_add_members_group", "can_manage_group"];
const GUEST = 600;

/** Everybody who is in a group, or can put themselves into it, from one group into the next. Bots do not change groups on these servers. */
export class Coming {
  private readonly state: RealmState;
  private readonly groups: Groups;
  private readonly known = new Map<number, Set<number>>();

  constructor(state: RealmState, groups: Groups) {
    this.state = state;
    this.groups = groups;
    for (const group of Object.values(state.user_groups)) this.known.set(group.id, this.able(groups.allowed(group.id)));
    // A round for each step that people can take, until no round lets in anybody.
    for (let size = -1; size !== this.size(); ) {
      size = this.size();
      for (const [id, inside] of this.known)
        for (const value of this.lettingIn(id)) for (const person of this.allowed(value)) inside.add(person);
    }
  }

  private size(): number {
    return [...this.known.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Values whose people come into the group: subgroups, and what lets people in if the group is active and no role's. */
  private lettingIn(id: number): readonly unknown[] {
    const group = this.state.user_groups[id];
    const inner = numbersOf(fieldOf(group, "direct_subgroup_ids"));
    if (group === undefined || group.is_system_group || group.deactivated) return inner;
    return [
      ...inner,
      ...ENTRIES.map((setting) => fieldOf(group, setting)),
      realmGroup(this.state, "can_manage_all_groups"),
    ];
  }

  allowed(value: unknown): ReadonlySet<number> {
    const found = new Set(this.able(this.groups.allowed(value)));
    const named = typeof value === "number" ? [value] : numbersOf(fieldOf(value, "direct_subgroups"));
    for (const group of named) for (const id of this.known.get(group) ?? []) found.add(id);
    return found;
  }

  private able(ids: ReadonlySet<number>): Set<number> {
    return new Set(
      [...ids].filter((id) => {
        const user = this.state.users[id];
        return user === undefined || (!user.is_bot && user.role !== GUEST);
      }),
    );
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
