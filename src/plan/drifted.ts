import { FULL_MEMBERS, WAITING_PERIOD } from "../access/account.ts";
import { AccessDifference, type Pair } from "../access/difference.ts";
import { statesWithBots } from "../access/of-plan.ts";
import { opening } from "../access/opened-channels.ts";
import type { People } from "../access/people.ts";
import { isOfAccess, OPENING_SETTINGS, READ, READ_PAST } from "../access/rules.ts";
import {
  CHANNEL,
  isAccountKind,
  isChannel,
  isDomain,
  isGroup,
  isInvitation,
  isInvitationLink,
  ORGANIZATION,
  SCOPES,
  type Scope,
} from "../access/scope.ts";
import { isPrivate } from "../access/state.ts";
import { RIGHTS } from "../access/words.ts";
import { isRightName } from "../model/permission-settings.ts";
import type { Address, Change, Drifted, Plan } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";

/*
 * What a drift did to access: who can do what now, against who could if the organization matched the file. It is the difference of access with its sides
 * exchanged, and for settings that give nobody a right, which of two values is more open. It is not the risks of the plan that would correct it: to give a
 * bot back lets its owner in, although what the drift did is that somebody else came in; and to take back what opens is no risk.
 */

interface Shift {
  readonly gained: People;
  readonly lost: People;
  readonly isOpened: boolean;
  readonly isClosed: boolean;
}

/**
 * The plan of a drift, in which each change says what was done to access. Accounts are judged as if only accounts had changed, and all else as if no account
 * had: that somebody became a guest is no deed of the channels that they no longer read.
 */
export function withDrifted(plan: Plan, realm: Realm): Plan {
  const isOfAccount = ({ kind }: Change): boolean => isAccountKind(kind);
  const accounts = judged(plan.changes.filter(isOfAccount), realm);
  // Objects may name a bot that is missing.
  const objects = judged(
    plan.changes.filter((change) => !isOfAccount(change) || change.action === "create"),
    realm,
  );
  const changes = plan.changes.map((change): Change => {
    return { ...change, drifted: (isOfAccount(change) ? accounts : objects)(change) };
  });
  return { ...plan, changes };
}

/** Judges each of these changes by what they did together. */
function judged(changes: readonly Change[], realm: Realm): (change: Change) => Drifted {
  if (changes.length === 0) return () => "same";
  const { before: live, after: file, difference: back } = statesWithBots(changes, realm);
  const since = new AccessDifference(file, live);
  const own = new Map<Address, Shift>();
  const { nobody } = live.population;
  let [gained, lost] = [nobody, nobody];
  const named = new Set(changes.map(({ address }) => address));
  const removed = new Set(changes.flatMap(({ action, address }) => (action === "remove" ? [address] : [])));
  for (const found of since.pairs(SCOPES)) {
    const { is } = found;
    const address: Address = is === "organization" ? ORGANIZATION : `${is.kind}:${is.name}`;
    // Somebody made the group: nobody could manage it, and nothing was theirs in it.
    const pair = removed.has(address) ? since.again(found) : found;
    const shift = shiftOf(pair, { since, back }, nobody, named.has(address));
    gained = gained.or(shift.gained);
    lost = lost.or(shift.lost);
    own.set(address, shift);
  }
  const all: Pick<Shift, "gained" | "lost"> = {
    gained: gained.or(since.administrators().gained),
    lost: lost.or(since.administrators().lost),
  };
  return (change) => ofChange(change, own.get(change.address), { all, since, back, realm });
}

interface Sides {
  readonly all: Pick<Shift, "gained" | "lost">;
  /** What the drift did. */
  readonly since: AccessDifference;
  /** What putting it back would do. */
  readonly back: AccessDifference;
  readonly realm: Realm;
}

function ofChange(change: Change, own: Shift | undefined, sides: Sides): Drifted {
  const { kind, address, action, fields } = change;
  // What somebody else's account lost or gained at the same time is no deed of this object: only its description may differ.
  const mayMatter = action !== "update" || fields.some(({ field }) => isOfAccess(field));
  if ((isChannel(change) || isGroup(change)) && !mayMatter) return "same";
  if (isAccountKind(kind)) return ofAccount(change, sides.all, sides.since);
  if (isInvitation(address) || isInvitationLink(address)) return ofInvitation(change);
  if (isChannel(change)) return ofChannel(change, own);
  if (isGroup(change)) return ofGroup(change, own, sides);
  return isDomain(address) ? ofDomain(change, sides.realm) : ofFields(change, sides);
}

/** Of a channel that did not change itself, only the rights that let people into it. */
const READING: readonly string[] = [READ, READ_PAST, ...OPENING_SETTINGS];

function rightsOn(scope: Scope, isNamed: boolean): readonly string[] {
  if (scope === CHANNEL && !isNamed) return READING;
  const known = RIGHTS.filter((right) => right.scope === scope).map(({ right }) => right);
  return scope === CHANNEL ? [...known, READ_PAST] : known;
}

function shiftOf(
  pair: Pair,
  { since, back }: { readonly since: AccessDifference; readonly back: AccessDifference },
  nobody: People,
  isNamed: boolean,
): Shift {
  const { was, is } = pair;
  const scope = is === "organization" ? is : is.kind;
  let [gained, lost] = [nobody, nobody];
  let [isOpened, isClosed] = [false, false];
  for (const right of rightsOn(scope, isNamed)) {
    const shift = since.of(pair, right);
    gained = gained.or(shift.gained);
    lost = lost.or(shift.lost);
    if (!isNamed || is === "organization") continue;
    isOpened ||= since.newcomers(pair, right).length > 0;
    if (was !== undefined) isClosed ||= back.newcomers({ was: is, is: was }, right).length > 0;
  }
  return { gained, lost, isOpened: isOpened || gained.size > 0, isClosed: isClosed || lost.size > 0 };
}

const driftedBy = (widens: boolean, narrows: boolean): Drifted =>
  widens ? (narrows ? "both" : "widens") : narrows ? "narrows" : "same";

/** A channel that is missing let in nobody. Everybody who may join a channel that came back can read it again. */
function ofChannel(change: Change, shift: Shift | undefined): Drifted {
  if (change.action !== "update" && change.action !== "remove") return "same";
  const archived = change.fields.find(({ field }) => field === "archived");
  const isBack = archived?.before === false || (change.action === "remove" && archived === undefined);
  const isGone = archived?.before === true;
  return driftedBy(isBack || shift?.isOpened === true, isGone || shift?.isClosed === true);
}

/** An account gains something itself, or its owner does, the former one or the present one. */
function ofAccount(
  change: Change,
  { gained, lost }: Pick<Shift, "gained" | "lost">,
  { before: file, after: live }: AccessDifference,
): Drifted {
  const { id } = change;
  if (id === undefined) return "same";
  const [former, present] = [file, live].map((state) => state.account(id)?.owner);
  const owners = [former ?? [], present ?? []].flat();
  // Nobody knows what a bot reads if the subscribers of private channels were not read.
  const isGiven = former !== present && [...live.channels()].some((each) => isPrivate(each) && !each.subscribers);
  const involved = live.population.of([id, ...owners]);
  const was = file.accounts.everybody.has(id);
  const is = live.accounts.everybody.has(id);
  return driftedBy(
    isGiven || (is && !was) || gained.and(involved).size > 0,
    (was && !is) || lost.and(involved).size > 0,
  );
}

/** Whoever has an invitation that the file does not have comes in. */
const ofInvitation = ({ action }: Change): Drifted => (action === "remove" ? "widens" : "same");

/** Its members, who may do what with it, and what is open to those who can put themselves into it. */
function ofGroup({ action, name }: Change, shift: Shift | undefined, { since, back }: Sides): Drifted {
  if (action !== "update" && action !== "remove") return "same";
  const { gained, lost } = since.members(name);
  return driftedBy(
    shift?.isOpened === true || gained.or(since.ways.entering(name)).size > 0,
    shift?.isClosed === true || lost.or(back.ways.entering(name)).size > 0,
  );
}

/** Domains decide who may join if addresses are restricted to them. */
function ofDomain({ action, fields }: Change, realm: Realm): Drifted {
  if (realm.setting("emails_restricted_to_domains") !== true) return "same";
  const isWider = fields.some(({ field, before }) => field === "allow_subdomains" && before === true);
  return action === "remove" || (action === "update" && isWider) ? "widens" : "narrows";
}

/** Of settings of the organization, and of others that give nobody a right: field by field, each as what it is about. */
function ofFields({ address, fields }: Change, { since, back }: Sides): Drifted {
  const organization = { was: "organization", is: "organization" } as const;
  let [widens, narrows] = [false, false];
  for (const { field, before: live, after: file } of fields) {
    const { opens, closes } = opening(field, file, live);
    widens ||= opens;
    narrows ||= closes;
    if (address !== ORGANIZATION || !(isRightName(field) || field === WAITING_PERIOD)) continue;
    const [gained, lost] = [since, back].map((side) =>
      field === WAITING_PERIOD
        ? side.members(FULL_MEMBERS).gained.size
        : side.of(organization, field).gained.size + side.newcomers(organization, field).length,
    );
    widens ||= gained !== undefined && gained > 0;
    narrows ||= lost !== undefined && lost > 0;
  }
  return driftedBy(widens, narrows);
}
