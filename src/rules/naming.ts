import { CHANNEL, channelAddress, GROUP, groupAddress } from "../access/scope.ts";
import type { Target } from "../access/sources.ts";
import { type AccessChannel, type AccessState, objectAt, type Privacy } from "../access/state.ts";
import { addTo } from "../model/lazy.ts";
import type { Address } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import type { SnapshotUser } from "../model/snapshot.ts";

/** What a live object was before a plan. */
export interface Former {
  readonly name: string;
  /** Only of channels. */
  readonly privacy?: Privacy;
  readonly deactivated?: boolean;
}

/** Every live channel and group, by the address that it has after the plan. */
export type FormerObjects = ReadonlyMap<Address, Former>;

type Named = ReadonlyMap<string, readonly Target[]>;

/**
 * The objects that the names in rules mean. After a plan, names can mean two things: the object that has the name then, or the object that had it when
 * the plan was made, whatever it is called then. A rule must hold for both; otherwise a rename would take an object out of its rule.
 */
export interface Naming {
  /** The channels that patterns can match, by their upper-cased names. Archived channels are read, too. */
  readonly channels: Named;
  /** The groups that patterns can match: active ones, except roles. */
  readonly groups: Named;
  privacyOf(channel: AccessChannel): Privacy;
  /** The name after the plan of the group with this name. */
  groupCalled(name: string): string | undefined;
  /** The account with this address. */
  userCalled(address: string): SnapshotUser | undefined;
  /** The name of a group, for patterns; empty for a new group whose name belonged to another one. */
  nameOfGroup(after: string): string;
}

/** The names after the plan, or those of a reading or a file. */
export function namesAfter(state: AccessState, realm: Realm): Naming {
  return {
    channels: byName([...state.channels()].map((channel) => [channel.name.toUpperCase(), channel])),
    groups: byName(
      [...state.groups()].flatMap((group) => (isOfRules(group.name, group.deactivated) ? [[group.name, group]] : [])),
    ),
    privacyOf: ({ privacy }) => privacy,
    groupCalled: (name) => state.group(name)?.name,
    userCalled: (address) => realm.userByEmail(address),
    nameOfGroup: (name) => name,
  };
}

/**
 * The names before the plan, bound to the objects after it; undefined if they are the same names with the same meaning.
 * @param realm before the plan, if it renames bots, whose addresses follow their names; otherwise as after it
 */
export function namesBefore(
  state: AccessState,
  former: FormerObjects,
  realm: Realm,
  isRenaming: boolean,
): Naming | undefined {
  const isSame =
    !isRenaming &&
    [...former].every(([address, { name, privacy, deactivated }]) => {
      const now = objectAt(state, address);
      if (now === undefined) return true;
      return now.name === name && (now.kind === CHANNEL ? now.privacy === privacy : now.deactivated === deactivated);
    });
  if (isSame) return undefined;
  const channels: [string, Target][] = [];
  const groups: [string, Target][] = [];
  const groupNames = new Map<string, string>();
  for (const [address, { name, deactivated }] of former) {
    const now = objectAt(state, address);
    if (now?.kind === CHANNEL) channels.push([name.toUpperCase(), now]);
    if (now?.kind !== GROUP) continue;
    groupNames.set(name, now.name);
    if (isOfRules(name, deactivated)) groups.push([name, now]);
  }
  const of = (address: Address): Former | undefined => former.get(address);
  return {
    channels: byName(channels),
    groups: byName(groups),
    privacyOf: (channel) => of(channelAddress(channel.name))?.privacy ?? channel.privacy,
    groupCalled: (name) => groupNames.get(name),
    userCalled: (address) => realm.userByEmail(address),
    nameOfGroup: (name) => of(groupAddress(name))?.name ?? (groupNames.has(name) ? "" : name),
  };
}

const isOfRules = (group: string, deactivated = false): boolean => !deactivated && !group.startsWith("role:");

function byName(named: readonly (readonly [name: string, target: Target])[]): Named {
  const found = new Map<string, Target[]>();
  for (const [name, target] of named) addTo(found, name, target);
  return found;
}
