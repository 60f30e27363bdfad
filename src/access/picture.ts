import { whenDefined } from "../model/defined.ts";
import type { Realm } from "../model/realm.ts";
import { type Coming, comingTo } from "./answers.ts";
import type { AccessDifference } from "./difference.ts";
import { type Standing, standingOf } from "./grants.ts";
import type { People } from "./people.ts";
import { READ } from "./rules.ts";
import { CHANNEL } from "./scope.ts";
import type { Source, Target } from "./sources.ts";
import { type AccessChannel, type AccessState, isPrivate } from "./state.ts";

/*
 * Who has a right on a channel, usually reading, and by which path, as something to look at: the ways into the channel, the groups that each way names, and the groups inside these.
 * A picture always has two sides, before and after; of one state alone both are the same.
 *
 * Bounded: a group is drawn with what is inside it once in a channel, and at most {@link MOST_GROUPS} groups are drawn in one; `left` counts the others.
 */

/** One thing before and after; undefined where it is not there. */
export interface Sides<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

export interface PictureGroup {
  readonly name: string;
  readonly people: Sides<People>;
  readonly inner: readonly PictureGroup[];
  /** What is inside it stands at another place of the picture. */
  readonly isDrawn: boolean;
}

/** One source of the right, or, with `coming`, what people can do to come to read it. */
export interface PictureWay {
  readonly source: Sides<Source>;
  readonly coming: Sides<Coming>;
  readonly people: Sides<People>;
  readonly groups: readonly PictureGroup[];
  /** Whom a setting names besides its groups. */
  readonly named: Sides<People>;
}

export interface ChannelPicture {
  readonly name: string;
  readonly channel: Sides<AccessChannel>;
  readonly right: string;
  readonly holders: Sides<Standing>;
  readonly ways: readonly PictureWay[];
  /** Groups that are not drawn. */
  readonly left: number;
}

/** The maximum number of groups of one channel that are drawn. */
const MOST_GROUPS = 60;

export type Mark = "same" | "added" | "removed" | "changed";

/** What happens to a set of people. */
export function markOf({ before, after }: Sides<People>): Mark {
  if (before === undefined) return after === undefined ? "same" : "added";
  if (after === undefined) return "removed";
  return before.equals(after) ? "same" : "changed";
}

/** Who has the right. */
export const holdersOn = ({ holders }: ChannelPicture): Sides<People> =>
  bothSides(holders, (each) => each.holders.people);

/** Whether anything in the picture differs between its sides. */
export const isChanged = (picture: ChannelPicture): boolean =>
  markOf(holdersOn(picture)) !== "same" ||
  picture.channel.before?.privacy !== picture.channel.after?.privacy ||
  picture.ways.some(({ people }) => markOf(people) !== "same");

/** The private channels of a state, and the names of the others by how open they are. */
export interface Overview {
  readonly closed: readonly ChannelPicture[];
  readonly open: ReadonlyMap<AccessChannel["privacy"], readonly string[]>;
}

export function overviewOf(state: AccessState, right: string): Overview {
  const open = new Map<AccessChannel["privacy"], string[]>();
  const closed: ChannelPicture[] = [];
  for (const { name, privacy, archived } of state.channels()) {
    if (isPrivate({ privacy })) closed.push(channelPicture({ before: state, after: state }, name, right));
    else if (!archived) open.set(privacy, [...(open.get(privacy) ?? []), name]);
  }
  return { closed, open };
}

/** Channels of which somebody gains or loses the right, or by another path; with the names of the plan. */
export function changedPictures(
  difference: AccessDifference,
  right: string,
  only: (channel: Target) => boolean = () => true,
): readonly ChannelPicture[] {
  return [...difference.pairs([CHANNEL])].flatMap(({ is }) => {
    if (is === "organization" || !only(is)) return [];
    const picture = channelPicture(difference, is.name, right);
    return isChanged(picture) ? [picture] : [];
  });
}

/** The picture of one channel. @param name as the plan has it, in both states @param right READ, or a setting */
export function channelPicture(states: Sides<AccessState>, name: string, right: string): ChannelPicture {
  const channel = bothSides(states, (state) => state.channel(name));
  const holders = bothSides(states, (state, side) => whenDefined(channel[side], (it) => standingOf(state, it, right)));
  const room = { groups: MOST_GROUPS, left: 0, drawn: new Set<string>() };
  const ways = waysOf(states, holders, room);
  const coming: Sides<Coming> =
    right === READ
      ? bothSides(states, (state, side) => whenDefined(channel[side], (it) => comingTo(state, it)))
      : NEITHER;
  const comers = bothSides(coming, ({ people }) => people);
  const step: readonly PictureWay[] =
    comers.before === undefined && comers.after === undefined
      ? []
      : [{ source: NEITHER, coming, people: comers, groups: [], named: NEITHER }];
  return { name, channel, right, holders, ways: [...ways, ...step], left: room.left };
}

const NEITHER: Sides<never> = { before: undefined, after: undefined };

interface Room {
  groups: number;
  left: number;
  /** Groups whose inside is drawn. */
  readonly drawn: Set<string>;
}

function waysOf(states: Sides<AccessState>, holders: Sides<Standing>, room: Room): readonly PictureWay[] {
  const grants = bothSides(
    holders,
    (standing) => new Map(standing.grants.map((grant) => [keyOf(grant.source), grant])),
  );
  return [...new Set([...(grants.before?.keys() ?? []), ...(grants.after?.keys() ?? [])])].map((key) => {
    const grant = bothSides(grants, (each) => each.get(key));
    const source = bothSides(grant, (each) => each.source);
    return {
      source,
      coming: NEITHER,
      people: bothSides(grant, ({ people }) => people),
      groups: groupsIn(states, bothSides(source, groupsOf), room),
      named: bothSides(states, (state, side) =>
        whenDefined(source[side], (it) => whenDefined(grant[side], ({ people }) => namedIn(state, it, people))),
      ),
    };
  });
}

/** The same source before and after; what a setting names may differ. */
const keyOf = (source: Source): string =>
  source.via === "setting" ? source.setting : source.via === "privacy" ? source.privacy : source.via;

const groupsOf = (source: Source): readonly string[] =>
  source.via !== "setting" ? [] : typeof source.value === "string" ? [source.value] : source.value.groups;

/** Undefined if there are none. */
function namedIn(state: AccessState, source: Source, people: People): People | undefined {
  if (source.via !== "setting" || typeof source.value === "string") return undefined;
  const found = state.population.of(source.value.users.map((name) => state.facts.idOf(name))).and(people);
  return found.size === 0 ? undefined : found;
}

function groupsIn(states: Sides<AccessState>, names: Sides<readonly string[]>, room: Room): readonly PictureGroup[] {
  const all = new Set([...(names.before ?? []), ...(names.after ?? [])]);
  const found: PictureGroup[] = [];
  for (const name of all) {
    const own = bothSides(names, (side) => (side.includes(name) ? name : undefined));
    const people = bothSides(states, (state, side) => whenDefined(own[side], () => state.membersOf(name)));
    if (isEmpty(people)) continue;
    if (room.groups === 0) {
      room.left += 1;
      continue;
    }
    room.groups -= 1;
    const isDrawn = room.drawn.has(name);
    room.drawn.add(name);
    const inside = bothSides(states, (state, side) => whenDefined(own[side], () => innerOf(state, name)));
    found.push({ name, people, isDrawn, inner: isDrawn ? [] : groupsIn(states, inside, room) });
  }
  return found;
}

const isEmpty = ({ before, after }: Sides<People>): boolean => (before?.size ?? 0) + (after?.size ?? 0) === 0;

/** The groups of the roles are inside each other on every server: a moderator is a member. */
const innerOf = (state: AccessState, name: string): readonly string[] =>
  name.startsWith("role:") ? [] : (state.group(name)?.subgroups ?? []);

/** Only what leads into the channel through a group: for its members, also what they can do to come in. Undefined if nothing does. */
export function throughGroup(picture: ChannelPicture, name: string, state: AccessState): ChannelPicture | undefined {
  const around = state.groupsAround([name]);
  const members = state.membersOf(name);
  const within = (groups: readonly PictureGroup[]): readonly PictureGroup[] =>
    groups.flatMap((group) => {
      if (group.name === name) return [group];
      return around.has(group.name) ? [{ ...group, inner: within(group.inner) }] : [];
    });
  const ways = picture.ways
    .map((way) => ({ ...way, groups: within(way.groups) }))
    .filter(({ groups, coming, people }) =>
      coming.after === undefined ? groups.length > 0 : (people.after?.and(members).size ?? 0) > 0,
    );
  return ways.length === 0 ? undefined : { ...picture, ways };
}

/** Only what leads one account into the channel; undefined if nothing does. Numbers are those of the whole picture. */
export function throughAccount(picture: ChannelPicture, id: number): ChannelPicture | undefined {
  const within = (groups: readonly PictureGroup[]): readonly PictureGroup[] =>
    groups.flatMap((group) => (group.people.after?.has(id) === true ? [{ ...group, inner: within(group.inner) }] : []));
  const ways = picture.ways
    .filter(({ people }) => people.after?.has(id) === true)
    .map((way) => ({
      ...way,
      groups: within(way.groups),
      named: way.named.after?.has(id) === true ? way.named : NEITHER,
    }));
  return ways.length === 0 ? undefined : { ...picture, ways };
}

/** The name of each channel's folder, as it was read; channels without one are left out. */
export function foldersOf({ snapshot }: Realm): ReadonlyMap<string, string> {
  const names = new Map((snapshot.channel_folders ?? []).map(({ id, name }) => [id, name]));
  return new Map(
    snapshot.channels.flatMap(({ name, folder_id }): readonly [string, string][] => {
      const folder = folder_id == null ? undefined : names.get(folder_id);
      return folder === undefined ? [] : [[name, folder]];
    }),
  );
}

export function bothSides<T, R>(
  { before, after }: Sides<T>,
  of: (value: T, side: "before" | "after") => R | undefined,
): Sides<R> {
  return {
    before: before === undefined ? undefined : of(before, "before"),
    after: after === undefined ? undefined : of(after, "after"),
  };
}
