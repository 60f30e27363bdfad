import type { RestrictionCause } from "../../model/diagnostics/invites.ts";
import { quote } from "../../model/diagnostics/values.ts";
import { strip } from "../names.ts";

/** The server compares addresses without regard to case (zulip-api.md §9.3). */
export function canonicalAddress(email: string): string {
  return strip(email).toLowerCase();
}

const LOCAL = "[a-z0-9.!#$%&'*+/=?^_`{|}~-]+";
const LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const ADDRESS = new RegExp(`^${LOCAL}@(?:${LABEL}(?:\\.${LABEL})+|localhost)$`);

/** @param address in canonical form; commas, brackets and quotes would be read as more than one address */
export function isAddress(address: string): boolean {
  return ADDRESS.test(address) && !/^\.|\.@|\.\./.test(address);
}

export interface AllowedDomain {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

/**
 * Why an address cannot join an organization that is restricted to these domains; undefined when it can (zulip-api.md §7.3, §9.3).
 * @param address in canonical form
 */
export function restrictionCause(address: string, domains: readonly AllowedDomain[]): RestrictionCause | undefined {
  const at = address.lastIndexOf("@");
  if (address.slice(0, at).includes("+")) return { cause: "plus" };
  const own = address.slice(at + 1);
  const isIn = ({ domain, allow_subdomains }: AllowedDomain): boolean =>
    own === domain || (allow_subdomains && own.endsWith(`.${domain}`));
  return domains.some(isIn) ? undefined : { cause: "unlisted", domain: quote(own, "domain") };
}
