import { finding } from "../../model/diagnostic.ts";
import type { Json } from "../../model/json.ts";
import type { DecodeContext, Decoded, LiveObject, ResourceKind } from "../../model/kind.ts";
import type { Realm } from "../../model/realm.ts";
import { domainCalls } from "./calls.ts";
import { checkDomains } from "./check.ts";
import { canonicalDomain, domainFlaw } from "./name.ts";
import { domainRisks } from "./risks.ts";
import { Domain } from "./schema.ts";

/**
 * A domain whose addresses may join, where the organization is restricted to some. Lower-cased; its text is its identity and
 * cannot be changed (docs/decisions/0015-domains.md).
 * @see zulip-api.md §7 https://zulip.com/api/add-realm-domain
 */
export const domain: ResourceKind<Domain> = {
  name: "domain",
  section: "domains",
  shape: "map",
  noun: ["domain", "domains"],
  about: "They decide who may join only where the organization is restricted to them. Only owners may change them.",
  schema: Domain,
  fields: { allow_subdomains: { about: "Whether addresses of subdomains count too." } },
  keyOf: canonicalDomain,
  canonicalName: canonicalDomain,
  live: liveDomains,
  decode: decodeDomain,
  check: checkDomains,
  risks: domainRisks,
  calls: domainCalls,
  toYaml: domainToYaml,
};

function liveDomains({ snapshot }: Realm): readonly LiveObject[] | undefined {
  return snapshot.domains?.map(({ domain, allow_subdomains }) => ({
    key: domain,
    name: domain,
    id: null,
    fields: { allow_subdomains },
    dormant: false,
  }));
}

function decodeDomain(item: Domain, name: string, context: DecodeContext): Decoded {
  const absent = item.absent === true;
  const flaw = domainFlaw(name);
  if (flaw !== undefined) context.problem([], finding("domains/name", flaw));
  if (item.lift_restriction === true && !absent)
    context.problem(["lift_restriction"], finding("domains/lift-restriction", {}));
  return {
    absent,
    fields: item.allow_subdomains === undefined ? {} : { allow_subdomains: item.allow_subdomains },
    ...(item.lift_restriction === true ? { creation: { lift_restriction: true } } : {}),
  };
}

function domainToYaml({ fields }: LiveObject): Json {
  return fields.allow_subdomains === true ? { allow_subdomains: true } : {};
}
