import type { Change } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { statesOf } from "./of-plan.ts";
import { pathsTo } from "./paths.ts";
import type { People } from "./people.ts";
import { insidersOf } from "./rights.ts";
import { CHANNEL, isChannel } from "./scope.ts";
import { type AccessChannel, type AccessState, isPrivate } from "./state.ts";

/*
 * Who came into a private channel by an opening, or into a group that the channel admits, stays there when the opening is undone, and no reading has the time of
 * a subscription or of a membership. So a run that opens a channel notes who is in it, and an undo names the others.
 */

/** By the id of a private channel: ids of accounts. */
interface ByChannel {
  readonly [id: string]: readonly number[];
}

/** Who is in the private channels that a run opens to somebody when the run begins. */
export interface InsideBefore {
  /** The subscribers. */
  readonly inside?: ByChannel;
  /** Those who read it, or may let themselves in. Absent in older journals. */
  readonly readers?: ByChannel;
}

/** Who came into a private channel since the run, and is in it after the undo. */
interface StayingInside {
  readonly name: string;
  /** Those who are subscribed. */
  readonly subscribed: readonly number[];
  /** Those who come in by a group or a bot of theirs, with the groups: who is subscribed, too, would come in again. */
  readonly admitted: readonly { readonly id: number; readonly groups: readonly string[] }[];
}

export function insideBefore(changes: readonly Change[], snapshot: Snapshot): InsideBefore {
  // Nearly all runs: the states of a large organization are not computed.
  if (!changes.some(({ risks }) => risks.some(({ kind }) => kind === "widens"))) return {};
  const { realm, difference } = statesOf(changes, new Realm(snapshot));
  const invitedInto = new Set(
    changes.flatMap(({ risks }) =>
      risks.flatMap(({ fact }) => (fact.kind === "invited-into" ? fact.channels.map(({ name }) => name) : [])),
    ),
  );
  const ids = idsByName(realm);
  const opened = [...difference.pairs([CHANNEL])].flatMap((pair) => {
    const { was, is } = pair;
    if (was === undefined || was === "organization" || !isChannel(was) || !isPrivate(was)) return [];
    if (is === "organization") return [];
    const { gained, newcomers } = difference.joining(is.name);
    const isOpened =
      gained.size + newcomers.length + difference.newReaders(pair).length + difference.reading(pair).gained.size > 0;
    return isOpened ? [was] : [];
  });
  const invited = [...difference.before.channels()].filter((one) => isPrivate(one) && invitedInto.has(one.name));
  const noted = [...opened, ...invited].flatMap((channel) => {
    const id = ids.get(channel.name);
    return id === undefined ? [] : [{ id: String(id), channel }];
  });
  if (noted.length === 0) return {};
  // Some runs need no reading of the subscribers. Who comes in by a group is known without it.
  const inside = noted.flatMap(({ id, channel: { subscribers } }) =>
    subscribers === undefined ? [] : [[id, subscribers.ids()] as const],
  );
  return {
    inside: Object.fromEntries(inside),
    readers: Object.fromEntries(
      noted.map(({ id, channel }) => [id, insidersOf(difference.before, channel).people.ids()]),
    ),
  };
}

/** Accounts that are in these channels after the changes and were not before the run, for each that is private then. */
export function stayingInside(
  changes: readonly Change[],
  snapshot: Snapshot,
  { inside = {}, readers = {} }: InsideBefore,
): readonly StayingInside[] {
  if (Object.keys({ ...inside, ...readers }).length === 0) return [];
  const { realm, after } = statesOf(changes, new Realm(snapshot));
  const ids = idsByName(realm);
  const { accounts, population } = after;
  const since = (people: People | undefined, known: readonly number[] | undefined): People =>
    people === undefined || known === undefined
      ? population.nobody
      : people.and(accounts.everybody).minus(population.of(known));
  return [...after.channels()].flatMap((channel) => {
    if (!isPrivate(channel)) return [];
    const id = String(ids.get(channel.name));
    const subscribed = since(channel.subscribers, inside[id]);
    const others = since(insidersOf(after, channel).people, readers[id]);
    if (subscribed.size + others.size === 0) return [];
    // Without a group, it is told of those who are subscribed, or nothing is known of who was.
    const admitted = admittedBy(after, channel, others.ids()).filter(
      ({ id: person, groups }) => groups.length > 0 || (inside[id] !== undefined && !subscribed.has(person)),
    );
    if (subscribed.size + admitted.length === 0) return [];
    return [{ name: channel.name, subscribed: subscribed.ids(), admitted }];
  });
}

/** People with the groups that they are in, of those that let them into the channel. */
function admittedBy(state: AccessState, channel: AccessChannel, people: readonly number[]): StayingInside["admitted"] {
  const paths = people.length === 0 ? () => [] : pathsTo(state, channel, "can_subscribe_group");
  return people.map((id) => ({
    id,
    groups: [...new Set(paths(id).flatMap((path) => (path.via === "setting" ? path.groups.slice(-1) : [])))],
  }));
}

const idsByName = ({ snapshot }: Realm): ReadonlyMap<string, number> =>
  new Map(snapshot.channels.map(({ name, stream_id }) => [name, stream_id]));
