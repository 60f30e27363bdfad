import type { Address } from "../model/plan.ts";
import type { GroupValue } from "../model/realm.ts";
import type { AccessGroup } from "./group.ts";
import { channelHolders, groupHolders, isPrivate, organizationHolders } from "./rights.ts";
import {
  ADMINISTRATORS_IN_ORGANIZATION,
  CHANNEL_RULES,
  type ChannelRule,
  GROUP_RULES,
  type GroupRule,
  GUESTS_IN_ORGANIZATION,
  isChannelSetting,
  isGroupSetting,
  OPENING_SETTINGS,
  READ,
  SEE,
} from "./rules.ts";
import { channelAddress, groupAddress } from "./scope.ts";
import type { AccessChannel, AccessState } from "./state.ts";

/** One reason why somebody holds a right. They may have several; each is sufficient. */
export type AccessPath =
  | { readonly via: "subscriber" }
  /** How open the channel is. */
  | { readonly via: "privacy"; readonly privacy: AccessChannel["privacy"] }
  /** Administrators of the organization always have it. */
  | { readonly via: "administrators" }
  /** The owner of a bot. */
  | { readonly via: "owner"; readonly owner: number }
  /**
   * A setting of an object, or of the organization. `groups`: from the group that the setting names to the one that the person is a member of; empty
   * if the setting names the person.
   */
  | {
      readonly via: "setting";
      readonly on: Address | "organization";
      readonly setting: string;
      readonly groups: readonly string[];
    };

/** Why somebody holds a right on a channel; empty if they do not, or if it is unknown. */
export function channelPaths(
  state: AccessState,
  channel: AccessChannel,
  right: string,
  id: number,
): readonly AccessPath[] {
  if (channelHolders(state, channel, right)?.people.has(id) !== true) return [];
  if (right === READ || right === "can_subscribe_group") return readPaths(state, channel, id);
  const on: Address = channelAddress(channel.name);
  const isMember = state.accounts.members.has(id);
  const bySetting = (setting: string): readonly AccessPath[] =>
    settingPaths(state, { on, setting, value: channel.settings.get(setting) }, id);
  const administrator: readonly AccessPath[] = state.accounts.administrators.has(id) ? [{ via: "administrators" }] : [];
  const administers = isMember ? bySetting("can_administer_channel_group") : [];
  if (right === SEE) return [...administrator, ...readPaths(state, channel, id), ...administers];
  if (!isChannelSetting(right)) return [];
  const rule: ChannelRule = CHANNEL_RULES[right];
  const found = [
    ...(rule.administrators ? administrator : []),
    ...(rule.guests || isMember ? bySetting(right) : []),
    ...(rule.botsByOwner ? ownerPaths(state, channel.settings.get(right), id) : []),
    ...(rule.channelAdministrators ? administers : []),
    ...(rule.everywhere === undefined ? [] : organizationPaths(state, rule.everywhere, id)),
  ];
  return found;
}

function readPaths(state: AccessState, channel: AccessChannel, id: number): readonly AccessPath[] {
  const found: AccessPath[] = [];
  if (channel.subscribers?.has(id)) found.push({ via: "subscriber" });
  const isMember = state.accounts.members.has(id);
  if (channel.privacy === "web_public" || (channel.privacy === "public" && isMember))
    found.push({ via: "privacy", privacy: channel.privacy });
  if (!isPrivate(channel) || !isMember) return found;
  const on: Address = channelAddress(channel.name);
  for (const setting of OPENING_SETTINGS)
    found.push(...settingPaths(state, { on, setting, value: channel.settings.get(setting) }, id));
  return found;
}

/** Why somebody holds a right on a group. */
export function groupPaths(state: AccessState, group: AccessGroup, right: string, id: number): readonly AccessPath[] {
  if (!isGroupSetting(right) || groupHolders(state, group, right)?.people.has(id) !== true) return [];
  const on: Address = groupAddress(group.name);
  const isMember = state.accounts.members.has(id);
  const rule: GroupRule = GROUP_RULES[right];
  const managers = rule.managersToo !== false;
  const settings = [
    ...(rule.guests || isMember ? [right] : []),
    ...(managers && isMember && right !== "can_manage_group" ? ["can_manage_group"] : []),
  ];
  return [
    ...settings.flatMap((setting) => settingPaths(state, { on, setting, value: group.settings.get(setting) }, id)),
    ...(managers ? organizationPaths(state, "can_manage_all_groups", id) : []),
  ];
}

/** Why somebody holds a right in the whole organization. */
export function organizationPaths(state: AccessState, right: string, id: number): readonly AccessPath[] {
  if (organizationHolders(state, right)?.has(id) !== true) return [];
  const byRole: readonly AccessPath[] =
    ADMINISTRATORS_IN_ORGANIZATION.has(right) && state.accounts.administrators.has(id)
      ? [{ via: "administrators" }]
      : [];
  const helps = GUESTS_IN_ORGANIZATION.has(right) || state.accounts.members.has(id);
  const value = state.organization.get(right);
  return [...byRole, ...(helps ? settingPaths(state, { on: "organization", setting: right, value }, id) : [])];
}

function ownerPaths(state: AccessState, value: GroupValue | undefined, id: number): readonly AccessPath[] {
  const owner = state.accounts.owners.get(id);
  return owner !== undefined && state.peopleIn(value).has(owner) ? [{ via: "owner", owner }] : [];
}

interface Setting {
  readonly on: Address | "organization";
  readonly setting: string;
  readonly value: GroupValue | undefined;
}

/** By name, and through each group that the setting names: the shortest path down to a group with the person as a member. */
function settingPaths(state: AccessState, { on, setting, value }: Setting, id: number): readonly AccessPath[] {
  if (value === undefined) return [];
  const { groups, users } = typeof value === "string" ? { groups: [value], users: [] } : value;
  const found: AccessPath[] = [];
  if (users.some((name) => state.idOf(name) === id)) found.push({ via: "setting", on, setting, groups: [] });
  for (const group of groups) {
    const way = state.membersOf(group).has(id) ? wayDown(state, group, id) : undefined;
    if (way !== undefined) found.push({ via: "setting", on, setting, groups: way });
  }
  return found;
}

/** Breadth first: from a group to the nearest one that has the person as a direct member. */
function wayDown(state: AccessState, from: string, id: number): readonly string[] | undefined {
  const above = new Map<string, string | undefined>([[from, undefined]]);
  for (const name of above.keys()) {
    const group = state.group(name);
    if (group?.members.has(id)) {
      const way: string[] = [];
      for (let at: string | undefined = name; at !== undefined; at = above.get(at)) way.unshift(at);
      return way;
    }
    // A map also visits entries that are added during the loop.
    for (const inner of group?.subgroups ?? []) if (!above.has(inner)) above.set(inner, name);
  }
  return undefined;
}
