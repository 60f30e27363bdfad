import type { AccessDifference, Shifted } from "./difference.ts";
import { openedIn } from "./opened-channels.ts";
import type { People } from "./people.ts";

/** People who come into a group, or leave it, without bots. */
interface Moved {
  /** Those who come to read one of the channels, or no longer read it. */
  readonly readers: People;
  /** The rest: guests, to whom groups open nothing, and people who read the channels anyway. */
  readonly others: People;
  /** Private channels that admit the group, and that some of {@link readers} come to read, or no longer read. */
  readonly channels: readonly string[];
}

/**
 * Who comes into a group or leaves it, and what that changes for them. A new member gains what the group opens after the plan; a former member loses what it
 * opens now, as far as the channel stays private. Channels that people let themselves into count as read.
 */
export function movedIn(difference: AccessDifference, group: string, shift: keyof Shifted): Moved {
  const { before, after } = difference;
  const side = shift === "gained" ? "after" : "before";
  const people = difference.members(group)[shift].minus(before.accounts.bots);
  let readers = after.population.nobody;
  const channels: string[] = [];
  if (people.size === 0) return { readers, others: people, channels };
  for (const name of openedIn(difference)[side].of(difference[side].groupsAround([group]))) {
    const pair = difference.pairOf(after.channel(name));
    const found = pair && difference.reading(pair)[shift].and(people);
    if (found === undefined || found.size === 0) continue;
    readers = readers.or(found);
    channels.push(name);
  }
  return { readers, others: people.minus(readers), channels };
}
