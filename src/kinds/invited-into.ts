import { groupsGivenBy } from "../access/invitations.ts";
import { accessIn, objectsNamed } from "../access/of-plan.ts";
import { openedIn } from "../access/opened-channels.ts";
import { channelAddress } from "../access/scope.ts";
import { namedOf, type RiskFact } from "../model/facts.ts";
import type { Json } from "../model/json.ts";
import type { Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { isRole, ROLE } from "../model/roles.ts";
import { listed } from "../model/texts.ts";

/** What an invitation gives to the person who accepts it, in the words of the file. */
interface Terms {
  readonly [field: string]: Json;
}

/**
 * The existing private channels that a person can read after accepting an invitation: the channels that it names, and those that are open to its groups or
 * its role, at once or by joining further groups. What is open to every new member at once does not count: it is open to everybody who joins anyway. Nor does
 * a channel that the plan makes private, if somebody who joins with the role today reads it. Undefined if there are no such channels.
 */
export function invitedInto(change: Change, terms: Terms, context: PlanContext): RiskFact | undefined {
  const access = accessIn(context);
  const { difference, after } = access;
  const { existing } = openedIn(access);
  const role = isRole(terms.invite_as) ? terms.invite_as : "member";
  const { given, anyway } = groupsGivenBy({ role, groups: listed(terms.groups) }, after);
  const found = new Set<string>();
  for (const leading of [after.groupsAround.bind(after), difference.ahead.bind(difference)]) {
    const open = new Set(existing.of(leading(anyway)));
    for (const name of existing.of(leading(given))) if (!open.has(name)) found.add(name);
  }
  const names = existing
    .named([...found, ...listed(terms.channels)])
    .filter((name) => !difference.wasOpenTo(ROLE[role], name));
  if (names.length === 0) return undefined;
  return { kind: "invited-into", object: namedOf(change), channels: objectsNamed(access, names, channelAddress) };
}
