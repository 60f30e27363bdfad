import { accessIn, organizationNamesAccount } from "../access/of-plan.ts";
import { ORGANIZATION } from "../access/scope.ts";
import type { AccessState } from "../access/state.ts";
import { defined } from "../model/defined.ts";
import { type Dependency, exists, written } from "../model/dependency.ts";
import type { DraftCall } from "../model/draft-call.ts";
import { isList } from "../model/json.ts";
import type { PlanContext } from "../model/plan-context.ts";

/**
 * Orders requests for which the account needs a right before the requests that remove the account from the groups with that right, unless something
 * else orders them. This concerns rights that the account has before the plan and not after it.
 */
export function beforeRightsGo(drafts: readonly DraftCall[], context: PlanContext): readonly DraftCall[] {
  const lost = new Set(drafts.flatMap(({ uses = [] }) => uses).filter((setting) => isLost(setting, context)));
  if (lost.size === 0) return drafts;
  const me = context.snapshot.account.user_id;
  const using = (settings: ReadonlySet<string>): readonly Dependency[] =>
    drafts.filter(({ uses = [] }) => uses.some((setting) => settings.has(setting))).flatMap(stateOf);
  const all = using(lost);
  return drafts.map((draft) => waiting(draft, { me, lost, all, using }));
}

/** The dependencies of a request that takes rights away from the account. */
interface Losing {
  readonly me: number;
  readonly lost: ReadonlySet<string>;
  readonly all: readonly Dependency[];
  readonly using: (settings: ReadonlySet<string>) => readonly Dependency[];
}

function isLost(setting: string, context: PlanContext): boolean {
  const { before, after } = accessIn(context);
  const isHeldIn = (state: AccessState): boolean => organizationNamesAccount(setting, state, context);
  return isHeldIn(before) && !isHeldIn(after);
}

function stateOf({ creates = [], for: purposes }: DraftCall): readonly Dependency[] {
  return creates.length > 0 ? creates.map(exists) : purposes.map(({ address }) => written(address));
}

function waiting(draft: DraftCall, losing: Losing): DraftCall {
  const { alternatives, parts, softNeeds = [] } = draft;
  const own = new Set(
    draft.for
      .filter(({ address }) => address === ORGANIZATION)
      .flatMap(({ fields }) => fields)
      .filter((field) => losing.lost.has(field)),
  );
  const waitsFor = [...(takesOut(draft, losing.me) ? losing.all : []), ...(own.size === 0 ? [] : losing.using(own))];
  return {
    ...draft,
    ...defined({
      softNeeds: waitsFor.length === 0 ? undefined : [...softNeeds, ...waitsFor],
      alternatives: alternatives?.map((requests) => requests.map((request) => waiting(request, losing))),
      parts: parts?.map((part) => waiting(part, losing)),
    }),
  };
}

/** The account may also leave a group with one of its subgroups. */
function takesOut({ operation, params }: DraftCall, me: number): boolean {
  if (operation !== "update-user-group-members") return false;
  const { delete: people, delete_subgroups: subgroups } = params;
  return (isList(people) && people.includes(me)) || subgroups !== undefined;
}
