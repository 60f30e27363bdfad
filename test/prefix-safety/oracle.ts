import type { RealmState } from "../../src/sandbox/index.ts";

/**
 * Who holds which right, worked out from the server's own state and nothing of the planner: a text for each (who, right, what).
 * A plan is safe when no state between two calls has a right that neither the state before nor the one after the plan has.
 */
export function rightsIn(state: RealmState): ReadonlySet<string> {
  const rights = new Set<string>();
  const groups = new Groups(state);
  const people = Object.values(state.users).filter(({ is_active }) => is_active);
  for (const channel of Object.values(state.channels)) {
    const subscribers = new Set(Object.keys(state.subscriptions[channel.stream_id] ?? {}).map(Number));
    const entering = [...OPENING].map((setting) => groups.allowed(fieldOf(channel, setting)));
    for (const { user_id: id, role } of people) {
      const isGuest = role === GUEST;
      const opens = !isGuest && entering.some((group) => group.has(id));
      const reads = subscribers.has(id) || opens || (!channel.invite_only && !isGuest);
      if (!reads) continue;
      const right = (what: string) => rights.add(`${id} ${what} channel ${channel.stream_id}`);
      right("reads");
      // In protected history only what came after the subscription.
      if (!channel.invite_only || channel.history_public_to_subscribers) right("reads the past of");
      if (channel.is_archived) continue;
      for (const [setting, value] of Object.entries(channel))
        if (setting.startsWith("can_") && groups.allowed(value).has(id)) right(setting);
    }
  }
  for (const group of Object.values(state.user_groups)) {
    if (group.is_system_group) continue;
    for (const [setting, value] of Object.entries(group))
      if (setting.startsWith("can_"))
        for (const id of groups.allowed(value))
          if (!group.deactivated) rights.add(`${id} ${setting} group ${group.id}`);
  }
  return rights;
}

const GUEST = 600;
const OPENING = ["can_add_subscribers_group", "can_subscribe_group"];

/**
 * Rights between that are held neither before nor after. `states` are all n + 1.
 * @param account whose requests they are: what it gives itself on the way (a group that it makes has to belong to somebody) it could
 * have at any time
 */
export function exposures(states: readonly RealmState[], account?: number): readonly string[] {
  const [first] = states;
  const last = states.at(-1);
  if (first === undefined || last === undefined) return [];
  const before = rightsIn(first);
  const after = rightsIn(last);
  const found: string[] = [];
  states.forEach((state, n) => {
    for (const right of rightsIn(state))
      if (!before.has(right) && !after.has(right) && !right.startsWith(`${account} `) && !isForced(right, last))
        found.push(`after call ${n}: ${right}`);
  });
  return found;
}

/**
 * Protected history takes nobody but everybody as its topic group, and the server applies privacy first: who could read the channel
 * may start topics there for the length of one request (docs/decisions/0023-order-by-exposure.md).
 */
function isForced(right: string, last: RealmState): boolean {
  const id = Number(/ can_create_topic_group channel (\d+)$/.exec(right)?.[1]);
  const channel = Object.values(last.channels).find(({ stream_id }) => stream_id === id);
  return channel?.invite_only === true && !channel.history_public_to_subscribers;
}

/** Everybody in a group, its subgroups included; a value may also be people and groups without a name. */
class Groups {
  private readonly state: RealmState;
  private readonly known = new Map<number, ReadonlySet<number>>();

  constructor(state: RealmState) {
    this.state = state;
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
    for (const inner of numbersOf(fieldOf(group, "direct_subgroup_ids")))
      for (const member of this.inside(inner)) found.add(member);
    return found;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function numbersOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((item: unknown) => typeof item === "number") : [];
}
