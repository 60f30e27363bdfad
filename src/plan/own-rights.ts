import { insidersOf } from "../access/grants.ts";
import { accessIn, namesAccount, organizationNamesAccount } from "../access/of-plan.ts";
import { MANAGE_ALL, OPENING_SETTINGS } from "../access/rules.ts";
import { isBotAddress, isChannel, isGroupAddress, ORGANIZATION } from "../access/scope.ts";
import { objectAt, partAt } from "../access/state.ts";
import { defined } from "../model/defined.ts";
import {
  type Dependency,
  type DraftCall,
  exists,
  membersWritten,
  rightUsed,
  settingWritten,
  type UseOfRight,
} from "../model/draft-call.ts";
import { isList } from "../model/json.ts";
import type { Address } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";
import type { GroupValue } from "../model/realm.ts";
import { isArrival } from "./exposure-steps.ts";
import { splitsOf } from "./splits.ts";

/*
 * Rights of the organization in time: the server checks each when it receives the request that needs it
 * (docs/internals/decisions/0015-requests-wait-for-states-and-rights.md).
 *
 * Terms. A request *uses* a right if only accounts in a setting of the organization may send it ({@link DraftCall.uses}). The plan *gives* the account
 * a right that it has only after the plan, and *takes* one that it has only before. A setting and a membership can both give and take.
 *
 * The idea.
 *     a right that the plan gives:   the request that uses it needs the setting, and the memberships that the setting needs
 *     a right that the plan takes:   the setting needs all requests that use the right, and the account leaves its groups after these, if that is possible
 *     it adds an account:            the other settings come before it, so that the new account never has what they take away
 *
 * Where the settings are needed both before and after another request, they say in which stages they can be sent, and the search for cycles splits
 * them. Kinds refuse what the account may do at no time (`maySometime`); a cycle that no split breaks is refused by the planner.
 *
 * A right on one group or channel (`usesOn`) is given and taken by memberships in the same way. The setting that gives it up is sent last by the kinds.
 *
 * What it does not do. It does not look at each state between two requests: own-right-loss.ts does, when the order is chosen.
 */
export function withRightsInTime(drafts: readonly DraftCall[], context: PlanContext): readonly DraftCall[] {
  const used = [...new Set(drafts.flatMap(({ uses = [] }) => uses))];
  const { before, after } = accessIn(context);
  const lost = new Set<string>();
  const gained = new Map<string, readonly Dependency[]>();
  for (const setting of used) {
    const [was, is] = [before, after].map((state) => organizationNamesAccount(setting, state, context));
    if (was === true && is === false) lost.add(setting);
    if (was === false && is === true) gained.set(setting, givenBy(setting, context));
  }
  const single = rightsOnObjects(drafts, context);
  if (lost.size + gained.size + single.gained.size + single.left.size === 0) return drafts;
  const settings = (accessIn(context).changes.get(ORGANIZATION)?.fields ?? []).map(({ field }) => field);
  const sent = new Set(
    drafts.flatMap(({ provides = [] }) => provides.flatMap((each) => ("setting" in each ? each.setting : []))),
  );
  const others = settings.filter((field) => !lost.has(field) && sent.has(field)).map(settingWritten);
  const me = context.snapshot.account.user_id;
  return drafts.map((draft) => inTime(draft, { me, lost, gained, others, single }));
}

/** What the plan gives to and takes from the account, of the rights that its requests use. */
interface Rights {
  readonly me: number;
  readonly lost: ReadonlySet<string>;
  readonly gained: ReadonlyMap<string, readonly Dependency[]>;
  /** The other settings of the organization. */
  readonly others: readonly Dependency[];
  readonly single: RightsOnObjects;
}

/** Rights on single groups and channels, by {@link keyOf}. */
interface RightsOnObjects {
  /** The account gets it with a membership, which is written first. */
  readonly gained: ReadonlyMap<string, readonly Dependency[]>;
  /** The account loses it with a membership, which ends last. */
  readonly left: ReadonlySet<string>;
}

const keyOf = ({ address, settings }: UseOfRight): string => `${address} ${settings.join()}`;

/** Who manages all groups needs no right on one; administrators need none on a channel. */
function rightsOnObjects(drafts: readonly DraftCall[], context: PlanContext): RightsOnObjects {
  const { before, after } = accessIn(context);
  const gained = new Map<string, readonly Dependency[]>();
  const left = new Set<string>();
  const known = new Set<string>();
  const managesAll = [before, after].map((state) => organizationNamesAccount(MANAGE_ALL, state, context));
  for (const use of drafts.flatMap(usedOn)) {
    const key = keyOf(use);
    if (known.has(key)) continue;
    known.add(key);
    const isGroup = isGroupAddress(use.address);
    if (!isGroup && context.realm.isAdmin && use.settings !== OPENING_SETTINGS) continue;
    if (use.settings === OPENING_SETTINGS && readsNow(use.address, context)) continue;
    // The values from before: only who has the right may change them.
    const values = use.settings.map((setting) => partAt(before, use.address)?.settings.get(setting));
    const [had, has] = [before, after].map(
      (state, index) =>
        (isGroup && managesAll[index] === true) || values.some((value) => namesAccount(value, state, context)),
    );
    if (had === true && has === false) left.add(key);
    if (had === true || has === false) continue;
    const byAll = isGroup && managesAll[1] === true ? givenBy(MANAGE_ALL, context) : [];
    const needs = values
      .filter((value) => namesAccount(value, after, context))
      .flatMap((value) => joined(value, context));
    gained.set(key, [...byAll, ...needs]);
  }
  return { gained, left };
}

/** Whoever may subscribe to a channel, or add others, reads it; no role does (zulip-api.md §3.6). */
const usedOn = ({ usesOn = [], reads = [] }: DraftCall): readonly UseOfRight[] => [
  ...usesOn,
  ...reads.map((address) => ({ address, settings: OPENING_SETTINGS })),
];

/** What the account reads already, it loses only by steps that own-right-loss.ts knows. */
function readsNow(address: Address, context: PlanContext): boolean {
  const { before } = accessIn(context);
  const channel = objectAt(before, address);
  if (channel === undefined || !isChannel(channel)) return true;
  const { people, bound } = insidersOf(before, channel);
  return bound !== undefined || people.has(context.snapshot.account.user_id);
}

function inTime(draft: DraftCall, rights: Rights): DraftCall {
  const { alternatives, parts, uses = [], needs = [], softNeeds = [], provides = [] } = draft;
  const { lost, gained, others, me, single } = rights;
  const own = usedOn(draft).map(keyOf);
  const used = own.filter((key) => single.left.has(key));
  const last = uses.filter((setting) => lost.has(setting));
  const taken = draft.for
    .filter(({ address }) => address === ORGANIZATION)
    .flatMap(({ fields }) => fields)
    .filter((field) => lost.has(field));
  const timed: DraftCall = {
    ...draft,
    needs: [
      ...needs,
      ...uses.flatMap((setting) => gained.get(setting) ?? []),
      ...own.flatMap((key) => single.gained.get(key) ?? []),
      ...(last.length > 0 && addsAccounts(draft) ? others : []),
      ...taken.map(rightUsed),
    ],
    provides: [...provides, ...last.map(rightUsed), ...used.map(rightUsed)],
    ...defined({
      softNeeds: takesOut(draft, me)
        ? [...softNeeds, ...[...lost, ...single.left].filter((key) => !used.includes(key)).map(rightUsed)]
        : draft.softNeeds,
      alternatives: alternatives?.map((requests) => requests.map((request) => inTime(request, rights))),
      parts: parts?.map((part) => inTime(part, rights)),
    }),
  };
  return taken.length === 0 ? timed : takenLast(timed, lost);
}

/** Also as two requests: all other settings, and those that take a right away. */
function takenLast(draft: DraftCall, lost: ReadonlySet<string>): DraftCall {
  const { alternatives = [], parts = [] } = draft;
  const takes = (part: DraftCall): boolean => part.for.some(({ fields }) => fields.some((field) => lost.has(field)));
  const splits = splitsOf(
    draft,
    parts.filter((part) => !takes(part)),
  );
  return { ...draft, alternatives: [...alternatives, ...splits.map(({ first, rest }) => [first, rest])] };
}

/** People join by it, or it is about a bot: the rights of a new account are those that the settings give at that time. */
const addsAccounts = (draft: DraftCall): boolean =>
  isArrival(draft) || draft.for.some(({ address }) => isBotAddress(address));

/** The setting, if the plan changes it, and the groups that the account joins by it. */
function givenBy(setting: string, context: PlanContext): readonly Dependency[] {
  const { after, changes } = accessIn(context);
  const isChanged = changes.get(ORGANIZATION)?.fields.some(({ field }) => field === setting) === true;
  return [...(isChanged ? [settingWritten(setting)] : []), ...joined(after.organization.get(setting), context)];
}

/** The groups that the account joins, and without which the value does not name it. */
function joined(value: GroupValue | undefined, context: PlanContext): readonly Dependency[] {
  const { before, after } = accessIn(context);
  if (namesAccount(value, before, context)) return [];
  const joins = new Set<string>(typeof value === "string" ? [value] : value?.groups);
  for (const name of joins) for (const inner of after.group(name)?.subgroups ?? []) joins.add(inner);
  const groups = context.changes.filter(({ address, name }) => isGroupAddress(address) && joins.has(name));
  return groups.map(({ action, address }) => (action === "create" ? exists(address) : membersWritten(address)));
}

/** The account may also leave a group with one of its subgroups. */
function takesOut({ operation, params }: DraftCall, me: number): boolean {
  if (operation !== "update-user-group-members") return false;
  const { delete: people, delete_subgroups: subgroups } = params;
  return (isList(people) && people.includes(me)) || subgroups !== undefined;
}
