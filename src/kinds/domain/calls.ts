import { allAdded, removed, written } from "../../model/dependency.ts";
import type { Change } from "../../model/plan.ts";
import { oneForEach } from "../requests.ts";

const ADDED = allAdded("domain");

const subdomains = ({ fields }: Change) => ({
  allow_subdomains: fields.find(({ field }) => field === "allow_subdomains")?.after === true,
});

/**
 * Domains are added before any is removed: the server lifts the restriction to domains with the last one, and a domain that is added afterwards does
 * not restore it (zulip-api.md §7.3). If one cannot be added, none is removed. They are sent nearly last, so that everything that must be closed is
 * closed before more people can join; before invitations, which may need a domain.
 */
export const domainCalls = oneForEach({
  create: (change) => ({
    operation: "add-realm-domain",
    params: { domain: change.name, ...subdomains(change) },
    provides: [ADDED],
    rank: 150,
  }),
  update: (change) => ({
    operation: "update-realm-domain",
    path: { domain: change.name },
    params: subdomains(change),
    provides: [written(change.address)],
    rank: 151,
  }),
  remove: ({ address, name }) => ({
    operation: "remove-realm-domain",
    path: { domain: name },
    needs: [ADDED],
    provides: [removed(address)],
    rank: 152,
  }),
});
