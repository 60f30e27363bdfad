import type { AccessDifference } from "../access/difference.ts";
import { groupsGivenBy, invitationsIn } from "../access/invitations.ts";
import { ENTRY_FIELDS } from "../access/rules.ts";
import { groupAddress } from "../access/scope.ts";
import { defined } from "../model/defined.ts";
import { namedOf } from "../model/facts.ts";
import type { Address, Change, Plan } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";
import { type Item, placeOf } from "./guard-access.ts";

/**
 * What an account that is no administrator opens without seeing it: a private channel that it does not see may admit any group that the account is not in
 * (zulip-api.md §3.6: whoever is in a group that a channel admits sees the channel). So who comes into such a group, or can put themselves into it, counts.
 * @param counts whether a group is looked at
 * @param isConfirmed whether somebody confirmed an invitation already
 */
export function unseenGains(
  { changes }: Plan,
  difference: AccessDifference,
  realm: Realm,
  {
    counts,
    isConfirmed,
  }: { readonly counts: (group: Address) => boolean; readonly isConfirmed: (change: Change) => boolean },
): readonly Item[] {
  if (realm.isAdmin) return [];
  const { before, after } = difference;
  const me = realm.snapshot.account.user_id;
  const isUnseen = (group: string): boolean =>
    counts(groupAddress(group)) && before.group(group) !== undefined && !before.membersOf(group).has(me);
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const counted = "people_gaining_access";
  const found: Item[] = [];
  for (const { name } of before.groups()) {
    if (!isUnseen(name)) continue;
    const people = difference.ways.entering(name);
    if (people.size === 0) continue;
    const causes = [name, ...difference.ways.behind(name)].flatMap((group) => byAddress.get(groupAddress(group)) ?? []);
    const change = causes[0] ?? changes[0];
    if (change === undefined) continue;
    found.push({
      counted,
      people,
      object: namedOf(change),
      isUnseen: true,
      ...placeOf(change, [...ENTRY_FIELDS, "members", "subgroups"]),
    });
  }
  for (const change of changes) {
    const [invited] = invitationsIn([change]);
    if (
      invited?.state !== "new" ||
      isConfirmed(change) ||
      change.risks.some(({ fact }) => fact.kind === "invited-into" && fact.channels.length > 0)
    )
      continue;
    const { given, anyway } = groupsGivenBy(invited, after);
    const opened = [...after.groupsAround(given), ...difference.ways.ahead(given)];
    const common = new Set([...after.groupsAround(anyway), ...difference.ways.ahead(anyway)]);
    if (opened.some((group) => isUnseen(group) && !common.has(group)))
      found.push({ counted, object: namedOf(change), isUnseen: true, ...defined({ at: change.at }) });
  }
  return found;
}
