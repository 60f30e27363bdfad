import { accessIn, objectsNamed } from "../access/of-plan.ts";
import { openedIn } from "../access/opened-channels.ts";
import { channelAddress } from "../access/scope.ts";
import { namedOf, type RiskFact } from "../model/facts.ts";
import type { Json } from "../model/json.ts";
import type { Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { listed } from "../model/texts.ts";

/** What an invitation gives to the person who accepts it, in the words of the file. */
interface Terms {
  readonly [field: string]: Json;
}

/**
 * The existing private channels that a person can read after accepting an invitation: the channels that it names, and those that are open
 * to its groups, and to groups that their members can put themselves into. Channels that the role alone opens do not count: everybody with that role reads them (zulip-api.md §3.6). Undefined if there are no such channels.
 */
export function invitedInto(change: Change, terms: Terms, context: PlanContext): RiskFact | undefined {
  const access = accessIn(context);
  // Groups open nothing to guests.
  const groups = terms.invite_as === "guest" ? [] : listed(terms.groups);
  const names = openedIn(access).existing.of(access.difference.ahead(groups), listed(terms.channels));
  if (names.length === 0) return undefined;
  return { kind: "invited-into", object: namedOf(change), channels: objectsNamed(access, names, channelAddress) };
}
