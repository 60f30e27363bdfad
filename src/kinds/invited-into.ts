import { roleGroupsOf } from "../access/account.ts";
import { FULL_MEMBERS } from "../access/full-members.ts";
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

/** The groups of every member, sooner or later. */
const MEMBERS = ["role:members", FULL_MEMBERS];

/**
 * The existing private channels that a person can read after accepting an invitation: the channels that it names, and those that are open to its groups or
 * its role, and to groups that their members can put themselves into. What is open to every member does not count: it is open to everybody who joins
 * anyway. Undefined if there are no such channels.
 */
export function invitedInto(change: Change, terms: Terms, context: PlanContext): RiskFact | undefined {
  const access = accessIn(context);
  const { difference } = access;
  const { existing } = openedIn(access);
  const role = isRole(terms.invite_as) ? terms.invite_as : "member";
  // Groups open nothing to guests.
  const groups = role === "guest" ? [] : listed(terms.groups);
  const higher = ROLE[role] < ROLE.member ? roleGroupsOf({ role: ROLE[role], full: true }) : [];
  const anyway = new Set(higher.length === 0 ? [] : existing.of(difference.ahead(MEMBERS)));
  const byRole = existing.of(difference.ahead(higher)).filter((name) => !anyway.has(name));
  const names = existing.of(difference.ahead(groups), [...listed(terms.channels), ...byRole]);
  if (names.length === 0) return undefined;
  return { kind: "invited-into", object: namedOf(change), channels: objectsNamed(access, names, channelAddress) };
}
