import { holdersOf } from "./grants.ts";
import type { People } from "./people.ts";
import { JOINING_SETTINGS, OPENING_SETTINGS, READ } from "./rules.ts";
import { type AccessChannel, type AccessState, isPrivate } from "./state.ts";

/**
 * Groups that people can put themselves into and whose members a private channel admits, including nested groups. Nobody can join role groups and
 * deactivated groups.
 */
export function groupsInto(state: AccessState, channel: AccessChannel): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set(openedBySetting(channel));
  // Groups that are added during the loop are visited as well.
  for (const name of seen) {
    const group = state.group(name);
    if (group === undefined) continue;
    for (const inner of group.subgroups) seen.add(inner);
    if (!group.name.startsWith("role:") && !group.deactivated) found.add(name);
  }
  return found;
}

/** The groups whose members a private channel admits, as its settings name them: without those inside them. */
export const openedBySetting = ({ settings }: AccessChannel): readonly string[] =>
  OPENING_SETTINGS.flatMap((setting) => {
    const value = settings.get(setting);
    return value === undefined ? [] : typeof value === "string" ? [value] : value.groups;
  });

/** Who can put themselves into a group: by joining it, or by adding members; its managers can do both. */
export function joinersOf(state: AccessState, name: string): People {
  const group = state.group(name);
  let found = state.population.nobody;
  if (group === undefined || group.deactivated) return found;
  for (const setting of JOINING_SETTINGS) found = found.or(holdersOf(state, group, setting)?.people ?? found);
  return found;
}

/** Two states, and who can put themselves into each group there: computed once for each. */
export class Joining {
  private readonly before: AccessState;
  private readonly after: AccessState;
  private readonly known = { before: new Map<string, People>(), after: new Map<string, People>() };

  constructor({ before, after }: { readonly before: AccessState; readonly after: AccessState }) {
    this.before = before;
    this.after = after;
  }

  private joiners(side: "before" | "after", group: string): People {
    const found = this.known[side].get(group) ?? joinersOf(this[side], group);
    this.known[side].set(group, found);
    return found;
  }

  /**
   * People who gain the right to enter a private channel, which stays private, by joining a group. People who manage all groups today could already
   * do so, and are not counted.
   * @param among only by these groups
   */
  gained(name: string, among?: ReadonlySet<string>): People {
    const { before, after } = this;
    const { nobody } = after.population;
    const [was, is] = [before.channel(name), after.channel(name)];
    if (was === undefined || is === undefined || !isPrivate(was) || !isPrivate(is)) return nobody;
    let found = nobody;
    for (const group of groupsInto(after, is))
      if (among === undefined || among.has(group)) found = found.or(this.joiners("after", group));
    if (found.size === 0) return nobody;
    // While a channel is archived, its readers and those who may let themselves in are not the same.
    for (const right of [READ, "can_subscribe_group"])
      for (const inside of [holdersOf(after, is, right), holdersOf(before, was, right)])
        found = found.minus(inside?.people ?? nobody);
    found = found.minus(holdersOf(before, "organization", "can_manage_all_groups")?.people ?? nobody);
    for (const group of groupsInto(before, was)) found = found.minus(this.joiners("before", group));
    return found.minus(after.accounts.bots);
  }

  /** The groups by which these people can let themselves into a channel afterwards. */
  groupsOf(name: string, people: People): readonly string[] {
    const channel = this.after.channel(name);
    if (channel === undefined) return [];
    return [...groupsInto(this.after, channel)].filter((group) => this.joiners("after", group).and(people).size > 0);
  }
}
