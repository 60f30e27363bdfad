import type { DecodeContext, Decoded } from "../../model/decoding.ts";
import { defined } from "../../model/defined.ts";
import { allAdded, removed, written } from "../../model/dependency.ts";
import { finding } from "../../model/diagnostic.ts";
import type { DocsFacet } from "../../model/facets.ts";
import type { Json } from "../../model/json.ts";
import type { MapKind } from "../../model/kind.ts";
import type { LiveObject } from "../../model/objects.ts";
import { type Change, fieldIn } from "../../model/plan.ts";
import type { Realm } from "../../model/realm.ts";
import { oneForEach } from "../requests.ts";
import { checkDomains, domainRisks } from "./check.ts";
import { canonicalDomain, type Domain, domainCause, domainForm } from "./schema.ts";
import { domainWords } from "./synonyms.ts";

const docs: DocsFacet = {
  about: "They decide who may join only if the organization is restricted to them. Only owners may change them.",
  who: "Owners; administrators may not.",
  defaults: { allow_subdomains: "`false`" },
  example: `domains:
  example.org: {allow_subdomains: true}`,
};

const ADDED = allAdded("domain");

const subdomains = ({ fields }: Change) => ({
  allow_subdomains: fieldIn(fields, "allow_subdomains")?.after === true,
});

/**
 * Domains are added before any is removed: the server lifts the restriction to domains with the last one, and a domain that is added afterwards does
 * not restore it (zulip-api.md §7.3). If one cannot be added, none is removed. They are sent nearly last, so that everything that must be closed is
 * closed before more people can join; before invitations, which may need a domain.
 */
const domainCalls = oneForEach({
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

/**
 * A domain whose addresses may join, if the organization is restricted to domains. Lower-case; its text is its identity and cannot be changed
 * (docs/internals/decisions/0028-patterns-and-texts-identify-objects.md).
 * @see zulip-api.md §7 https://zulip.com/api/add-realm-domain
 */
export const domain: MapKind<Domain> = {
  name: "domain",
  section: "domains",
  shape: "map",
  noun: ["domain", "domains"],
  identity: { keyOf: canonicalDomain, canonicalName: canonicalDomain },
  file: {
    schema: domainForm,
    synonyms: domainWords,
    fields: { allow_subdomains: { about: "Whether addresses of subdomains count too." } },
    decode: decodeDomain,
  },
  live: { read: liveDomains },
  diff: { defaults: () => ({ allow_subdomains: false }) },
  review: { check: checkDomains, risks: domainRisks },
  calls: { draft: domainCalls },
  undo: {
    stays: ({ risks }) =>
      risks.some(({ fact }) => fact?.kind === "restriction-stays-lifted")
        ? { effect: "restriction-lifted" }
        : undefined,
  },
  yaml: { item: domainToYaml },
  secrecy: { name: "public", snapshot: ({ domains }) => ({ domains }) },
  reach: { role: "owner" },
  docs,
};

function liveDomains({ snapshot }: Realm): readonly LiveObject[] | undefined {
  return snapshot.domains?.map(({ domain, allow_subdomains }) => ({
    key: domain,
    name: domain,
    id: null,
    fields: { allow_subdomains },
    inactive: false,
  }));
}

function decodeDomain(item: Domain, name: string, context: DecodeContext): Decoded {
  const absent = item.absent === true;
  const cause = domainCause(name);
  if (cause !== undefined) context.report([], finding("domains/name", cause));
  if (item.lift_restriction === true && !absent)
    context.report(["lift_restriction"], finding("domains/lift-restriction", {}));
  return {
    absent,
    fields: defined({ allow_subdomains: item.allow_subdomains }),
    ...defined({ creation: item.lift_restriction === true ? { lift_restriction: true } : undefined }),
  };
}

function domainToYaml({ fields }: LiveObject): Json {
  return defined({ allow_subdomains: fields.allow_subdomains === true || undefined });
}
