import { allAdded, removed, written } from "../../model/dependency.ts";
import type { DraftCall } from "../../model/draft-call.ts";
import { type Change, type Expectation, type ObjectChange, objectChanges } from "../../model/plan.ts";
import type { PlanContext } from "../../model/plan-context.ts";

/**
 * Domains are added before any is removed: the server lifts the restriction to domains with the last one, and a domain that is added afterwards does
 * not restore it (zulip-api.md §7.3). If one cannot be added, none is removed.
 */
export function domainCalls(changes: readonly Change[], _context: PlanContext): readonly DraftCall[] {
  return objectChanges(changes).map(callOf);
}

const ADDED = allAdded("domain");
/** Sent nearly last, so that everything that must be closed is closed before more people can join; before invitations, which may need a domain. */
const RANK = { add: 150, update: 151, remove: 152 } as const;

function callOf(change: ObjectChange): DraftCall {
  const { address, name } = change;
  const purpose = [{ address, fields: change.fields.map(({ field }) => field) }];
  const subdomains = change.fields.find(({ field }) => field === "allow_subdomains");
  switch (change.action) {
    case "create":
      return {
        operation: "add-realm-domain",
        path: {},
        params: { domain: name, allow_subdomains: subdomains?.after === true },
        for: purpose,
        expects: [{ address, field: "exists", value: false }],
        provides: [ADDED],
        creates: [address],
        rank: RANK.add,
      };
    case "update":
      return {
        operation: "update-realm-domain",
        path: { domain: name },
        params: { allow_subdomains: subdomains?.after === true },
        for: purpose,
        expects: expectations(change),
        provides: [written(address)],
        rank: RANK.update,
      };
    case "remove":
      return {
        operation: "remove-realm-domain",
        path: { domain: name },
        params: {},
        for: purpose,
        expects: expectations(change),
        needs: [ADDED],
        provides: [removed(address)],
        rank: RANK.remove,
      };
  }
}

function expectations({ address, fields }: Change): readonly Expectation[] {
  return fields.map(({ field, before }) => ({ address, field, value: before }));
}
