import { accessIn, namesAccount, organizationNamesAccount } from "../access/of-plan.ts";
import { isBotAddress, isGroupAddress, ORGANIZATION } from "../access/scope.ts";
import { defined } from "../model/defined.ts";
import { type Dependency, exists, membersWritten, rightUsed, settingWritten } from "../model/dependency.ts";
import type { DraftCall } from "../model/draft-call.ts";
import { isList } from "../model/json.ts";
import type { PlanContext } from "../model/plan-context.ts";
import { isArrival } from "./exposure-steps.ts";
import { splitsOf } from "./splits.ts";

/*
 * Rights of the organization in time: the server checks each when it receives the request that needs it (docs/decisions/0105-rights-in-time.md).
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
 * What it does not do. Rights on single channels and groups are held together by own-right-loss.ts.
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
  if (lost.size + gained.size === 0) return drafts;
  const settings = (accessIn(context).changes.get(ORGANIZATION)?.fields ?? []).map(({ field }) => field);
  const sent = new Set(
    drafts.flatMap(({ provides = [] }) => provides.flatMap((each) => ("setting" in each ? each.setting : []))),
  );
  const others = settings.filter((field) => !lost.has(field) && sent.has(field)).map(settingWritten);
  const me = context.snapshot.account.user_id;
  return drafts.map((draft) => inTime(draft, { me, lost, gained, others }));
}

/** What the plan gives to and takes from the account, of the rights that its requests use. */
interface Rights {
  readonly me: number;
  readonly lost: ReadonlySet<string>;
  readonly gained: ReadonlyMap<string, readonly Dependency[]>;
  /** The other settings of the organization. */
  readonly others: readonly Dependency[];
}

function inTime(draft: DraftCall, rights: Rights): DraftCall {
  const { alternatives, parts, uses = [], needs = [], softNeeds = [], provides = [] } = draft;
  const { lost, gained, others, me } = rights;
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
      ...(last.length > 0 && addsAccounts(draft) ? others : []),
      ...taken.map(rightUsed),
    ],
    provides: [...provides, ...last.map(rightUsed)],
    ...defined({
      softNeeds: takesOut(draft, me) ? [...softNeeds, ...[...lost].map(rightUsed)] : draft.softNeeds,
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
  const { before, after } = accessIn(context);
  const isChanged =
    accessIn(context)
      .changes.get(ORGANIZATION)
      ?.fields.some(({ field }) => field === setting) === true;
  const value = after.organization.get(setting);
  const joins = namesAccount(value, before, context)
    ? new Set<string>()
    : new Set(typeof value === "string" ? [value] : value?.groups);
  for (const name of joins) for (const inner of after.group(name)?.subgroups ?? []) joins.add(inner);
  const groups = context.changes.filter(({ address, name }) => isGroupAddress(address) && joins.has(name));
  return [
    ...(isChanged ? [settingWritten(setting)] : []),
    ...groups.map(({ action, address }) => (action === "create" ? exists(address) : membersWritten(address))),
  ];
}

/** The account may also leave a group with one of its subgroups. */
function takesOut({ operation, params }: DraftCall, me: number): boolean {
  if (operation !== "update-user-group-members") return false;
  const { delete: people, delete_subgroups: subgroups } = params;
  return (isList(people) && people.includes(me)) || subgroups !== undefined;
}
