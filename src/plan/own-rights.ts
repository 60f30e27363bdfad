import { defined } from "../model/defined.ts";
import { type Dependency, exists, written } from "../model/dependency.ts";
import type { DraftCall } from "../model/draft-call.ts";
import { isList } from "../model/json.ts";
import type { PlanContext } from "../model/plan-context.ts";

/**
 * Requests for which the server asks the account for a right go out before those that take it out of the groups that have the right, as far
 * as nothing else orders them: the account has the right before the plan and not after it.
 */
export function beforeRightsGo(drafts: readonly DraftCall[], context: PlanContext): readonly DraftCall[] {
  const using = drafts.filter(({ uses = [] }) => uses.some((setting) => isLost(setting, context)));
  if (using.length === 0) return drafts;
  const waitsFor = using.flatMap(stateOf);
  const me = context.snapshot.account.user_id;
  return drafts.map((draft) => waiting(draft, me, waitsFor));
}

function isLost(setting: string, { realm, after }: PlanContext): boolean {
  return realm.accountIn(setting) && !after.accountIn(setting);
}

function stateOf({ creates = [], for: purposes }: DraftCall): readonly Dependency[] {
  return creates.length > 0 ? creates.map(exists) : purposes.map(({ address }) => written(address));
}

function waiting(draft: DraftCall, me: number, waitsFor: readonly Dependency[]): DraftCall {
  const { alternatives, softNeeds = [] } = draft;
  return {
    ...draft,
    ...defined({
      softNeeds: takesOut(draft, me) ? [...softNeeds, ...waitsFor] : undefined,
      alternatives: alternatives?.map((parts) => parts.map((part) => waiting(part, me, waitsFor))),
    }),
  };
}

/** A group may lose the account with one of its subgroups, too. */
function takesOut({ operation, params }: DraftCall, me: number): boolean {
  if (operation !== "update-user-group-members") return false;
  const { delete: people, delete_subgroups: subgroups } = params;
  return (isList(people) && people.includes(me)) || subgroups !== undefined;
}
