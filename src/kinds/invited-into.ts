import { groupsGivenBy } from "../access/invitations.ts";
import { type Invitee, openInviteesOf } from "../access/invitees.ts";
import { accessIn, objectsNamed, type PlanAccess } from "../access/of-plan.ts";
import { openedIn } from "../access/opened-channels.ts";
import { decidesReading } from "../access/rules.ts";
import {
  channelAddress,
  groupAddress,
  inviteAddress,
  isInvitation,
  isInvitationLink,
  linkAddress,
  ORGANIZATION,
} from "../access/scope.ts";
import { defined } from "../model/defined.ts";
import { namedOf, type RiskFact } from "../model/facts.ts";
import { addTo } from "../model/indexed.ts";
import type { Json } from "../model/json.ts";
import { oncePer } from "../model/lazy.ts";
import type { Address, Change, Risk } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { isRole, ROLE, type RoleWord } from "../model/roles.ts";
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
  const role = isRole(terms.invite_as) ? terms.invite_as : "member";
  const groups = groupsGivenBy({ role, groups: listed(terms.groups) }, access.after);
  const names = readAfter({ ...groups, role, channels: listed(terms.channels) }, access);
  if (names.length === 0) return undefined;
  return { kind: "invited-into", object: namedOf(change), channels: objectsNamed(access, names, channelAddress) };
}

/** What somebody has who accepts an invitation, and the groups that everybody has who joins. */
interface Given {
  readonly role: RoleWord;
  readonly channels: readonly string[];
  readonly given: readonly string[];
  readonly anyway: readonly string[];
}

function readAfter({ role, channels, given, anyway }: Given, access: PlanAccess): readonly string[] {
  const { difference, after } = access;
  const { existing } = openedIn(difference);
  const found = new Set<string>();
  for (const leading of [after.groupsAround.bind(after), difference.ahead.bind(difference)]) {
    const open = new Set(existing.of(leading(anyway)));
    for (const name of existing.of(leading(given))) if (!open.has(name)) found.add(name);
  }
  return existing.named([...found, ...channels]).filter((name) => !difference.wasOpenTo(ROLE[role], name));
}

/** The private channels that somebody can read today who accepts an invitation. */
function readBefore({ channels, given, anyway }: Given, access: PlanAccess): ReadonlySet<string> {
  const { difference, before } = access;
  const opened = openedIn(access.difference).before;
  const groups = [...given, ...anyway];
  return new Set([
    ...opened.named(channels),
    ...opened.of([...before.groupsAround(groups), ...difference.ahead(groups, "before")]),
  ]);
}

/**
 * What the change opens to people who join by an invitation or a link of the file that is open already: the file says where it leads, and the plan leaves it as
 * it is. What its role opens is said of everybody who joins with the role.
 */
export function openedToInvited({ address, fields, at }: Change, context: PlanContext): readonly Risk[] {
  const place = defined({ at: fields.find(({ field }) => decidesReading(field))?.at ?? at });
  return (openedInPlan(context).get(address) ?? []).map((fact) => ({ kind: "widens", fact, address, ...place }));
}

/** By the change that opens it: of the channel, or else of a group that leads into it. */
const openedInPlan = oncePer((context: PlanContext): ReadonlyMap<Address, readonly RiskFact[]> => {
  const found = new Map<Address, RiskFact[]>();
  const { file, realm, changes } = context;
  if (changes.length === 0) return found;
  const access = accessIn(context);
  for (const invitee of openInviteesOf(file, realm, access.after.defaultChannels, changes)) {
    const { role, channels, by, name } = invitee;
    const isOfKind = by === "link" ? isInvitationLink : isInvitation;
    if (changes.some((change) => isOfKind(change.address) && change.name.toLowerCase() === name.toLowerCase()))
      continue;
    const { given: ofRole, anyway: ofMembers } = groupsGivenBy({ role, groups: [] }, access.after);
    const given = { role, channels, given: groupsOf(invitee), anyway: [...ofRole, ...ofMembers] };
    const known = readBefore(given, access);
    for (const channel of readAfter(given, access)) {
      if (known.has(channel)) continue;
      const cause = causeOf(channel, access);
      const object = { address: (by === "link" ? linkAddress : inviteAddress)(name), name };
      const opened = objectsNamed(access, [channel], channelAddress);
      if (cause !== undefined) addTo(found, cause, { kind: "invited-into", object, channels: opened, open_as: role });
    }
  }
  return found;
});

/** Groups open nothing to guests. */
const groupsOf = ({ role, groups }: Invitee): readonly string[] => (role === "guest" ? [] : groups);

function causeOf(channel: string, { changes, difference }: PlanAccess): Address | undefined {
  const own = channelAddress(channel);
  if (changes.get(own)?.fields.some(({ field }) => decidesReading(field)) === true) return own;
  const around = [...[...difference.waysInto(channel)].map(groupAddress), ORGANIZATION, own];
  return around.find((address) => changes.has(address));
}
