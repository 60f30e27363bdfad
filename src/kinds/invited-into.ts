import { groupsGivenBy } from "../access/invitations.ts";
import { groupsIn } from "../access/joining.ts";
import { accessIn, objectsNamed, type PlanAccess } from "../access/of-plan.ts";
import { administeredIn, openedIn } from "../access/opened-channels.ts";
import { type Invitee, invitedNow } from "../access/personas.ts";
import { ADMINISTER, decidesReading } from "../access/rules.ts";
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
import type { FoundRisk } from "../model/facets.ts";
import { type Named, namedOf, type RiskFact } from "../model/facts.ts";
import type { Json } from "../model/json.ts";
import { addTo, oncePer } from "../model/lazy.ts";
import { type Address, type Change, fieldIn } from "../model/plan.ts";
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
  const groups = groupsGivenBy({ role, groups: listed(terms.groups) }, access.after.facts);
  const given = { ...groups, role, channels: listed(terms.channels) };
  const names = readAfter(given, access);
  const administered = administeredBy(given, access, "after");
  if (names.length + administered.length === 0) return undefined;
  return invitedFact(namedOf(change), { reads: names, administers: administered }, access);
}

/** What somebody can do who accepts an invitation: the channels by their names. */
interface Able {
  readonly reads: readonly string[];
  readonly administers: readonly string[];
}

function invitedFact(object: Named, { reads, administers }: Able, access: PlanAccess) {
  const named = (names: readonly string[]): readonly Named[] => objectsNamed(access, names, channelAddress);
  return {
    kind: "invited-into" as const,
    object,
    channels: named(reads),
    ...defined({ administers: administers.length === 0 ? undefined : named(administers) }),
  };
}

/** The channels that the groups of an invitation let somebody administer, at once or by joining further groups, and that not everybody who joins can. */
function administeredBy(
  { given, anyway }: Pick<Given, "given" | "anyway">,
  { difference }: PlanAccess,
  side: "before" | "after",
): readonly string[] {
  if (given.length === 0) return [];
  const index = administeredIn(difference)[side];
  const all = new Set(index.of(difference.ways.ahead(anyway, side)));
  return index.of(difference.ways.ahead(given, side)).filter((name) => !all.has(name));
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
  for (const leading of [after.groupsAround.bind(after), difference.ways.ahead.bind(difference.ways)]) {
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
    ...opened.of([...before.groupsAround(groups), ...difference.ways.ahead(groups, "before")]),
  ]);
}

/**
 * What the change opens to people who join by an invitation or a link of the file that is open already: the file says where it leads, and the plan leaves it as
 * it is. What its role opens is said of everybody who joins with the role.
 */
export function openedToInvited({ address, fields }: Change, context: PlanContext): readonly FoundRisk[] {
  const field = fields.find((own) => decidesReading(own.field))?.field;
  return (openedInPlan(context).get(address) ?? []).map((fact) => ({ kind: "widens", fact, field }));
}

/** By the change that opens it: of the channel, or else of a group that leads into it. */
const openedInPlan = oncePer((context: PlanContext): ReadonlyMap<Address, readonly RiskFact[]> => {
  const found = new Map<Address, RiskFact[]>();
  const { file, realm, changes } = context;
  if (changes.length === 0) return found;
  const access = accessIn(context);
  for (const invitee of invitedNow(file, realm, access.after.facts.defaultChannels, changes)) {
    const { role, channels, by, name } = invitee;
    const isOfKind = by === "link" ? isInvitationLink : isInvitation;
    if (changes.some((change) => isOfKind(change.address) && change.name.toLowerCase() === name.toLowerCase()))
      continue;
    const { given: ofRole, anyway: ofMembers } = groupsGivenBy({ role, groups: [] }, access.after.facts);
    const given = { role, channels, given: groupsOf(invitee), anyway: [...ofRole, ...ofMembers] };
    const object = { address: (by === "link" ? linkAddress : inviteAddress)(name), name };
    const tell = (cause: Address | undefined, able: Able): void => {
      if (cause !== undefined) addTo(found, cause, { ...invitedFact(object, able, access), open_as: role });
    };
    const known = readBefore(given, access);
    for (const channel of readAfter(given, access))
      if (!known.has(channel)) tell(causeOf(channel, access), { reads: [channel], administers: [] });
    const administered = new Set(administeredBy(given, access, "before"));
    for (const channel of administeredBy(given, access, "after"))
      if (!administered.has(channel))
        tell(causeOfAdministering(channel, access), { reads: [], administers: [channel] });
  }
  return found;
});

/** Groups open nothing to guests. */
const groupsOf = ({ role, groups }: Invitee): readonly string[] => (role === "guest" ? [] : groups);

function causeOf(channel: string, { changes, difference }: PlanAccess): Address | undefined {
  const own = channelAddress(channel);
  if (changes.get(own)?.fields.some(({ field }) => decidesReading(field)) === true) return own;
  const around = [...[...difference.ways.waysInto(channel)].map(groupAddress), ORGANIZATION, own];
  return around.find((address) => changes.has(address));
}

function causeOfAdministering(channel: string, { after, changes, difference }: PlanAccess): Address | undefined {
  const own = channelAddress(channel);
  if (fieldIn(changes.get(own)?.fields, ADMINISTER) !== undefined) return own;
  const groups = groupsIn(after.channel(channel)?.settings.get(ADMINISTER));
  const behind = groups.flatMap((group) => [...difference.ways.behind(group)]);
  return [...behind.map(groupAddress), ORGANIZATION].find((address) => changes.has(address));
}
