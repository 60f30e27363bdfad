import type { Desired } from "../model/desired.ts";
import type { DeclaredObject } from "../model/objects.ts";
import { type GroupValue, groupValue, type Realm } from "../model/realm.ts";
import { isListed } from "./of-file.ts";
import type { People } from "./people.ts";
import { declaredChannels, declaredGroups, declaredOrganization } from "./scope.ts";
import type { AccessState } from "./state.ts";

/** People who are reactivated, or whose bot is, with these bots; and the state in which they are back everywhere where they may be. */
interface Returning {
  readonly people: People;
  readonly state: AccessState;
}

/**
 * No reading shows which channels and groups a deactivated account is in, and which settings name it (zulip-api.md §17.4). What the file writes is as it says
 * after a run, and new objects have nobody else; whatever else is there may have those back who return.
 * @param realm the reading, with the names that the plan gives
 * @returns undefined if nobody returns
 */
export function returningIn(
  { before, after }: { readonly before: AccessState; readonly after: AccessState },
  desired: Desired,
  realm: Realm,
): Returning | undefined {
  const { population } = after;
  const came = after.accounts.everybody.minus(before.accounts.everybody).minus(population.of(after.newBots.values()));
  if (came.size === 0) return undefined;
  const owners = [...came].flatMap((id) => after.account(id)?.owner ?? []);
  const people = came.or(population.of(owners).and(after.accounts.everybody));
  const state = after.copy();
  const names = [...came].map((id) => realm.userName(id));
  const { channels, user_groups, settings } = realm.snapshot;
  const groupsOfFile = byName(declaredGroups(desired));
  for (const live of user_groups) {
    const group = state.group(live.name);
    if (group === undefined || group.name.startsWith("role:")) continue;
    const declared = groupsOfFile.get(group.name);
    const members = isWritten(declared, "members") ? group.members : group.members.or(came);
    state.put({ ...group, members, settings: withNames(group.settings, names, declared, live) });
  }
  const channelsOfFile = byName(declaredChannels(desired));
  for (const live of channels) {
    const channel = state.channel(live.name);
    if (channel === undefined) continue;
    const declared = channelsOfFile.get(channel.name);
    const hasList = declared !== undefined && isListed(declared, channel) && !isOpen(declared, "subscribers");
    const isKnown = hasList && !channel.archived;
    const subscribers = isKnown ? channel.subscribers : channel.subscribers?.or(came);
    state.put({
      ...channel,
      subscribers,
      settings: withNames(channel.settings, names, declared, live),
    });
  }
  const [ofFile] = declaredOrganization(desired);
  state.put({
    kind: "organization",
    name: "organization",
    settings: withNames(state.organization, names, ofFile, settings),
  });
  return { people, state };
}

const byName = <T extends { readonly name: string }>(objects: readonly T[]): ReadonlyMap<string, T> =>
  new Map(objects.map((object) => [object.name, object]));

/** Whether a name in the field does not resolve now: perhaps that of somebody who comes back. */
const isOpen = ({ gaps = [] }: DeclaredObject, field: string): boolean => gaps.some((gap) => gap.field === field);

/** Whether the field is as the file says after a run: what names something that does not resolve is left as it is. */
const isWritten = (declared: DeclaredObject | undefined, field: string): boolean =>
  declared !== undefined && Object.hasOwn(declared.fields, field) && !isOpen(declared, field);

/** Only a value of people and groups, and not a group itself, can name somebody whom the reading does not show. */
function withNames(
  settings: ReadonlyMap<string, GroupValue>,
  names: readonly string[],
  declared: DeclaredObject | undefined,
  live: { readonly [setting: string]: unknown },
): ReadonlyMap<string, GroupValue> {
  const found = new Map(settings);
  for (const [setting, value] of settings) {
    if (isWritten(declared, setting) || typeof live[setting] !== "object") continue;
    const { groups, users } = typeof value === "string" ? { groups: [value], users: [] } : value;
    found.set(setting, groupValue(groups, [...users, ...names]));
  }
  return found;
}
