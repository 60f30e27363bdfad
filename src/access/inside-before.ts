import type { Change } from "../model/plan.ts";
import { Realm } from "../model/realm.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { statesOf } from "./of-plan.ts";
import { CHANNEL, isChannel } from "./scope.ts";
import { isPrivate } from "./state.ts";

/*
 * Who came into a private channel by an opening stays subscribed when the opening is undone, and no reading has the time of a subscription. So a run that opens
 * one notes who is in it, and an undo names the others.
 */

/** By the id of a private channel that a run opens to somebody: the ids of the accounts that are subscribed to it when the run begins. */
export interface InsideBefore {
  readonly [id: string]: readonly number[];
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
  return Object.fromEntries(
    [...opened, ...invited].flatMap(({ name, subscribers }) => {
      const id = ids.get(name);
      return id === undefined || subscribers === undefined ? [] : [[String(id), subscribers.ids()]];
    }),
  );
}

/** Accounts that are subscribed to these channels after the changes and were not before the run, for each that is private then. */
export function stayingInside(
  changes: readonly Change[],
  snapshot: Snapshot,
  inside: InsideBefore,
): readonly { readonly name: string; readonly ids: readonly number[] }[] {
  if (Object.keys(inside).length === 0) return [];
  const { realm, after } = statesOf(changes, new Realm(snapshot));
  const ids = idsByName(realm);
  return [...after.channels()].flatMap((channel) => {
    const known = inside[String(ids.get(channel.name))];
    if (known === undefined || channel.subscribers === undefined || !isPrivate(channel)) return [];
    const since = channel.subscribers.and(after.accounts.everybody).minus(after.population.of(known)).ids();
    return since.length === 0 ? [] : [{ name: channel.name, ids: since }];
  });
}

const idsByName = ({ snapshot }: Realm): ReadonlyMap<string, number> =>
  new Map(snapshot.channels.map(({ name, stream_id }) => [name, stream_id]));
