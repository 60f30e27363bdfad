import { FULL_MEMBERS } from "../access/account.ts";
import { administratorsOf } from "../access/grants.ts";
import { enteringAlone, groupsBehind, groupsIn, leavingAlone, letInBy, openedBySetting } from "../access/joining.ts";
import { peopleOfList } from "../access/lists.ts";
import { statesOf } from "../access/of-plan.ts";
import type { People } from "../access/people.ts";
import { OPENING_SETTINGS } from "../access/rules.ts";
import { CHANNEL, declaredLinks, GROUP, PERSON } from "../access/scope.ts";
import { type AccessChannel, type AccessState, isPrivate } from "../access/state.ts";
import { kindOf, nameIn } from "../model/address.ts";
import { defined, whenDefined } from "../model/defined.ts";
import type { Desired } from "../model/desired.ts";
import { type Diagnostic, warning } from "../model/diagnostic.ts";
import { quote, quoteAll } from "../model/diagnostics/values.ts";
import { mapOf } from "../model/json.ts";
import { liveObjects, type ResourceKind } from "../model/kind.ts";
import { namedIn } from "../model/named-in.ts";
import { asPeopleList, groupsOfList, type PeopleList, usersOfList } from "../model/people-list.ts";
import type { Change } from "../model/plan.ts";
import type { SyncPart } from "../model/policy.ts";
import { type GroupValue, Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { listed } from "../model/texts.ts";
import { keptLists } from "./synced.ts";

/*
 * Lists that are a door. `sync` adds everybody in the groups of a list that it keeps. So a group in the list of a private channel admits people as
 * `can_subscribe_group` does, but no guard rail, rule or answer about access counts them: a server does not show what a file lists. If people can put
 * themselves into such a group, `sync` adds nobody to the list; `apply` still adds whom its plan names, and counts them. People whom the channel's own
 * settings let in anyway are counted there. A group of `except` that people can leave by themselves is a door as well.
 *
 * A door is a question of settings: who came in by it is no less a stranger than who still can. Only who is in the channel already was let in by somebody.
 * Nobody can tell, once a door is shut, who came in while it was open. So `sync` leaves the list shut until nobody waits in it any more: somebody applied
 * the list, or those who waited left the group.
 */

interface ListsInput {
  readonly desired: Desired;
  readonly snapshot: Snapshot;
  readonly changes: readonly Change[];
  readonly kinds: readonly ResourceKind[];
  /** What each policy says that `sync` keeps. */
  readonly parts: readonly (readonly SyncPart[])[];
}

/** A kept list to which `sync` adds nobody. */
export interface OpenList {
  /** Identifies the list. */
  readonly list: string;
  /** Nobody can come in any more, but could at an earlier reading. */
  readonly isShut: boolean;
  /** Nobody is taken out either. */
  readonly isWhole?: true;
  readonly warning: Diagnostic;
}

/** At most this number of people are named. */
const MOST_NAMED = 5;

/** @returns a warning for each kept list of a private channel with a group that people can enter, or one of `except` that they can leave, by themselves, after the changes */
export const openLists = (input: ListsInput): readonly Diagnostic[] =>
  openListsSince(input, new Set()).map(({ warning: said }) => said);

/** Like {@link openLists}, also with lists that are a door no more. @param before lists that were one at an earlier reading, and in which people wait */
export function openListsSince(
  { desired, snapshot, changes, kinds, parts }: ListsInput,
  before: ReadonlySet<string>,
): readonly OpenList[] {
  const { after, realm } = statesOf(changes, new Realm(snapshot));
  const links = groupsOfLinks(desired);
  return keptLists(desired, kinds, parts).flatMap(({ kind, declared, field }) => {
    const written = declared.creation?.[field];
    const list = asPeopleList(written);
    const key = `${kind}:${declared.name} ${field}`;
    const isAdditive = mapOf(written)?.exact === false;
    const groups = groupsIn(list?.who);
    if (list === undefined || groupsOfList(list).length === 0) return [];
    for (const { channel, inside } of channelsOf(kind, declared.name, after)) {
      // Whoever has to leave can come back.
      const staying = isAdditive ? inside : inside.and(peopleOfList(list, after));
      const open = doorOf(after, { channel, inside: staying }, list, links);
      const door = open ?? (before.has(key) ? SHUT : undefined);
      if (door === undefined) continue;
      const first = door.people
        .slice(0, MOST_NAMED)
        .map((id) => ({ user_id: id, ...defined({ full_name: realm.user(id)?.full_name }) }));
      const named = door.by === "leaving" ? groupsIn(list.except) : groups;
      const fact = { name: quote(declared.name, kind), groups: quoteAll(named, GROUP), ...door, first };
      return [
        {
          list: key,
          isShut: open === undefined,
          warning: warning("channels/open-list", fact, declared.spans.of(field) ?? declared.at),
        },
      ];
    }
    return [];
  });
}

/** The name of a person in {@link ListMeanings}, by the address. */
export const personName = (address: string): string => `${PERSON}:${address}`;
/** Whether a name of {@link ListMeanings} is somebody's. */
export const isPersonName = (name: string): boolean => name.startsWith(personName(""));

/** What the names of kept lists mean: by the list, the ids of its object, of its groups and of its people by their kinds and names. */
export type ListMeanings = ReadonlyMap<string, ReadonlyMap<string, number>>;

type Named = Omit<ListsInput, "changes">;

export function meaningsOf({ desired, snapshot, kinds, parts }: Named): ListMeanings {
  const realm = new Realm(snapshot);
  const ids = new Map<string, number>(
    kinds.flatMap((kind) =>
      kind.name === GROUP || kind.name === CHANNEL
        ? (liveObjects(kind, realm) ?? []).flatMap(({ name, id, inactive }) =>
            id === null || inactive === true ? [] : [[`${kind.name}:${name}`, id] as const],
          )
        : [],
    ),
  );
  return new Map(
    keptLists(desired, kinds, parts).map(({ kind, declared, field }) => {
      const own = kinds.filter(({ name }) => name === kind).flatMap(({ file }) => namedIn(file, declared));
      const objects = [{ kind, name: declared.name }, ...own.filter((one) => one.field === field)].flatMap((one) => {
        const name = `${one.kind}:${one.name}`;
        return whenDefined(ids.get(name), (id) => [[name, id] as const]) ?? [];
      });
      const people = usersOfList(asPeopleList(declared.creation?.[field])).flatMap(
        (name) => whenDefined(realm.userByEmail(name), ({ user_id }) => [[personName(name), user_id] as const]) ?? [],
      );
      return [`${kind}:${declared.name} ${field}`, new Map([...objects, ...people])];
    }),
  );
}

/** Kept lists of which a name means another object than before: somebody renamed one, and made another one of its name. The address of a person is such a name. */
export function otherLists(input: Named, meant: ListMeanings): readonly OpenList[] {
  const now = meaningsOf(input);
  return keptLists(input.desired, input.kinds, input.parts).flatMap(({ kind, declared, field }) => {
    const list = `${kind}:${declared.name} ${field}`;
    const others = [...(meant.get(list) ?? [])].filter(([name, id]) => (now.get(list)?.get(name) ?? id) !== id);
    if (others.length === 0) return [];
    const groups = others.map(([name]) => quote(nameIn(name), kindOf(name)));
    const by = others.every(([name]) => isPersonName(name)) ? ("other-account" as const) : ("other" as const);
    const fact = { name: quote(declared.name, kind), groups, by, people: [], first: [] };
    return [
      {
        list,
        isShut: false,
        isWhole: true as const,
        warning: warning("channels/open-list", fact, declared.spans.of(field) ?? declared.at),
      },
    ];
  });
}

interface Led {
  readonly channel: AccessChannel;
  /** Who is there already. */
  readonly inside: People;
}

/** The private channels into which a list leads: the channel that has it, or those that admit the group that has it. */
function channelsOf(kind: string, name: string, after: AccessState): readonly Led[] {
  const { nobody } = after.population;
  if (kind !== GROUP) {
    const channel = after.channel(name);
    return channel === undefined || !isPrivate(channel) ? [] : [{ channel, inside: channel.subscribers ?? nobody }];
  }
  return [...after.channels()]
    .filter((channel) => isPrivate(channel) && groupsBehind(after, openedBySetting(channel)).has(name))
    .map((channel) => ({ channel, inside: after.group(name)?.members ?? nobody }));
}

interface Door {
  readonly by: "entering" | "leaving" | "link" | "joining" | "before";
  readonly people: readonly number[];
}

/** It was open at an earlier reading. */
const SHUT: Door = { by: "before", people: [] };

/** How people come into a channel by the groups of a list, and by nothing else; undefined if they do not. */
function doorOf(
  state: AccessState,
  { channel, inside }: Led,
  { who, except }: PeopleList,
  links: ReadonlySet<string>,
): Door | undefined {
  const groups = groupsIn(who);
  const leaving = leavingAlone(state, groupsIn(except));
  const kept = peopleNamed(state, except).or(state.peopleIn(except).minus(leaving));
  const coming = (found: People): readonly number[] =>
    withoutAdmitted(state, channel, found.minus(kept).minus(inside)).ids();
  const people = coming(enteringAlone(state, channel, groups).minus(peopleNamed(state, who)));
  if (people.length > 0) return { by: "entering", people };
  const back = coming(leaving.and(state.peopleIn(who)));
  if (back.length > 0) return { by: "leaving", people: back };
  const admitted = groupsBehind(state, openedBySetting(channel));
  const ways = [...groupsBehind(state, groups)].filter((group) => !admitted.has(group));
  if (ways.some((group) => links.has(group))) return { by: "link", people: [] };
  return ways.some((group) => OF_NEWCOMERS.has(group)) ? { by: "joining", people: [] } : undefined;
}

/** Roles that people get when they join, or by waiting. */
const OF_NEWCOMERS: ReadonlySet<string> = new Set(["role:everyone", "role:members", FULL_MEMBERS]);

const namedBy = ({ settings }: AccessChannel, setting: string) => settings.get(setting) ?? "role:nobody";

/** The people whom a value names, without its groups. */
const peopleNamed = (state: AccessState, value: GroupValue | undefined): People =>
  state.peopleIn({ groups: [], users: value === undefined || typeof value === "string" ? [] : value.users });

/** Those of these people who come into the channel by nothing else. */
function withoutAdmitted(state: AccessState, channel: AccessChannel, people: People): People {
  let found = people.minus(administratorsOf(state)).minus(state.accounts.bots);
  for (const setting of OPENING_SETTINGS)
    if (found.size > 0) found = found.minus(letInBy(state, channel, namedBy(channel, setting)));
  return found;
}

/** The groups that open invitation links of the file give. */
const groupsOfLinks = (desired: Desired): ReadonlySet<string> =>
  new Set(declaredLinks(desired).flatMap(({ creation }) => listed(creation?.groups)));
