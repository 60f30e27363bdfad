import type { DocsFacet } from "../../model/facets.ts";

export const docs: DocsFacet = {
  about: "They decide who may join only if the organization is restricted to them. Only owners may change them.",
  who: "Owners; administrators may not.",
  defaults: { allow_subdomains: "`false`" },
  example: `domains:
  example.org: {allow_subdomains: true}`,
};
