import type { AccessGroup } from "../access/group.ts";
import { Joining } from "../access/joining.ts";
import type { People } from "../access/people.ts";
import { channelHolders, groupHolders, readersOf } from "../access/rights.ts";
import { ENTRY_FIELDS, OPENING_SETTINGS, READER_FIELDS } from "../access/rules.ts";
import { channelAddress, groupAddress } from "../access/scope.ts";
import { type AccessChannel, type AccessState, haveSamePeople, isPrivate, type Privacy } from "../access/state.ts";
import type { Counted } from "../model/counted.ts";
import { defined } from "../model/defined.ts";
import type { Span } from "../model/diagnostic.ts";
import type { Named } from "../model/facts.ts";
import type { Address, Change, Plan } from "../model/plan.ts";
import { placeOf, type States } from "./guard-access.ts";

/** What limits count if somebody gains or loses access: people, or one object if no people are known. */
export interface Gain {
  readonly counted: Counted;
  readonly change: Named;
  readonly people?: People;
  readonly at?: Span;
}

const ADMINISTERING = { channel: "can_administer_channel_group", group: "can_manage_group" } as const;

/**
 * New readers of private channels, channels that become more open, and new administrators, from the current organization and the organization after
 * the plan. New objects do not count: nobody could read them before, and their creator chooses their readers.
 */
export function gainsOf(plan: Plan, { before, after }: States): readonly Gain[] {
  if (plan.changes.length === 0) return [];
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const isSameGround = haveSamePeople(before, after);
  const joining = new Joining({ before, after });
  const channels = [...before.channels()].flatMap((channel) => {
    const then = after.channel(channel.name);
    if (isSameGround && then === channel) return [];
    // A channel that stays archived gains no readers. One that is reactivated and opens at the same time does.
    const isAway = channel.archived && then?.archived !== false;
    return isAway || then === undefined ? [] : ofChannel(channel, then, { before, after }, changes);
  });
  const groups = [...before.groups()].flatMap((group): readonly Gain[] => {
    const then = after.group(group.name);
    // Nobody manages a deactivated group. People who managed it before its deactivation manage it again after its reactivation.
    if (then === undefined || then.deactivated || isOfRole(group)) return [];
    const was = groupHolders(before, group, ADMINISTERING.group)?.people;
    const people = gained(was, groupHolders(after, then, ADMINISTERING.group)?.people);
    const address = groupAddress(group.name);
    return counting("administrators", people, causeOf(address, group.name, changes, [ADMINISTERING.group]));
  });
  // The role comes first, because it causes the rest.
  return [
    ...ofRoles(plan.changes, before, after),
    ...channels,
    ...byJoining(joining, changes, { before, after }),
    ...groups,
    ...onTheWeb(plan.changes),
    ...byInvitation(plan.changes),
  ];
}

function ofChannel(
  channel: AccessChannel,
  then: AccessChannel,
  { before, after }: States,
  changes: ReadonlyMap<Address, Change>,
): readonly Gain[] {
  const address = channelAddress(channel.name);
  const cause = (fields: readonly string[]) => causeOf(address, channel.name, changes, fields);
  const reading = cause(READER_FIELDS);
  const was = readersOf(before, channel).people;
  const people = gained(was, readersOf(after, then).people).minus(after.accounts.bots);
  const guests = people.and(after.accounts.guests);
  const isOpened = RANK[then.privacy] > RANK[channel.privacy] && !isPrivate(then);
  const isForGuests = isPrivate(channel) && guests.size > 0 && was.and(before.accounts.guests).size === 0;
  const right = ADMINISTERING.channel;
  const administering = gained(
    // Its administrators are the same as before, once it is reactivated.
    channelHolders(before, { ...channel, archived: then.archived }, right)?.people,
    channelHolders(after, then, right)?.people,
  );
  return [
    ...(isPrivate(channel) ? counting("people_gaining_access", people, reading) : []),
    ...(isOpened || isForGuests ? [{ counted: "opened" as const, ...reading }] : []),
    ...counting("administrators", administering, cause([right])),
  ];
}

/** Everybody who can join a group that opens a private channel can read the channel at any time. */
function byJoining(
  joining: Joining,
  changes: ReadonlyMap<Address, Change>,
  { before, after }: States,
): readonly Gain[] {
  const managers = (state: AccessState) => state.organization.get("can_manage_all_groups");
  const isSameGround = haveSamePeople(before, after) && managers(before) === managers(after);
  return [...before.channels()].flatMap((channel): readonly Gain[] => {
    const { name } = channel;
    if (!isPrivate(channel) || (isSameGround && after.channel(name) === channel)) return [];
    const people = joining.gained(name);
    if (people.size === 0) return [];
    const address = channelAddress(name);
    const own = causeOf(address, name, changes, OPENING_SETTINGS);
    // If the channel itself does not change, the place is that of the group that opens it.
    const opened = own.at === undefined ? joining.groupsOf(name, people) : [];
    const at = opened
      .map((group) => causeOf(groupAddress(group), group, changes, ENTRY_FIELDS).at)
      .find((place) => place !== undefined);
    return counting("people_gaining_access", people, { ...own, ...defined({ at: own.at ?? at }) });
  });
}

/** Nobody manages role groups: no server allows changes to them, whatever their settings name. */
const isOfRole = ({ name }: AccessGroup): boolean => name.startsWith("role:");

/** How open a channel is. */
const RANK: { readonly [privacy in Privacy]: number } = {
  private_protected_history: 0,
  private_shared_history: 0,
  public: 1,
  web_public: 2,
};

/** Accounts that become administrators of the organization. */
function ofRoles(changes: readonly Change[], before: AccessState, after: AccessState): readonly Gain[] {
  const people = gained(before.accounts.administrators, after.accounts.administrators);
  const causes = changes.filter(({ risks }) =>
    risks.some(
      ({ fact }) =>
        (fact.kind === "role" && isAdministrator(fact.to) && !isAdministrator(fact.from)) ||
        ((fact.kind === "account-reactivated" || fact.kind === "bot-made") && isAdministrator(fact.role)),
    ),
  );
  const [first] = causes;
  const known =
    first === undefined ? [] : counting("administrators", people, { change: first, ...placeOf(first, ["role"]) });
  // A new bot has no id yet.
  const made = causes.filter(({ action }) => action === "create");
  return [
    ...known,
    ...made.map((change) => ({ counted: "administrators" as const, change, ...placeOf(change, ["role"]) })),
  ];
}

const isAdministrator = (role: string): boolean => role === "owner" || role === "administrator";

/** Somebody who accepts an invitation has no account yet: the invitation counts as one person. */
function byInvitation(changes: readonly Change[]): readonly Gain[] {
  return changes.flatMap((change) =>
    change.risks.flatMap(({ fact, at }): readonly Gain[] => {
      const gain = (counted: Counted): Gain => ({ counted, change, ...defined({ at }) });
      if (fact.kind === "invited-into") return [gain("people_gaining_access")];
      const isGiven = fact.kind === "invited-as" || fact.kind === "link-made";
      return isGiven && isAdministrator(fact.role) ? [gain("administrators")] : [];
    }),
  );
}

/** Channels that are on the web, and whether the organization becomes open to the web. */
function onTheWeb(changes: readonly Change[]): readonly Gain[] {
  return changes.flatMap((change) =>
    change.risks.flatMap(({ fact, at }): readonly Gain[] =>
      (fact.kind === "open-to-web" && fact.is_new) || (fact.kind === "opened" && fact.what === "web")
        ? [{ counted: "opened", change, ...defined({ at }) }]
        : [],
    ),
  );
}

/** The people who gain a right; undefined if the server has no such right. */
function gained(was: People, is: People): People;
function gained(was: People | undefined, is: People | undefined): People | undefined;
function gained(was: People | undefined, is: People | undefined): People | undefined {
  return was === undefined ? is : is?.minus(was);
}

function counting(
  counted: Counted,
  people: People | undefined,
  cause: Omit<Gain, "counted" | "people">,
): readonly Gain[] {
  return people === undefined || people.size === 0 ? [] : [{ counted, people, ...cause }];
}

/** The change of an object in the plan, or the object alone if a change of a group is the cause. */
function causeOf(
  address: Address,
  name: string,
  changes: ReadonlyMap<Address, Change>,
  fields: readonly string[],
): Pick<Gain, "change" | "at"> {
  const change = changes.get(address);
  return { change: change ?? { address, name }, ...placeOf(change, fields) };
}
