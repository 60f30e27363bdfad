import * as z from "zod";
import { defined } from "../../model/defined.ts";
import type { DomainCause } from "../../model/diagnostics/domains.ts";
import { type Quoted, quote } from "../../model/diagnostics/values.ts";
import { once } from "../../model/lazy.ts";
import { codePoints, strip } from "../names.ts";
import { optional } from "../optional.ts";

export const domainForm = once(() =>
  z.strictObject({
    allow_subdomains: optional(
      z.boolean(),
      "Whether addresses of subdomains, of every depth, count too. A new domain without this field does not count them.",
    ),
    absent: optional(z.boolean(), "`true` removes the domain under any policy."),
    lift_restriction: optional(
      z.literal(true),
      "Together with `absent: true`: this may be the last domain. After that, anybody may join.",
    ),
  }),
);
export type Domain = z.infer<ReturnType<typeof domainForm>>;

/** The column of the database; the server's own check allows 255, and then fails (zulip-api.md §7.2). */
const MAX_DOMAIN_LENGTH = 80;

/** As the server stores it. */
export function canonicalDomain(name: string): string {
  return strip(name).toLowerCase();
}

/**
 * Why the server would not accept a domain; undefined when it would (zulip-api.md §7.2).
 * @param name in canonical form
 */
export function domainCause(name: string): DomainCause | undefined {
  const domain = quote(name, "domain");
  if (name === "") return { cause: "empty" };
  if (name.includes("@")) return { cause: "address", domain, rest: quote(name.slice(name.indexOf("@") + 1), "domain") };
  if (name.startsWith("*.")) return { cause: "wildcard", rest: quote(name.slice(2), "domain") };
  if (/\P{ASCII}/u.test(name)) return { cause: "not-ascii", domain, ...asciiForm(name) };
  if (!name.includes(".")) return { cause: "no-dot", domain };
  const length = codePoints(name);
  if (length > MAX_DOMAIN_LENGTH) return { cause: "too-long", length, limit: MAX_DOMAIN_LENGTH };
  if (name.startsWith(".") || name.endsWith(".")) return { cause: "outer-dot", domain };
  for (const label of name.split(".")) {
    if (label === "") return { cause: "two-dots", domain };
    if (label.startsWith("-") || label.endsWith("-")) return { cause: "hyphen", domain, label: quote(label) };
    const character = /[^a-z0-9-]/.exec(label)?.[0];
    if (character !== undefined) return { cause: "character", domain, character: quote(character) };
  }
  return undefined;
}

/** The ASCII form of an internationalised name is what mail servers see. */
function asciiForm(domain: string): { readonly ascii?: Quoted } {
  const url = `http://${domain}`;
  return defined({ ascii: URL.canParse(url) ? quote(new URL(url).hostname, "domain") : undefined });
}
