import type { Desired } from "../model/desired.ts";
import type { DeclaredObject } from "../model/objects.ts";
import { asPeopleList, groupsOfList, type PeopleList } from "../model/people-list.ts";
import { type GroupValue, groupValue, type Realm } from "../model/realm.ts";
import { inOrderOfLists, peopleOfList } from "./lists.ts";
import { isListed } from "./of-file.ts";
import type { People } from "./people.ts";
import { declaredChannels, declaredGroups, declaredOrganization } from "./scope.ts";
import type { AccessChannel, AccessPart, AccessState } from "./state.ts";

/** People who are reactivated, or whose bot is, with these bots; and the states in which they may be back. */
interface Returning {
  readonly people: People;
  /** They are back everywhere where they may be. */
  readonly everywhere: AccessState;
  /** The same, except that they are in none of these groups. */
  outside(groups: readonly string[]): AccessState;
  /** They are back in each of these groups, and nowhere else: one state for each way into them. */
  inside(groups: readonly string[]): readonly AccessState[];
}

/**
 * No reading shows which channels and groups a deactivated account is in, and which settings name it (zulip-api.md §17.4). What the file writes is as it says
 * after a run, and new objects have nobody else; whatever else is there may have those back who return.
 * @param came the accounts that are reactivated
 * @param after the state after the run, in which they are where the file names them
 * @param realm the reading, with the names that the plan gives
 */
export function returningIn(came: People, after: AccessState, desired: Desired, realm: Realm): Returning {
  const { population } = after;
  const owners = [...came].flatMap((id) => after.account(id)?.owner ?? []);
  const names = [...came].map((id) => realm.userName(id));
  const { channels, user_groups, settings } = realm.snapshot;
  const groupsOfFile = byName(declaredGroups(desired));
  const channelsOfFile = byName(declaredChannels(desired));
  const [ofFile] = declaredOrganization(desired);
  const lists = listsIn(groupsOfFile);
  const order = inOrderOfLists(lists, after);
  const known = new Set(order);
  const open = user_groups.flatMap(({ name }) =>
    name.startsWith("role:") || known.has(name) || isWritten(groupsOfFile.get(name), "members") ? [] : [name],
  );
  const around = groupsAround(after, lists, order);

  /** @param isElsewhere whether channels and settings have them back, too */
  const backIn = (groups: ReadonlySet<string>, isElsewhere: boolean): AccessState => {
    const state = after.copy();
    const withBack = ({ settings }: AccessPart, declared: DeclaredObject | undefined, live: Settings) =>
      isElsewhere ? withNames(settings, names, declared, live) : settings;
    for (const live of user_groups) {
      const group = state.group(live.name);
      if (group === undefined || live.name.startsWith("role:")) continue;
      const members = groups.has(live.name) ? group.members.or(came) : group.members;
      state.put({ ...group, members, settings: withBack(group, groupsOfFile.get(live.name), live) });
    }
    for (const name of order) {
      const group = state.group(name);
      const listed = peopleOfList(lists.get(name), state).and(came);
      if (group !== undefined) state.put({ ...group, members: group.members.or(listed) });
    }
    for (const live of channels) {
      const channel = state.channel(live.name);
      if (channel === undefined) continue;
      const declared = channelsOfFile.get(live.name);
      const isKnown = hasWholeList(declared, channel) && !channel.archived;
      const subscribers =
        isKnown || !isElsewhere
          ? channel.subscribers?.or(listedIn(declared, state).and(came))
          : channel.subscribers?.or(came);
      state.put({ ...channel, subscribers, settings: withBack(channel, declared, live) });
    }
    const organization = { kind: "organization", name: "organization", settings: state.organization } as const;
    state.put({ ...organization, settings: withBack(organization, ofFile, settings) });
    return state;
  };

  /** The group itself if it is open, otherwise the open groups in it; also no group, if somebody is in it as it is: the file or the role says so. */
  const waysInto = (group: string): readonly (readonly string[])[] => {
    const isThere = after.membersOf(group).and(came).size > 0;
    const ways = open.includes(group) ? [group] : open.filter((name) => around(name).has(group));
    return [...(isThere ? [[]] : []), ...ways.map((name) => [name])];
  };

  return {
    people: came.or(population.of(owners).and(after.accounts.everybody)),
    everywhere: backIn(new Set(open), true),
    outside: (groups) => backIn(new Set(open.filter((name) => !groups.some((group) => around(name).has(group)))), true),
    inside: (groups) => oneOfEach(groups.map(waysInto)).map((set) => backIn(new Set(set), false)),
  };
}

/** Every set with one way of each list of ways. */
const oneOfEach = (choices: readonly (readonly (readonly string[])[])[]): readonly (readonly string[])[] =>
  choices.reduce<readonly (readonly string[])[]>(
    (sets, ways) => sets.flatMap((set) => ways.map((way) => [...set, ...way])),
    [[]],
  );

/** The groups that somebody is in who is in a group: by subgroups, and by lists. */
function groupsAround(
  state: AccessState,
  lists: ReadonlyMap<string, PeopleList>,
  order: readonly string[],
): (name: string) => ReadonlySet<string> {
  const made = new Map<string, ReadonlySet<string>>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const found = new Set([name]);
    for (const inner of found) {
      for (const outer of state.groupsAround([inner])) found.add(outer);
      for (const list of order) if (groupsOfList(lists.get(list)).includes(inner)) found.add(list);
    }
    made.set(name, found);
    return found;
  };
}

interface Settings {
  readonly [setting: string]: unknown;
}

/** The lists of groups that name groups or except somebody, as far as their members follow from the groups that they name. */
const listsIn = (groups: ReadonlyMap<string, DeclaredObject>): ReadonlyMap<string, PeopleList> =>
  new Map(
    [...groups.values()].flatMap((declared) => {
      const list = asPeopleList(declared.creation?.members);
      return list === undefined || isOpen(declared, "members") || exceptsGroup(list) ? [] : [[declared.name, list]];
    }),
  );

/** Whom such a list takes out depends on where they are back. */
const exceptsGroup = ({ except }: PeopleList): boolean =>
  except !== undefined && groupsOfList({ who: except }).length > 0;

/** Whether nobody is subscribed after a run whom the file does not list. */
function hasWholeList(declared: DeclaredObject | undefined, channel: AccessChannel): boolean {
  if (declared === undefined || !isListed(declared, channel) || isOpen(declared, "subscribers")) return false;
  const list = asPeopleList(declared.creation?.subscribers);
  return list === undefined || !exceptsGroup(list);
}

/** Whom the list of a channel names, as the groups are in this state. */
const listedIn = (declared: DeclaredObject | undefined, state: AccessState): People =>
  peopleOfList(asPeopleList(declared?.creation?.subscribers), state);

const byName = <T extends { readonly name: string }>(objects: readonly T[]): ReadonlyMap<string, T> =>
  new Map(objects.map((object) => [object.name, object]));

/** Whether the field has a name that does not resolve. It may be the name of somebody who comes back. */
const isOpen = ({ gaps = [] }: DeclaredObject, field: string): boolean => gaps.some((gap) => gap.field === field);

/** Whether the field is as the file says after a run: what names something that does not resolve is left as it is. */
const isWritten = (declared: DeclaredObject | undefined, field: string): boolean =>
  declared !== undefined && Object.hasOwn(declared.fields, field) && !isOpen(declared, field);

/** Only a value of people and groups, and not a group itself, can name somebody whom the reading does not show. */
function withNames(
  settings: ReadonlyMap<string, GroupValue>,
  names: readonly string[],
  declared: DeclaredObject | undefined,
  live: Settings,
): ReadonlyMap<string, GroupValue> {
  const found = new Map(settings);
  for (const [setting, value] of settings) {
    if (isWritten(declared, setting) || typeof live[setting] !== "object") continue;
    const { groups, users } = typeof value === "string" ? { groups: [value], users: [] } : value;
    found.set(setting, groupValue(groups, [...users, ...names]));
  }
  return found;
}
