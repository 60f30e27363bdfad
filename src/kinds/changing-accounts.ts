import { isAccountKind } from "../access/scope.ts";
import { oncePer } from "../model/lazy.ts";
import type { Change } from "../model/plan.ts";
import type { PlanContext } from "../model/plan-context.ts";

/**
 * Whether the plan changes accounts. Everybody's memberships can be taken away before a setting changes and given after it, but an account changes its
 * role, or is deactivated, in one request: only then can settings of one object have to change at different times
 * (docs/internals/decisions/0014-nothing-is-open-in-between.md).
 */
export const changesAccounts = ({ changes }: Pick<PlanContext, "changes">): boolean => hasAccounts(changes);

const hasAccounts = oncePer((changes: readonly Change[]) => changes.some(({ kind }) => isAccountKind(kind)));
