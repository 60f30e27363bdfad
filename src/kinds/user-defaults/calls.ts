import type { DraftCall } from "../../model/draft-call.ts";
import { type Change, objectChanges } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";
import { apiName, USER_DEFAULTS } from "./properties.ts";

/** Sent before anybody can join: people who join through a domain or an invitation of this plan get these values. */
const RANK = 50;

/** One request: the server writes all of them, or none (zulip-api.md §12.2). */
export function userDefaultCalls(changes: readonly Change[], { realm }: PlanContext): readonly DraftCall[] {
  return objectChanges(changes).map(({ address, fields }) => ({
    operation: "update-realm-user-settings-defaults",
    path: {},
    params: Object.fromEntries(
      fields.map(({ field, after }) => [apiName(field), USER_DEFAULTS[field]?.type.toApi(after, realm) ?? after]),
    ),
    for: [{ address, fields: fields.map(({ field }) => field) }],
    expects: fields.map(({ field, before }) => ({ address, field, value: before })),
    rank: RANK,
  }));
}
