import type { DocsFacet } from "../../model/facets.ts";

export const docs: DocsFacet = {
  about:
    "Roles and deactivations of people, by the address of their account. realmctl looks only at people who are listed here. It creates nobody, and deactivates nobody who is not listed, so the section cannot be `exact`. People manage their names and profiles themselves.",
  who: "Administrators and owners, including bots with these roles.",
  whoMay: {
    role: "to give or take the role of an owner: owners",
    deactivated: "to deactivate an owner: owners",
  },
  defaults: { role: "–", deactivated: "–" },
  example: `people:
  ada@example.org: {role: owner}
  jana@example.org: {deactivated: true}`,
};
