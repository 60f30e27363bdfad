import { codePoints, strip } from "../names.ts";

/** The column of the database; the server's own check allows 255, and then fails (zulip-api.md §7.2). */
export const MAX_DOMAIN_LENGTH = 80;

/** As the server stores it. */
export function canonicalDomain(name: string): string {
  return strip(name).toLowerCase();
}

/**
 * Why the server would not take a domain, and what to do about it; undefined when it would (zulip-api.md §7.2).
 * @param domain in canonical form
 */
export function domainFlaw(domain: string): { readonly message: string; readonly hint: string } | undefined {
  const hint = "write it like example.org";
  if (domain === "") return { message: "a domain is not empty", hint };
  if (domain.startsWith("@") || domain.includes("@"))
    return { message: `${domain} is no domain but an address`, hint: `write ${domain.slice(domain.indexOf("@") + 1)}` };
  if (domain.startsWith("*."))
    return { message: "a domain has no asterisk", hint: `write ${domain.slice(2)}: {allow_subdomains: true}` };
  if (/\P{ASCII}/u.test(domain))
    return { message: `${domain} has letters that are not ASCII`, hint: asciiHint(domain) };
  if (!domain.includes(".")) return { message: `${domain} has no dot`, hint };
  if (codePoints(domain) > MAX_DOMAIN_LENGTH)
    return {
      message: `the domain has ${codePoints(domain)} characters, and the server stores ${MAX_DOMAIN_LENGTH}`,
      hint: "a longer one cannot be added",
    };
  if (domain.startsWith(".") || domain.endsWith("."))
    return { message: `${domain} starts or ends with a dot`, hint: "take the dot out" };
  for (const label of domain.split(".")) {
    if (label === "") return { message: `${domain} has two dots in a row`, hint };
    if (label.startsWith("-") || label.endsWith("-"))
      return { message: `"${label}" in ${domain} starts or ends with a hyphen`, hint };
    const bad = /[^a-z0-9-]/.exec(label)?.[0];
    if (bad !== undefined)
      return {
        message: `${domain} holds ${JSON.stringify(bad)}`,
        hint: "a domain has letters, digits, hyphens and dots only",
      };
  }
  return undefined;
}

/** The ASCII form of an internationalised name is what mail servers see. */
function asciiHint(domain: string): string {
  const url = `http://${domain}`;
  return URL.canParse(url) ? `write its ASCII form: ${new URL(url).hostname}` : "write its ASCII form (xn--…)";
}
