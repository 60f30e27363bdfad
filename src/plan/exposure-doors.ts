import { Entering, entriesOf, groupsIn, openedBySetting } from "../access/joining.ts";
import type { People } from "../access/people.ts";
import { ADMINISTER, byJoining, ENTRY_FIELDS, MANAGE_ALL, READ, READ_PAST } from "../access/rules.ts";
import { channelAddress, groupAddress, ORGANIZATION } from "../access/scope.ts";
import { type AccessChannel, type AccessState, isPrivate } from "../access/state.ts";
import type { Json } from "../model/json.ts";
import type { Address } from "../model/plan.ts";
import type { GroupValue } from "../model/realm.ts";
import { addLink, type Links, walk } from "./group-dependents.ts";

/*
 * Who can come to read or to administer a channel by putting themselves into groups (src/access/joining.ts), between two requests of a plan.
 *
 * Terms. A group *leads into* another one, before or after the plan, as in joining.ts; the organization is between those that may manage all groups and
 * these groups. The step is an *entry* if people take it by themselves: not from a subgroup to the group around it. A *door* is a channel into which a step
 * leads that the plan changes, behind an entry.
 *
 * Premise. What people can do without an entry is reading by membership, which the rights of the channel have anyway (exposure-rights.ts). If all entries stay
 * as they are, whom they let in is at each moment whom they let in before or after. So most plans have no door, and cost one walk over the groups.
 *
 * The idea.
 *     moved    = groups with other members; role groups and people in entries whose accounts change
 *     entered  = what lies ahead of a changed entry, or ahead of an entry that a moved group leads into
 *     doors    = channels whose settings name a entered group
 *
 * What it does not do. It follows no other right that joining a group can give, and nobody who has no account yet.
 */

/** What the plan changes. */
interface Movement {
  readonly before: AccessState;
  readonly after: AccessState;
  readonly wanted: ReadonlyMap<Address, ReadonlyMap<string, Json>>;
  readonly created: ReadonlySet<Address>;
  /** The ids of accounts that change. */
  readonly accounts: Iterable<number>;
  /** The account that runs the plan, which could put itself everywhere. */
  readonly me: People;
}

export interface Doors {
  /** The doors whose comers depend on one of these objects. */
  readonly of: (addresses: Iterable<Address>) => readonly Address[];
  /** What the comers of those of these objects that are doors depend on. */
  readonly behind: (addresses: Iterable<Address>) => Iterable<Address>;
  /** The rights that people can give themselves in a channel, or have. Rights → people; `held` has those that they have. */
  readonly rights: (channel: AccessChannel, state: AccessState, held: ReadonlyMap<string, People>) => Rights;
}
type Rights = ReadonlyMap<string, People>;

export const doorsOf = (movement: Movement): Doors => new Ways(movement);

class Ways implements Doors {
  private readonly movement: Movement;
  private readonly inside: Links = new Map();
  private readonly entries: Links = new Map();
  private readonly ahead: Links = new Map();
  private readonly before: Links = new Map();
  /** Group → channels that it leads into. */
  private readonly channels: Links = new Map();
  private readonly doors = new Set<Address>();
  private readonly known = new Map<AccessState, { readonly version: number; readonly entering: Entering }>();

  constructor(movement: Movement) {
    this.movement = movement;
    const isMoved = movedBy(movement);
    const changed = new Set<Address>();
    for (const state of [movement.before, movement.after]) {
      const managers = state.organization.get(MANAGE_ALL);
      for (const name of groupsIn(managers)) this.link(this.entries, groupAddress(name), ORGANIZATION);
      if (isMoved(managers)) changed.add(ORGANIZATION);
      for (const group of state.groups()) {
        const address = groupAddress(group.name);
        for (const inner of group.subgroups) this.link(this.inside, groupAddress(inner), address);
        const values = entriesOf(group);
        if (values === undefined) continue;
        this.link(this.entries, ORGANIZATION, address);
        for (const value of values) {
          for (const name of groupsIn(value)) this.link(this.entries, groupAddress(name), address);
          if (isMoved(value)) changed.add(address);
        }
      }
    }
    const moved: Address[] = [];
    for (const [address, fields] of movement.wanted) {
      // A new group lets in nobody at any time whom it does not let in after the plan.
      if (movement.created.has(address)) continue;
      if (CHANGING.some((field) => fields.has(field))) changed.add(address);
      if (fields.has("members")) moved.push(address);
    }
    const entered = [...walk(moved, this.inside)].flatMap((address) => [...(this.entries.get(address) ?? [])]);
    this.findDoors(walk([...changed, ...entered], this.ahead));
  }

  private link(links: Links, from: Address, to: Address): void {
    addLink(links, from, to);
    addLink(this.ahead, from, to);
    addLink(this.before, to, from);
  }

  private findDoors(entered: ReadonlySet<Address>): void {
    if (entered.size === 0) return;
    for (const state of [this.movement.before, this.movement.after])
      for (const channel of state.channels())
        for (const group of groupsAt(channel)) {
          addLink(this.channels, group, channelAddress(channel.name));
          addLink(this.before, channelAddress(channel.name), group);
          if (entered.has(group)) this.doors.add(channelAddress(channel.name));
        }
  }

  of(addresses: Iterable<Address>): readonly Address[] {
    if (this.doors.size === 0) return [];
    const managersChange = this.movement.wanted.get(ORGANIZATION)?.has(MANAGE_ALL) === true;
    const from = [...addresses].filter((address) => address !== ORGANIZATION || managersChange);
    return [...walk(from, this.ahead)]
      .flatMap((address) => [...(this.channels.get(address) ?? [])])
      .filter((address) => this.doors.has(address));
  }

  behind(addresses: Iterable<Address>): Iterable<Address> {
    return this.doors.size === 0
      ? []
      : walk(
          [...addresses].filter((address) => this.doors.has(address)),
          this.before,
        );
  }

  rights(channel: AccessChannel, state: AccessState, held: Rights): Rights {
    const rights = new Map<string, People>();
    if (!this.doors.has(channelAddress(channel.name))) return rights;
    const entering = this.entering(state);
    const comers = isPrivate(channel) ? entering.into(channel) : state.population.nobody;
    const give = (right: string, people: People): void => {
      const holders = held.get(right) ?? state.population.nobody;
      rights.set(byJoining(right), holders.or(people).or(this.movement.me));
    };
    give(READ, comers);
    if (held.has(READ_PAST)) give(READ_PAST, comers);
    give(ADMINISTER, entering.holding(channel, ADMINISTER));
    return rights;
  }

  private entering(state: AccessState): Entering {
    const { version } = state;
    const known = this.known.get(state);
    if (known?.version === version) return known.entering;
    const entering = new Entering(state);
    this.known.set(state, { version, entering });
    return entering;
  }
}

/** The fields of a group, or of the organization, that decide which steps lead into groups. */
const CHANGING = [...ENTRY_FIELDS, "subgroups", "deactivated", MANAGE_ALL];

const groupsAt = (channel: AccessChannel): readonly Address[] =>
  [...(isPrivate(channel) ? openedBySetting(channel) : []), ...groupsIn(channel.settings.get(ADMINISTER))].map(
    groupAddress,
  );

/** Whether accounts that change come into what a value names, or leave it. */
function movedBy({ before, after, accounts }: Movement): (value: GroupValue | undefined) => boolean {
  const [moved, given]: [number[], number[]] = [[], []];
  let isTwice = false;
  for (const id of accounts) {
    const [was, is] = [before.account(id), after.account(id)];
    if (was?.role !== is?.role || was?.active !== is?.active) moved.push(id);
    // Between two requests, it can have the role of before and be active as after.
    if (was?.role !== is?.role && was?.active !== is?.active) isTwice = true;
    if (was?.owner !== is?.owner) given.push(id);
  }
  if (moved.length + given.length === 0) return () => false;
  const { population } = before;
  const [movers, bots] = [population.of(moved), population.of(given)];
  const isMoved = (value: GroupValue): boolean => {
    const [was, is] = [before.peopleIn(value), after.peopleIn(value)];
    return isTwice || !was.and(movers).equals(is.and(movers)) || was.or(is).and(bots).size > 0;
  };
  const known = new Map<GroupValue, boolean>();
  return (value) => {
    if (value === undefined) return false;
    const found = known.get(value) ?? isMoved(value);
    known.set(value, found);
    return found;
  };
}
