import { groupsIn } from "../access/joining.ts";
import { CHANNEL, groupAddress, isGroup, isGroupAddress, ORGANIZATION } from "../access/scope.ts";
import type { AccessPart } from "../access/state.ts";
import type { Address } from "../model/plan.ts";

/**
 * The groups that the rights of objects depend on, before or after a plan: the groups that their settings name, and the groups inside these; and the
 * organization, if its setting decides whether the web reads them. Only direct links are stored, and a walk finds the rest: a chain of 3,000 groups has millions of pairs.
 */
export class GroupDependents {
  /** Object → groups that its settings name, or that it contains. */
  private readonly named = new Map<Address, Set<Address>>();
  /** Group → objects whose settings name it, groups that contain it. */
  private readonly naming = new Map<Address, Set<Address>>();
  private readonly contained = new Map<Address, Set<Address>>();
  private readonly containing = new Map<Address, Set<Address>>();

  /**
   * @param object its state at one time; a second call adds its state at another time
   * @param isWebOpen whether the organization opens or closes what is web-public
   */
  add(address: Address, object: AccessPart | undefined, isWebOpen = false): void {
    if (object === undefined) return;
    if (isWebOpen && object.kind === CHANNEL && object.privacy === "web_public")
      link(this.named, this.naming, address, ORGANIZATION);
    for (const value of object.settings.values())
      for (const group of groupsIn(value)) link(this.named, this.naming, address, groupAddress(group));
    if (!isGroup(object)) return;
    for (const group of object.subgroups) {
      link(this.named, this.naming, address, groupAddress(group));
      link(this.contained, this.containing, address, groupAddress(group));
    }
  }

  /** Names of groups, and of all that contain one of them before or after. */
  groupsAround(groups: readonly string[]): ReadonlySet<string> {
    return new Set(groupsAmong(walk(groups.map(groupAddress), this.containing)));
  }

  /** The given objects, and those whose rights depend on one of them. */
  of(addresses: readonly Address[], around: (groups: readonly string[]) => ReadonlySet<string>): ReadonlySet<Address> {
    const found = new Set(addresses);
    const organization = found.has(ORGANIZATION) ? [ORGANIZATION] : [];
    for (const decisive of [...organization, ...[...around(groupsAmong(addresses))].map(groupAddress)])
      for (const other of this.naming.get(decisive) ?? []) found.add(other);
    return found;
  }

  /** The given objects, and all groups that their rights depend on. */
  withGroupsOf(addresses: Iterable<Address>): ReadonlySet<Address> {
    const found = new Set(addresses);
    const groups = [...found].flatMap((address) => [...(this.named.get(address) ?? [])]);
    for (const group of walk(groups, this.contained)) found.add(group);
    return found;
  }
}

/** Objects by those that they lead to. */
export type Links = Map<Address, Set<Address>>;

export function addLink(links: Links, from: Address, to: Address): void {
  const there = links.get(from);
  if (there === undefined) links.set(from, new Set([to]));
  else there.add(to);
}

function link(forth: Links, back: Links, from: Address, to: Address): void {
  addLink(forth, from, to);
  addLink(back, to, from);
}

/** These objects, and all that they lead to. */
export function walk(from: Iterable<Address>, links: Links): ReadonlySet<Address> {
  const found = new Set(from);
  for (const address of found) for (const next of links.get(address) ?? []) found.add(next);
  return found;
}

/** The names of the groups among some addresses. */
const groupsAmong = (addresses: Iterable<Address>): readonly string[] =>
  [...addresses].filter(isGroupAddress).map((address) => address.slice(groupAddress("").length));
