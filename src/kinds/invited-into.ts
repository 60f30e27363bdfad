import { isOpenTo } from "../access/joining.ts";
import { accessIn } from "../access/of-plan.ts";
import { isPrivate } from "../access/rights.ts";
import { type Named, namedOf, type RiskFact } from "../model/facts.ts";
import type { Json } from "../model/json.ts";
import type { Address, Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { namesIn } from "./invitation-terms.ts";

/** What an invitation gives to the person who accepts it, in the words of the file. */
interface Terms {
  readonly [field: string]: Json;
}

/**
 * The existing private channels that a person can read after accepting an invitation: the channels that it names, and those that are open
 * to its groups. Channels that the role alone opens do not count: everybody with that role reads them (zulip-api.md §3.6). Groups open
 * nothing to guests. Undefined if there are no such channels.
 */
export function invitedInto(change: Change, terms: Terms, context: PlanContext): RiskFact | undefined {
  const { before, after, changes } = accessIn(context);
  const named = new Set(namesIn(terms.channels));
  const groups = terms.invite_as === "guest" ? [] : namesIn(terms.groups);
  const around = after.groupsAround(groups);
  const channels: Named[] = [];
  for (const channel of before.channels()) {
    const then = after.channel(channel.name);
    if (then === undefined || then.archived || !isPrivate(channel) || !isPrivate(then)) continue;
    if (!named.has(channel.name) && !isOpenTo(then, around)) continue;
    const address: Address = `channel:${channel.name}`;
    channels.push(namedOf(changes.get(address) ?? { address, name: channel.name }));
  }
  return channels.length === 0 ? undefined : { kind: "invited-into", object: namedOf(change), channels };
}
