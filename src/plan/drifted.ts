import { AccessDifference, type Pair } from "../access/difference.ts";
import { statesWithBots } from "../access/of-plan.ts";
import type { People } from "../access/people.ts";
import { OPENING_SETTINGS, READ, READ_PAST } from "../access/rules.ts";
import {
  CHANNEL,
  isAccountKind,
  isChannel,
  isGroup,
  isInvitation,
  isInvitationLink,
  ORGANIZATION,
  SCOPES,
  type Scope,
} from "../access/scope.ts";
import { isPrivate } from "../access/state.ts";
import { RIGHTS } from "../access/words.ts";
import type { Address, Change, Drifted, Plan } from "../model/plan.ts";
import type { Realm } from "../model/realm.ts";

/*
 * What a drift did to access: who can do what now, against who could if the organization matched the file. It is the difference of access with its sides
 * exchanged, not the risks of the plan that would correct it: to give a bot back lets its owner in, although what the drift did is that somebody else came in.
 */

interface Shift {
  readonly gained: People;
  readonly lost: People;
  readonly isOpened: boolean;
  readonly isClosed: boolean;
}

/** The plan of a drift, in which each change says what was done to access. */
export function withDrifted(plan: Plan, realm: Realm): Plan {
  if (plan.changes.length === 0) return plan;
  const { before: live, after: file, difference: back } = statesWithBots(plan.changes, realm);
  const since = new AccessDifference(file, live);
  const own = new Map<Address, Shift>();
  const { nobody } = live.population;
  let [gained, lost] = [nobody, nobody];
  const named = new Set(plan.changes.map(({ address }) => address));
  for (const pair of since.pairs(SCOPES)) {
    const { is } = pair;
    const address: Address = is === "organization" ? ORGANIZATION : `${is.kind}:${is.name}`;
    const shift = shiftOf(pair, { since, back }, nobody, named.has(address));
    gained = gained.or(shift.gained);
    lost = lost.or(shift.lost);
    own.set(address, shift);
  }
  const all: Pick<Shift, "gained" | "lost"> = {
    gained: gained.or(since.administrators().gained),
    lost: lost.or(since.administrators().lost),
  };
  const changes = plan.changes.map((change): Change => {
    const drifted = isAccountKind(change.kind)
      ? ofAccount(change, all, since)
      : isInvitation(change.address) || isInvitationLink(change.address)
        ? ofInvitation(change)
        : isChannel(change)
          ? ofChannel(change, own.get(change.address))
          : undefined;
    return drifted === undefined ? change : { ...change, drifted };
  });
  return { ...plan, changes };
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
    if (!isNamed || is === "organization" || isGroup(is)) continue;
    isOpened ||= since.newcomers(pair, right).length > 0;
    if (was !== undefined) isClosed ||= back.newcomers({ was: is, is: was }, right).length > 0;
  }
  return { gained, lost, isOpened: isOpened || gained.size > 0, isClosed: isClosed || lost.size > 0 };
}

const driftedBy = (widens: boolean, narrows: boolean): Drifted =>
  widens ? (narrows ? "both" : "widens") : narrows ? "narrows" : "same";

/** Undefined if the channel is not on both sides. Everybody who may join a channel that came back can read it again. */
function ofChannel(change: Change, shift: Shift | undefined): Drifted | undefined {
  if (change.action !== "update" && change.action !== "remove") return undefined;
  const archived = change.fields.find(({ field }) => field === "archived");
  const isBack = archived?.before === false || (change.action === "remove" && archived === undefined);
  const isGone = archived?.before === true;
  if (shift === undefined && archived === undefined) return undefined;
  return driftedBy(isBack || shift?.isOpened === true, isGone || shift?.isClosed === true);
}

/** An account gains something itself, or its owner does, the former one or the present one. */
function ofAccount(
  change: Change,
  { gained, lost }: Pick<Shift, "gained" | "lost">,
  { before: file, after: live }: AccessDifference,
): Drifted | undefined {
  const { id } = change;
  if (id === undefined) return undefined;
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
const ofInvitation = ({ action }: Change): Drifted | undefined => (action === "remove" ? "widens" : undefined);
