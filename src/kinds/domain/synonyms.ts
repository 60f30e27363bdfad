import type { Synonyms } from "../../model/synonyms.ts";

export const domainWords = (): Synonyms => ({
  section: ["realm_domains", "allowed_domains", "email_domains"],
  fields: {
    allow_subdomains: ["subdomains", "include_subdomains", "with_subdomains", "wildcard"],
  },
});
